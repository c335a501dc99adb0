import { randomUUID } from 'node:crypto';
import { mkdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readWorkspace } from '../config/workspace.ts';
import type { Mirror } from '../git/mirror.ts';
import type { Host } from '../host.ts';
import type { LedgerKey } from '../model/digest.ts';
import { isInside } from '../paths.ts';
import type { SettledLedgerChoice } from '../stores/ledger-choice.ts';
import { openLedgerStore } from '../stores/open-ledger.ts';
import type { Job, JobOutcome, StackJob } from './job.ts';
import { Refused } from './refusal.ts';

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
 * Checks out the commit of a fleet job, does `work` (such as a plan) in the folder of the workspace there, and
 * removes what the job wrote. Returns the result of `work`. `under`: the worker's folder. Throws `Refused` if the
 * folder of the workspace does not exist or leads out of the repository.
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

/**
 * Returns the result of an apply job whose plan is no longer stored. That is no error if the ledger shows that the
 * plan was applied: the worker may have been interrupted after that, and the job was given out again. Otherwise
 * throws `Refused`. `isReplaced`: another plan is stored instead.
 */
export async function resultWithoutPlan(
  { ledger: stack, plan }: Extract<StackJob, { action: 'apply' }>,
  isReplaced: boolean,
  { key, options }: { key: LedgerKey | undefined; options: SettledLedgerChoice },
  host: Host,
): Promise<JobResult> {
  const store = await openLedgerStore(stack, options, host, key);
  const ledger = await store.read();
  store.requireVerified();
  if (ledger?.plan === plan) return { state: 'done', plan, said: 'it was already applied; nothing to do' };
  throw new Refused(
    isReplaced ? 'another plan has replaced the approved one' : 'the approved plan does not exist',
  );
}

/** The files that a job writes in its folder: `plan` for a saved plan, `report` for the Markdown report. */
interface JobFiles {
  plan: string;
  report: string;
}

/**
 * Returns the words of the trueup command that does the job of a fleet worker (a process that plans and applies stacks from a queue),
 * without the flags for the stack. A plan job saves its plan in the file `plan`, and an apply job applies that file. An apply writes its
 * report to the file `report`; the other commands print theirs.
 */
export function commandOf(job: StackJob, { plan, report }: JobFiles): string[] {
  switch (job.action) {
    case 'plan': {
      // Without a canary, no change of an apply is tried alone before the others.
      const canaryFlag = job.canary === false ? ['--no-canary'] : [];
      return ['plan', '--out', plan, '--format', 'markdown', ...canaryFlag];
    }
    case 'drift':
      return ['plan', '--drift-exitcode', '--format', 'markdown'];
    case 'apply':
      return ['apply', plan, '--report', report, '--lock-wait', '120'];
  }
}

/**
 * Returns the flags by which the command of a fleet job finds its stack and ledger in the worker's checkout:
 * `--file`, `--stage`, `--ledger`. `workspace`: the folder of the workspace in the checkout. Throws `Refused` if
 * the workspace of this commit does not have the stack.
 */
export async function createStackFlags(
  { stack }: StackJob,
  workspace: string,
  { options }: { options: SettledLedgerChoice },
): Promise<string[]> {
  const { folder, entries } = await readWorkspace(workspace, workspace);
  // `shop@staging` is the stage `staging` of the entry `shop`, unless an entry itself has that path.
  const index = stack.lastIndexOf('@');
  const pathWithoutStage = index > 0 ? stack.slice(0, index) : undefined;
  const entry =
    entries.find(({ path }) => path === stack) ?? entries.find(({ path }) => path === pathWithoutStage);
  if (!entry) throw new Refused(`there is no stack ${stack} in the workspace of this commit`);
  const stageFlag = entry.path === stack ? [] : [`--stage=${stack.slice(index + 1)}`];
  return [
    `--file=${join(folder, entry.file)}`,
    ...stageFlag,
    ...(options.ledger === undefined ? [] : [`--ledger=${options.ledger}`]),
    ...(options.ledgerIndex === undefined ? [] : [`--ledger-index=${options.ledgerIndex}`]),
  ];
}

/**
 * Returns the part of a command's output that explains why a fleet job failed: from the first error on, without the
 * progress before it. `fleet status` shows it, so it is cut at the length that the queue accepts.
 */
export function findReason(messages: string): string {
  const index = messages.search(/^(?:Error|\S.*: failed): /m);
  const reason =
    index < 0 ? messages.slice(-maxReasonLength) : messages.slice(index, index + maxReasonLength);
  return reason.trim();
}
