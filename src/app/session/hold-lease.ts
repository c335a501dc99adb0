import type { Documents } from '../../ledger/documents.ts';
import { acquireLease, type Lease } from '../../ledger/lease.ts';
import { createHolder } from '../../ledger/lease-record.ts';
import { errorLines } from '../../report/clean.ts';
import { interruptedCode, type Port } from '../host.ts';

/** A lease that a signal gives back too, before it ends the run. */
export interface HeldLease extends Lease {
  /** Called on a signal. Assign to it rather than listen anew: a signal that comes in between would get lost. */
  onInterrupt(): void;
  /** Does the last thing, gives the lease back and ends the process; within two seconds, whatever hangs. */
  abandon(last?: () => Promise<void>): void;
}

/** Takes the lease of a stack for this run. Throws `Problems` that say who has it. */
export async function holdLease(
  documents: Documents,
  { lockWait = 0 }: { lockWait?: number },
  port: Port,
): Promise<HeldLease> {
  const { host } = port.run;
  const lease = await acquireLease(documents, {
    holder: createHolder(host),
    clock: host.clock,
    wait: lockWait * 1000,
    onWait: port.say,
  });
  const release = async () => {
    // Whoever does not want to wait for this either may leave at once.
    stopListening();
    // What was done is done: that the lease stays for a while does not make it a failure.
    await lease.release().catch((error) => {
      port.say(`The lease of the ledger ${documents.place} could not be released and expires on its own:`);
      for (const line of errorLines(error).message) port.say(`  ${line}`);
    });
  };
  const abandon = (last = async () => {}) => {
    const given = last()
      .catch(() => {})
      .then(release);
    void Promise.race([given, host.clock.sleep(lastMoment)]).finally(() => host.exit(interruptedCode));
  };
  const held: HeldLease = { ...lease, release, abandon, onInterrupt: () => abandon() };
  const stopListening = host.onSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], () => held.onInterrupt());
  return held;
}

/** Time left to an aborted run to write its state and release the lease, in milliseconds. */
const lastMoment = 2000;
