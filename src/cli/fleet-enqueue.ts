import { randomUUID } from 'node:crypto';
import { chooseJobs, createJobs, findRepositoryName, type JobsOptions } from '../app/fleet/choose-jobs.ts';
import { type QueueOptions, useFleetQueue } from '../app/fleet/fleet-queue.ts';
import type { Run } from '../app/host.ts';
import type { PlanningOptions } from '../app/planning/plan-options.ts';
import { readStoredPlan } from '../app/planning/stored-plan.ts';
import { inFolder, type WorkspaceStack } from '../app/planning/workspace-stacks.ts';
import { findLedgerKey, openLedgerDocuments } from '../app/session/open-ledger.ts';
import { checkSeal, shownPlan } from '../approval/parse-saved-plan.ts';
import type { SavedPlan } from '../approval/saved-plan.ts';
import { type Job, type StackJob, signJob } from '../fleet/job.ts';
import { digestPlans } from '../fleet/outcome.ts';
import type { Queue } from '../fleet/queue.ts';
import type { Provider } from '../kind/provider.ts';
import { missingKeyProblem } from '../ledger/proof.ts';
import { type Diagnostic, Problems, problem } from '../model/diagnostic.ts';
import type { LedgerKey } from '../model/ledger-key.ts';
import { isEmpty } from '../model/plan.ts';
import { cleanLine } from '../report/clean.ts';
import { count } from '../report/count.ts';
import { countsText, planCounts } from '../report/fleet/fleet-report.ts';
import type { CommandRun } from './command-run.ts';
import { isYes, type Terminal, terminalFor } from './terminal.ts';

/** Enqueues a plan for each of the chosen stacks: with the key for workers that have it, without for those that only plan. */
export async function enqueuePlans(
  provider: Provider,
  options: JobsOptions & Pick<PlanningOptions, 'canary'>,
  run: CommandRun,
): Promise<void> {
  const terminal = terminalFor(run, options);
  const chosen = await chooseJobs(provider, options, terminal);
  const key = await findLedgerKey({}, run.host);
  const jobs = createJobs<PlanJob>(chosen, () => ({
    action: 'plan',
    canary: options.canary === false ? false : undefined,
  }));
  await useFleetQueue(options, terminal, (queue) => send(queue, jobs, key, terminal));
}

/** Puts jobs into the queue, signed where there is a key, and says how to follow them. */
export async function send(
  queue: Queue,
  jobs: readonly Job[],
  key: LedgerKey | undefined,
  terminal: Terminal,
): Promise<void> {
  await queue.send(
    key ? 'signed' : 'open',
    jobs.map((job) => signJob(job, key)),
  );
  const [first] = jobs;
  if (!first) {
    terminal.say('No stack matches: nothing was enqueued.');
    return;
  }
  terminal.out(first.batch);
  terminal.say(
    cleanLine(
      `Enqueued ${count(jobs.length, 'job')} at ${queue.place}, ${key ? 'signed' : 'unsigned, for workers without a key'}.`,
    ),
  );
  terminal.say(
    `\`trueup fleet status --batch ${first.batch} --watch\` follows ${jobs.length === 1 ? 'it' : 'them'}.`,
  );
}

interface EnqueueApplyOptions extends JobsOptions {
  digest?: string;
  autoApprove?: boolean;
}

type PlanJob = Extract<StackJob, { action: 'plan' }>;
type EnqueuedApplyJob = Extract<StackJob, { action: 'apply' }>;

/** Enqueues the plans that workers with the key made and sealed, once somebody has agreed to them; stacks without changes are left out. */
export async function enqueueApplies(
  provider: Provider,
  options: EnqueueApplyOptions,
  run: CommandRun,
): Promise<void> {
  const terminal = terminalFor(run, options);
  const key = await findLedgerKey({}, run.host);
  if (!key) throw new Problems([missingKeyProblem]);
  const chosen = await chooseJobs(provider, options, terminal);
  const plans = await sealedPlans(chosen.stacks, options, inFolder(run, chosen.folder), key);
  const changing = chosen.stacks.filter(({ id }) => !isEmpty(shownPlan(plans.get(id)!)));
  for (const { id } of changing)
    terminal.say(cleanLine(`${id}: ${countsText(planCounts(shownPlan(plans.get(id)!)))}`));
  const same = chosen.stacks.length - changing.length;
  if (same > 0) terminal.say(`Nothing to do, left out: ${count(same, 'stack')}.`);
  const digestOf = ({ id }: WorkspaceStack) => plans.get(id)!.checksum;
  const digest = digestPlans(new Map(changing.map((stack) => [stack.id, digestOf(stack)])));
  if (changing.length > 0 && !(await isAgreed(digest, changing.length, options, terminal))) return;
  const jobs = createJobs<EnqueuedApplyJob>({ ...chosen, stacks: changing }, (stack) => ({
    action: 'apply',
    plan: digestOf(stack),
  }));
  await useFleetQueue(options, terminal, (queue) => send(queue, jobs, key, terminal));
}

async function isAgreed(
  digest: string,
  stacks: number,
  options: EnqueueApplyOptions,
  terminal: Terminal,
): Promise<boolean> {
  if (options.digest !== undefined && options.digest !== digest)
    throw new Problems('fleet/agreed', `these are not the approved plans: their digest is ${digest}`, {
      hint: 'review them again and pass the digest that you approve; nothing was enqueued',
    });
  if (options.digest !== undefined || options.autoApprove) return true;
  return isYes(terminal, {
    question: `Apply these ${count(stacks, 'stack')} (digest ${digest})?`,
    no: 'Nothing was enqueued.',
    unattended: problem(
      'cli/unattended',
      'enqueueing an apply needs a terminal or an approval; nothing was enqueued',
      {
        hint: `give --digest ${digest} to approve exactly these plans, or --auto-approve to approve any`,
      },
    ),
  });
}

/** The sealed plan of each stack, from the store of its ledger. Throws `Problems` for all that have none. */
async function sealedPlans(
  stacks: WorkspaceStack[],
  options: EnqueueApplyOptions,
  { host }: Run,
  key: LedgerKey,
): Promise<Map<string, SavedPlan>> {
  const plans = new Map<string, SavedPlan>();
  const wrong: Diagnostic[] = [];
  const waiting = [...stacks];
  const readOn = async () => {
    for (let stack = waiting.shift(); stack; stack = waiting.shift()) {
      const name = stack.configuration.desired.stack;
      const kept = await readStoredPlan(await openLedgerDocuments(name, options, host));
      const problem = refusalOfPlan(stack.id, name, kept?.saved, key);
      if (problem) wrong.push(problem);
      else plans.set(stack.id, kept!.saved);
    }
  };
  await Promise.all(Array.from({ length: 8 }, readOn));
  if (wrong.length > 0) throw new Problems(wrong);
  return plans;
}

function refusalOfPlan(
  id: string,
  name: string,
  saved: SavedPlan | undefined,
  key: LedgerKey,
): Diagnostic | undefined {
  const hint = 'plan it with the key (`trueup fleet enqueue plan`), then check `trueup fleet status`';
  if (!saved) return problem('fleet/no-plan', `${id} has no sealed plan in its ledger store`, { hint });
  const seal = checkSeal(saved, key);
  if (seal.state !== 'sealed' || seal.key !== key.id)
    return problem('fleet/no-plan', `the plan of ${id} is not sealed with the key here`, { hint });
  if (saved.stack !== name)
    return problem('fleet/no-plan', `the plan with the ledger of ${id} is one of ${saved.stack}`, { hint });
  return undefined;
}

interface ScheduleOptions extends QueueOptions {
  time?: string;
  what?: string;
  glob?: string;
  all?: boolean;
  repository?: string;
  zone: string;
  remove?: boolean;
}

/** Has the queue enqueue a round by its own clock; one for each repository. */
export async function scheduleRound(options: ScheduleOptions, run: CommandRun): Promise<void> {
  const terminal = terminalFor(run, options);
  const { host } = run;
  const { time, zone, glob } = options;
  refuseUnclear(options);
  const repository = await findRepositoryName(options.repository, host);
  const key = await findLedgerKey({}, host);
  const lane = key ? 'signed' : 'open';
  // A name of the queue's: letters, digits, dots, dashes and slashes.
  await useFleetQueue(options, terminal, async (queue) => {
    if (options.remove) {
      await queue.unschedule(lane, repository);
      terminal.say(cleanLine(`Nothing is scheduled for ${repository} now.`));
      return;
    }
    const stacks = glob ?? '**';
    const job: Job = {
      ...{ format: 1, action: 'round', id: randomUUID(), batch: randomUUID(), folder: '' },
      ...{ repository, stacks },
    };
    await queue.schedule(lane, repository, { time: time!, zone }, signJob(job, key));
    terminal.say(
      cleanLine(`Workers will check for drift in ${stacks} of ${repository} at ${time} (${zone}).`),
    );
  });
}

function refuseUnclear({ time, what, glob, all, remove }: ScheduleOptions): void {
  const wrong = (message: string) =>
    new Problems('fleet/schedule', message, {
      hint: 'for example `trueup fleet schedule "0 3 * * *" drift --all`',
    });
  if (remove && time === undefined) return;
  if (remove) throw wrong('--remove takes no time');
  if (time === undefined || what === undefined) throw wrong('a time and what to schedule are required');
  if (what !== 'drift') throw wrong(`only \`drift\` can be scheduled, not ${JSON.stringify(what)}`);
  if (!/^\S+(?: \S+){4}$/.test(time.trim())) throw wrong(`${JSON.stringify(time)} is not a cron expression`);
  if ((glob === undefined) === !all) throw wrong('pass either --all or a glob');
}
