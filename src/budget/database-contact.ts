import type { Clock } from '../http/clock.ts';
import type { Drawn } from './grant-calls.ts';

/** The time limit for a query, and the pause after one that timed out, in milliseconds. */
const deadline = 5000;
const pause = 5000;

/** The database, as far as it answers. */
export interface Contact {
  /** False for a while after a question that was not answered. */
  isDue(): boolean;
  /** The answer; undefined if none came in time. */
  ask<T>(question: () => Promise<T>): Promise<T | undefined>;
}

/** `onSilence` is called once, when the first question is not answered. */
export function openContact(clock: Clock, onSilence: (error: Error) => void): Contact {
  let silentUntil = 0;
  let isTold = false;

  return {
    isDue: () => clock.now() >= silentUntil,
    async ask(question) {
      try {
        return await inTime(question());
      } catch (error) {
        silentUntil = clock.now() + pause;
        if (!isTold) onSilence(error as Error);
        isTold = true;
        return undefined;
      }
    },
  };
}

/** Whatever a network does with a connection. The timer holds up no process that ends. */
export async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${deadline / 1000} seconds`)), deadline);
    timer.unref();
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A run's own allowance of a bucket while the database does not answer. */
export interface Alone {
  /** Calls that it may begin now, beyond those allowed when last asked. */
  more(): number;
  /** When there is more; undefined where an answer has to tell. */
  until(): number | undefined;
  /** An answer tells how long its window lasts, or not. How many calls more may begin. */
  hear(resetIn: number | undefined): number;
}

/**
 * An equal part of what was last known, window after window: of what nobody held, and then of the limit. A run that never knew anything
 * has all to itself, as without a database. `at`: when it was known.
 */
export function goAlone(last: Drawn | undefined, index: number, clock: Clock): Alone {
  const { free = Infinity, limit = Infinity, runs = 1, endsIn } = last ?? {};
  let until = endsIn === undefined ? undefined : index + endsIn;
  // Where nobody knows when there is more, only the answer to a call can tell: one is always free.
  let more = Math.max(until === undefined ? 1 : 0, Math.floor(free / runs));

  return {
    more() {
      if (until !== undefined && until <= clock.now()) {
        until = undefined;
        more = Math.max(1, Math.floor(limit / runs));
      }
      const now = more;
      more = 0;
      return now;
    },
    until: () => until,
    hear(resetIn) {
      // Nothing says that the call counted.
      if (resetIn === undefined) return until === undefined ? 1 : 0;
      until = Math.max(until ?? 0, clock.now() + resetIn);
      return 0;
    },
  };
}
