import type { Send } from '../model/plan.ts';
import type { HeldLease } from './hold-lease.ts';
import type { Host } from './host.ts';

/** How long the first signal waits for what is in flight, in milliseconds. */
const patience = 5000;

/** How a run that changes the account comes to an early end. */
export interface Stopping {
  /** Once aborted, nothing new is started. */
  signal: AbortSignal;
  /** Stops for another reason than a signal, and waits for what is in flight. */
  stop(): void;
  /** Sends as before, until what is in flight was waited for long enough: then it rejects, and nobody knows what became of it. */
  wrap(send: Send): Send;
  /** From here on a signal ends the run at once. */
  done(): void;
}

/** What was sent, and not answered before the run ended. */
class Unanswered extends Error {
  readonly sent = true;
  readonly code = 'apply/unanswered';
  readonly hint = 'plan again: what became of it is looked up';

  constructor() {
    super('it was sent, and the run was stopped before the answer came');
  }
}

/**
 * Takes the signals of a run: the first waits for what is in flight, the second ends the run. `keep` writes what is known; `note` tells
 * a person.
 */
export function stopOnSignals(
  lease: HeldLease,
  { clock }: Host,
  { keep, note }: { keep(): Promise<void>; note(text: string): void },
): Stopping {
  const [stopped, waitedFor, ended] = [new AbortController(), new AbortController(), new AbortController()];
  const givenUp = new Promise<never>((_, reject) => {
    waitedFor.signal.addEventListener('abort', () => reject(new Unanswered()));
  });
  givenUp.catch(() => {});
  lease.onInterrupt = () => {
    if (stopped.signal.aborted) return lease.abandon(keep);
    stopped.abort();
    void keep().catch(() => {});
    note(
      `Stopping: what is under way has ${patience / 1000} s to finish, nothing new is started. Press Ctrl-C again to stop at once.`,
    );
    void clock.sleep(patience, ended.signal).then(
      () => waitedFor.abort(),
      () => {},
    );
  };
  return {
    signal: stopped.signal,
    stop: () => stopped.abort(),
    wrap: (send) => (request, confirm) => Promise.race([send(request, confirm), givenUp]),
    done: () => {
      ended.abort();
      lease.onInterrupt = () => lease.abandon();
    },
  };
}
