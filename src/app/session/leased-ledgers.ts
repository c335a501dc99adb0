import { missingKeyProblem } from '../../ledger/proof.ts';
import type { LeasedLedger } from '../../ledger/transfer-ledger.ts';
import { raise } from '../../model/diagnostic.ts';
import { byKey } from '../../model/graph.ts';
import { type HeldLease, holdLease } from '../../stores/hold-lease.ts';
import { findLedgerKey, openLedgerDocuments, openLedgerStore } from '../../stores/open-ledger.ts';
import type { Port } from '../port.ts';
import type { StackOptions } from '../stack-options.ts';
import { createJointHost } from './joint-host.ts';

/** The options of commands that change ledgers without planning. */
export type LedgerOptions = Pick<StackOptions, 'ledger' | 'ledgerIndex' | 'twin' | 'lockWait' | 'color'>;

/** Like `withLeasedLedgers`, for stacks whose ledgers are in the same place. The ledgers have the names of the stacks. */
export const withLedgers = <T>(
  stacks: string[],
  options: LedgerOptions,
  port: Port,
  work: (ledgers: ReadonlyMap<string, LeasedLedger>) => Promise<T>,
): Promise<T> =>
  withLeasedLedgers(new Map(stacks.map((stack) => [stack, { stack, options }])), options, port, work);

/**
 * Takes the leases of several ledgers, does `work` with them, and releases the leases. Used by `ledger copy`, `rename`, `move` and `retire`, which
 * change two ledgers together. `places`: the stack and the place of each ledger, by a name that `work` uses. Throws `Problems` if there is no
 * ledger key, or if another run has a lease.
 */
export async function withLeasedLedgers<T>(
  places: ReadonlyMap<string, { stack: string; options: LedgerOptions }>,
  options: LedgerOptions,
  port: Port,
  work: (ledgers: ReadonlyMap<string, LeasedLedger>) => Promise<T>,
): Promise<T> {
  const { host } = port.run;
  const key = (await findLedgerKey(options, host)) ?? raise(missingKeyProblem);
  const jointHost = createJointHost(host);
  // By place, because two names may mean the same ledger.
  const leases = new Map<string, HeldLease>();
  /** Opens a ledger and takes its lease, unless this run has it already under another name. */
  const takeLedger = async (stack: string, ledgerOptions: LedgerOptions): Promise<LeasedLedger> => {
    const documents = await openLedgerDocuments(stack, ledgerOptions, host);
    const store = await openLedgerStore(stack, ledgerOptions, host, key, documents);
    const memberPort = { ...port, run: { ...port.run, host: jointHost.member() } };
    const lease = leases.get(documents.place) ?? (await holdLease(documents, options, memberPort));
    leases.set(documents.place, lease);
    return { stack, documents, store, lease };
  };
  try {
    const ledgers = new Map<string, LeasedLedger>();
    // In the order of their names, so that two runs do not wait for each other.
    for (const [name, place] of [...places].sort(byKey))
      ledgers.set(name, await takeLedger(place.stack, place.options));
    return await work(ledgers);
  } finally {
    for (const lease of leases.values()) await lease.release();
  }
}
