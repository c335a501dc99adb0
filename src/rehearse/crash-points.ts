/*
 * Tries whether a run recovers after a crash. A run is killed on its way, and the next run must finish its work: reach the same account as
 * a run that was not killed, with nothing missing and nothing created twice.
 *
 * Terms
 *   step                a request, a write of the ledger, or a line of the journal (`twin-run.ts`)
 *   crash point         the number of steps that the killed run makes. The last step is carried out, but the run never gets its answer.
 *   undisturbed run     the rehearsed apply, without a crash
 *   journal             the part of the ledger on the machine of the run. The machine can be lost, so at every second crash point the journal is.
 *
 * `test/sweep/crash.ts` tests the same promise of every run, with the real ledger files and a journal that ends in half a line. Here it is
 * tried for one plan of a user, so the ledger is in memory.
 */

import type { SideEffect } from '../model/change.ts';
import { hasErrors } from '../model/diagnostic.ts';
import type { CrashFailure, CrashPoints } from '../model/rehearsal.ts';
import { groupByCollection, type Live } from '../model/resource.ts';
import { findSideEffects } from '../plan/side-effects.ts';
import type { OpenPlanOptions, Planned } from '../run/open-plan.ts';
import { sessionAfterApply } from '../run/verify.ts';
import type { MemoryLedger } from './rehearsal-session.ts';
import {
  applyToTwin,
  openTwinRun,
  planAgainOnTwin,
  planRestOnTwin,
  type RunStep,
  type TwinRun,
  type TwinRuns,
} from './twin-run.ts';

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

/**
 * Tests whether a run recovers after a crash: kills an apply to the twin (the simulated account of `plan --rehearse`) after a number of
 * steps, the crash point, and lets the next run finish. Tries `count` crash points, spread over the run, or all of them. The twin's account
 * is afterwards the one that the last try has left. `mask` hides secrets in the reasons of failures.
 */
export async function tryCrashPoints(
  runs: TwinRuns,
  undisturbed: UndisturbedRun,
  count: number | 'all',
  mask: (text: string) => string,
): Promise<CrashPoints> {
  const { steps } = undisturbed;
  const points = chooseCrashPoints(steps.length, count);
  const failures: CrashFailure[] = [];
  for (const [index, point] of points.entries()) {
    // The machine with the journal may be lost, too. Both cases are tried in turn.
    const isJournalLost = index % 2 === 1;
    const reason = await tryCrashPoint(runs, undisturbed, { point, isJournalLost }).catch(
      (error: Error) => error.message,
    );
    if (reason !== undefined)
      failures.push({ point, step: formatRunStep(steps[point - 1]!), reason: mask(reason) });
  }
  return { total: steps.length, tried: points.length, failures };
}

/** Returns the crash points to try in a run of `total` steps: all, or `count` of them at equal distances. */
function chooseCrashPoints(total: number, count: number | 'all'): number[] {
  if (count === 'all' || count >= total) return Array.from({ length: total }, (_, index) => index + 1);
  return Array.from({ length: count }, (_, index) => Math.ceil(((index + 0.5) * total) / count));
}

/** Formats a step for people: `POST /v11/projects`. */
const formatRunStep = ({ type, request }: RunStep): string =>
  type === 'request' ? request!.endpoint : `the write of the ${type}`;

/** A crash to try. */
interface Crash {
  point: number;
  isJournalLost: boolean;
}

/**
 * Kills an apply on the twin (the simulated account of a rehearsal) after some steps, and lets the next run finish. Returns why its result
 * is not that of an undisturbed run; undefined if it is. `isJournalLost`: true if the next run lacks the journal that the killed one kept
 * on its own machine, as if it ran elsewhere.
 */
async function tryCrashPoint(
  runs: TwinRuns,
  undisturbed: UndisturbedRun,
  { point, isJournalLost }: Crash,
): Promise<string | undefined> {
  runs.rehearsalTwin.twin.restoreAccount(undisturbed.accountBefore);
  const ledgerOfKilled = await applyUntilCrash(runs, undisturbed.planned, point);
  const next = openTwinRun(runs, ledgerOfKilled.stored(isJournalLost));
  return findRecoveryFault(next, undisturbed);
}

/**
 * Applies a plan to the twin (the simulated account of a rehearsal), and ends like a killed process after `point` steps (requests and
 * writes of the ledger). Returns the ledger that it leaves, from which the next run has to recover.
 */
async function applyUntilCrash(runs: TwinRuns, planned: Planned, point: number): Promise<MemoryLedger> {
  let stepCount = 0;
  const crash = () => {
    throw new Error('the run was killed');
  };
  const killed = openTwinRun(runs, runs.session.ledger, {
    // A last step that is a write of the ledger has no answer, so the run ends before the step that follows.
    onStep: () => {
      stepCount += 1;
      if (stepCount > point) crash();
    },
    onAnswer: () => {
      if (stepCount >= point) crash();
    },
  });
  await applyToTwin(killed.session, planned).catch(() => {});
  return killed.ledger;
}

/**
 * Plans and applies on the twin (the simulated account of a rehearsal) what a killed run has left to do, and plans once more. Returns why
 * the result is wrong: a refused plan, a failed apply, a remaining change, or another account than after the undisturbed run. Undefined if
 * it is right.
 */
async function findRecoveryFault(
  { session }: TwinRun,
  undisturbed: UndisturbedRun,
): Promise<string | undefined> {
  const { options } = undisturbed;
  const plannedRest = await planRestOnTwin(session, options);
  if (hasErrors(plannedRest.plan.diagnostics))
    return `the next plan is refused: ${firstErrorMessage(plannedRest)}`;
  const outcome = await applyToTwin(session, plannedRest);
  const [failed] = outcome.failed;
  if (failed) return `the next apply fails: ${failed.address}: ${(failed.error as Error).message}`;
  const last = await planAgainOnTwin(sessionAfterApply(session, plannedRest), options);
  if (hasErrors(last.plan.diagnostics)) return `the plan after that is refused: ${firstErrorMessage(last)}`;
  const unfinished = last.plan.changes.find(({ action }) => action !== 'noop');
  if (unfinished) return `a further plan still changes ${unfinished.address}`;
  return findRecoveryDifference(undisturbed, last);
}

const firstErrorMessage = ({ plan }: Planned): string =>
  plan.diagnostics.find(({ severity }) => severity === 'error')!.message;

/**
 * Returns how the account after a recovered run differs from that after the undisturbed run (the same apply without a crash); undefined if
 * it does not. `recovered`: the last plan. It is empty, so declared fields are as declared, and only three things can be wrong: a side
 * effect that the undisturbed run did not have, a missing object, and an object that was created twice.
 */
function findRecoveryDifference({ planned, after }: UndisturbedRun, recovered: Planned): string | undefined {
  const sideEffectsIn = (live: Live) => findSideEffects(planned.plan, planned.live, live, planned.input);
  const expectedKeys = new Set(sideEffectsIn(after.live).map(keyOfSideEffect));
  const unexpected = sideEffectsIn(recovered.live).find(
    (effect) => !expectedKeys.has(keyOfSideEffect(effect)),
  );
  if (unexpected) return `${unexpected.address} is ${sideEffectWords[unexpected.type]}`;
  const missing = [...after.live.resources.keys()].find((address) => !recovered.live.resources.has(address));
  if (missing !== undefined) return `${missing} is missing`;
  const expectedCounts = countPerCollection(after.live);
  const counts = countPerCollection(recovered.live);
  const collection = [...counts.keys()].find((id) => counts.get(id) !== expectedCounts.get(id));
  return collection === undefined
    ? undefined
    : `${collection} has ${counts.get(collection)} objects, not ${expectedCounts.get(collection) ?? 0}`;
}

const keyOfSideEffect = ({ address, type, ...effect }: SideEffect): string =>
  `${address} ${type} ${'path' in effect ? effect.path : ''}`;

const sideEffectWords = { changed: 'different', gone: 'missing', appeared: 'left over' };

/**
 * Returns the number of objects in each collection (list of objects), to find one that a recovered run created twice. Objects with equal
 * names share an address, so addresses alone would hide it.
 */
const countPerCollection = ({ resources }: Live): Map<string, number> =>
  new Map(
    [...groupByCollection(resources)].map(([id, objects]) => [
      id,
      objects.reduce((sum, { alternatives }) => sum + (alternatives?.length ?? 1), 0),
    ]),
  );
