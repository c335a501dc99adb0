import type { LeaseClock } from '../ledger/keep-lease.ts';
import type { Send } from '../model/request.ts';

/** The milliseconds that a stopped run waits for requests in flight. */
const stopTimeout = 5000;

/**
 * Creates the error of a request that an apply sent, but that was not answered before the run was stopped.
 * Its outcome is unknown, so the hint is to plan again.
 */
const createUnansweredError = (): Error =>
  Object.assign(new Error('it was sent, but the run was stopped before the response arrived'), {
    mayBeCarriedOut: true,
    code: 'apply/unanswered',
    hint: 'plan again to determine its outcome',
  });

/** Creates the error of a request that was not sent before the time of a stopped run was over. */
const createUnsentError = (): Error => new Error('it was not sent, because the run was stopped');

interface StoppingOptions {
  clock: Pick<LeaseClock, 'sleep'>;
  /** Aborted when the user wants the run to stop. */
  stop?: AbortSignal | undefined;
  /** Aborted when the lease is lost. */
  lost: AbortSignal;
  /** Stores the ledger as it is. */
  flush(): Promise<void>;
  say(text: string): void;
}

/** Ends a run early in an orderly way. */
export interface Stopping {
  /** Once aborted, nothing new is started. */
  signal: AbortSignal;
  /**
   * Wraps `send` so that requests in flight are rejected when their time is over. Their outcome is then unknown. Requests that still wait,
   * for a rate limit for example, and later ones, such as the second one of an operation, are rejected without being sent.
   */
  wrap(send: Send): Send;
  /** Stops listening, because the run is over. */
  done(): void;
}

/**
 * Watches for the two events that end an apply early, so that it ends with a correct ledger. After either, nothing new is started:
 * - The user stops the run (Ctrl-C). Requests in flight may take another `stopTimeout`; those without an answer then count as unanswered,
 *   and those that still wait to be sent are given up.
 * - The lease of the ledger (the right of one run to write it) is lost. Requests in flight may finish.
 */
export function openStopping({ clock, stop, lost, flush, say }: StoppingOptions): Stopping {
  const startNothing = new AbortController();
  const endWatch = new AbortController();
  let isTimeOver = false;
  // Rejects each request without an answer. A single promise for all of them (`Promise.race`) would keep every answer in memory.
  const rejections = new Set<() => void>();
  const rejectUnanswered = () => {
    isTimeOver = true;
    for (const reject of rejections) reject();
  };
  const onStop = () => {
    startNothing.abort();
    // Now, because a second Ctrl-C ends the process at once. The end of the run stores the ledger again, and reports a failure.
    void flush().catch(() => {});
    say(
      `Stopping: running requests have ${stopTimeout / 1000} s to finish, and nothing new is started. Press Ctrl-C again to stop at once.`,
    );
    void clock.sleep(stopTimeout, endWatch.signal).then(rejectUnanswered, () => {});
  };
  const onLost = () => {
    startNothing.abort();
    say("Stopping: this run lost the ledger's lease. Running requests finish, and nothing new is started.");
  };
  stop?.addEventListener('abort', onStop);
  lost.addEventListener('abort', onLost);
  if (stop?.aborted) onStop();
  if (lost.aborted) onLost();
  return {
    signal: startNothing.signal,
    wrap: (send) => (request, confirm) =>
      new Promise((resolve, reject) => {
        // Such as the second request of an operation that has started.
        if (isTimeOver) return reject(createUnsentError());
        // Until the connection reports otherwise, because the platform may have carried out the request.
        let isInFlight = true;
        const onInFlight = (reported: boolean) => {
          isInFlight = reported;
        };
        // One for each request, because Node.js warns if many requests listen to the same signal.
        const giveUp = new AbortController();
        const rejectNow = () => {
          const unsentError = createUnsentError();
          reject(isInFlight ? createUnansweredError() : unsentError);
          giveUp.abort(unsentError);
        };
        rejections.add(rejectNow);
        send(request, confirm, { signal: giveUp.signal, onInFlight })
          .then(resolve, reject)
          .finally(() => rejections.delete(rejectNow));
      }),
    done: () => {
      endWatch.abort();
      stop?.removeEventListener('abort', onStop);
      lost.removeEventListener('abort', onLost);
    },
  };
}
