import type { FleetRepository } from '../../fleet/fleet-file.ts';
import type { Lane, Queue } from '../../fleet/queue.ts';
import type { Mirror } from '../../git/mirror.ts';
import type { Host } from '../../host.ts';
import type { Provider } from '../../kind/provider.ts';
import type { LedgerKey } from '../../model/ledger-key.ts';
import type { Port } from '../port.ts';
import type { StackOptions } from '../stack-options.ts';

/** Everything that a fleet worker needs for its jobs. */
export interface WorkerContext {
  repositories: ReadonlyMap<string, FleetRepository>;
  key: LedgerKey | undefined;
  lane: Lane;
  queue: Queue;
  /** The folder of mirrors, checkouts and reports. */
  folder: string;
  port: Port;
  /** Runs a command of trueup on a host, and returns its exit code. Its output goes to these functions. */
  runCommand(argv: string[], host: Host, output: CommandOutput): Promise<number>;
  provider: Provider;
  options: Pick<StackOptions, 'ledger' | 'ledgerIndex'>;
  mirrorOf(name: string, url: string): Promise<Mirror>;
  /** The functions to call if the worker gets a signal: they stop the jobs that can be stopped. */
  stopping: Set<() => void>;
  /** The name of the worker for people. */
  worker: string;
}

/** The outputs of a command: `out` for reports, `err` for messages. */
export interface CommandOutput {
  out(text: string): void;
  err(text: string): void;
}
