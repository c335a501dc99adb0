import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseSavedPlan, shownPlan } from '../../approval/parse-saved-plan.ts';
import { readStoredPlan, removeStoredPlan, storePlan } from '../../approval/stored-plan.ts';
import { readWorkspace } from '../../config/workspace.ts';
import type { FleetRepository } from '../../fleet/fleet-file.ts';
import type { Job, StackJob } from '../../fleet/job.ts';
import { decideNextStep } from '../../fleet/outcome.ts';
import { Refused } from '../../fleet/refusal.ts';
import type { Host } from '../../host.ts';
import type { Documents } from '../../ledger/documents.ts';
import { Problems } from '../../model/diagnostic.ts';
import { isEmpty } from '../../model/plan.ts';
import { planCounts } from '../../report/fleet/fleet-report.ts';
import { openLedgerDocuments, openLedgerStore } from '../../stores/open-ledger.ts';
import { partnersInBatch } from './batch-partners.ts';
import { createJobHost } from './job-host.ts';
import { type JobCheckout, type JobResult, maxReasonLength, type WorkerContext } from './worker-context.ts';

/** The worker that runs a job, and the repository of the job. `say`: shows a message about the job. */
interface JobRunContext {
  worker: WorkerContext;
  repository: FleetRepository;
  say(text: string): void;
}

/** The host of a job's commands, with their output so far. */
type JobHost = ReturnType<typeof createJobHost>;

/** The files that a job writes in its folder: `plan` for a saved plan, `report` for the Markdown report. */
interface JobFiles {
  plan: string;
  report: string;
}

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

/** Returns the command of trueup that does a job, with the paths of the files to read and write. The flags that name the stack are added later. */
function commandOf(job: StackJob, { plan, report }: JobFiles): string[] {
  switch (job.action) {
    case 'plan': {
      const canaryFlag = job.canary === false ? ['--no-canary'] : [];
      return ['plan', '--out', plan, '--format', 'markdown', ...canaryFlag];
    }
    case 'drift':
      return ['plan', '--drift-exitcode', '--format', 'markdown'];
    case 'apply':
      return ['apply', plan, '--report', report, '--lock-wait', '120'];
  }
}

/** Returns the flags that name the stack of a job and its ledger. Throws `Refused` if the workspace of this commit does not have the stack. */
async function createStackFlags(
  { stack }: StackJob,
  workspace: string,
  { options }: WorkerContext,
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
 * Returns the result of an apply whose plan is no longer stored. That is no error if the ledger shows that the plan was applied: an earlier attempt may
 * have been interrupted after that. Throws `Refused` otherwise. `isReplaced`: another plan is stored instead.
 */
async function resultWithoutPlan(
  { ledger: stack, plan }: Extract<StackJob, { action: 'apply' }>,
  isReplaced: boolean,
  { key, options }: WorkerContext,
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

/**
 * Composes the result of a job from the exit code of its command. Stores the plan that a plan job made beside the ledger, and removes a plan that was
 * applied. Throws `Problems` if the plan is for another stack than the job.
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
    throw new Problems(
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

/** Copies the report of a job to the folder of reports on this worker. A command that failed early has no report. */
async function storeReport({ id }: Job, report: string, { folder }: WorkerContext): Promise<void> {
  const text = await readFile(report, 'utf8').catch(() => '');
  if (text !== '') await writeFile(join(folder, 'reports', `${id}.md`), text);
}

/**
 * Publishes the report of a job with `trueup comment`: of a plan on its pull request, of an apply on the pull requests that were merged as its commit.
 * Does nothing if the repository has no `comments` or the job has no report. A failure is only said, because the job itself is done.
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

/** Returns the part of a command's messages that explains its failure: from the first error on, without the progress before it. */
function findReason(messages: string): string {
  const index = messages.search(/^(?:Error|\S.*: failed): /m);
  const reason =
    index < 0 ? messages.slice(-maxReasonLength) : messages.slice(index, index + maxReasonLength);
  return reason.trim();
}
