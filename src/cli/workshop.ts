import type { FleetRepository } from '../fleet/fleet-file.ts';
import type { Outcome } from '../fleet/outcome.ts';
import type { Lane, Queue } from '../fleet/queue.ts';
import type { Mirror } from '../git/mirror.ts';
import type { Provider } from '../kind/provider.ts';
import type { LedgerKey } from '../model/ledger-key.ts';
import type { Around, Host } from './host.ts';
import type { StackOptions } from './options.ts';
import type { Terminal } from './terminal.ts';

/** All that a worker does its jobs with. */
export interface Workshop {
  repositories: ReadonlyMap<string, FleetRepository>;
  key: LedgerKey | undefined;
  lane: Lane;
  queue: Queue;
  /** Where mirrors, checkouts and reports are. */
  folder: string;
  host: Host;
  terminal: Terminal;
  again: Around['again'];
  provider: Provider;
  options: Pick<StackOptions, 'ledger' | 'ledgerIndex'>;
  mirrorOf(name: string, url: string): Promise<Mirror>;
  /** What a signal has to be told to. */
  stopping: Set<() => void>;
  /** Its name for people. */
  worker: string;
}

/** What came of the work itself; the rest of an outcome is the same of all. */
export type Result = Omit<Outcome, 'job' | 'worker' | 'seconds' | 'key' | 'mac'>;

/** So much of what a run said is kept in the queue. */
export const mostSaid = 2000;
