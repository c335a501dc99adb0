import type { Host } from '../host.ts';
import { interruptedCode, listenToSignals } from '../host.ts';
import type { Documents } from '../ledger/documents.ts';
import type { Lease } from '../ledger/keep-lease.ts';
import { acquireLease } from '../ledger/lease.ts';
import { createHolder } from '../ledger/lease-record.ts';
import { errorLines } from '../report/text.ts';

/** A lease that is also released if a signal ends the run. */
export interface HeldLease extends Lease {
  /** Called on a signal. Assign a new function instead of listening again, so that no signal is missed in between. */
  onInterrupt(): void;
  /** Does `lastWork`, releases the lease and ends the process, within two seconds even if something hangs. */
  abandon(lastWork?: () => Promise<void>): void;
}

/**
 * Takes the lease of a stack for this run, so that no other run writes its ledger. A signal (Ctrl-C) calls `onInterrupt` of the result,
 * which releases the lease and ends the process (`abandon`) unless the caller assigns another function: an apply first finishes the
 * requests under way. `lockWait`: the seconds to wait for another run. Throws `Problems` that name the holder if another run still has the
 * lease then.
 */
export async function holdLease(
  documents: Documents,
  { lockWait = 0 }: { lockWait?: number },
  port: { run: { host: Host }; say(text: string): void },
): Promise<HeldLease> {
  const { host } = port.run;
  const lease = await acquireLease(documents, {
    holder: createHolder(host),
    clock: host.clock,
    wait: lockWait * 1000,
    onWait: port.say,
  });
  // Reads `onInterrupt` at each signal, because the caller may have assigned another function.
  const stopListening = listenToSignals(host, () => held.onInterrupt());
  const release = async () => {
    // From now on a signal ends the process at once, so that users need not wait for the release.
    stopListening();
    // The work is done, so a lease that stays for a while is no failure.
    await lease.release().catch((error) => {
      port.say(`The lease of the ledger ${documents.place} could not be released and expires on its own:`);
      for (const line of errorLines(error).message) port.say(`  ${line}`);
    });
  };
  /** Ends the process after `lastWork`, such as a last write, and the release. */
  const abandon = (lastWork = async () => {}) => {
    const released = lastWork()
      .catch(() => {})
      .then(release);
    const timeLimit = host.clock.sleep(abandonTimeout);
    // Ends the process even if the work or the release hangs.
    void Promise.race([released, timeLimit]).finally(() => host.exit(interruptedCode));
  };
  const held: HeldLease = { ...lease, release, abandon, onInterrupt: () => abandon() };
  return held;
}

/** The milliseconds in which an aborted run can write its state and release the lease. */
const abandonTimeout = 2000;
