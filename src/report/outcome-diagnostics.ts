import { type Address, indexByAddress } from '../model/address.ts';
import { type Diagnostic, problem, warning } from '../model/diagnostic.ts';
import type { Outcome } from '../model/event.ts';
import { foldDiagnostics } from '../model/fold-diagnostics.ts';
import { groupBy } from '../model/graph.ts';
import type { Plan } from '../model/plan.ts';
import { undoneActionTexts } from './action-texts.ts';
import { rateLimitDurationText, skipReasonText } from './events-text.ts';
import { createFailureGrouping, failureLines, findPlannedOperation } from './failures.ts';

/**
 * Returns a problem for each change and each follow-up action (`$then`) that an apply did not do, and for each change that may have
 * overwritten one of somebody else, at the line of the configuration that declares it: an error for each failure, a warning otherwise. Used
 * by formats that can only print problems, such as Terraform's stream and the annotations of CI systems. Problems with one cause (`alike`)
 * become one that lists their places, because a rate limit may postpone thousands of changes. `now` is in milliseconds since 1970.
 */
export function outcomeDiagnostics(plan: Plan, outcome: Outcome, now: number): Diagnostic[] {
  const { failed, postponed, skipped, overwritten } = outcome;
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
    ...skipped.map(({ address, reason }) => {
      const message = `not tried because ${skipReasonText(reason)}`;
      const alike = { cause: message, are: `changes ${message}` };
      return warning('apply/skipped', message, { ...subjectOf(address), alike });
    }),
    ...failed.map(({ address, error }) => {
      const { message, hint } = failureLines(error, findPlannedOperation(plan, address));
      return problem('apply/failed', message.join('\n'), {
        ...subjectOf(address),
        hint: hint.length > 0 ? hint.join('\n') : undefined,
        alike: { cause: causeOf(error, address) },
      });
    }),
    ...undoneActionTexts(plan, outcome).map(({ result, word, name, action, why, hint }) => {
      const create = result === 'owed' ? warning : problem;
      // The first resource whose `$then` asks for the action, or else the object that the action is about.
      const [source = action?.about] = action?.from ?? [];
      return create('then/not-done', `${word} ${name}${why === undefined ? '' : `: ${why}`}`, {
        address: action?.about,
        at: source === undefined ? undefined : subjectOf(source).at,
        hint,
      });
    }),
  ]);
}
