import type { LeaseClock } from '../ledger/keep-lease.ts';

/**
 * Creates the clock of a rehearsal. A wait ends at once, and the clock moves on by its length. So a rehearsal does not wait for rate
 * limits, and the work that the twin (the simulated account of a rehearsal) does over time, such as a build, is done after the wait. `now`:
 * returns the real time in milliseconds.
 */
export function createRehearsalClock(now: () => number): LeaseClock {
  let skipped = 0;
  return {
    now: () => now() + skipped,
    monotonic: () => now() + skipped,
    sleep: async (milliseconds, signal) => {
      signal?.throwIfAborted();
      skipped += milliseconds;
    },
  };
}
