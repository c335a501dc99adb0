import { findWorkspaceFolder } from '../../config/find-workspace.ts';
import { load } from '../../config/load.ts';
import { type Host, listenToSignals } from '../../host.ts';
import { kindsOf } from '../../kind/define-kind.ts';
import type { Provider } from '../../kind/provider.ts';
import type { Documents } from '../../ledger/documents.ts';
import { missingKeyProblem } from '../../ledger/proof.ts';
import type { LeasedLedger } from '../../ledger/transfer-ledger.ts';
import { settleLedger } from '../../ledger-place/settle-ledger.ts';
import { raise } from '../../model/diagnostic.ts';
import { byKey } from '../../model/graph.ts';
import { type HeldLease, holdLease } from '../../stores/hold-lease.ts';
import type { LedgerChoice, SettledLedgerChoice } from '../../stores/ledger-choice.ts';
import { findLedgerKey, openLedgerDocuments, openLedgerStore } from '../../stores/open-ledger.ts';
import type { Port } from '../port.ts';
import type { StackOptions } from '../stack-options.ts';
import { indexLedger } from './index-claims.ts';
import { createLoadOptions, createSources } from './load-configuration.ts';

/** The options of commands that change ledgers without planning. */
export type LedgerOptions = Pick<StackOptions, 'ledger' | 'ledgerIndex' | 'twin' | 'lockWait' | 'color'>;

/** What commands that change ledgers without an account work with. */
export interface LedgerTools {
  port: Port;
  /** Its kinds decide what the ownership index of a store says about a ledger. */
  provider: Provider;
}

/** Such options after the place of the ledgers was decided. */
type SettledLedgerOptions = LedgerOptions & SettledLedgerChoice;

/** Finds the stack that the options name, for the commands of `trueup ledger`. `choice`: the options with the place of its ledger. */
export type FindStack = <O extends StackOptions>(
  options: O,
) => Promise<{ stack: string; choice: O & SettledLedgerChoice }>;

/**
 * Returns the options with the place of the ledgers that the current folder names, for commands such as `ledger retire` about a stack that
 * has no configuration any more. `stack`: its name. Errors of the configuration in the folder are ignored. Throws `Problems` if the place
 * may not be used.
 */
export async function settleLedgerOfFolder<O extends LedgerChoice>(
  stack: string,
  options: O,
  provider: Provider,
  port: Port,
): Promise<O & SettledLedgerChoice> {
  const { host } = port.run;
  const sources = createSources({}, host);
  const { ledger } = await load({ ...createLoadOptions(provider, {}, port.run), sources });
  const workspace = findWorkspaceFolder(host.cwd);
  const settings = workspace
    ? await (await import('../../config/workspace.ts')).readWorkspace(workspace)
    : undefined;
  const configuration = { ledger: ledger ?? settings?.ledger, writtenStack: stack, desired: { stack } };
  return settleLedger(options, { configuration, sources }, port);
}

/**
 * Takes the leases of the ledgers of stacks in the same place (`options`), does `work` with them, and releases the leases. A lease is the
 * right of one run to write a ledger. Then it renews the records of the ledgers in the ownership index (which objects each stack owns), as
 * an apply does. Used by `ledger rename` and `move`, which change two ledgers together, and by `retire`. `work` gets the ledgers by the
 * name of their stack. Throws `Problems` if there is no ledger key, or if another run has a lease.
 */
export const withLedgers = <T>(
  stacks: string[],
  options: SettledLedgerOptions,
  tools: LedgerTools,
  work: (ledgers: ReadonlyMap<string, LeasedLedger>) => Promise<T>,
): Promise<T> =>
  withLeasedLedgers(new Map(stacks.map((stack) => [stack, { stack, options }])), options, tools, work);

/**
 * Opens ledgers in one or more places, takes the lease (the right to write) of each, and calls `work` with them. In the end, also after an
 * error, releases the leases and updates the records of the ledgers in the ownership index. `ledger copy` uses it for the ledger of one
 * stack in two places. `places`: the stack and the place of each ledger, by a name that `work` uses.
 */
export async function withLeasedLedgers<T>(
  places: ReadonlyMap<string, { stack: string; options: SettledLedgerOptions }>,
  options: LedgerOptions,
  { port, provider }: LedgerTools,
  work: (ledgers: ReadonlyMap<string, LeasedLedger>) => Promise<T>,
): Promise<T> {
  const { host } = port.run;
  const key = (await findLedgerKey(options, host)) ?? raise(missingKeyProblem);
  const jointHost = createJointHost(host);
  // By place, because two names may mean the same ledger.
  const leases = new Map<string, HeldLease>();
  const documentsByPlace = new Map<string, Documents>();
  /** Opens a ledger and takes its lease, unless this run has it already under another name. */
  const takeLedger = async (stack: string, ledgerOptions: SettledLedgerOptions): Promise<LeasedLedger> => {
    const documents = await openLedgerDocuments(stack, ledgerOptions, host);
    const store = await openLedgerStore(stack, ledgerOptions, host, key, documents);
    const memberPort = { ...port, run: { ...port.run, host: jointHost.member() } };
    const lease = leases.get(documents.place) ?? (await holdLease(documents, options, memberPort));
    leases.set(documents.place, lease);
    documentsByPlace.set(documents.place, documents);
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
    const kinds = kindsOf(provider.kinds);
    for (const documents of documentsByPlace.values()) await indexLedger({ documents, host, kinds, key });
  }
}

/** Creates hosts for several stacks that are worked on at the same time in one process. */
export interface JointHost {
  /** Returns a host for one stack. A signal reaches all members, and `exit` of one member waits for the others. */
  member(): Host;
  /** From now on a signal also sets `isEnding`, and does not end the process if no member listens. */
  begin(): void;
  /** True if a signal came after `begin` or a member has called `exit`, so that no new work may begin. */
  isEnding(): boolean;
  /** Ends the effect of `begin`. */
  close(): void;
}

/**
 * Splits a host for stacks that hold leases (rights to write ledgers) at the same time. The process ends only when each member that listens
 * to signals, and so holds a lease, has called `exit` or has stopped listening. Otherwise the first member that releases its lease would
 * end the process before the others have released theirs.
 */
export function createJointHost(host: Host): JointHost {
  const members: { listenerCount: number; hasExited: boolean }[] = [];
  /** The code of the last call of `exit`. */
  let exitCode: number | undefined;
  let isSignalled = false;
  let stopListening = () => {};
  const exitIfAllEnded = () => {
    const areAllEnded = members.every(({ listenerCount, hasExited }) => listenerCount === 0 || hasExited);
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
      const member = { listenerCount: 0, hasExited: false };
      members.push(member);
      return {
        ...host,
        onSignal(signals, listener) {
          member.listenerCount++;
          const removeListener = host.onSignal(signals, listener);
          let isRemoved = false;
          return () => {
            if (isRemoved) return;
            isRemoved = true;
            removeListener();
            member.listenerCount--;
            exitIfAllEnded();
          };
        },
        exit(code) {
          exitCode = code;
          member.hasExited = true;
          exitIfAllEnded();
        },
      };
    },
  };
}
