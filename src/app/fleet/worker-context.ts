import { randomUUID } from 'node:crypto';
import { mkdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FleetRepository } from '../../fleet/fleet-file.ts';
import type { Job } from '../../fleet/job.ts';
import type { JobOutcome } from '../../fleet/outcome.ts';
import type { Lane, Queue } from '../../fleet/queue.ts';
import { Refused } from '../../fleet/refusal.ts';
import type { Mirror } from '../../git/mirror.ts';
import type { Host } from '../../host.ts';
import type { Provider } from '../../kind/provider.ts';
import type { LedgerKey } from '../../model/ledger-key.ts';
import { isInside } from '../../paths.ts';
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

/** The outcome of a job without the members that are the same for all jobs of a worker. */
export type JobResult = Omit<JobOutcome, 'job' | 'worker' | 'seconds' | 'key' | 'mac'>;

/** The largest number of characters of a reason in the queue. */
export const maxReasonLength = 2000;

/** A checkout of the commit of a job. */
export interface JobCheckout {
  /** A temporary folder of this job outside of the checkout, for plans and reports. */
  folder: string;
  /** The folder of the workspace in the checkout. */
  workspace: string;
}

/**
 * Checks out the commit of a job into a clean folder, does `work` there, and removes what the job wrote. Throws `Refused` if the folder of the workspace
 * does not exist or leads out of the repository.
 */
export async function inCheckout<T>(
  job: Job,
  commit: string,
  { mirror, under }: { mirror: Mirror; under: string },
  work: (place: JobCheckout) => Promise<T>,
): Promise<T> {
  const { folder: top, giveBack } = await mirror.checkOut(commit);
  const folder = join(under, 'jobs', randomUUID());
  try {
    await mkdir(folder, { recursive: true });
    const workspace = await realpath(join(top, job.folder)).catch(() => undefined);
    if (workspace === undefined) throw new Refused(`there is no folder ${job.folder} in ${commit}`);
    if (!isInside(workspace, top)) throw new Refused(`the folder ${job.folder} leads out of the repository`);
    return await work({ folder, workspace });
  } finally {
    await rm(folder, { recursive: true, force: true });
    await giveBack().catch(() => {});
  }
}
