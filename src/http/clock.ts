import { setTimeout } from 'node:timers/promises';

/** The time and a way to wait. Tests pass a clock of their own. */
export interface Clock {
  /** Returns milliseconds since 1970. */
  now(): number;
  /** Waits. May reject when `signal` is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** The longest timer of Node.js, in milliseconds: a longer one would fire immediately. */
const longestTimer = 2 ** 31 - 1;

/** The clock of the system, which everything but tests uses. */
export const systemClock: Clock = {
  now: Date.now,
  sleep: (milliseconds, signal) => setTimeout(Math.min(milliseconds, longestTimer), undefined, { signal }),
};

/** Calls `ring` once after a time in milliseconds. The returned function cancels the alarm. */
export type Alarm = (milliseconds: number, ring: () => void) => () => void;

/** Calls a function after a time, by the system's timer, as the deadline for an answer of a server. Returns a function to cancel it. */
export const systemAlarm: Alarm = (milliseconds, ring) => {
  const timer = globalThis.setTimeout(ring, Math.min(milliseconds, longestTimer));
  // The open connection keeps the process running. The alarm must not do so after the connection has ended.
  timer.unref();
  return () => clearTimeout(timer);
};
