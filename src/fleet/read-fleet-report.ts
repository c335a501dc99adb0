import { checkSeal } from '../approval/parse-saved-plan.ts';
import type { SavedPlan } from '../approval/saved-plan.ts';
import { readStoredPlan } from '../approval/stored-plan.ts';
import type { WorkspaceStack } from '../config/workspace-stacks.ts';
import type { Host } from '../host.ts';
import { type Diagnostic, problem, Reporter, raiseErrors } from '../model/diagnostic.ts';
import type { LedgerKey } from '../model/digest.ts';
import { addTo, groupBy } from '../model/graph.ts';
import {
  countsText,
  type FleetBatch,
  type FleetJob,
  type FleetReport,
} from '../report/fleet/fleet-report.ts';
import type { SettledLedgerChoice } from '../stores/ledger-choice.ts';
import { openLedgerDocuments } from '../stores/open-ledger.ts';
import { digestPlans, type Job, type JobOutcome } from './job.ts';
import type { Queue, QueuedJob } from './queue.ts';

/**
 * Reads the state of the fleet for `fleet status`: its jobs by batch (jobs that were enqueued together), newest
 * first, its workers and schedules. `batch`: only that one.
 */
export async function readFleetReport(queue: Queue, batch: string | undefined): Promise<FleetReport> {
  const [jobs, workers, schedules] = await Promise.all([
    queue.jobs(batch),
    queue.workers(),
    queue.schedules(),
  ]);
  const batches = [...groupBy(jobs, ({ job }) => job.batch).values()].map((queuedJobs) => ({
    batch: reportBatch(queuedJobs),
    latest: Math.max(...queuedJobs.map(({ since }) => since.getTime())),
  }));
  return {
    batches: batches.sort((a, b) => b.latest - a.latest).map((dated) => dated.batch),
    workers,
    schedules: schedules.flatMap(({ job, time, zone }) =>
      job.action === 'round' ? [{ repository: job.repository, stacks: job.stacks, time, zone }] : [],
    ),
  };
}

/**
 * Returns what `fleet status` shows about a batch: the jobs that were enqueued together. A job is lost if the queue
 * gave it up; a job that needs a lost one, or needs it through others, also counts as lost, because it can never
 * start.
 */
function reportBatch(queuedJobs: QueuedJob[]): FleetBatch {
  const lostIds = new Set(queuedJobs.filter(({ state }) => state === 'lost').map(({ job }) => job.id));
  const dependentIds = new Map<string, string[]>();
  for (const { job } of queuedJobs)
    if (job.action !== 'round') for (const id of job.needs) addTo(dependentIds, id, job.id);
  // The iteration reaches the ids that it adds.
  for (const lostId of lostIds) for (const id of dependentIds.get(lostId) ?? []) lostIds.add(id);
  const { job } = queuedJobs[0]!;
  return {
    id: job.batch,
    repository: job.repository,
    commit: 'commit' in job ? job.commit : undefined,
    by: job.by,
    jobs: queuedJobs.map((queuedJob) => reportJob(queuedJob, lostIds)),
    digest: digestOfBatch(queuedJobs),
  };
}

/**
 * Returns what `fleet status` shows about one job. A job that is over without a readable outcome counts as failed: a
 * worker of another version, or somebody else, wrote the outcome. `lostIds`: the jobs that will never run, whatever
 * their state in the queue is.
 */
function reportJob({ job, state, retries, outcome }: QueuedJob, lostIds: ReadonlySet<string>): FleetJob {
  const finalState = state === 'over' ? (outcome?.state ?? 'failed') : state;
  return {
    id: job.id,
    name: jobNameOf(job),
    state: lostIds.has(job.id) ? 'lost' : finalState,
    retries,
    result: outcome && resultTextOf(outcome),
    changes: outcome?.changes,
    worker: outcome?.worker,
    seconds: outcome?.seconds,
    isDrift: outcome?.drift ? true : undefined,
  };
}

const jobNameOf = (job: Job): string =>
  job.action === 'round' ? `round of ${job.stacks}` : `${job.action} ${job.stack}`;

/**
 * Returns the result of a finished job for `fleet status`: the reason of a failure, or else the number of changes
 * or of enqueued jobs. Undefined if there is none of these.
 */
function resultTextOf({ said: reason, changes, enqueued }: JobOutcome): string | undefined {
  if (reason !== undefined) return reason;
  if (enqueued !== undefined) return `${enqueued} enqueued`;
  return changes && countsText(changes);
}

/**
 * Returns the digest that the user passes to `fleet enqueue apply --digest` to approve exactly the plans of a batch
 * (jobs that were enqueued together). It leaves out plans without changes, as `enqueue apply` does. Undefined unless all
 * jobs are plans that are signed and done: another batch cannot be approved. `enqueue apply` verifies the signatures.
 */
function digestOfBatch(queuedJobs: QueuedJob[]): string | undefined {
  const isSealedPlan = ({ job, outcome }: QueuedJob) =>
    job.action === 'plan' && job.mac !== undefined && outcome?.state === 'done';
  if (!queuedJobs.every(isSealedPlan)) return undefined;
  const changingJobs = queuedJobs.filter(({ outcome }) => outcome!.isEmpty === false);
  const plans = changingJobs.flatMap(({ job, outcome }): [string, string][] =>
    'stack' in job ? [[job.stack, outcome!.plan ?? '']] : [],
  );
  return digestPlans(new Map(plans));
}

/** How many ledger stores are read at the same time. */
const parallelReads = 8;

/**
 * Reads the stored plan of each stack, which a worker of the fleet signed and put beside the ledger. Used by `fleet
 * enqueue apply` to let the user approve these plans. Throws `Problems` with all stacks that have no plan of their
 * own signed with this key.
 */
export async function readSealedPlans(
  stacks: readonly WorkspaceStack[],
  settle: (stack: WorkspaceStack) => Promise<SettledLedgerChoice>,
  host: Host,
  key: LedgerKey,
): Promise<Map<string, SavedPlan>> {
  const plans = new Map<string, SavedPlan>();
  const report = new Reporter();
  const waiting = [...stacks];
  const readNext = async () => {
    for (let stack = waiting.shift(); stack; stack = waiting.shift()) {
      const name = stack.configuration.desired.stack;
      const stored = await readStoredPlan(await openLedgerDocuments(name, await settle(stack), host));
      const refusal = refusalOf(stored?.saved, { id: stack.id, name }, key);
      if (refusal) report.add(refusal);
      else plans.set(stack.id, stored!.saved);
    }
  };
  await Promise.all(Array.from({ length: parallelReads }, readNext));
  raiseErrors(report.diagnostics);
  return plans;
}

/**
 * Returns the problem that the stored plan of a stack must not be applied by a fleet: it is missing, not sealed
 * (signed) with this key, or made for another stack. Undefined for a good plan. `id`: the stack in the workspace;
 * `name`: its name in the configuration.
 */
function refusalOf(
  saved: SavedPlan | undefined,
  { id, name }: { id: string; name: string },
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
