import type { Clock } from '../http/clock.ts';
import type { Grant } from './grant-calls.ts';

/** The calls that a run may start on its own while the database does not answer. */
export interface OfflineAllowance {
  /** Returns the calls that the run may start now, beyond those of earlier calls of `take`. */
  take(): number;
  /** Returns when there will be more, in milliseconds since 1970. Undefined if only an answer of the platform can tell. */
  availableAt(): number | undefined;
  /**
   * Takes note of an answer, and returns how many more calls may start because of it.
   * @param resetIn the milliseconds until its window ends; undefined if the answer does not state them
   */
  noteAnswer(resetIn: number | undefined): number;
}

/**
 * Creates the allowance of a run that loses the database: in the current window an equal part of the free calls, in later windows an equal part
 * of the limit. Without any grant the run has everything to itself, as if there were no database.
 * @param grantedAt the time of the last grant
 */
export function createOfflineAllowance(
  lastGrant: Grant | undefined,
  grantedAt: number,
  clock: Clock,
): OfflineAllowance {
  const { free = Infinity, limit = Infinity, runs = 1, endsIn } = lastGrant ?? {};
  let windowEnd = endsIn === undefined ? undefined : grantedAt + endsIn;
  // If the end of the window is unknown, only the answer to a call can tell it. So one call is always allowed.
  let available = Math.max(windowEnd === undefined ? 1 : 0, Math.floor(free / runs));

  return {
    take() {
      if (windowEnd !== undefined && windowEnd <= clock.now()) {
        windowEnd = undefined;
        available = Math.max(1, Math.floor(limit / runs));
      }
      const takenCalls = available;
      available = 0;
      return takenCalls;
    },
    availableAt: () => windowEnd,
    noteAnswer(resetIn) {
      // The answer stated no limit, so the call may not have counted, and another one may try.
      if (resetIn === undefined) return windowEnd === undefined ? 1 : 0;
      windowEnd = Math.max(windowEnd ?? 0, clock.now() + resetIn);
      return 0;
    },
  };
}
