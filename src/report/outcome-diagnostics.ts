import { type Address, indexByAddress } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { type Diagnostic, problem, warning } from '../model/diagnostic.ts';
import type { Outcome } from '../model/event.ts';
import { foldDiagnostics } from '../model/fold-diagnostics.ts';
import { groupBy } from '../model/graph.ts';
import type { Plan } from '../model/plan.ts';
import { undoneActionTexts } from './action-texts.ts';
import { rateLimitDurationText, skipReasonText } from './events-text.ts';
import { createFailureGrouping, failureLines } from './failures.ts';
import { indexOperationsByAddress } from './plan-notes.ts';

/**
 * Returns a problem for each change and each follow-up action (`$then`) that an apply did not do, and for each change that may have
 * overwritten one of somebody else, at the line of the configuration that declares it: an error for each failure, a warning otherwise. Used
 * by formats that can only print problems, such as Terraform's stream and the annotations of CI systems. Problems with one cause (`alike`)
 * become one that lists their places, because a rate limit may postpone thousands of changes. `now` is in milliseconds since 1970.
 */
export function outcomeDiagnostics(plan: Plan, outcome: Outcome, now: number): Diagnostic[] {
  const changesByAddress = indexByAddress(plan.changes);
  return foldDiagnostics([
    ...overwrittenWarnings(outcome, changesByAddress),
    ...postponedWarnings(outcome, changesByAddress, now),
    ...skippedWarnings(outcome, changesByAddress),
    ...failureErrors(plan, outcome, changesByAddress),
    ...undoneActionProblems(plan, outcome, changesByAddress),
  ]);
}

type ChangesInPlan = ReadonlyMap<Address, Change>;

/** Returns the members of a problem that name its object and its line of the configuration. */
const subjectOf = (address: Address, changes: ChangesInPlan): Pick<Diagnostic, 'address' | 'at'> => ({
  address,
  at: changes.get(address)?.at,
});

/** Returns a warning for each object that somebody else changed between our last read and our write. */
const overwrittenWarnings = ({ overwritten }: Outcome, changes: ChangesInPlan): Diagnostic[] =>
  overwritten.map((address) =>
    warning('apply/overwritten', 'somebody else changed this between our last read and our write', {
      ...subjectOf(address, changes),
      hint: 'their changes may be lost',
    }),
  );

/**
 * Returns a warning for each change that a rate limit postponed. All changes of one limit have the same message, so that `foldDiagnostics`
 * can show them as one (`alike`).
 */
function postponedWarnings({ postponed }: Outcome, changes: ChangesInPlan, now: number): Diagnostic[] {
  const postponedByLimit = groupBy(postponed, ({ rateLimit }) => rateLimit.bucket);
  return [...postponedByLimit.values()].flatMap((postponedChanges) => {
    const message = `left because ${rateLimitDurationText(postponedChanges, now)}`;
    const hint = 'run it again then; it continues from there';
    const alike = { cause: message, are: `changes ${message}`, hint };
    return postponedChanges.map(({ address }) =>
      warning('apply/left', message, { ...subjectOf(address, changes), hint, alike }),
    );
  });
}

/** Returns a warning for each change that was not tried, mostly because a change that it depends on failed. */
const skippedWarnings = ({ skipped }: Outcome, changes: ChangesInPlan): Diagnostic[] =>
  skipped.map(({ address, reason }) => {
    const message = `not tried because ${skipReasonText(reason)}`;
    const alike = { cause: message, are: `changes ${message}` };
    return warning('apply/skipped', message, { ...subjectOf(address, changes), alike });
  });

/** Returns an error for each change that failed. Failures with one cause can be shown as one (`alike`). */
function failureErrors(plan: Plan, { failed }: Outcome, changes: ChangesInPlan): Diagnostic[] {
  const causeOf = createFailureGrouping(plan);
  const operationsByAddress = indexOperationsByAddress(plan);
  return failed.map(({ address, error }) => {
    const { message, hint } = failureLines(error, operationsByAddress.get(address)?.[0]);
    return problem('apply/failed', message.join('\n'), {
      ...subjectOf(address, changes),
      hint: hint.length > 0 ? hint.join('\n') : undefined,
      alike: { cause: causeOf(error, address) },
    });
  });
}

/** Returns a problem for each follow-up action that an apply did not do: a warning if the next apply will, otherwise an error. */
const undoneActionProblems = (plan: Plan, outcome: Outcome, changes: ChangesInPlan): Diagnostic[] =>
  undoneActionTexts(plan, outcome).map(({ result, word, name, action, why, hint }) => {
    const create = result === 'owed' ? warning : problem;
    // The first resource whose `$then` asks for the action, or else the object that the action is about.
    const [source = action?.about] = action?.from ?? [];
    return create('then/not-done', `${word} ${name}${why === undefined ? '' : `: ${why}`}`, {
      address: action?.about,
      at: source === undefined ? undefined : changes.get(source)?.at,
      hint,
    });
  });
