import { setTimeout } from 'node:timers/promises';

/** The time, as far as waiting is concerned; tests bring their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
}

// A longer timer than 2^31-1 ms would fire at once.
const longest = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: Date.now,
  sleep: (milliseconds) => setTimeout(Math.min(milliseconds, longest)),
};

/** Rings once, after so many milliseconds, unless what it gives back is called before. */
export type Alarm = (milliseconds: number, ring: () => void) => () => void;

export const systemAlarm: Alarm = (milliseconds, ring) => {
  const timer = globalThis.setTimeout(ring, Math.min(milliseconds, longest));
  // The connection that it watches keeps the process running; without one there is nothing to wait for.
  timer.unref();
  return () => clearTimeout(timer);
};
