/*
 * Lists the secrets of stacks for `trueup secrets`: where each comes from, which objects need it, and if it is available. The source of
 * each needed secret is read for that, once for all stacks, but no value is returned.
 */

import { maskInActions } from '../ci/ci-job.ts';
import { type Configuration, resourcesBySecret } from '../config/configuration.ts';
import { judgeSecretReferences, secretReferences } from '../config/judge-secrets.ts';
import { type Readings, resolveSecrets } from '../config/resolve-secrets.ts';
import type { Sources } from '../config/sources/sources.ts';
import { type Origin, originText } from '../config/sources/verdict.ts';
import type { SecretSource } from '../config/values/secret-source.ts';
import type { Provider } from '../kind/provider.ts';
import { type Diagnostic, raiseErrors } from '../model/diagnostic.ts';
import { groupBy } from '../model/graph.ts';
import { addressWithoutTarget, referenceSource } from '../model/logical-changes.ts';
import { familiesOf } from '../model/secret-families.ts';
import type { SecretLine } from '../report/rows-text.ts';
import { inFolder, readWorkspaceStacks } from './planning/workspace-stacks.ts';
import type { Port } from './port.ts';
import { createSources, loadConfiguration } from './session/load-configuration.ts';
import { namesSeveralStacks, type StackOptions, type StacksOptions } from './stack-options.ts';

/** The secrets of one stack. `id`: only if the command is about the stacks of a workspace. */
interface StackSecrets {
  id?: string;
  stack: string;
  secrets: SecretLine[];
}

/**
 * Lists the secrets of the stack, or of the stacks of the workspace, for `trueup secrets`: their sources, and if they are missing. Throws
 * `Problems` for invalid configurations.
 */
export async function listSecrets(
  provider: Provider,
  options: StackOptions & StacksOptions,
  port: Port,
): Promise<StackSecrets[]> {
  const { run } = port;
  const readings: Readings = new Map();
  if (!namesSeveralStacks(options)) {
    const sources = createSources(options, run.host, port);
    const configuration = await loadConfiguration(provider, options, run, { sources });
    const secrets = await listSecretLines(configuration, { sources, readings, cwd: run.host.cwd, port });
    return [{ stack: configuration.desired.stack, secrets }];
  }
  const { chosen, folder } = await readWorkspaceStacks(provider, options, port);
  const errors = chosen.flatMap(({ configuration }) =>
    configuration.diagnostics.filter(({ severity }) => severity === 'error'),
  );
  raiseErrors(errors);
  const { host } = inFolder(run, folder);
  const sources = createSources(options, host, port);
  const listed: StackSecrets[] = [];
  for (const { id, configuration } of chosen) {
    const secrets = await listSecretLines(configuration, { sources, readings, cwd: host.cwd, port });
    listed.push({ id, stack: configuration.desired.stack, secrets });
  }
  return listed;
}

/** The means to read the secrets of a configuration. */
interface SecretReading {
  sources: Sources;
  /** The results of sources that were read for another stack. */
  readings: Readings;
  /** The folder where paths of the configuration start. */
  cwd: string;
  port: Port;
}

/**
 * Lists the secrets of one stack for `trueup secrets`: first those that its configuration declares, then those that its fields take from
 * other objects. Reads the value of each needed secret to find out whether it is there, but never shows it.
 */
async function listSecretLines(configuration: Configuration, reading: SecretReading): Promise<SecretLine[]> {
  const { sources, readings, cwd, port } = reading;
  const { secrets, usedSecrets, writtenStack, desired } = configuration;
  const { values, diagnostics } = await resolveSecrets(
    { secrets, usedSecrets, writtenStack },
    { env: port.run.host.env, cwd, sources, readings },
  );
  maskInActions(values, secrets, port);
  const uses = resourcesBySecret(desired.resources.values());
  const problems = new Map(diagnostics.map((diagnostic) => [diagnostic.secret?.name, diagnostic]));
  // A secret with `{}` can be used with keys and without. If only its members are used, it is not listed itself.
  const families = familiesOf(usedSecrets);
  const names = [...secrets.keys()].filter((name) => usedSecrets.has(name) || !families.has(name)).sort();
  const declared = await Promise.all(
    names.map(async (name): Promise<SecretLine> => {
      const problem = problems.get(name);
      const stateWithoutValue = problem ? 'missing' : 'not needed';
      return {
        name,
        source: await formatSource(secrets.get(name)!, sources),
        neededBy: logicalAddresses((uses.get(name) ?? []).map(({ address }) => address)),
        state: values.has(name) ? 'there' : stateWithoutValue,
        why: problem && reasonMissing(problem),
        hint: problem?.hint,
      };
    }),
  );
  return [...declared, ...(await referenceLines(configuration, sources, cwd))];
}

/** Formats where a secret comes from, and which part of it is taken: `file .env, key DATABASE_URL`. */
async function formatSource(source: SecretSource, sources: Sources): Promise<string> {
  const file = 'file' in source ? await sources.nameOf(source.file, source.folder) : undefined;
  const origin = originText(file === undefined ? (source as Origin) : { file });
  return source.pick ? `${origin}, key ${source.pick.key}` : origin;
}

/**
 * Lists for `trueup secrets` the secrets that fields take from other objects by reference, such as the token of a webhook. They come from
 * the account (`isLive`) or from another field of the configuration. A reference may be refused (`missing`), be decided only by a plan
 * (`not checked`), or be allowed (`there`).
 */
async function referenceLines(
  configuration: Configuration,
  sources: Sources,
  cwd: string,
): Promise<SecretLine[]> {
  const { refused, undecided } = await judgeSecretReferences(configuration, sources, cwd);
  const bySource = groupBy(secretReferences(configuration.desired), referenceSource);
  return [...bySource].map(([name, references]) => {
    const targets = references.map(({ target }) => target.address);
    const problem = refused.find(({ address }) => targets.some((target) => target === address));
    const why = problem?.message ?? undecided.get(name);
    const stateUnlessRefused = why === undefined ? 'there' : 'not checked';
    return {
      name,
      source: references[0]!.isLive ? 'account' : 'configuration',
      neededBy: logicalAddresses(targets),
      state: problem ? 'missing' : stateUnlessRefused,
      why,
      hint: problem?.hint,
    };
  });
}

/**
 * Returns addresses as `trueup secrets` shows them, sorted and each once: the variants of an object for several targets have one address.
 */
const logicalAddresses = (addresses: string[]): string[] =>
  [...new Set(addresses.map(addressWithoutTarget))].sort();

/**
 * Returns why a secret is missing, for `trueup secrets`: the message without the secret's name (the name stands beside it), and a line per
 * further mistake in its source.
 */
const reasonMissing = ({ message, related = [] }: Diagnostic): string =>
  [
    message.replace(/^the secret `.*?` is not available: /, ''),
    ...related.map(({ message: mistake, at }) => `${at.file}:${at.line}:${at.column}: ${mistake}`),
  ].join('\n');
