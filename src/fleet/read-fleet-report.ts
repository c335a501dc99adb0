import { groupBy } from '../model/graph.ts';
import {
  countsText,
  type FleetBatch,
  type FleetJob,
  type FleetReport,
} from '../report/fleet/fleet-report.ts';
import type { Job } from './job.ts';
import { digestPlans, type JobOutcome } from './outcome.ts';
import type { Queue, QueuedJob } from './queue.ts';

/** Reads the state of the fleet for `fleet status`: its jobs by batch, newest first, its workers and schedules. `batch`: only that one. */
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

/** Reports on the jobs that were enqueued together. A job that needs a lost job also counts as lost, because it can never start. */
function reportBatch(queuedJobs: QueuedJob[]): FleetBatch {
  const lostIds = new Set(queuedJobs.filter(({ state }) => state === 'lost').map(({ job }) => job.id));
  for (const { job } of queuedJobs)
    if (job.action !== 'round' && job.needs.some((id) => lostIds.has(id))) lostIds.add(job.id);
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

/** Reports on one job. A job that is over without a readable outcome counts as failed, because no worker of this fleet wrote it. */
function reportJob({ job, state, retries, outcome }: QueuedJob, lostIds: ReadonlySet<string>): FleetJob {
  const finalState = state === 'over' ? (outcome?.state ?? 'failed') : state;
  return {
    id: job.id,
    name: jobNameOf(job),
    state: lostIds.has(job.id) ? 'lost' : finalState,
    retries,
    result: outcome && resultTextOf(outcome),
    worker: outcome?.worker,
    seconds: outcome?.seconds,
    isDrift: outcome?.drift ? true : undefined,
  };
}

const jobNameOf = (job: Job): string =>
  job.action === 'round' ? `round of ${job.stacks}` : `${job.action} ${job.stack}`;

/**
 * Returns the result of a job for `fleet status`: the reason of a failure, or else the number of changes or of enqueued jobs. Undefined
 * if there is neither.
 */
function resultTextOf({ said: reason, changes, enqueued }: JobOutcome): string | undefined {
  if (reason !== undefined) return reason;
  if (enqueued !== undefined) return `${enqueued} enqueued`;
  return changes && countsText(changes);
}

/**
 * Returns the digest that the user passes to `fleet enqueue apply --digest` to approve exactly the plans of a batch. Undefined unless
 * every job of the batch is a plan that a worker with the key has finished.
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
