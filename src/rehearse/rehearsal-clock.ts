import type { LeaseClock } from '../ledger/keep-lease.ts';

/**
 * Creates the clock of a rehearsal: waits end at once, and the time moves on by their length. So a rehearsal does not wait for rate limits, and what the
 * twin does after some time has happened afterwards. `now`: the time at the beginning, in milliseconds.
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
