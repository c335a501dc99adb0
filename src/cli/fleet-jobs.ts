import { randomUUID } from 'node:crypto';
import type { PlanningOptions } from '../app/planning/plan-options.ts';
import { inFolder, readWorkspaceStacks } from '../app/planning/workspace-stacks.ts';
import { createSources } from '../app/session/load-configuration.ts';
import { type StackOptions, type StacksOptions, standardOptions } from '../app/stack-options.ts';
import type { SavedPlan } from '../approval/saved-plan.ts';
import { shownPlan } from '../approval/shown-plan.ts';
import type { WorkspaceStack } from '../config/workspace-stacks.ts';
import { writeOutputFile } from '../files/write-files.ts';
import { chooseJobs, createJobs, findRepositoryName, type JobChoice } from '../fleet/choose-jobs.ts';
import { digestPlans, type Job, type StackJob, signJob } from '../fleet/job.ts';
import { readFleetReport, readSealedPlans } from '../fleet/read-fleet-report.ts';
import type { Provider } from '../kind/provider.ts';
import { missingKeyProblem } from '../ledger/proof.ts';
import { settleLedger } from '../ledger-place/settle-ledger.ts';
import { problem, raise } from '../model/diagnostic.ts';
import type { LedgerKey } from '../model/digest.ts';
import { isEmpty } from '../model/plan.ts';
import { type QueueOptions, useFleetQueue } from '../queue/fleet-queue.ts';
import { countsText, type FleetReport, fleetText, planCounts } from '../report/fleet/fleet-report.ts';
import { jsonText } from '../report/show.ts';
import { cleanLine, count } from '../report/text.ts';
import { findLedgerKey } from '../stores/open-ledger.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { isYes, type Terminal, terminalFor } from '../terminal/terminal.ts';
import { exitCodes } from './exit-codes.ts';

type PlanJob = Extract<StackJob, { action: 'plan' }>;
type ApplyJob = Extract<StackJob, { action: 'apply' }>;

/** The options that choose jobs, and the queue that gets them. */
interface JobsOptions extends JobChoice, QueueOptions, Partial<StackOptions>, StacksOptions {
  workspace?: string;
}

/** Selects the stacks of this checkout that get a job, with the stacks of the workspace. Throws `Problems` as `chooseJobs` does. */
const chooseJobsOfWorkspace = (provider: Provider, options: JobsOptions, terminal: Terminal) =>
  chooseJobs(options, terminal.run.host, () =>
    readWorkspaceStacks(provider, { ...standardOptions, ...options }, terminal),
  );

/**
 * Runs `fleet enqueue plan`: enqueues a plan for each chosen stack. With the key the jobs are signed; without it they are for workers
 * that only plan pull requests.
 */
export async function enqueuePlans(
  provider: Provider,
  options: JobsOptions & Pick<PlanningOptions, 'canary'>,
  run: CommandRun,
): Promise<void> {
  const terminal = terminalFor(run, options);
  const chosen = await chooseJobsOfWorkspace(provider, options, terminal);
  const key = await findLedgerKey({}, run.host);
  const canary = options.canary === false ? false : undefined;
  const jobs = createJobs<PlanJob>(chosen, () => ({ action: 'plan', canary }));
  await sendJobs(jobs, key, options, terminal);
}

interface EnqueueApplyOptions extends JobsOptions {
  /** The digest of the plans that the user has approved elsewhere. */
  digest?: string;
  autoApprove?: boolean;
}

/**
 * Runs `fleet enqueue apply`: enqueues applies of the plans that workers made and sealed (signed), once the user agrees to the plans.
 * Leaves out stacks without changes.
 */
export async function enqueueApplies(
  provider: Provider,
  options: EnqueueApplyOptions,
  run: CommandRun,
): Promise<void> {
  const terminal = terminalFor(run, options);
  const key = (await findLedgerKey({}, run.host)) ?? raise(missingKeyProblem);
  const chosen = await chooseJobsOfWorkspace(provider, options, terminal);
  const inWorkspace = inFolder(run, chosen.folder);
  const sources = createSources({}, inWorkspace.host);
  const settle = ({ configuration }: WorkspaceStack) =>
    settleLedger(options, { configuration, sources }, { run: inWorkspace });
  const plans = await readSealedPlans(chosen.stacks, settle, inWorkspace.host, key);
  const stacks = sayPlannedChanges(chosen.stacks, plans, terminal);
  const checksums = new Map(stacks.map(({ id }) => [id, plans.get(id)!.checksum]));
  const isAgreed = stacks.length === 0 || (await confirmApplies(checksums, options, terminal));
  if (!isAgreed) return;
  const jobs = createJobs<ApplyJob>({ ...chosen, stacks }, ({ id }) => ({
    action: 'apply',
    plan: checksums.get(id)!,
  }));
  await sendJobs(jobs, key, options, terminal);
}

/**
 * Prints for `fleet enqueue apply`, before its question, the counts of changes in the sealed plans, and how many plans change nothing.
 * Returns the stacks with changes. `plans`: by the id of the stack.
 */
function sayPlannedChanges<S extends { id: string }>(
  stacks: readonly S[],
  plans: ReadonlyMap<string, SavedPlan>,
  terminal: Terminal,
): S[] {
  const planOf = ({ id }: S) => shownPlan(plans.get(id)!);
  const changing = stacks.filter((stack) => !isEmpty(planOf(stack)));
  for (const stack of changing)
    terminal.say(cleanLine(`${stack.id}: ${countsText(planCounts(planOf(stack)))}`));
  const unchangedCount = stacks.length - changing.length;
  if (unchangedCount > 0) terminal.say(`Nothing to do, left out: ${count(unchangedCount, 'stack')}.`);
  return changing;
}

/**
 * Asks for `fleet enqueue apply` whether to apply plans, unless `--digest` or `--auto-approve` has answered that. Returns true if the user
 * agrees. `checksums`: those of the plans, by the id of the stack. Throws `Problems` if `--digest` approves other plans, or if there is no
 * terminal to ask at.
 */
async function confirmApplies(
  checksums: ReadonlyMap<string, string>,
  options: EnqueueApplyOptions,
  terminal: Terminal,
): Promise<boolean> {
  const digest = digestPlans(checksums);
  if (options.digest !== undefined && options.digest !== digest)
    raise('fleet/agreed', `these are not the approved plans: their digest is ${digest}`, {
      hint: 'review them again and pass the digest that you approve; nothing was enqueued',
    });
  if (options.digest !== undefined || options.autoApprove) return true;
  return isYes(terminal, {
    question: `Apply these ${count(checksums.size, 'stack')} (digest ${digest})?`,
    no: 'Nothing was enqueued.',
    unattended: problem(
      'cli/unattended',
      'enqueueing an apply needs a terminal or an approval; nothing was enqueued',
      { hint: `give --digest ${digest} to approve exactly these plans, or --auto-approve to approve any` },
    ),
  });
}

/**
 * Puts the jobs of `fleet enqueue` into the fleet's queue, signed if there is a key, and prints the command that follows them. Workers with a key
 * accept only signed jobs.
 */
async function sendJobs(
  jobs: readonly Job[],
  key: LedgerKey | undefined,
  options: QueueOptions,
  terminal: Terminal,
): Promise<void> {
  await useFleetQueue(options, terminal, async (queue) => {
    const signedJobs = jobs.map((job) => signJob(job, key));
    await queue.send(key ? 'signed' : 'open', signedJobs);
    const [firstJob] = jobs;
    if (!firstJob) return terminal.say('No stack needs a job: nothing was enqueued.');
    const signature = key ? 'signed' : 'unsigned, for workers without a key';
    terminal.out(firstJob.batch);
    terminal.say(cleanLine(`Enqueued ${count(jobs.length, 'job')} at ${queue.place}, ${signature}.`));
    terminal.say(
      `\`trueup fleet status --batch ${firstJob.batch} --watch\` follows ${jobs.length === 1 ? 'it' : 'them'}.`,
    );
  });
}

interface ScheduleOptions extends QueueOptions {
  /** A cron expression. */
  time?: string;
  what?: string;
  glob?: string;
  all?: boolean;
  repository?: string;
  zone: string;
  remove?: boolean;
}

/**
 * Runs `fleet schedule`: has workers check a repository's stacks for changes made outside, at certain times, or removes that schedule. A
 * repository has one schedule in the lane `signed`, for jobs that a key signs, and one in the lane `open`, for runs without a key. The
 * scheduled job (a `round`) enqueues the checks of all chosen stacks.
 */
export async function scheduleDriftChecks(options: ScheduleOptions, run: CommandRun): Promise<void> {
  const terminal = terminalFor(run, options);
  const { host } = run;
  const { time, zone, glob: stacks = '**' } = options;
  refuseUnclearSchedule(options);
  const repository = await findRepositoryName(options.repository, host);
  const key = await findLedgerKey({}, host);
  const lane = key ? 'signed' : 'open';
  await useFleetQueue(options, terminal, async (queue) => {
    if (options.remove) {
      await queue.unschedule(lane, repository);
      return terminal.say(cleanLine(`Nothing is scheduled for ${repository} now.`));
    }
    const job: Job = {
      format: 1,
      action: 'round',
      id: randomUUID(),
      batch: randomUUID(),
      folder: '',
      repository,
      stacks,
    };
    // `refuseUnclearSchedule` has required the time.
    await queue.schedule(lane, repository, { time: time!, zone }, signJob(job, key));
    terminal.say(
      cleanLine(`Workers will check for drift in ${stacks} of ${repository} at ${time} (${zone}).`),
    );
  });
}

/**
 * Throws `Problems` with an example if the words of `fleet schedule` do not say when to check which stacks. With `--remove` they are not
 * needed, because a repository has only one schedule in its lane.
 */
function refuseUnclearSchedule({ time, what: task, glob, all: hasAll, remove }: ScheduleOptions): void {
  const hint = 'for example `trueup fleet schedule "0 3 * * *" drift --all`';
  if (remove && time === undefined) return;
  if (remove) raise('fleet/schedule', '--remove takes no time', { hint });
  if (time === undefined || task === undefined)
    raise('fleet/schedule', 'a time and what to schedule are required', { hint });
  if (task !== 'drift')
    raise('fleet/schedule', `only \`drift\` can be scheduled, not ${JSON.stringify(task)}`, { hint });
  const hasFiveFields = /^\S+(?: \S+){4}$/.test(time.trim());
  if (!hasFiveFields) raise('fleet/schedule', `${JSON.stringify(time)} is not a cron expression`, { hint });
  const hasBothOrNone = (glob !== undefined) === (hasAll === true);
  if (hasBothOrNone) raise('fleet/schedule', 'pass either --all or a glob', { hint });
}

interface StatusOptions extends QueueOptions {
  batch?: string;
  watch?: boolean;
  json?: boolean;
  /** The path of a page to write. */
  html?: string;
}

/** The interval of `--watch`, in milliseconds. */
const watchInterval = 2000;

/** The states of jobs that are not finished. */
const openStates: ReadonlySet<string> = new Set(['running', 'waiting', 'blocked']);

/**
 * Runs `fleet status`: shows the jobs, workers and schedules. With `--watch` it shows each change until all jobs are finished, and fails
 * if a job did.
 */
export async function showFleet(options: StatusOptions, run: CommandRun): Promise<void> {
  const { clock } = run.host;
  const show = createFleetView(options, run);
  await useFleetQueue(options, terminalFor(run, options), async (queue) => {
    for (;;) {
      const report = await readFleetReport(queue, options.batch);
      const states = report.batches.flatMap(({ jobs }) => jobs.map(({ state }) => state));
      const isLast = !options.watch || !states.some((state) => openStates.has(state));
      await show(report, isLast);
      const hasFailed = states.some((state) => state !== 'done');
      if (isLast && options.watch && hasFailed) run.exitCode = exitCodes.failed;
      if (isLast) return;
      await clock.sleep(watchInterval);
    }
  });
}

/**
 * Creates the function with which `fleet status` shows a report: as text if it differs from the one before, as JSON only at the end
 * (`isLast`), and in the page of `--html` each time.
 */
function createFleetView({ html, json, ...options }: StatusOptions, run: CommandRun) {
  const terminal = terminalFor(run, options);
  let shownText = '';
  return async (report: FleetReport, isLast: boolean): Promise<void> => {
    if (html !== undefined) {
      const { fleetHtml } = await import('../report/html/fleet-page.ts');
      await writeOutputFile(run.host, html, fleetHtml(report, run.host.clock.now()));
    }
    if (json) {
      if (isLast) terminal.out(jsonText({ formatVersion: '1.0', ...report }));
      return;
    }
    const text = fleetText(report);
    if (text !== shownText) terminal.out(text);
    shownText = text;
  };
}
