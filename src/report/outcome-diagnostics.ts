import { type Address, indexByAddress } from '../model/address.ts';
import { type Diagnostic, problem, warning } from '../model/diagnostic.ts';
import type { Outcome } from '../model/event.ts';
import { foldDiagnostics } from '../model/fold-diagnostics.ts';
import { groupBy } from '../model/graph.ts';
import type { Plan } from '../model/plan.ts';
import { rateLimitDurationText, skipReasonText } from './events-text.ts';
import { createFailureGrouping, failureLines } from './failures.ts';

/**
 * Returns a problem for each change that an apply did not make, at the line of the configuration that declares it: an error for each
 * failure, a warning for everything else. Used by formats that can only print problems, such as Terraform's stream and the annotations of
 * CI systems. Problems with one cause are folded, because a rate limit may postpone thousands of changes. `now` is in milliseconds since
 * 1970.
 */
export function outcomeDiagnostics(
  plan: Plan,
  { failed, left: postponed, skipped, overwritten }: Outcome,
  now: number,
): Diagnostic[] {
  const causeOf = createFailureGrouping(plan);
  const changesByAddress = indexByAddress(plan.changes);
  const subjectOf = (address: Address): Pick<Diagnostic, 'address' | 'at'> => {
    return { address, at: changesByAddress.get(address)?.at };
  };
  const postponedByLimit = groupBy(postponed, ({ rateLimit }) => rateLimit.bucket);
  return foldDiagnostics([
    ...overwritten.map((address) =>
      warning('apply/overwritten', 'somebody else changed this between our last read and our write', {
        ...subjectOf(address),
        hint: 'their changes may be lost',
      }),
    ),
    ...[...postponedByLimit.values()].flatMap((postponedChanges) => {
      const message = `left because ${rateLimitDurationText(postponedChanges, now)}`;
      const hint = 'run it again then; it continues from there';
      const alike = { cause: message, are: `changes ${message}`, hint };
      return postponedChanges.map(({ address }) =>
        warning('apply/left', message, { ...subjectOf(address), hint, alike }),
      );
    }),
    ...skipped.map(({ address, because }) => {
      const message = `not tried because ${skipReasonText(because)}`;
      const alike = { cause: message, are: `changes ${message}` };
      return warning('apply/skipped', message, { ...subjectOf(address), alike });
    }),
    ...failed.map(({ address, error }) => {
      const { message, hint } = failureLines(error);
      return problem('apply/failed', message.join('\n'), {
        ...subjectOf(address),
        hint: hint.length > 0 ? hint.join('\n') : undefined,
        alike: { cause: causeOf(error, address) },
      });
    }),
  ]);
}
