import type { LeaseClock } from '../../src/ledger/keep-lease.ts';

/** A clock that stands until it is put forward. */
export function manualClock(start = Date.UTC(2026, 0, 1)) {
  let now = start;
  const sleeping = new Set<{ until: number; wake(): void }>();
  return {
    now: () => now,
    monotonic: () => now,
    sleep: (milliseconds: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        signal?.throwIfAborted();
        const one = {
          until: now + milliseconds,
          wake: () => {
            sleeping.delete(one);
            resolve();
          },
        };
        sleeping.add(one);
        signal?.addEventListener('abort', () => {
          sleeping.delete(one);
          reject(signal.reason);
        });
      }),
    advance(milliseconds: number) {
      now += milliseconds;
      for (const one of [...sleeping]) if (one.until <= now) one.wake();
    },
    /** How many wait for it. */
    sleeping: () => sleeping.size,
  } satisfies LeaseClock & Record<string, unknown>;
}
