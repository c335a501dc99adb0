import { type Diagnostic, warning } from '../model/diagnostic.ts';
import { listFew } from '../model/fold-wordings.ts';
import { externalDestination } from '../model/resource.ts';
import type { Configuration } from './configuration.ts';
import type { Sources } from './sources/sources.ts';

/** The parts of a session that the warning needs. */
interface OpenedStack {
  configuration: Configuration;
  sources: Sources;
}

/**
 * Returns a warning about flags `--allow-*` that allow nothing which any of these stacks reads, because such
 * a flag is often misspelled. Called once for all stacks of a command, since they share its flags.
 */
export function warnOfUnusedFlags(stacks: readonly OpenedStack[]): Diagnostic[] {
  const [firstUnused = [], ...otherUnused] = stacks.map(({ sources }) => sources.unusedFlags());
  // A program that receives a secret is checked only when it is run, so its flag may still be used.
  const hasDelivery = stacks.some(({ configuration: { desired } }) =>
    [...desired.resources.values()].some(({ meta }) => externalDestination(meta) !== undefined),
  );
  const flags = firstUnused
    .filter((flag) => otherUnused.every((unused) => unused.includes(flag)))
    .filter((flag) => !hasDelivery || !flag.startsWith('--allow-command '));
  if (flags.length === 0) return [];
  const verb = flags.length === 1 ? 'allows' : 'allow';
  return [
    warning('allow/unused', `${listFew(flags)} ${verb} nothing that the configuration reads`, {
      hint: 'check the spelling, or remove it',
    }),
  ];
}
