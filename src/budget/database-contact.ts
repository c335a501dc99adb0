import type { Clock } from '../http/clock.ts';

/** The time limit for a query, and the pause after one that failed, in milliseconds. */
const queryTimeout = 5000;
const pauseAfterFailure = 5000;

/** The connection of a run to the database of the budget. A failed query is no error, because the run can continue without the database. */
export interface DatabaseContact {
  /** False for a while after a query failed, so that calls do not wait for a database that does not answer. */
  mayQuery(): boolean;
  /** Runs a query and returns its result. Undefined if it failed or took too long. */
  query<T>(run: () => Promise<T>): Promise<T | undefined>;
}

/**
 * Creates the connection through which a run queries the database of shared rate limits (`--limits`). For a while after a failed query,
 * `mayQuery` is false, and the run goes on without the database. `query` itself always sends; it returns undefined if that fails. Calls
 * `onSilence` once, after the first failure, so that the user learns of it.
 */
export function createContact(clock: Clock, onSilence: (error: Error) => void): DatabaseContact {
  let pausedUntil = 0;
  let isReported = false;

  return {
    mayQuery: () => clock.now() >= pausedUntil,
    async query(run) {
      try {
        return await withTimeout(run());
      } catch (error) {
        pausedUntil = clock.now() + pauseAfterFailure;
        if (!isReported) onSilence(error as Error);
        isReported = true;
        return undefined;
      }
    },
  };
}

/**
 * Returns the result of a query to the database of shared rate limits (`--limits`), and rejects if it takes too
 * long, since a broken connection can stay silent for minutes. The timer does not keep the process alive.
 */
export async function withTimeout<T>(query: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${queryTimeout / 1000} seconds`)), queryTimeout);
    timer.unref();
  });
  try {
    return await Promise.race([query, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
