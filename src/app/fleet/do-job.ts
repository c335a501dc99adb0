import { randomUUID } from 'node:crypto';
import { createJobs } from '../../fleet/choose-jobs.ts';
import type { FleetRepository } from '../../fleet/fleet-file.ts';
import { type Job, type StackJob, signJob } from '../../fleet/job.ts';
import { inCheckout, type JobResult, maxReasonLength } from '../../fleet/job-checkout.ts';
import { type JobOutcome, signOutcome } from '../../fleet/outcome.ts';
import { findRefusal, findUnmetNeed, isAllowed, matchesStack, Refused } from '../../fleet/refusal.ts';
import type { Mirror } from '../../git/mirror.ts';
import { Problems } from '../../model/diagnostic.ts';
import { cleanLine } from '../../report/text.ts';
import { readWorkspaceStacks } from '../planning/workspace-stacks.ts';
import { standardOptions } from '../stack-options.ts';
import { createJobHost } from './job-host.ts';
import { runJob } from './run-job.ts';
import type { WorkerContext } from './worker-context.ts';

/**
 * Does one job of the queue for `fleet work`: a plan, an apply, a look for drift, or a round, which enqueues looks for drift. Returns its signed
 * outcome, or 'later' if the queue should give it out again. Never rejects: an error becomes the outcome. `attempt`: the number of earlier
 * attempts.
 */
export async function doJob(job: Job, attempt: number, worker: WorkerContext): Promise<JobOutcome | 'later'> {
  const { port, key } = worker;
  const { clock } = port.run.host;
  const start = clock.monotonic();
  const name = job.action === 'round' ? `round of ${job.repository}` : `${job.action} ${job.stack}`;
  const say = (text: string) => port.say(cleanLine(`${job.id.slice(0, 8)} ${name}: ${text}`));
  say(attempt === 0 ? 'started' : `started again, attempt ${attempt + 1}`);
  const result = await runAttempt(job, attempt, worker, say).catch((error: unknown) =>
    resultOfError(error, attempt),
  );
  if (result === 'later') {
    say('postponed: the queue will retry it');
    return 'later';
  }
  const seconds = Math.round(clock.monotonic() - start) / 1000;
  const reason = result.said === undefined ? '' : `: ${result.said.split('\n')[0]}`;
  say(`${result.state}${reason}, ${seconds} s`);
  return signOutcome({ ...result, job: job.id, worker: worker.worker, seconds }, key);
}

/** The number of attempts at a job that fails outside of its command, for example because git or the queue is unreachable for a while. */
const maxJobAttempts = 2;

/** Returns the result of a job that failed outside of its command. It can be tried again, because nothing was changed then. */
function resultOfError(error: unknown, attempt: number): JobResult | 'later' {
  if (error instanceof Refused) return { state: 'refused', said: error.message };
  if (attempt < maxJobAttempts) return 'later';
  const messages =
    error instanceof Problems ? error.diagnostics.map(({ message }) => message) : [(error as Error).message];
  return { state: 'failed', said: messages.join('\n').slice(0, maxReasonLength) };
}

/**
 * Checks whether this worker may do a job, and does it in a checkout of its commit. A job is skipped if a job that it needs has failed. Throws `Refused`
 * if the worker may not do it.
 */
async function runAttempt(
  job: Job,
  attempt: number,
  worker: WorkerContext,
  say: (text: string) => void,
): Promise<JobResult | 'later'> {
  const refusal = findRefusal(job, worker);
  if (refusal !== undefined) throw new Refused(refusal);
  const repository = worker.repositories.get(job.repository)!;
  const mirror = await worker.mirrorOf(job.repository, repository.url);
  if (job.action === 'round') return doRound(job, { mirror, repository }, worker);
  const outcomes = await worker.queue.outcomes(worker.lane, job.needs);
  const unmet = findUnmetNeed(job.needs, outcomes, worker.key);
  if (unmet) {
    const reason = unmet.why === 'not done' ? 'was not done' : 'is not known to be done';
    return { state: 'skipped', said: `it needs the job ${unmet.job}, which ${reason}` };
  }
  if (worker.key && !(await mirror.isOnBranch(job.commit, repository.branch)))
    throw new Refused(
      `the commit ${job.commit} is not on ${repository.branch}, and a worker with a key accepts no other`,
    );
  return inCheckout(job, job.commit, { mirror, under: worker.folder }, (checkout) =>
    runJob(checkout, job, attempt, { worker, repository, say }),
  );
}

/**
 * Does a round, a job that `fleet schedule` set for certain times: enqueues a look for drift for each stack that the newest commit of the
 * protected branch has and the round selects.
 */
async function doRound(
  job: Extract<Job, { action: 'round' }>,
  { mirror, repository }: { mirror: Mirror; repository: FleetRepository },
  worker: WorkerContext,
): Promise<JobResult> {
  const commit = await mirror.fetchHead(repository.branch);
  return inCheckout(job, commit, { mirror, under: worker.folder }, async ({ workspace }) => {
    const { host } = createJobHost(worker, workspace);
    const chosenStacks = await readWorkspaceStacks(
      worker.provider,
      { ...standardOptions, workspace },
      { run: { host } },
    );
    const { all } = chosenStacks;
    const stacks = all.filter(({ id }) => matchesStack(job.stacks, id) && isAllowed(id, repository));
    const { repository: name, folder, by } = job;
    const common = {
      format: 1 as const,
      batch: randomUUID(),
      repository: name,
      folder,
      commit,
      by,
    };
    const jobs = createJobs<StackJob>({ stacks, all, common }, () => ({ action: 'drift' }));
    const signedJobs = jobs.map((driftJob) => signJob(driftJob, worker.key));
    await worker.queue.send(worker.lane, signedJobs);
    return { state: 'done', enqueued: jobs.length };
  });
}
