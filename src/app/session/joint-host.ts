import { type Host, listenToSignals } from '../../host.ts';

/** Creates hosts for several stacks that are worked on at the same time in one process. */
export interface JointHost {
  /** Returns a host for one stack. A signal reaches all members, and `exit` of one member waits for the others. */
  member(): Host;
  /** From now on a signal without a listening member does not end the process. It only stops new work, see `isEnding`. */
  begin(): void;
  /** True if a signal came or a member has called `exit`, so that no new work may begin. */
  isEnding(): boolean;
  /** Stops listening to signals. */
  close(): void;
}

/**
 * Splits a host for stacks that hold leases at the same time. The process ends only when each member that listens to signals, and so holds a
 * lease, has called `exit` or has stopped listening. Otherwise the first member that releases its lease would end the process before the others
 * have released theirs.
 */
export function createJointHost(host: Host): JointHost {
  const listeningMembers = new Set<object>();
  const exitedMembers = new Set<object>();
  let exitCode: number | undefined;
  let isSignalled = false;
  let stopListening = () => {};
  const exitIfAllEnded = () => {
    const areAllEnded = [...listeningMembers].every((member) => exitedMembers.has(member));
    if (exitCode !== undefined && areAllEnded) host.exit(exitCode);
  };
  return {
    isEnding: () => isSignalled || exitCode !== undefined,
    begin() {
      stopListening = listenToSignals(host, () => {
        isSignalled = true;
      });
    },
    close: () => stopListening(),
    member() {
      // An object without members: only its identity counts.
      const member = {};
      let listenerCount = 0;
      return {
        ...host,
        onSignal(signals, listener) {
          listenerCount++;
          listeningMembers.add(member);
          const removeListener = host.onSignal(signals, listener);
          let isRemoved = false;
          return () => {
            if (isRemoved) return;
            isRemoved = true;
            removeListener();
            listenerCount--;
            if (listenerCount === 0) listeningMembers.delete(member);
            exitIfAllEnded();
          };
        },
        exit(code) {
          exitCode = code;
          exitedMembers.add(member);
          exitIfAllEnded();
        },
      };
    },
  };
}
