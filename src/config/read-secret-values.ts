import type { Host } from '../host.ts';
import type { Kinds } from '../kind/kind.ts';
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
