import { composeLedgerRecord, type LedgerCommandFacts } from '../../history/ledger-record.ts';
import type { LeasedLedger } from '../../ledger/copy-ledger.ts';
import type { Documents, HistoryUpdate } from '../../ledger/documents.ts';
import { missingKeyProblem } from '../../ledger/proof.ts';
import { Problems } from '../../model/diagnostic.ts';
import { byKey } from '../../model/graph.ts';
import type { Ledger } from '../../model/ledger.ts';
import type { Host, Port, Run } from '../host.ts';
import type { StackOptions } from '../stack-options.ts';
import { type HeldLease, holdLease } from './hold-lease.ts';
import { findLedgerKey, openLedgerDocuments, openLedgerStore } from './open-ledger.ts';
import { findStarter } from './run-facts.ts';

export type LedgerOptions = Pick<
  StackOptions,
  'ledger' | 'ledgerIndex' | 'twin' | 'lockWait' | 'color' | 'unicode'
>;

/**
 * Does something with the ledgers of some stacks, under the leases of all of them; two names may mean one place. Throws `Problems` where there is
 * no key, or another run has a lease.
 */
export const withLedgers = <T>(
  stacks: string[],
  options: LedgerOptions,
  port: Port,
  work: (ledgers: ReadonlyMap<string, LeasedLedger>) => Promise<T>,
): Promise<T> =>
  withLeasedLedgers(new Map(stacks.map((stack) => [stack, { stack, options }])), options, port, work);

/** Like `withLedgers`, for ledgers in different places, by names that distinguish them. */
export async function withLeasedLedgers<T>(
  places: ReadonlyMap<string, { stack: string; options: LedgerOptions }>,
  options: LedgerOptions,
  port: Port,
  work: (ledgers: ReadonlyMap<string, LeasedLedger>) => Promise<T>,
): Promise<T> {
  const { host } = port.run;
  const key = await findLedgerKey(options, host);
  if (!key) throw new Problems([missingKeyProblem]);
  const joint = createJointHost(host);
  const leases = new Map<string, HeldLease>();
  const leased = async (stack: string, where: LedgerOptions): Promise<LeasedLedger> => {
    const documents = await openLedgerDocuments(stack, where, host);
    const store = await openLedgerStore(stack, where, host, key, documents);
    const ownPort = { ...port, run: { ...port.run, host: joint.member() } };
    const lease = leases.get(documents.place) ?? (await holdLease(documents, options, ownPort));
    leases.set(documents.place, lease);
    return { stack, documents, store, lease };
  };
  try {
    const ledgers = new Map<string, LeasedLedger>();
    // In the order of their names, so that two runs do not wait for each other.
    for (const [name, { stack, options }] of [...places].sort(byKey))
      ledgers.set(name, await leased(stack, options));
    return await work(ledgers);
  } finally {
    for (const lease of leases.values()) await lease.release();
  }
}

/** Composes the record of a command that changes a ledger, to be written with it. Throws `Problems` if there is no key. */
export async function composeCommandRecord(
  { documents, ...ledger }: Pick<Ledger, 'baseUrl' | 'owner' | 'stack'> & { documents: Documents },
  options: LedgerOptions,
  { host }: Run,
  deed: LedgerCommandFacts,
): Promise<HistoryUpdate> {
  const key = await findLedgerKey(options, host);
  if (!key) throw new Problems([missingKeyProblem]);
  return composeLedgerRecord(
    { documents, ledger, key, by: findStarter(host.env), now: host.clock.now },
    deed,
  );
}

/** Hosts for several stacks that are worked on at the same time in one process. */
export interface JointHost {
  /** One for each piece of work. A signal is for all of them; `exit` of one waits for the others. */
  member(): Host;
  /** From here on a signal does not end the process by itself: until then it does what it always does. */
  begin(): void;
  /** True if a signal came or a member has left, so that nothing new may begin. */
  isEnding(): boolean;
  /** Stops listening to signals. */
  close(): void;
}

/**
 * Splits a host. The process ends once every piece that listens to signals, and so holds a lease, has left or has ended by itself: otherwise the
 * first one to give its lease back would take the others with it.
 */
export function createJointHost(host: Host): JointHost {
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
