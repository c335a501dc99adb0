import { randomUUID } from 'node:crypto';
import { mkdir, realpath, rm } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { FleetRepository } from '../../fleet/fleet-file.ts';
import type { Job } from '../../fleet/job.ts';
import type { Outcome } from '../../fleet/outcome.ts';
import type { Lane, Queue } from '../../fleet/queue.ts';
import { Refused } from '../../fleet/refusal.ts';
import type { Mirror } from '../../git/mirror.ts';
import type { Provider } from '../../kind/provider.ts';
import type { LedgerKey } from '../../model/ledger-key.ts';
import type { Host, Port } from '../host.ts';
import type { StackOptions } from '../stack-options.ts';

/** All that a worker does its jobs with. */
export interface WorkerContext {
  repositories: ReadonlyMap<string, FleetRepository>;
  key: LedgerKey | undefined;
  lane: Lane;
  queue: Queue;
  /** The folder of mirrors, checkouts and reports. */
  folder: string;
  port: Port;
  /** Runs the command line on a host, and returns the exit code. Its output goes to these functions. */
  runCommand(argv: string[], host: Host, output: CommandOutput): Promise<number>;
  provider: Provider;
  options: Pick<StackOptions, 'ledger' | 'ledgerIndex'>;
  mirrorOf(name: string, url: string): Promise<Mirror>;
  /** The callbacks for a signal. */
  stopping: Set<() => void>;
  /** Its name for people. */
  worker: string;
}

/** Takes what a command prints: its reports, and its messages. */
export interface CommandOutput {
  out(text: string): void;
  err(text: string): void;
}

/** The part of an outcome that comes from the work itself; the rest is the same for all jobs. */
export type JobResult = Omit<Outcome, 'job' | 'worker' | 'seconds' | 'key' | 'mac'>;

/** So much of what a run said is kept in the queue. */
export const maxReasonLength = 2000;

/** A checkout of a job's commit, and where its workspace is in that. */
export interface JobCheckout {
  /** The folder of this job alone, for all that it writes beside the checkout. */
  folder: string;
  /** The folder of the workspace. */
  workspace: string;
}

/** Checks a job's commit out into a clean folder, does something there, and gives the folder back. */
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
    const cwd = await realpath(join(top, job.folder)).catch(() => undefined);
    if (cwd === undefined) throw new Refused(`there is no folder ${job.folder} in ${commit}`);
    if (cwd !== top && !cwd.startsWith(top + sep))
      throw new Refused(`the folder ${job.folder} leads out of the repository`);
    return await work({ folder, workspace: cwd });
  } finally {
    await rm(folder, { recursive: true, force: true });
    await giveBack().catch(() => {});
  }
}
