import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { parseSavedPlan } from '../approval/parse-saved-plan.ts';
import { shownPlan } from '../approval/shown-plan.ts';
import { readWorkspace } from '../config/workspace.ts';
import type { FleetRepository } from '../fleet/fleet-file.ts';
import type { Job, StackJob } from '../fleet/job.ts';
import { nextOf } from '../fleet/next.ts';
import { type Outcome, signedOutcome } from '../fleet/outcome.ts';
import type { Attempt, Lane, Queue } from '../fleet/queue.ts';
import { refusalOf, unmetNeed } from '../fleet/refusal.ts';
import { GitError } from '../git/git.ts';
import type { Mirror } from '../git/mirror.ts';
import type { Provider } from '../kind/provider.ts';
import type { Documents } from '../ledger/documents.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import type { LedgerKey } from '../model/ledger-key.ts';
import { isEmpty } from '../model/plan.ts';
import { cleanLine } from '../report/clean.ts';
import { planCounts } from '../report/fleet/fleet-report.ts';
import type { Around } from './commands.ts';
import { tellPullRequest } from './fleet-comment.ts';
import { jobHost } from './fleet-job-host.ts';
import { doRound } from './fleet-round.ts';
import type { WorkOptions } from './fleet-work.ts';
import type { Host } from './host.ts';
import { dropPlan, keepPlan, keptPlan } from './kept-plan.ts';
import { documentsFor, storeFor } from './ledger-place.ts';
import type { Terminal } from './terminal.ts';

/** All that a worker does its jobs with. */
export interface Workshop {
  repositories: ReadonlyMap<string, FleetRepository>;
  key: LedgerKey | undefined;
  lane: Lane;
  queue: Queue;
  /** Where mirrors, checkouts and reports are. */
  folder: string;
  host: Host;
  terminal: Terminal;
  again: Around['again'];
  provider: Provider;
  options: Pick<WorkOptions, 'ledger' | 'ledgerIndex'>;
  mirrorOf(name: string, url: string): Promise<Mirror>;
  /** What a signal has to be told to. */
  stopping: Set<() => void>;
  /** Its name for people. */
  worker: string;
}

/** What came of the work itself; the rest of an outcome is the same of all. */
export type Result = Omit<Outcome, 'job' | 'worker' | 'seconds' | 'key' | 'mac'>;

/** A worker does not do this, for the reason that it says. */
export class Refused extends Error {}

/** Does one job, whatever it is, and gives back its outcome. It never rejects: what goes wrong is the outcome. */
export async function doJob(job: Job, attempt: Attempt, shop: Workshop): Promise<Outcome | 'later'> {
  const { host, terminal, worker, key } = shop;
  const begun = host.clock.monotonic();
  const name = job.action === 'round' ? `round of ${job.repository}` : `${job.action} ${job.stack}`;
  const say = (text: string) => terminal.err(cleanLine(`${job.id.slice(0, 8)} ${name}: ${text}`));
  say(attempt.number === 0 ? 'begun' : `begun again, for the ${attempt.number + 1}. time`);
  let result: Result | 'later';
  try {
    result = await resultOf(job, attempt, shop, say);
  } catch (error) {
    result = failedBy(error, attempt);
  }
  if (result === 'later') {
    say('put off: the queue gives it out again');
    return 'later';
  }
  const seconds = Math.round(host.clock.monotonic() - begun) / 1000;
  say(`${result.state}${result.said === undefined ? '' : `: ${result.said.split('\n')[0]}`}, ${seconds} s`);
  return signedOutcome({ ...result, job: job.id, worker, seconds }, key);
}

/** Git and the queue may be reached a moment later; nothing was done until then. */
function failedBy(error: unknown, { isLast }: Attempt): Result | 'later' {
  if (error instanceof Refused) return { state: 'refused', said: error.message };
  const isPassing = error instanceof GitError && error.reason !== 'missing' && error.reason !== 'old';
  if (isPassing && !isLast) return 'later';
  const texts =
    error instanceof Problems ? error.diagnostics.map(({ message }) => message) : [(error as Error).message];
  return { state: 'failed', said: texts.join('\n').slice(0, mostSaid) };
}

/** So much of what a run said is kept in the queue. */
const mostSaid = 2000;

async function resultOf(
  job: Job,
  attempt: Attempt,
  shop: Workshop,
  say: (text: string) => void,
): Promise<Result | 'later'> {
  const refusal = refusalOf(job, shop);
  if (refusal !== undefined) throw new Refused(refusal);
  const repository = shop.repositories.get(job.repository)!;
  const mirror = await shop.mirrorOf(job.repository, repository.url);
  if (job.action === 'round') return doRound(job, { mirror, repository }, shop, jobIn);
  const unmet = unmetNeed(job.needs, await shop.queue.outcomes(shop.lane, job.needs), shop.key);
  if (unmet)
    return {
      state: 'skipped',
      said: `it needs the job ${unmet.job}, which ${unmet.why === 'not done' ? 'was not done' : 'nobody here knows to be done'}`,
    };
  if (shop.key && !(await mirror.isOn(job.commit, repository.branch)))
    throw new Refused(
      `the commit ${job.commit} is not on ${repository.branch}, and a worker with a key does no other`,
    );
  return inCheckout(job, mirror, shop, (place) => runIn(place, job, attempt, { shop, repository, say }));
}

/** A checkout of a job's commit, and where its workspace is in that. */
export interface Place {
  /** Of this job alone: what it writes beside the checkout. */
  folder: string;
  /** The folder of the workspace. */
  cwd: string;
}

/** Checks a job's commit out into a clean folder, does something there, and takes the folder away. */
export async function jobIn<T>(
  job: Job,
  commit: string,
  { mirror, shop }: { mirror: Mirror; shop: Workshop },
  work: (place: Place) => Promise<T>,
): Promise<T> {
  const folder = join(shop.folder, 'jobs', randomUUID());
  await mkdir(folder, { recursive: true });
  let remove = async () => {};
  try {
    const checkout = join(folder, 'checkout');
    remove = await mirror.checkOut(commit, checkout);
    const top = await realpath(checkout);
    const cwd = await realpath(join(top, job.folder)).catch(() => undefined);
    if (cwd === undefined) throw new Refused(`there is no folder ${job.folder} in ${commit}`);
    if (cwd !== top && !cwd.startsWith(top + sep))
      throw new Refused(`the folder ${job.folder} leads out of the repository`);
    return await work({ folder, cwd });
  } finally {
    await remove().catch(() => {});
    await rm(folder, { recursive: true, force: true });
  }
}

const inCheckout = <T>(job: StackJob, mirror: Mirror, shop: Workshop, work: (place: Place) => Promise<T>) =>
  jobIn(job, job.commit, { mirror, shop }, work);

interface Surroundings {
  shop: Workshop;
  repository: FleetRepository;
  say(text: string): void;
}

async function runIn(
  place: Place,
  job: StackJob,
  attempt: Attempt,
  { shop, repository, say }: Surroundings,
): Promise<Result | 'later'> {
  const { folder, cwd } = place;
  const plan = join(folder, 'plan.json');
  const report = join(folder, 'report.md');
  const words = await wordsFor(job, cwd, shop);
  const member = jobHost(shop, cwd);
  const { host } = member;
  const documents = documentsFor(job.ledger, shop.options, host);
  if (job.action === 'apply') {
    const kept = await keptPlan(documents);
    if (kept?.saved.checksum !== job.plan) return goneResult(job, kept !== undefined, shop, host);
    await writeFile(plan, kept.text, { mode: 0o600 });
  }
  const command = {
    plan: ['plan', '--out', plan, '--format', 'markdown'],
    drift: ['plan', '--drift-exitcode', '--format', 'markdown'],
    apply: ['apply', plan, '--report', report, '--lock-wait', '120'],
  }[job.action];
  const exit = await member.run([...command, ...words], job.action === 'apply');
  await keepLog(job, member, shop);
  const next = nextOf(job, exit, attempt);
  if (next === 'later') return 'later';
  if (job.action !== 'apply') await writeFile(report, member.out());
  await keepReport(job, report, shop);
  const told = await resultFrom(job, { exit, next, plan }, member, documents);
  await tellPullRequest(job, report, repository, shop, say);
  return told;
}

/** The flags that name the stack, as the workspace of this commit has it. */
async function wordsFor({ stack }: StackJob, cwd: string, { options }: Workshop): Promise<string[]> {
  const { folder, entries } = await readWorkspace(cwd, cwd);
  const at = stack.lastIndexOf('@');
  const entry =
    entries.find(({ path }) => path === stack) ??
    entries.find(({ path }) => at > 0 && path === stack.slice(0, at));
  if (!entry) throw new Refused(`there is no stack ${stack} in the workspace of this commit`);
  const stage = entry.path === stack ? [] : [`--stage=${stack.slice(at + 1)}`];
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
  { key, options }: Workshop,
  host: Host,
): Promise<Result> {
  const store = await storeFor(ledger, options, host, key);
  const held = await store.read();
  store.requireVerified();
  if (held?.plan === plan)
    return { state: 'done', plan, said: 'it was carried out before, and nothing was to be done' };
  throw new Refused(
    isOther
      ? 'another plan has taken the place of the one that was agreed to'
      : 'the plan that was agreed to is not there',
  );
}

async function resultFrom(
  job: StackJob,
  { exit, next, plan }: { exit: number; next: 'done' | 'failed'; plan: string },
  member: ReturnType<typeof jobHost>,
  documents: Documents,
): Promise<Result> {
  const said = next === 'failed' ? { said: member.err().slice(-mostSaid).trim() } : {};
  const result: Result = { state: next, exit, ...said };
  if (job.action === 'drift') return { ...result, drift: exit === 2 };
  if (next === 'failed') return result;
  if (job.action === 'apply') {
    await dropPlan(documents, job.plan);
    return { ...result, plan: job.plan };
  }
  const text = await readFile(plan, 'utf8');
  const saved = parseSavedPlan(text, 'the plan');
  if (saved.stack !== job.ledger)
    throw new Problems([
      problem(
        'fleet/stack',
        `${job.stack} is called ${saved.stack} at this commit, and the job was made for ${job.ledger}`,
      ),
    ]);
  if (saved.seal !== undefined) await keepPlan(documents, text);
  const shown = shownPlan(saved);
  return {
    ...result,
    plan: saved.checksum,
    isEmpty: isEmpty(shown),
    changes: planCounts(shown),
  };
}

/** What a run said, by its job, on this machine. */
async function keepLog({ id }: Job, member: ReturnType<typeof jobHost>, { folder }: Workshop): Promise<void> {
  await appendFile(join(folder, 'reports', `${id}.log`), member.err());
}

async function keepReport({ id }: Job, report: string, { folder }: Workshop): Promise<void> {
  const text = await readFile(report, 'utf8').catch(() => '');
  if (text !== '') await writeFile(join(folder, 'reports', `${id}.md`), text);
}
