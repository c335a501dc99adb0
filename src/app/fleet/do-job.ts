import { randomUUID } from 'node:crypto';
import type { FleetRepository } from '../../fleet/fleet-file.ts';
import { type Job, type StackJob, signJob } from '../../fleet/job.ts';
import { type Outcome, signOutcome } from '../../fleet/outcome.ts';
import { findRefusal, findUnmetNeed, isAllowed, matchesStack, Refused } from '../../fleet/refusal.ts';
import type { Mirror } from '../../git/mirror.ts';
import { Problems } from '../../model/diagnostic.ts';
import { cleanLine } from '../../report/clean.ts';
import { readWorkspaceStacks } from '../planning/workspace-stacks.ts';
import { standardOptions } from '../stack-options.ts';
import { createJobs } from './choose-jobs.ts';
import { createJobHost } from './job-host.ts';
import { runJob } from './run-job.ts';
import { inCheckout, type JobResult, maxReasonLength, type WorkerContext } from './worker-context.ts';

/** Does one job, whatever it is, and gives back its outcome. It never rejects: what goes wrong is the outcome. */
export async function doJob(job: Job, attempt: number, shop: WorkerContext): Promise<Outcome | 'later'> {
  const { port, worker, key } = shop;
  const { host } = port.run;
  const begun = host.clock.monotonic();
  const name = job.action === 'round' ? `round of ${job.repository}` : `${job.action} ${job.stack}`;
  const say = (text: string) => port.say(cleanLine(`${job.id.slice(0, 8)} ${name}: ${text}`));
  say(attempt === 0 ? 'started' : `started again, attempt ${attempt + 1}`);
  let result: JobResult | 'later';
  try {
    result = await runAttempt(job, attempt, shop, say);
  } catch (error) {
    result = failedBy(error, attempt);
  }
  if (result === 'later') {
    say('postponed: the queue will retry it');
    return 'later';
  }
  const seconds = Math.round(host.clock.monotonic() - begun) / 1000;
  say(`${result.state}${result.said === undefined ? '' : `: ${result.said.split('\n')[0]}`}, ${seconds} s`);
  return signOutcome({ ...result, job: job.id, worker, seconds }, key);
}

/** Attempts at a job that fails before or after the command itself: git, the queue or the store may be back by then. */
const mostJobTries = 2;

/** Decides what an error outside the command means for the job. Nothing was done that a repetition would do twice. */
function failedBy(error: unknown, attempt: number): JobResult | 'later' {
  if (error instanceof Refused) return { state: 'refused', said: error.message };
  if (attempt < mostJobTries) return 'later';
  const texts =
    error instanceof Problems ? error.diagnostics.map(({ message }) => message) : [(error as Error).message];
  return { state: 'failed', said: texts.join('\n').slice(0, maxReasonLength) };
}

async function runAttempt(
  job: Job,
  attempt: number,
  shop: WorkerContext,
  say: (text: string) => void,
): Promise<JobResult | 'later'> {
  const refusal = findRefusal(job, shop);
  if (refusal !== undefined) throw new Refused(refusal);
  const repository = shop.repositories.get(job.repository)!;
  const mirror = await shop.mirrorOf(job.repository, repository.url);
  if (job.action === 'round') return doRound(job, { mirror, repository }, shop);
  const unmet = findUnmetNeed(job.needs, await shop.queue.outcomes(shop.lane, job.needs), shop.key);
  if (unmet)
    return {
      state: 'skipped',
      said: `it needs the job ${unmet.job}, which ${unmet.why === 'not done' ? 'was not done' : 'is not known to be done'}`,
    };
  if (shop.key && !(await mirror.isOnBranch(job.commit, repository.branch)))
    throw new Refused(
      `the commit ${job.commit} is not on ${repository.branch}, and a worker with a key accepts no other`,
    );
  return inCheckout(job, job.commit, { mirror, under: shop.folder }, (place) =>
    runJob(place, job, attempt, { shop, repository, say }),
  );
}

/** Enqueues a look for drift at each stack that the protected branch has now. */
async function doRound(
  job: Extract<Job, { action: 'round' }>,
  { mirror, repository }: { mirror: Mirror; repository: FleetRepository },
  shop: WorkerContext,
): Promise<JobResult> {
  const commit = await mirror.fetchHead(repository.branch);
  return inCheckout(job, commit, { mirror, under: shop.folder }, async ({ workspace: cwd }) => {
    const { host } = createJobHost(shop, cwd);
    const chosenStacks = await readWorkspaceStacks(
      shop.provider,
      { ...standardOptions, workspace: cwd },
      { host },
    );
    const stacks = chosenStacks.all.filter(
      ({ id }) => matchesStack(job.stacks, id) && isAllowed(id, repository),
    );
    const { repository: name, folder, by } = job;
    const common = {
      format: 1 as const,
      batch: randomUUID(),
      repository: name,
      folder,
      commit,
      ...(by ? { by } : {}),
    };
    const jobs = createJobs<StackJob>({ stacks, folder: cwd, common }, () => ({ action: 'drift' }));
    await shop.queue.send(
      shop.lane,
      jobs.map((job) => signJob(job, shop.key)),
    );
    return { state: 'done', enqueued: jobs.length };
  });
}
