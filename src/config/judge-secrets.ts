import { type Diagnostic, sortDiagnostics } from '../model/diagnostic.ts';
import { referenceOrigins } from '../model/reference-origins.ts';
import type { Configuration } from './configuration.ts';
import { secretReferences } from './judge-references.ts';
import type { Sources } from './sources/sources.ts';
import { type Origin, originText, type SourceRequest, toRefusal } from './sources/verdict.ts';
import type { SecretSource } from './values/secret-source.ts';

/** The secrets that a configuration declares, and the names of those that some resource uses. */
export type DeclaredSecrets = Pick<Configuration, 'secrets' | 'usedSecrets' | 'writtenStack'>;

/**
 * Returns an error for each secret that some resource uses and that may not be read, with the flag that allows it. Used by commands that
 * need no values, such as `validate`. Reads no secret.
 */
export async function judgeSecrets(declared: DeclaredSecrets, sources: Sources): Promise<Diagnostic[]> {
  const requests = secretRequestsOf(declared);
  const verdicts = await sources.judge(requests, declared.writtenStack);
  return sortDiagnostics(requests.flatMap((request, index) => toRefusal(request, verdicts[index]!) ?? []));
}

/**
 * Returns a request to read each secret that some resource uses, sorted by name. Other secrets are never read, so that a command needs
 * permission only for those that it needs.
 */
export const secretRequestsOf = ({
  secrets,
  usedSecrets,
}: DeclaredSecrets): (SourceRequest & { origin: Origin })[] =>
  [...usedSecrets].sort().flatMap((name) => {
    const source = secrets.get(name);
    return source
      ? [{ use: 'secret', name, origin: secretOriginOf(source), folder: source.folder, at: source.at }]
      : [];
  });

/**
 * Returns where everything that a configuration uses comes from, for the ledger: `env DATABASE_URL` by `secret database`, and for a
 * reference to a secret `field secret of projects/web/protectionBypass/e2e` by `field value of projects/web/env/TOKEN`.
 */
export async function describeOrigins(
  { desired, secrets, usedSecrets, variableOrigins }: Configuration,
  sources: Sources,
): Promise<Map<string, string>> {
  const origins = new Map([...variableOrigins].map(([name, source]) => [`variable ${name}`, source]));
  for (const name of usedSecrets) {
    const source = secrets.get(name);
    if (!source) continue;
    const origin =
      'file' in source ? { file: await sources.nameOf(source.file, source.folder) } : secretOriginOf(source);
    origins.set(`secret ${name}`, originText(origin));
  }
  return new Map([...origins, ...referenceOrigins(secretReferences(desired))]);
}

/** Returns the origin of a secret without the place of its declaration. */
function secretOriginOf(source: SecretSource): Origin {
  if ('env' in source) return { env: source.env };
  return 'file' in source ? { file: source.file } : { command: source.command };
}
