import { sameWindowTolerance } from '../http/bucket.ts';
import type { BucketState } from '../model/budget.ts';
import {
  expiry,
  type KnownBucket,
  longestWindow,
  type RunState,
  shortestWindow,
  validity,
} from './shared-bucket.ts';

/** An answer's report about its rate window. */
export interface Told {
  limit?: number | undefined;
  remaining: number;
  /** Milliseconds from now. */
  resetIn: number;
  /** Its age in milliseconds. */
  age: number;
  window?: number | undefined;
}

/** A run's report on a bucket, and its demand. */
export interface Draw {
  run: string;
  /** Rises with each question of a run: one that comes after a later one says nothing. */
  turn: number;
  /** Its current holdings in full, so that a lost report changes nothing. */
  held: number;
  reserved: number;
  /** Further calls that wait. */
  wanted: number;
  /** Calls to take beyond these if there is plenty. */
  ahead: number;
  due: number;
  told: Told[];
  /** Calls since the last time that no answer told anything of. */
  blind: number;
  /** One of them was answered: then there is no limit to tell of. */
  untold: boolean;
}

/** A run's grant, and the state of the bucket. */
export interface Drawn {
  /** Infinity where answers tell of no limit. */
  granted: number;
  limit?: number | undefined;
  /** The calls that nobody holds. */
  free: number;
  /** The number of active runs, this one included. */
  runs: number;
  /** Milliseconds until the window ends; absent while it has not begun. */
  endsIn?: number | undefined;
  /** Nothing comes before the window ends, whatever others give back. */
  isSpent: boolean;
}

/**
 * Takes in what a run tells, and gives it its part. What all hold together is never more than remains of the window: so no call that was
 * given is refused, as far as the platform counts only the calls of these runs.
 */
export function draw(state: KnownBucket, asked: Draw, now: number): Drawn {
  endWindow(state, now);
  forgetSilent(state, now, asked.run);
  for (const told of asked.told) learn(state, told, now);
  lose(state, asked.blind, now);
  findLost(state, now);
  if (asked.untold && state.remaining === undefined) state.untold = true;

  const { got = 0, gotAt = 0, turn = 0 } = state.runs[asked.run] ?? {};
  const { held, reserved, wanted, due } = asked;
  const isLate = asked.turn <= turn;
  const me: RunState = { turn: asked.turn, held, reserved, waiting: wanted, due, got, gotAt, seen: now };
  if (!isLate) state.runs[asked.run] = me;
  const runs = Object.keys(state.runs).length;
  const known = { limit: state.limit, runs };
  if (state.untold) {
    me.waiting = 0;
    return { ...known, granted: Infinity, free: Infinity, isSpent: false };
  }
  const free = freeOf(state);
  const granted = isLate ? 0 : grantPart(free, asked, state);
  me.held += granted;
  me.waiting = Math.max(0, wanted - granted);
  me.got += granted;
  if (granted > 0) me.gotAt = now;
  return {
    ...known,
    granted,
    free: free - granted,
    endsIn: state.endsAt === undefined ? undefined : Math.max(0, state.endsAt - now),
    isSpent: state.endsAt !== undefined && (state.remaining ?? 0) - sumOf(state, 'reserved') < 1,
  };
}

/** A run that ends gives back all that it holds. */
export function leave({ runs }: KnownBucket, run: string): void {
  delete runs[run];
}

/** A run says how many requests it is going to send, before the first of them and while none is under way. */
export function note({ runs }: KnownBucket, run: string, due: number, now: number): void {
  runs[run] = { turn: 0, held: 0, reserved: 0, waiting: 0, got: 0, gotAt: 0, ...runs[run], due, seen: now };
}

/** The state that a forecast needs; undefined if the limit is unknown. */
export function stateOf(knownBucket: KnownBucket, run: string, now: number): BucketState | undefined {
  endWindow(knownBucket, now);
  forgetSilent(knownBucket, now);
  findLost(knownBucket, now);
  const { limit, remaining = limit, endsAt, runs, lost } = knownBucket;
  if (limit === undefined) return undefined;
  const others = Object.entries(runs).flatMap(([name, { held, waiting, due }]) =>
    name === run ? [] : Math.max(due, held + waiting),
  );
  return {
    limit,
    left: Math.max(0, remaining! - (lost?.calls ?? 0)),
    reserved: others.filter((one) => one > 0),
    ...(endsAt === undefined ? {} : { endsIn: endsAt - now }),
  };
}

const sumOf = ({ runs }: KnownBucket, what: 'held' | 'reserved' | 'waiting'): number =>
  Object.values(runs).reduce((sum, one) => sum + one[what], 0);

/** The calls of the window that nobody holds. */
function freeOf(state: KnownBucket): number {
  const held = sumOf(state, 'held') + (state.lost?.calls ?? 0);
  const free = Math.max(0, (state.remaining ?? 0) - held);
  if (free > 0 || state.endsAt !== undefined) return free;
  // The first call of a window tells of it. Without one nothing might ever begin it: all of it can be reserved.
  return held > sumOf(state, 'reserved') ? 0 : 1;
}

/** A run that was not heard of for long is gone. Nobody knows how much it used of what it held; one that asks now tells. */
function forgetSilent(state: KnownBucket, now: number, asking?: string): void {
  for (const [name, run] of Object.entries(state.runs)) {
    if (name === asking || now - run.seen < expiry) continue;
    delete state.runs[name];
    lose(state, run.held, run.seen + validity);
  }
}

function lose(state: KnownBucket, calls: number, by: number): void {
  if (calls === 0) return;
  const { lost } = state;
  state.lost = { calls: (lost?.calls ?? 0) + calls, by: Math.max(lost?.by ?? 0, by) };
}

/** Lost calls count as used until an answer tells of a later time, which counts them too, or until any window that they can be in is over. */
function findLost(state: KnownBucket, now: number): void {
  const { lost, toldAt = 0, length = 0 } = state;
  if (lost && (toldAt > lost.by || now >= lost.by + length)) delete state.lost;
}

/** Holdings survive the window: they may be used in the next one. */
function endWindow(state: KnownBucket, now: number): void {
  if (state.endsAt === undefined || state.endsAt > now) return;
  if (state.lost && state.lost.by < state.endsAt) delete state.lost;
  delete state.endsAt;
  if (state.limit === undefined) delete state.remaining;
  else state.remaining = state.limit;
  for (const run of Object.values(state.runs)) run.got = 0;
}

/** In one window the lowest count is the latest; a window that is over says nothing. */
function learn(state: KnownBucket, { limit, remaining, resetIn, age, window }: Told, now: number): void {
  if (resetIn <= 0) return;
  const endsAt = now + Math.min(resetIn, longestWindow);
  const later =
    window === undefined || state.window === undefined
      ? endsAt - (state.endsAt ?? 0)
      : (window - state.window) * 1000;
  const isSame = Math.abs(later) <= sameWindowTolerance;
  // Whoever was slow tells of one that has ended since.
  if (state.endsAt === undefined ? isSame && window !== undefined : later < -sameWindowTolerance) return;
  delete state.untold;
  if (limit !== undefined) state.limit = limit;
  state.toldAt = Math.max(state.toldAt ?? 0, now - Math.max(0, age));
  state.length = Math.max(state.length ?? shortestWindow, endsAt - now);
  state.remaining = isSame ? Math.min(state.remaining ?? remaining, remaining) : remaining;
  state.endsAt = isSame ? Math.max(state.endsAt ?? 0, endsAt) : endsAt;
  if (!isSame) for (const run of Object.values(state.runs)) run.got = 0;
  if (window !== undefined) state.window = window;
  else if (!isSame) delete state.window;
}

/**
 * One call after the other goes to the run that was given least in this window, as long as it wants more; where several were given the
 * same, to the one that has waited longest. A run that has announced more gets some of it ahead; any other gets a part of half of what
 * then is left.
 */
function grantPart(free: number, { run, wanted, ahead, due }: Draw, { runs }: KnownBucket): number {
  const most = wanted > 0 ? Math.max(wanted, Math.min(due, wanted + ahead)) : 0;
  // A run that waits will want all that it has announced.
  const all = Object.entries(runs).map(([name, one]) => ({
    ...{ name, got: one.got, gotAt: one.gotAt },
    waiting: one.waiting > 0 ? Math.max(one.waiting, Math.min(one.due, free)) : 0,
  }));
  let part = 0;
  for (let left = free; left > 0; left--) {
    const waiting = all.filter((one) => one.waiting > 0);
    if (waiting.length === 0) break;
    const first = waiting.reduce((next, one) => (byTurn(one, next) < 0 ? one : next));
    first.waiting -= 1;
    first.got += 1;
    if (first.name === run) part += 1;
    if (part === most) {
      const others = all.reduce((sum, one) => sum + one.waiting, 0);
      const plenty = Math.max(0, left - 1 - others);
      return part + Math.min(wanted + ahead - part, Math.floor(plenty / (2 * all.length)));
    }
  }
  return part;
}

type Turn = Pick<RunState, 'got' | 'gotAt'> & { name: string };
const byTurn = (turn: Turn, other: Turn): number =>
  turn.got - other.got || turn.gotAt - other.gotAt || (turn.name < other.name ? -1 : 1);
