import { sameWindowTolerance } from '../http/bucket.ts';
import type { BucketState } from '../model/budget.ts';
import {
  expiry,
  longestWindow,
  type RunState,
  type SharedBucket,
  shortestWindow,
  validity,
} from './shared-bucket.ts';

/*
 * Divides the calls of one rate bucket among the runs that use the same token.
 *
 *   bucket     a counter of the platform. It allows `limit` calls in each window. The database has one `SharedBucket` for it
 *   window     the time until the platform resets the counter. A new window begins with the first call after the reset
 *   report     what an answer of the platform said about its window: `remaining` calls, and the time until the reset
 *   held       calls that a run was granted and whose use no report covers yet: unused, under way, or answered since its last request
 *   reserved   the held calls that the run keeps for later. They survive the end of a window
 *   due        the requests of a run's plan that it has not sent yet
 *   turn       a number that a run raises with each grant request, so that a delayed request cannot undo a later one
 *   lost call  a call that may have reached the platform although no report covers it: its answer was lost, or its run was killed
 *
 * Premise: the platform refuses calls beyond the limit, and any run can be killed at any time. So the calls that are held, lost or used
 * never exceed what the platform allows in the window, as far as only these runs call it.
 *
 * One grant request, in one transaction:
 *   1. Start a new window if the old one is over. Remove the runs that were silent for `expiry`; what they held becomes lost calls.
 *   2. Apply the reports of the run. Count its calls without a report as lost calls.
 *   3. Drop the lost calls that a later report covers, or whose window is certainly over.
 *   4. Replace the state of the run. Grant it its part of the free calls.
 *
 * Example with a limit of 10. Nothing is known at first, so only one call is granted, whose answer will state the limit:
 *
 *   run A wants 5   granted 1, A holds 1
 *   run B wants 5   granted 0, because the call of A begins the window
 *   run A wants 4   and reports 9 remaining: granted 4, A holds 4 and 5 are free
 *   run B wants 6   granted 5, nothing is free. B waits until A returns calls or the window ends
 */

/** What an answer of the platform said about its window. */
export interface LimitReport {
  limit?: number | undefined;
  remaining: number;
  /** Milliseconds from now until the window ends. */
  resetIn: number;
  /** Milliseconds since the answer came. */
  age: number;
  /** The end of the window as the platform names it, in seconds since 1970. */
  window?: number | undefined;
}

/** A run's request for calls of a bucket. It states everything that the run holds, so that a lost request does no harm. */
export interface GrantRequest {
  run: string;
  /** Rises with each request of a run. */
  turn: number;
  held: number;
  /** The part of `held` that is kept for later. */
  reserved: number;
  /** The waiting calls for which the run holds nothing. */
  wanted: number;
  /** The calls to grant beyond `wanted` if there are plenty, so that the run asks the database less often. */
  ahead: number;
  due: number;
  /** The reports since the last request of the run. */
  reports: LimitReport[];
  /** The number of calls since the last request that ended without a report. */
  unreportedCalls: number;
  /** True if one of these calls was answered, which means that the platform does not limit the bucket. */
  isUnlimited: boolean;
}

/** The answer to a `GrantRequest`. */
export interface Grant {
  /** Infinity if the platform does not limit the bucket. */
  granted: number;
  limit?: number | undefined;
  /** The calls that no run holds. */
  free: number;
  /** The number of active runs, including this one. */
  runs: number;
  /** Milliseconds until the window ends. Undefined before the first window starts. */
  endsIn?: number | undefined;
  /** True if no run can return enough for a call, so that asking again before the window ends is useless. */
  isSpent: boolean;
}

/**
 * Updates the state of a rate limit that several runs share (`bucket`) with a run's request, and returns the calls
 * that the run may send. The request says what answers reported, which calls the run still holds from earlier
 * grants (`held`), which of these it keeps for later (`reserved`), how many calls wait (`wanted`), and how many its
 * plan will send (`due`). Called in the transaction that locks the state.
 *
 * Grants any number of calls if the platform does not limit them. Grants none to a request that arrives after a later
 * one of the same run (`turn`), and does not store its numbers, because the stored ones are newer.
 */
export function grantCalls(bucket: SharedBucket, request: GrantRequest, now: number): Grant {
  updateWindow(bucket, request, now);
  const isOutdated = request.turn <= (bucket.runs[request.run]?.turn ?? 0);
  const runState = isOutdated ? undefined : storeRunState(bucket, request, now);
  const runs = Object.keys(bucket.runs).length;
  const { limit, endsAt } = bucket;
  // `untold`: answers state no limit.
  const isUnlimited = bucket.untold === true;
  if (isUnlimited) {
    if (runState) runState.waiting = 0;
    return { limit, runs, granted: Infinity, free: Infinity, isSpent: false };
  }
  const free = freeCallsOf(bucket);
  const granted = runState ? fairPartOfRun(free, request, bucket) : 0;
  if (runState) addGrantedCalls(runState, granted, now);
  // Runs can return the calls that they hold, except for the reserved ones.
  const returnable = (bucket.remaining ?? 0) - sumOverRuns(bucket, 'reserved');
  return {
    limit,
    runs,
    granted,
    free: free - granted,
    endsIn: endsAt === undefined ? undefined : Math.max(0, endsAt - now),
    isSpent: endsAt !== undefined && returnable < 1,
  };
}

/**
 * Updates the window of a shared rate limit (the time until the platform resets its counter) and its remaining calls, before calls are
 * granted: from the clock, and from the reports in a run's request. Its calls without a report count as lost (they may have reached the
 * platform). A report of a later answer covers them, because the platform has then counted them. If answers state no limit, and none is
 * known from before, the limit counts as absent (`untold`).
 */
function updateWindow(bucket: SharedBucket, request: GrantRequest, now: number): void {
  startNextWindow(bucket, now);
  removeSilentRuns(bucket, now, request.run);
  for (const report of request.reports) applyReport(bucket, report, now);
  addLostCalls(bucket, request.unreportedCalls, now);
  dropCoveredLosses(bucket, now);
  if (request.isUnlimited && bucket.remaining === undefined) bucket.untold = true;
}

/**
 * Stores and returns the state of a run that shares a rate limit with others (`--limits`), as its request states it, so that calls can be
 * divided among all runs. Keeps the calls that it was granted in this window (`got`) and the time of the last grant (`gotAt`).
 */
function storeRunState({ runs }: SharedBucket, request: GrantRequest, now: number): RunState {
  const { run, turn, held, reserved, wanted, due } = request;
  const { got = 0, gotAt = 0 } = runs[run] ?? {};
  const state: RunState = { turn, held, reserved, waiting: wanted, due, got, gotAt, seen: now };
  runs[run] = state;
  return state;
}

/** Adds the granted calls to the stored state of the run that asked for them. It may be granted more than wait, in advance. */
function addGrantedCalls(runState: RunState, granted: number, now: number): void {
  runState.held += granted;
  runState.waiting = Math.max(0, runState.waiting - granted);
  runState.got += granted;
  if (granted > 0) runState.gotAt = now;
}

/** Removes a run that ends, which returns everything that it holds. */
export function removeRun({ runs }: SharedBucket, run: string): void {
  delete runs[run];
}

/** Records how many requests a run is going to send, so that the forecasts of other runs count them before the first one is sent. */
export function recordDueRequests({ runs }: SharedBucket, run: string, due: number, now: number): void {
  runs[run] = { turn: 0, held: 0, reserved: 0, waiting: 0, got: 0, gotAt: 0, ...runs[run], due, seen: now };
}

/**
 * Returns how the other runs use a rate limit that they share with this one (`run`), for the forecast of a plan: the limit, the remaining
 * calls, and how many each of them holds or is still going to send (`due`). Undefined if the limit is unknown. First brings `bucket` up to
 * the time `now`.
 */
export function otherRunsUse(bucket: SharedBucket, run: string, now: number): BucketState | undefined {
  startNextWindow(bucket, now);
  removeSilentRuns(bucket, now);
  dropCoveredLosses(bucket, now);
  const { limit, remaining = limit, endsAt, runs, lost } = bucket;
  if (limit === undefined) return undefined;
  const reserved = Object.entries(runs).flatMap(([name, { held, waiting, due }]) =>
    name === run ? [] : Math.max(due, held + waiting),
  );
  return {
    limit,
    remaining: Math.max(0, remaining! - (lost?.calls ?? 0)),
    reserved: reserved.filter((calls) => calls > 0),
    endsIn: endsAt === undefined ? undefined : endsAt - now,
  };
}

/** Returns the calls that all runs together hold, or keep for later (`reserved`), of a shared rate limit. */
const sumOverRuns = ({ runs }: SharedBucket, member: 'held' | 'reserved'): number =>
  Object.values(runs).reduce((sum, run) => sum + run[member], 0);

/**
 * Returns the number of calls of a shared rate limit that can be granted now: those that remain, without the calls that runs hold and the
 * lost ones (calls that may have reached the platform although no answer says so).
 *
 * The window of a limit (the time until it is reset) starts with its first call. Before that nothing may be known to remain. Then one call
 * is free, to start the window, unless a run may already be sending one. Reserved calls are held, too, but are not sent yet.
 */
function freeCallsOf(bucket: SharedBucket): number {
  const heldOrLost = sumOverRuns(bucket, 'held') + (bucket.lost?.calls ?? 0);
  const free = Math.max(0, (bucket.remaining ?? 0) - heldOrLost);
  const hasWindowStarted = bucket.endsAt !== undefined;
  if (free > 0 || hasWindowStarted) return free;
  const mayBeSendingFirstCall = heldOrLost > sumOverRuns(bucket, 'reserved');
  return mayBeSendingFirstCall ? 0 : 1;
}

/**
 * Removes runs from a shared rate limit that did not report for the time `expiry`, because they were probably killed. The run that is
 * asking (`askingRun`) stays. Removed runs may have sent any of the calls that were granted to them (`held`) until `validity` after they
 * were last `seen`. So these count as lost until a later report covers them, or all windows in which they may have been sent are over.
 */
function removeSilentRuns(bucket: SharedBucket, now: number, askingRun?: string): void {
  for (const [name, run] of Object.entries(bucket.runs)) {
    if (name === askingRun || now - run.seen < expiry) continue;
    delete bucket.runs[name];
    addLostCalls(bucket, run.held, run.seen + validity);
  }
}

/**
 * Adds calls to those that count as lost in a rate limit that several runs share: they may have been sent, but no
 * answer reported them. They are not granted again in this window. `by`: the latest time at which they can have
 * been sent.
 */
function addLostCalls(bucket: SharedBucket, calls: number, by: number): void {
  if (calls === 0) return;
  const { lost } = bucket;
  bucket.lost = { calls: (lost?.calls ?? 0) + calls, by: Math.max(lost?.by ?? 0, by) };
}

/**
 * Drops the lost calls of a shared rate limit (they may have reached the platform, but no answer reported them) when they
 * no longer matter: a report that is later than all of them covers them, since the platform has counted them, or each
 * window that they can be in is over.
 */
function dropCoveredLosses(bucket: SharedBucket, now: number): void {
  const { lost, toldAt = 0, length = 0 } = bucket;
  if (lost && (toldAt > lost.by || now >= lost.by + length)) delete bucket.lost;
}

/**
 * Starts the next window of a shared rate limit (`bucket`) if the current one is over: the platform resets its
 * counter, so all calls are available again. Runs keep the calls that they hold, because they may use them in the
 * next window.
 */
function startNextWindow(bucket: SharedBucket, now: number): void {
  if (bucket.endsAt === undefined || bucket.endsAt > now) return;
  if (bucket.lost && bucket.lost.by < bucket.endsAt) delete bucket.lost;
  delete bucket.endsAt;
  if (bucket.limit === undefined) delete bucket.remaining;
  else bucket.remaining = bucket.limit;
  for (const run of Object.values(bucket.runs)) run.got = 0;
}

/**
 * Updates a rate limit that several runs share (`bucket`) with what an answer of the platform reported about it,
 * before calls are granted. A window is the time until the platform resets its counter. Reports of the same window
 * can arrive in any order, so the lowest number of remaining calls is the latest. Reports of a window that is over
 * are ignored. With a new window, the counts of the calls that each run was granted in it (`got`) start at 0.
 */
function applyReport(bucket: SharedBucket, report: LimitReport, now: number): void {
  const { limit, remaining, resetIn, age, window } = report;
  if (resetIn <= 0) return;
  const endsAt = now + Math.min(resetIn, longestWindow);
  const reportedWindow = compareWindows(bucket, endsAt, window);
  if (reportedWindow === 'over') return;
  const isSameWindow = reportedWindow === 'same';
  delete bucket.untold;
  if (limit !== undefined) bucket.limit = limit;
  bucket.toldAt = Math.max(bucket.toldAt ?? 0, now - Math.max(0, age));
  bucket.length = Math.max(bucket.length ?? shortestWindow, endsAt - now);
  bucket.remaining = isSameWindow ? Math.min(bucket.remaining ?? remaining, remaining) : remaining;
  bucket.endsAt = isSameWindow ? Math.max(bucket.endsAt ?? 0, endsAt) : endsAt;
  if (!isSameWindow) for (const run of Object.values(bucket.runs)) run.got = 0;
  if (window !== undefined) bucket.window = window;
  else if (!isSameWindow) delete bucket.window;
}

/**
 * Compares the window of a report with that of a shared rate limit: the `same`, a `later` one, or one that is `over`. `endsAt`: the end of
 * the report's window by the clock, in milliseconds. `namedEnd`: its end as the platform names it, in seconds, if it does. Named ends are
 * exact, so they are compared if the window of the bucket has one, too (`bucket.window`).
 */
function compareWindows(
  bucket: SharedBucket,
  endsAt: number,
  namedEnd: number | undefined,
): 'same' | 'later' | 'over' {
  // By how many milliseconds the window of the report ends later than that of the bucket.
  const endDifference =
    namedEnd !== undefined && bucket.window !== undefined
      ? (namedEnd - bucket.window) * 1000
      : endsAt - (bucket.endsAt ?? 0);
  const isSame = Math.abs(endDifference) <= sameWindowTolerance;
  const hasCurrentWindow = bucket.endsAt !== undefined;
  // Without a current window, `bucket.window` is the last one, so a report of the same window comes too late.
  const isOver = hasCurrentWindow ? endDifference < -sameWindowTolerance : isSame && namedEnd !== undefined;
  if (isOver) return 'over';
  return isSame ? 'same' : 'later';
}

/**
 * Returns how many of the free calls of a shared rate limit to grant to the asking run. Distributes them one by one
 * among the runs that wait: each goes to the run that was granted least in this window (the time until the platform
 * resets its counter), or else to the one whose last grant is oldest. So no run can take more than its part by asking
 * more often.
 *
 * A run whose plan has more requests to send (`due`) gets up to `ahead` calls beyond those that wait. Any other run
 * gets such calls only out of half of what would remain after all waiting runs, divided by the number of runs.
 */
function fairPartOfRun(
  free: number,
  { run, wanted, ahead, due }: GrantRequest,
  { runs }: SharedBucket,
): number {
  // The most calls that the asking run gets by its turns: those that wait, and some in advance if its plan sends more. None if none wait.
  const mostByTurns = wanted > 0 ? Math.max(wanted, Math.min(due, wanted + ahead)) : 0;
  // A run that waits is going to want everything that is due.
  const candidates = Object.entries(runs).map(([name, { got, gotAt, waiting, due }]) => ({
    name,
    got,
    gotAt,
    waiting: waiting > 0 ? Math.max(waiting, Math.min(due, free)) : 0,
  }));
  let granted = 0;
  for (let remaining = free; remaining > 0; remaining--) {
    const waiting = candidates.filter((candidate) => candidate.waiting > 0);
    if (waiting.length === 0) break;
    const next = waiting.reduce((best, candidate) => (compareClaims(candidate, best) < 0 ? candidate : best));
    next.waiting -= 1;
    next.got += 1;
    if (next.name === run) granted += 1;
    // The asking run has what it needs. It gets calls in advance only out of a surplus beyond all waiting runs.
    if (granted === mostByTurns) {
      const remainingAfterThisTurn = remaining - 1;
      const surplus = surplusBeyondWaiting(remainingAfterThisTurn, candidates);
      const partOfSurplus = Math.floor(surplus / (2 * candidates.length));
      const missingInAdvance = wanted + ahead - granted;
      return granted + Math.min(missingInAdvance, partOfSurplus);
    }
  }
  return granted;
}

/** Returns how many of the remaining calls no run waits for. */
const surplusBeyondWaiting = (remaining: number, runs: readonly { waiting: number }[]): number =>
  Math.max(0, remaining - runs.reduce((sum, { waiting }) => sum + waiting, 0));

/** What decides which run gets the next call. */
type CallClaim = Pick<RunState, 'got' | 'gotAt'> & { name: string };

/** Compares two runs that share a rate limit (`--limits`): negative if the first one gets the next call. */
const compareClaims = (a: CallClaim, b: CallClaim): number =>
  a.got - b.got || a.gotAt - b.gotAt || (a.name < b.name ? -1 : 1);
