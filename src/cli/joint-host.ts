import type { Host } from './host.ts';

/** Hosts for work that goes on beside each other in one process. */
export interface JointHost {
  /** One for each piece of work. A signal is for all of them; `exit` of one waits for the others. */
  member(): Host;
  /** From here on a signal does not end the process by itself: until then it does what it always does. */
  begin(): void;
  /** A signal came, or one has left: nothing new is begun. */
  isEnding(): boolean;
  /** No signal is listened to any more. */
  close(): void;
}

/**
 * Splits a host. The process ends once every piece that listens to signals, and so holds a lease, has left or has ended by itself: otherwise the
 * first one to give its lease back would take the others with it.
 */
export function jointHost(host: Host): JointHost {
  const listening = new Set<object>();
  const left = new Set<object>();
  let code: number | undefined;
  let isSignalled = false;
  let stop = () => {};
  const leaveTogether = () => {
    if (code !== undefined && [...listening].every((member) => left.has(member))) host.exit(code);
  };
  return {
    isEnding: () => isSignalled || code !== undefined,
    begin() {
      stop = host.onSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], () => {
        isSignalled = true;
      });
    },
    close: () => stop(),
    member() {
      const member = {};
      let listeners = 0;
      return {
        ...host,
        onSignal(signals, listener) {
          listeners++;
          listening.add(member);
          const end = host.onSignal(signals, listener);
          let isOver = false;
          return () => {
            if (isOver) return;
            isOver = true;
            end();
            if (--listeners === 0) listening.delete(member);
            leaveTogether();
          };
        },
        exit(given) {
          code = given;
          left.add(member);
          leaveTogether();
        },
      };
    },
  };
}
