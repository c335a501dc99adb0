/*
 * Tries whether a run recovers that is killed on its way: after any step (`twin-run.ts`), the next run must plan and apply the rest, and reach the same
 * account as a run that was not killed, with nothing created twice.
 *
 * A crash point is the number of steps that the killed run still makes. It never hears the answer of the last one. Afterwards the next run has the ledger
 * as it was written, and at every second point also the journal, which is lost with the machine of the run.
 */

import type { SideEffect } from '../model/change.ts';
import { hasErrors } from '../model/diagnostic.ts';
import type { CrashFailure, CrashPoints } from '../model/rehearsal.ts';
import { groupByCollection, type Live } from '../model/resource.ts';
import { findSideEffects } from '../plan/side-effects.ts';
import type { OpenPlanOptions, Planned } from '../run/open-plan.ts';
import { applyToTwin, openTwinRun, planAgainOnTwin, type RunStep, type TwinRuns } from './twin-run.ts';

/** The run that was not killed. */
export interface UndisturbedRun {
  /** The account before it, in the twin's own format. */
  accountBefore: object;
  planned: Planned;
  options: OpenPlanOptions;
  /** Its steps in their order. */
  steps: readonly RunStep[];
  /** The second plan after it, with the account that it has left. */
  after: Planned;
}

/** Tries `count` crash points, spread over the run, or all of them. The twin is left in some state of the last one. */
export async function tryCrashPoints(
  runs: TwinRuns,
  undisturbed: UndisturbedRun,
  count: number | 'all',
  mask: (text: string) => string,
): Promise<CrashPoints> {
  const { steps } = undisturbed;
  const points = choosePoints(steps.length, count);
  const failures: CrashFailure[] = [];
  for (const [index, point] of points.entries()) {
    const isFolderLost = index % 2 === 1;
    const reason = await tryCrashPoint(runs, undisturbed, { point, isFolderLost }).catch(
      (error: Error) => error.message,
    );
    if (reason !== undefined)
      failures.push({ point, step: stepText(steps[point - 1]!), reason: mask(reason) });
  }
  return { total: steps.length, tried: points.length, failures };
}

/** Returns the crash points to try among so many steps: all, or some that are spread evenly. */
function choosePoints(total: number, count: number | 'all'): number[] {
  if (count === 'all' || count >= total) return Array.from({ length: total }, (_, index) => index + 1);
  return Array.from({ length: count }, (_, index) => Math.ceil(((index + 0.5) * total) / count));
}

/** Formats a step for people: `POST /v11/projects`. */
const stepText = ({ type, request }: RunStep): string =>
  type === 'request' ? request!.endpoint : `the write of the ${type}`;

/** Kills a run at one point, and runs again. Returns why the result differs from that of the undisturbed run; undefined if it is equal. */
async function tryCrashPoint(
  runs: TwinRuns,
  undisturbed: UndisturbedRun,
  { point, isFolderLost }: { point: number; isFolderLost: boolean },
): Promise<string | undefined> {
  const { session, rehearsalTwin } = runs;
  const { accountBefore, planned, options } = undisturbed;
  rehearsalTwin.twin.restoreAccount(accountBefore);
  let done = 0;
  const endIf = (isOver: boolean) => {
    if (isOver) throw new Error('the run was killed');
  };
  const killed = openTwinRun(runs, session.ledger, {
    onStep: () => {
      done += 1;
      endIf(done > point);
    },
    onAnswer: () => endIf(done >= point),
  });
  await applyToTwin(killed.session, planned).catch(() => {});
  const next = openTwinRun(runs, killed.ledger.stored(isFolderLost));
  const plannedRest = await planAgainOnTwin(next.session, options);
  if (hasErrors(plannedRest.plan.diagnostics))
    return `the next plan is refused: ${firstErrorMessage(plannedRest)}`;
  const outcome = await applyToTwin(next.session, plannedRest);
  const [failed] = outcome.failed;
  if (failed) return `the next apply fails: ${failed.address}: ${(failed.error as Error).message}`;
  const last = await planAgainOnTwin(next.session, options);
  if (hasErrors(last.plan.diagnostics)) return `the plan after that is refused: ${firstErrorMessage(last)}`;
  const remaining = last.plan.changes.find(({ action }) => action !== 'noop');
  if (remaining) return `a further plan still changes ${remaining.address}`;
  return findRecoveryDifference(undisturbed, last);
}

const firstErrorMessage = ({ plan }: Planned): string =>
  plan.diagnostics.find(({ severity }) => severity === 'error')!.message;

/**
 * Returns how the account after a recovered run differs from the one after an undisturbed run; undefined if it does not. Declared fields are as declared,
 * since the last plan is empty. The other fields of objects that existed before must be as they were, unless the undisturbed run changed them, too.
 */
function findRecoveryDifference({ planned, after }: UndisturbedRun, found: Planned): string | undefined {
  const effectsOn = (live: Live) => findSideEffects(planned.plan, planned.live, live, planned.input);
  const keyOf = ({ address, type, ...effect }: SideEffect) =>
    `${address} ${type} ${'path' in effect ? effect.path : ''}`;
  const expectedEffects = new Set(effectsOn(after.live).map(keyOf));
  const effect = effectsOn(found.live).find((candidate) => !expectedEffects.has(keyOf(candidate)));
  if (effect)
    return `${effect.address} is ${{ changed: 'different', gone: 'missing', appeared: 'left over' }[effect.type]}`;
  const missing = [...after.live.resources.keys()].find((address) => !found.live.resources.has(address));
  if (missing !== undefined) return `${missing} is missing`;
  const [expectedCounts, foundCounts] = [countPerCollection(after.live), countPerCollection(found.live)];
  const collection = [...foundCounts.keys()].find((id) => foundCounts.get(id) !== expectedCounts.get(id));
  return collection === undefined
    ? undefined
    : `${collection} has ${foundCounts.get(collection)} objects, not ${expectedCounts.get(collection) ?? 0}`;
}

/** Returns the number of objects in each collection, those with equal names included. */
const countPerCollection = ({ resources }: Live): Map<string, number> =>
  new Map(
    [...groupByCollection(resources)].map(([id, objects]) => [
      id,
      objects.reduce((sum, { alternatives }) => sum + (alternatives?.length ?? 1), 0),
    ]),
  );
