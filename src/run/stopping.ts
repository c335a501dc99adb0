import type { LeaseClock } from '../ledger/lease.ts';
import type { Send } from '../model/plan.ts';

/** How long a run that is stopped waits for what is in flight, in milliseconds. */
const patience = 5000;

/** The error of a request that was not answered before the run ended. */
class Unanswered extends Error {
  readonly sent = true;
  readonly code = 'apply/unanswered';
  readonly hint = 'plan again: what became of it is looked up';

  constructor() {
    super('it was sent, and the run was stopped before the answer came');
  }
}

export interface StoppingOptions {
  clock: Pick<LeaseClock, 'sleep'>;
  /** Somebody wants the run to stop. */
  stop?: AbortSignal | undefined;
  /** The lease is another's. */
  lost: AbortSignal;
  /** Writes what is known by now. */
  flush(): Promise<void>;
  say(text: string): void;
}

/** How a run that changes the account comes to an early end. */
export interface Stopping {
  /** Once aborted, nothing new is started. */
  signal: AbortSignal;
  /** Sends as before, until what is in flight was waited for long enough: then it rejects, and the outcome is not known. */
  wrap(send: Send): Send;
  /** The run is over. */
  done(): void;
}

/** Stops a run once it is asked to, with a limit for what is in flight, or once its lease is lost, without one. */
export function openStopping({ clock, stop, lost, flush, say }: StoppingOptions): Stopping {
  const [stopped, waitedFor, ended] = [new AbortController(), new AbortController(), new AbortController()];
  const givenUp = new Promise<never>((_, reject) => {
    waitedFor.signal.addEventListener('abort', () => reject(new Unanswered()));
  });
  givenUp.catch(() => {});
  const onStop = () => {
    stopped.abort();
    void flush().catch(() => {});
    say(
      `Stopping: what is under way has ${patience / 1000} s to finish, nothing new is started. Press Ctrl-C again to stop at once.`,
    );
    void clock.sleep(patience, ended.signal).then(
      () => waitedFor.abort(),
      () => {},
    );
  };
  const onLost = () => {
    stopped.abort();
    say(
      'Stopping: the lease of the ledger was taken away. What is under way is finished, nothing new is started.',
    );
  };
  stop?.addEventListener('abort', onStop);
  lost.addEventListener('abort', onLost);
  if (stop?.aborted) onStop();
  return {
    signal: stopped.signal,
    wrap: (send) => (request, confirm) => Promise.race([send(request, confirm), givenUp]),
    done: () => {
      ended.abort();
      stop?.removeEventListener('abort', onStop);
      lost.removeEventListener('abort', onLost);
    },
  };
}
