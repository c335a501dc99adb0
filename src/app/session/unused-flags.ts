import type { Configuration } from '../../config/configuration.ts';
import type { Sources } from '../../config/sources/sources.ts';
import { type Diagnostic, warning } from '../../model/diagnostic.ts';
import { listFew } from '../../model/fold-wordings.ts';
import { externalDestination } from '../../model/resource.ts';

interface OpenedStack {
  configuration: Configuration;
  sources: Sources;
}

/** Warns about `--allow-*` flags that allow nothing in any of the stacks that they were given for. */
export function warnOfUnusedFlags(stacks: readonly OpenedStack[]): Diagnostic[] {
  const [first, ...others] = stacks.map(({ sources }) => sources.unusedFlags());
  // Programs that secrets are delivered to are judged when they are run.
  const delivers = stacks.some(({ configuration: { desired } }) =>
    [...desired.resources.values()].some(({ meta }) => externalDestination(meta) !== undefined),
  );
  const flags = (first ?? [])
    .filter((flag) => others.every((unused) => unused.includes(flag)))
    .filter((flag) => !delivers || !flag.startsWith('--allow-command '));
  if (flags.length === 0) return [];
  const verb = flags.length === 1 ? 'allows' : 'allow';
  return [
    warning('allow/unused', `${listFew(flags)} ${verb} nothing that the configuration reads`, {
      hint: 'check the spelling, or remove it',
    }),
  ];
}
