import { randomUUID } from 'node:crypto';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readWorkspaceStacks } from '../../app/planning/workspace-stacks.ts';
import { standardOptions } from '../../app/stack-options.ts';
import { parseSavedPlan } from '../../approval/parse-saved-plan.ts';
import { shownPlan } from '../../approval/shown-plan.ts';
import { readStoredPlan, removeStoredPlan, storePlan } from '../../approval/stored-plan.ts';
import type { Mirror } from '../../git/mirror.ts';
import type { Host } from '../../host.ts';
import type { Documents } from '../../ledger/documents.ts';
import { Problems, raise } from '../../model/diagnostic.ts';
import { isEmpty } from '../../model/plan.ts';
import { planCounts } from '../../report/fleet/fleet-report.ts';
import { cleanLine } from '../../report/text.ts';
import { openLedgerDocuments } from '../../stores/open-ledger.ts';
import { partnersInBatch } from '../batch-partners.ts';
import { createJobs } from '../choose-jobs.ts';
import type { FleetRepository } from '../fleet-file.ts';
import { decideNextStep, type Job, type JobOutcome, type StackJob, signJob, signOutcome } from '../job.ts';
import {
  commandOf,
  createStackFlags,
  findReason,
  inCheckout,
  type JobCheckout,
  type JobResult,
  maxReasonLength,
  resultWithoutPlan,
} from '../job-checkout.ts';
import { findRefusal, findUnmetNeed, isAllowed, matchesStack, Refused } from '../refusal.ts';
import { createJobHost, type WorkerContext } from './job-host.ts';

/**
 * Does one job of the queue for `fleet work`: a plan, an apply, a look for drift, or a round, which enqueues looks for drift. Returns its
 * outcome, signed if there is a key, or 'later' if the queue should give it out again. Never rejects: an error becomes the outcome.
 * `attempt`: the number of earlier attempts.
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

/**
 * The number of further attempts at a job that fails outside of its command, for example because git or the queue is unreachable for a
 * while.
 */
const maxJobRetries = 2;

/**
 * Returns the result of a fleet job that failed outside of its command, for example because its commit could not be fetched. The job is
 * tried again ('later') until it has had all its attempts: even after an apply that is safe, because its plan is not applied twice. A
 * refusal is final at once.
 */
function resultOfError(error: unknown, attempt: number): JobResult | 'later' {
  if (error instanceof Refused) return { state: 'refused', said: error.message };
  if (attempt < maxJobRetries) return 'later';
  const messages =
    error instanceof Problems ? error.diagnostics.map(({ message }) => message) : [(error as Error).message];
  return { state: 'failed', said: messages.join('\n').slice(0, maxReasonLength) };
}

/**
 * Checks whether this worker may do a job, and does it in a checkout of its commit, or a round in one of the newest commit. A job is
 * skipped unless all jobs that it needs are known to be done. Throws `Refused` if the worker may not do it.
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
 * protected branch has, that the round selects, and that this worker may work on.
 */
async function doRound(
  job: Extract<Job, { action: 'round' }>,
  { mirror, repository }: { mirror: Mirror; repository: FleetRepository },
  worker: WorkerContext,
): Promise<JobResult> {
  const commit = await mirror.fetchHead(repository.branch);
  return inCheckout(job, commit, { mirror, under: worker.folder }, async ({ workspace }) => {
    const { host } = createJobHost(worker, workspace);
    const options = { ...standardOptions, workspace };
    const { all } = await readWorkspaceStacks(worker.provider, options, { run: { host } });
    const stacks = all.filter(({ id }) => matchesStack(job.stacks, id) && isAllowed(id, repository));
    const { repository: name, folder, by } = job;
    const common = { format: 1 as const, batch: randomUUID(), repository: name, folder, commit, by };
    const jobs = createJobs<StackJob>({ stacks, all, common }, () => ({ action: 'drift' }));
    const signedJobs = jobs.map((driftJob) => signJob(driftJob, worker.key));
    await worker.queue.send(worker.lane, signedJobs);
    return { state: 'done', enqueued: jobs.length };
  });
}

/** The worker that runs a job, and the repository of the job. `say`: shows a message about the job. */
interface JobRunContext {
  worker: WorkerContext;
  repository: FleetRepository;
  say(text: string): void;
}

/** The host of a job's commands, with their output so far. */
type JobHost = ReturnType<typeof createJobHost>;

/**
 * Runs the command of a job in its checkout: `plan` or `apply`. An apply needs the plan that a plan job stored next to the ledger. Stores
 * log and report on the worker, and comments on the pull request. Returns the result for the queue, or 'later' if the job should be tried
 * again. `attempt`: the number of earlier attempts. Throws `Refused` if the workspace lacks the stack, or the approved plan is neither
 * stored nor applied.
 */
async function runJob(
  { folder, workspace }: JobCheckout,
  job: StackJob,
  attempt: number,
  context: JobRunContext,
): Promise<JobResult | 'later'> {
  const { worker } = context;
  const files = { plan: join(folder, 'plan.json'), report: join(folder, 'report.md') };
  const stackFlags = await createStackFlags(job, workspace, worker);
  const isReview = job.action === 'plan' && job.pull !== undefined;
  const jobHost = createJobHost(worker, workspace, isReview);
  const { host } = jobHost;
  const documents = await openLedgerDocuments(job.ledger, worker.options, host);
  if (job.action === 'apply') {
    const stored = await readStoredPlan(documents);
    const isApproved = stored?.saved.checksum === job.plan;
    if (!isApproved) return resultWithoutPlan(job, stored !== undefined, worker, host);
    // The other applies of the batch were approved, too, so their changes do not count as changes by other people.
    host.partners = partnersInBatch(job, stored.saved, worker, host);
    await writeFile(files.plan, stored.text, { mode: 0o600 });
  }
  const command = [...commandOf(job, files), ...stackFlags];
  const exit = await jobHost.run(command, { isStoppable: job.action === 'apply' });
  await appendFile(join(worker.folder, 'reports', `${job.id}.log`), jobHost.err());
  const next = decideNextStep(job, exit, attempt);
  if (next === 'later') return 'later';
  if (job.action !== 'apply') await writeFile(files.report, jobHost.out());
  await storeReport(job, files.report, worker);
  const result = await composeResult(job, { exit, next, plan: files.plan }, jobHost, documents);
  await commentOnPullRequest(job, files.report, context);
  return result;
}

/**
 * Composes the result of a fleet job, which `fleet status` shows, from the exit code of its command. The sealed plan of a plan job is
 * stored next to the stack's ledger, where a later apply job finds it; an applied plan is removed there. `plan`: the path of the plan file
 * in the folder of the job. Throws `Problems` if the plan is for another stack than the job.
 */
async function composeResult(
  job: StackJob,
  { exit, next, plan }: { exit: number; next: 'done' | 'failed'; plan: string },
  jobHost: JobHost,
  documents: Documents,
): Promise<JobResult> {
  const reason = next === 'failed' ? { said: findReason(jobHost.err()) } : {};
  const result: JobResult = { state: next, exit, ...reason };
  if (job.action === 'drift') return { ...result, drift: exit === 2 };
  if (next === 'failed') return result;
  if (job.action === 'apply') {
    // The plan was applied even if this fails. If it stays, it is applied once more, without any change.
    await removeStoredPlan(documents, job.plan).catch(() => {});
    return { ...result, plan: job.plan };
  }
  return { ...result, ...(await storeSealedPlan(job, plan, documents)) };
}

/**
 * Stores the plan of a plan job next to the stack's ledger if it is sealed (signed), and returns what the result of the job says about it.
 * `file`: where the command saved it. Throws `Problems` if the plan is for another stack than the job.
 */
async function storeSealedPlan(
  job: StackJob,
  file: string,
  documents: Documents,
): Promise<Pick<JobResult, 'plan' | 'isEmpty' | 'changes'>> {
  const text = await readFile(file, 'utf8');
  const savedPlan = parseSavedPlan(text, 'the plan');
  if (savedPlan.stack !== job.ledger)
    raise(
      'fleet/stack',
      `${job.stack} is called ${savedPlan.stack} at this commit, and the job was made for ${job.ledger}`,
    );
  if (savedPlan.seal !== undefined) await storePlan(documents, text);
  const plan = shownPlan(savedPlan);
  return { plan: savedPlan.checksum, isEmpty: isEmpty(plan), changes: planCounts(plan) };
}

/**
 * Copies the report of a fleet job to the folder of reports on this worker, before the job's own folder is removed. A command that failed
 * early has no report.
 */
async function storeReport({ id }: Job, report: string, { folder }: WorkerContext): Promise<void> {
  const text = await readFile(report, 'utf8').catch(() => '');
  if (text !== '') await writeFile(join(folder, 'reports', `${id}.md`), text);
}

/**
 * Publishes the report of a job with `trueup comment`: of a plan on its pull request, of an apply on the pull requests that were merged as
 * its commit. Does nothing if the repository has no `comments` or the job has no report. A failure is only a message, because the job
 * itself is done.
 */
async function commentOnPullRequest(
  job: StackJob,
  report: string,
  { worker, repository: { comments }, say }: JobRunContext,
): Promise<void> {
  const isCommented = job.action === 'apply' || (job.action === 'plan' && job.pull !== undefined);
  if (!comments || !isCommented || (await readFile(report, 'utf8').catch(() => '')) === '') return;
  const jobHost = createJobHost(worker, worker.folder);
  const ciVariables = createCommentVariables(comments, job.commit, worker.port.run.host.env);
  jobHost.host.env = { ...jobHost.host.env, ...ciVariables };
  const pullRequestFlag = job.pull === undefined ? [] : [`--pull-request=${job.pull}`];
  const exit = await jobHost.run(['comment', report, ...pullRequestFlag], { isStoppable: false });
  if (exit !== 0) say(`could not update the pull request: ${jobHost.err().trim().split('\n')[0]}`);
}

/**
 * Returns environment variables for a `trueup comment` that a worker runs: those of a CI job of this commit, since the command works in CI
 * jobs, with the project and the token. `env`: that of the worker, with the token.
 */
function createCommentVariables(
  comments: NonNullable<FleetRepository['comments']>,
  commit: string,
  env: Host['env'],
): Host['env'] {
  if ('gitlab' in comments)
    return {
      TRUEUP_COMMENT_TOKEN: env.TRUEUP_COMMENT_TOKEN,
      GITLAB_CI: 'true',
      CI_PROJECT_ID: comments.gitlab,
      CI_COMMIT_SHA: commit,
    };
  return {
    GITHUB_TOKEN: env.GITHUB_TOKEN,
    GITHUB_REPOSITORY: comments.github,
    GITHUB_EVENT_NAME: 'push',
    // If the worker itself runs in a CI job, this would be the event of that job.
    GITHUB_EVENT_PATH: undefined,
    GITHUB_SHA: commit,
  };
}
