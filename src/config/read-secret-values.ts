import type { Host } from '../host.ts';
import type { Kinds } from '../kind/kind.ts';
import { tryParseJson } from '../model/read-json.ts';
import { Sealed } from '../model/sealed.ts';
import { isPlainObject } from '../model/value.ts';
import type { Configuration } from './configuration.ts';
import { type Readings, type ResolvedSecrets, resolveSecrets } from './resolve-secrets.ts';
import type { Sources } from './sources/sources.ts';
import { createStandIns } from './stand-ins.ts';

/** The surroundings of reading secrets. */
export interface SecretsContext {
  kinds: Kinds;
  host: Pick<Host, 'env' | 'cwd'>;
  sources: Sources;
  /** True for the embedded twin. It gets placeholders instead of secrets. */
  isTwin: boolean | undefined;
  /** The sources that were read before, so that several stacks read each source once. */
  readings?: Readings | undefined;
}

/**
 * Returns the values of the secrets that a configuration uses: from their sources, or placeholders for the embedded
 * twin. Used by commands that plan or apply.
 */
export const readSecretValues = async (
  configuration: Configuration,
  { kinds, host: { env, cwd }, sources, isTwin, readings }: SecretsContext,
): Promise<ResolvedSecrets> =>
  isTwin
    ? createStandIns(configuration, kinds)
    : resolveSecrets(configuration, { env, cwd, sources, readings });

/** The variables of trueup that hold secrets, besides the secrets of configurations. */
const credentialVariables = new Set(['TRUEUP_TOKEN', 'TRUEUP_LEDGER_KEY', 'TRUEUP_LEDGER_KEY_PREVIOUS']);

/**
 * Returns the secrets that the environment holds for trueup. Used to find secrets in values of the account, even those that the configuration no
 * longer uses: a secret that was replaced by a literal may still be live. If a variable holds a JSON object, each text in it is a secret.
 */
export const environmentSecrets = ({ env }: Pick<Host, 'env'>): Sealed[] =>
  Object.entries(env)
    .filter(([name, text]) => text && (credentialVariables.has(name) || name.startsWith('TRUEUP_SECRET_')))
    .flatMap(([, text]) => [text!, ...textMembersOf(text!)].map((secret) => new Sealed(secret)));

/** Returns the texts in a JSON object; none if the text is something else. */
function textMembersOf(text: string): string[] {
  const value = text.trimStart().startsWith('{') ? tryParseJson(text) : undefined;
  return isPlainObject(value) ? Object.values(value).filter((member) => typeof member === 'string') : [];
}
