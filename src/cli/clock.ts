import { setTimeout } from 'node:timers/promises';
import type { LeaseClock } from '../ledger/lease.ts';

/** The machine's time. */
export const clock: LeaseClock = {
  now: Date.now,
  monotonic: () => performance.now(),
  sleep: (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal }),
};
