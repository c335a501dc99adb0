import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseSavedPlan, shownPlan } from '../../approval/parse-saved-plan.ts';
import { readStoredPlan, removeStoredPlan, storePlan } from '../../approval/stored-plan.ts';
import { partnersInBatch } from '../../fleet/batch-partners.ts';
import type { FleetRepository } from '../../fleet/fleet-file.ts';
import type { Job, StackJob } from '../../fleet/job.ts';
import { type JobCheckout, type JobResult, resultWithoutPlan } from '../../fleet/job-checkout.ts';
import { commandOf, createStackFlags, findReason } from '../../fleet/job-command.ts';
import { decideNextStep } from '../../fleet/outcome.ts';
import type { Documents } from '../../ledger/documents.ts';
import { raise } from '../../model/diagnostic.ts';
import { isEmpty } from '../../model/plan.ts';
import { planCounts } from '../../report/fleet/fleet-report.ts';
import { openLedgerDocuments } from '../../stores/open-ledger.ts';
import { createJobHost } from './job-host.ts';
import type { WorkerContext } from './worker-context.ts';

/** The worker that runs a job, and the repository of the job. `say`: shows a message about the job. */
interface JobRunContext {
  worker: WorkerContext;
  repository: FleetRepository;
  say(text: string): void;
}

/** The host of a job's commands, with their output so far. */
type JobHost = ReturnType<typeof createJobHost>;

/**
 * Runs the command of a job in its checkout: `plan` or `apply`. Stores its log and report on the worker, and comments on the pull request. Returns the
 * result for the queue, or 'later' if the job should be tried again. Throws `Refused` if the worker may not do it.
 */
export async function runJob(
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
    if (stored?.saved.checksum !== job.plan)
      return resultWithoutPlan(job, stored !== undefined, worker, host);
    host.partners = partnersInBatch(job, stored.saved, worker, host);
    await writeFile(files.plan, stored.text, { mode: 0o600 });
  }
  const command = [...commandOf(job, files), ...stackFlags];
  const exit = await jobHost.run(command, job.action === 'apply');
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
 * Composes the result of a fleet job, which `fleet status` shows, from the exit code of its command. Stores the plan that a plan job made beside
 * the ledger, and removes a plan that was applied. Throws `Problems` if the plan is for another stack than the job.
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
  const text = await readFile(plan, 'utf8');
  const savedPlan = parseSavedPlan(text, 'the plan');
  if (savedPlan.stack !== job.ledger)
    raise(
      'fleet/stack',
      `${job.stack} is called ${savedPlan.stack} at this commit, and the job was made for ${job.ledger}`,
    );
  if (savedPlan.seal !== undefined) await storePlan(documents, text);
  const reportedPlan = shownPlan(savedPlan);
  return {
    ...result,
    plan: savedPlan.checksum,
    isEmpty: isEmpty(reportedPlan),
    changes: planCounts(reportedPlan),
  };
}

/**
 * Copies the report of a fleet job to the folder of reports on this worker, before the job's own folder is removed. A command that failed early
 * has no report.
 */
async function storeReport({ id }: Job, report: string, { folder }: WorkerContext): Promise<void> {
  const text = await readFile(report, 'utf8').catch(() => '');
  if (text !== '') await writeFile(join(folder, 'reports', `${id}.md`), text);
}

/**
 * Publishes the report of a job with `trueup comment`: of a plan on its pull request, of an apply on the pull requests that were merged as its commit.
 * Does nothing if the repository has no `comments` or the job has no report. A failure is only a message, because the job itself is done.
 */
async function commentOnPullRequest(
  job: StackJob,
  report: string,
  { worker, repository: { comments }, say }: JobRunContext,
): Promise<void> {
  const isCommented = job.action === 'apply' || (job.action === 'plan' && job.pull !== undefined);
  if (!comments || !isCommented || (await readFile(report, 'utf8').catch(() => '')) === '') return;
  const jobHost = createJobHost(worker, worker.folder);
  const { env } = worker.port.run.host;
  const ciVariables =
    'github' in comments
      ? {
          GITHUB_TOKEN: env.GITHUB_TOKEN,
          GITHUB_REPOSITORY: comments.github,
          GITHUB_EVENT_NAME: 'push',
          // If the worker itself runs in a CI job, this would be the event of that job.
          GITHUB_EVENT_PATH: undefined,
          GITHUB_SHA: job.commit,
        }
      : {
          TRUEUP_COMMENT_TOKEN: env.TRUEUP_COMMENT_TOKEN,
          GITLAB_CI: 'true',
          CI_PROJECT_ID: comments.gitlab,
          CI_COMMIT_SHA: job.commit,
        };
  jobHost.host.env = { ...jobHost.host.env, ...ciVariables };
  const pullRequestFlag = job.pull === undefined ? [] : [`--pull-request=${job.pull}`];
  const exit = await jobHost.run(['comment', report, ...pullRequestFlag], false);
  if (exit !== 0) say(`could not update the pull request: ${jobHost.err().trim().split('\n')[0]}`);
}
