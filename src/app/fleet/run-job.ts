import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseSavedPlan, shownPlan } from '../../approval/parse-saved-plan.ts';
import { readWorkspace } from '../../config/workspace.ts';
import type { FleetRepository } from '../../fleet/fleet-file.ts';
import type { Job, StackJob } from '../../fleet/job.ts';
import { decideNextStep } from '../../fleet/outcome.ts';
import { Refused } from '../../fleet/refusal.ts';
import type { Documents } from '../../ledger/documents.ts';
import { Problems } from '../../model/diagnostic.ts';
import { isEmpty } from '../../model/plan.ts';
import { planCounts } from '../../report/fleet/fleet-report.ts';
import type { Host } from '../host.ts';
import { readStoredPlan, removeStoredPlan, storePlan } from '../planning/stored-plan.ts';
import { openLedgerDocuments, openLedgerStore } from '../session/open-ledger.ts';
import { partnersInBatch } from './batch-partners.ts';
import { createJobHost } from './job-host.ts';
import { type JobCheckout, type JobResult, maxReasonLength, type WorkerContext } from './worker-context.ts';

interface JobRunContext {
  shop: WorkerContext;
  repository: FleetRepository;
  say(text: string): void;
}

/** Runs a job's command in its checkout, and says what came of it: here, to the pull request and to the queue. */
export async function runJob(
  place: JobCheckout,
  job: StackJob,
  attempt: number,
  { shop, repository, say }: JobRunContext,
): Promise<JobResult | 'later'> {
  const { folder, workspace: cwd } = place;
  const plan = join(folder, 'plan.json');
  const report = join(folder, 'report.md');
  const words = await commandWordsFor(job, cwd, shop);
  const isReview = job.action === 'plan' && job.pull !== undefined;
  const member = createJobHost(shop, cwd, isReview);
  const { host } = member;
  const documents = await openLedgerDocuments(job.ledger, shop.options, host);
  if (job.action === 'apply') {
    const kept = await readStoredPlan(documents);
    if (kept?.saved.checksum !== job.plan) return goneResult(job, kept !== undefined, shop, host);
    host.partners = partnersInBatch(job, kept.saved, shop, host);
    await writeFile(plan, kept.text, { mode: 0o600 });
  }
  const canaryFlag = job.action === 'plan' && job.canary === false ? ['--no-canary'] : [];
  const command = {
    plan: ['plan', '--out', plan, '--format', 'markdown', ...canaryFlag],
    drift: ['plan', '--drift-exitcode', '--format', 'markdown'],
    apply: ['apply', plan, '--report', report, '--lock-wait', '120'],
  }[job.action];
  const exit = await member.run([...command, ...words], job.action === 'apply');
  await keepLog(job, member, shop);
  const next = decideNextStep(job, exit, attempt);
  if (next === 'later') return 'later';
  if (job.action !== 'apply') await writeFile(report, member.out());
  await keepReport(job, report, shop);
  const result = await resultFrom(job, { exit, next, plan }, member, documents);
  await tellPullRequest(job, report, repository, shop, say);
  return result;
}

/** The flags that name the stack, as the workspace of this commit has it. */
async function commandWordsFor(
  { stack }: StackJob,
  cwd: string,
  { options }: WorkerContext,
): Promise<string[]> {
  const { folder, entries } = await readWorkspace(cwd, cwd);
  const index = stack.lastIndexOf('@');
  const entry =
    entries.find(({ path }) => path === stack) ??
    entries.find(({ path }) => index > 0 && path === stack.slice(0, index));
  if (!entry) throw new Refused(`there is no stack ${stack} in the workspace of this commit`);
  const stage = entry.path === stack ? [] : [`--stage=${stack.slice(index + 1)}`];
  return [
    `--file=${join(folder, entry.file)}`,
    ...stage,
    ...(options.ledger === undefined ? [] : [`--ledger=${options.ledger}`]),
    ...(options.ledgerIndex === undefined ? [] : [`--ledger-index=${options.ledgerIndex}`]),
  ];
}

/** The plan of an apply is not there any more: it was carried out, or another one has taken its place. */
async function goneResult(
  { ledger, plan }: Extract<StackJob, { action: 'apply' }>,
  isOther: boolean,
  { key, options }: WorkerContext,
  host: Host,
): Promise<JobResult> {
  const store = await openLedgerStore(ledger, options, host, key);
  const held = await store.read();
  store.requireVerified();
  if (held?.plan === plan) return { state: 'done', plan, said: 'it was already applied; nothing to do' };
  throw new Refused(
    isOther ? 'another plan has replaced the approved one' : 'the approved plan does not exist',
  );
}

async function resultFrom(
  job: StackJob,
  { exit, next, plan }: { exit: number; next: 'done' | 'failed'; plan: string },
  member: ReturnType<typeof createJobHost>,
  documents: Documents,
): Promise<JobResult> {
  const said = next === 'failed' ? { said: reasonIn(member.err()) } : {};
  const result: JobResult = { state: next, exit, ...said };
  if (job.action === 'drift') return { ...result, drift: exit === 2 };
  if (next === 'failed') return result;
  if (job.action === 'apply') {
    // It was carried out, whatever becomes of this: a plan that stays is done once more, which does nothing.
    await removeStoredPlan(documents, job.plan).catch(() => {});
    return { ...result, plan: job.plan };
  }
  const text = await readFile(plan, 'utf8');
  const saved = parseSavedPlan(text, 'the plan');
  if (saved.stack !== job.ledger)
    throw new Problems(
      'fleet/stack',
      `${job.stack} is called ${saved.stack} at this commit, and the job was made for ${job.ledger}`,
    );
  if (saved.seal !== undefined) await storePlan(documents, text);
  const shown = shownPlan(saved);
  return {
    ...result,
    plan: saved.checksum,
    isEmpty: isEmpty(shown),
    changes: planCounts(shown),
  };
}

/** Keeps the output of a job's run on this machine. */
async function keepLog(
  { id }: Job,
  member: ReturnType<typeof createJobHost>,
  { folder }: WorkerContext,
): Promise<void> {
  await appendFile(join(folder, 'reports', `${id}.log`), member.err());
}

async function keepReport({ id }: Job, report: string, { folder }: WorkerContext): Promise<void> {
  const text = await readFile(report, 'utf8').catch(() => '');
  if (text !== '') await writeFile(join(folder, 'reports', `${id}.md`), text);
}

/** Tells a pull request what became of its plan, or those that were merged as this commit what was applied, by `trueup comment`. */
async function tellPullRequest(
  job: StackJob,
  report: string,
  { comments }: FleetRepository,
  shop: WorkerContext,
  say: (text: string) => void,
): Promise<void> {
  const isTold = job.action === 'apply' || (job.action === 'plan' && job.pull !== undefined);
  if (!comments || !isTold || (await readFile(report, 'utf8').catch(() => '')) === '') return;
  const member = createJobHost(shop, shop.folder);
  const { env } = shop.port.run.host;
  const own =
    'github' in comments
      ? {
          GITHUB_TOKEN: env.GITHUB_TOKEN,
          GITHUB_REPOSITORY: comments.github,
          GITHUB_EVENT_NAME: 'push',
          // What the worker itself may run in is another job.
          GITHUB_EVENT_PATH: undefined,
          GITHUB_SHA: job.commit,
        }
      : {
          TRUEUP_COMMENT_TOKEN: env.TRUEUP_COMMENT_TOKEN,
          GITLAB_CI: 'true',
          CI_PROJECT_ID: comments.gitlab,
          CI_COMMIT_SHA: job.commit,
        };
  member.host.env = { ...member.host.env, ...own };
  const pull = job.pull === undefined ? [] : [`--pull-request=${job.pull}`];
  const exit = await member.run(['comment', report, ...pull], false);
  if (exit !== 0) say(`could not update the pull request: ${member.err().trim().split('\n')[0]}`);
}

/** What a run that failed said, from the first failure on: what comes before, of its ledger and its progress, is no reason. */
function reasonIn(text: string): string {
  const index = text.search(/^(?:Error|\S.*: failed): /m);
  return (index < 0 ? text.slice(-maxReasonLength) : text.slice(index, index + maxReasonLength)).trim();
}
