import type { Configuration } from '../../config/configuration.ts';
import { refuseEmptySecrets } from '../../config/read-secret-values.ts';
import type { Sources } from '../../config/sources/sources.ts';
import { warnOfUnusedFlags } from '../../config/unused-flags.ts';
import type { Kinds } from '../../kind/kind.ts';
import { asWarning, type Diagnostic } from '../../model/diagnostic.ts';
import type { Sealed } from '../../model/sealed.ts';
import type { StackOptions } from '../stack-options.ts';

/** A configuration that was read for a session, with its secrets. */
interface LoadedRun {
  configuration: Configuration;
  sources: Sources;
  kinds: Kinds;
  secrets: ReadonlyMap<string, Sealed>;
  /** Why other secrets are not available. */
  secretProblems: readonly Diagnostic[];
  /** The warnings about the place of the ledger. */
  ledgerWarnings: readonly Diagnostic[];
}

/**
 * Returns the problems that a session has before it plans. A session from a snapshot collects them with the same function, because its plan
 * must have the same problems in the same order. `isOfSeveral`: true if the command has several stacks.
 */
export const collectSessionDiagnostics = (
  { configuration, sources, kinds, secrets, secretProblems, ledgerWarnings }: LoadedRun,
  { twin }: Pick<StackOptions, 'twin'>,
  isOfSeveral: boolean,
): Diagnostic[] => [
  ...configuration.diagnostics,
  ...secretProblems.map(asWarning),
  ...refuseEmptySecrets(configuration, kinds, secrets),
  ...ledgerWarnings,
  // Several stacks share their flags, and the twin needs none.
  ...(isOfSeveral || twin ? [] : warnOfUnusedFlags([{ configuration, sources }])),
];
