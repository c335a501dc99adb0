import { type QueueOptions, useFleetQueue } from '../app/fleet/fleet-queue.ts';
import { writeOutputFile } from '../app/output-file.ts';
import type { Job } from '../fleet/job.ts';
import type { Outcome } from '../fleet/outcome.ts';
import { digestPlans } from '../fleet/outcome.ts';
import type { Queue, QueuedJob } from '../fleet/queue.ts';
import type { Provider } from '../kind/provider.ts';
import { groupBy } from '../model/graph.ts';
import {
  countsText,
  type FleetBatch,
  type FleetJob,
  type FleetReport,
  fleetText,
} from '../report/fleet/fleet-report.ts';
import { jsonText } from '../report/json-value.ts';
import type { CommandRun } from './command-run.ts';
import { exitCodes } from './exit-codes.ts';
import { terminalFor } from './terminal.ts';

interface StatusOptions extends QueueOptions {
  batch?: string;
  watch?: boolean;
  json?: boolean;
  html?: string;
}

/** The interval of `--watch`, in milliseconds. */
const interval = 2000;

/** Tells show jobs that are waiting, running and done; where it is watched, until nothing is left. */
export async function showFleet(_provider: Provider, options: StatusOptions, run: CommandRun): Promise<void> {
  const terminal = terminalFor(run, options);
  const { host } = run;
  await useFleetQueue(options, terminal, async (queue) => {
    let before = '';
    for (;;) {
      const report = await reportOf(queue, options.batch);
      const open = report.batches
        .flatMap(({ jobs }) => jobs)
        .filter(({ state }) => openStates.has(state)).length;
      const isLast = !options.watch || open === 0;
      const text = fleetText(report);
      if (options.html !== undefined) {
        const { fleetHtml } = await import('../report/html/fleet-page.ts');
        await writeOutputFile(host, options.html, fleetHtml(report, host.clock.now()));
      }
      if (options.json && isLast) terminal.out(jsonText(report));
      else if (!options.json && text !== before) terminal.out(text);
      before = text;
      if (isLast) {
        if (options.watch && !isAllDone(report)) run.exitCode = exitCodes.failed;
        return;
      }
      await host.clock.sleep(interval);
    }
  });
}

const openStates: ReadonlySet<string> = new Set(['running', 'waiting', 'blocked']);
const isAllDone = ({ batches }: FleetReport): boolean =>
  batches.every(({ jobs }) => jobs.every(({ state }) => state === 'done'));

async function reportOf(queue: Queue, batch: string | undefined): Promise<FleetReport> {
  const [jobs, workers, schedules] = await Promise.all([
    queue.jobs(batch),
    queue.workers(),
    queue.schedules(),
  ]);
  const batches = [...groupBy(jobs, ({ job }) => job.batch).values()].map(batchOf);
  return {
    batches: batches.sort((a, b) => b.since - a.since).map(({ batch }) => batch),
    workers,
    schedules: schedules.flatMap(({ job, time, zone }) =>
      job.action === 'round' ? [{ repository: job.repository, stacks: job.stacks, time, zone }] : [],
    ),
  };
}

function batchOf(queuedJobs: QueuedJob[]): { batch: FleetBatch; since: number } {
  const lost = new Set(queuedJobs.filter(({ state }) => state === 'lost').map(({ job }) => job.id));
  // What waits for a job that was given up is never given out.
  for (const { job } of queuedJobs)
    if (job.action !== 'round' && job.needs.some((id) => lost.has(id))) lost.add(job.id);
  const { job } = queuedJobs[0]!;
  const digest = jobsDigestOf(queuedJobs);
  return {
    batch: {
      id: job.batch,
      repository: job.repository,
      ...('commit' in job ? { commit: job.commit } : {}),
      ...(job.by === undefined ? {} : { by: job.by }),
      jobs: queuedJobs.map((queuedJob) => jobOf(queuedJob, lost)),
      digest,
    },
    since: Math.max(...queuedJobs.map(({ since }) => since.getTime())),
  };
}

function jobOf({ job, state, retries, outcome }: QueuedJob, lost: ReadonlySet<string>): FleetJob {
  const said = outcome && saidOf(outcome);
  return {
    id: job.id,
    name: jobNameOf(job),
    // Over, without an outcome that can be read: somebody else wrote it.
    state: lost.has(job.id) ? 'lost' : state === 'over' ? (outcome?.state ?? 'failed') : state,
    retries,
    said,
    worker: outcome?.worker,
    seconds: outcome?.seconds,
    isDrift: outcome?.drift ? true : undefined,
  };
}

const jobNameOf = (job: Job): string =>
  job.action === 'round' ? `round of ${job.stacks}` : `${job.action} ${job.stack}`;

function saidOf({ said, changes, enqueued }: Outcome): string | undefined {
  if (said !== undefined) return said;
  if (enqueued !== undefined) return `${enqueued} enqueued`;
  return changes && countsText(changes);
}

/** The digest that approves all plans of a batch that change something; undefined unless every plan was made. */
function jobsDigestOf(queuedJobs: QueuedJob[]): string | undefined {
  if (
    !queuedJobs.every(
      ({ job, outcome }) => job.action === 'plan' && job.mac !== undefined && outcome?.state === 'done',
    )
  )
    return undefined;
  const changing = queuedJobs.filter(({ outcome }) => outcome!.isEmpty === false);
  return digestPlans(
    new Map(
      changing.flatMap(({ job, outcome }) => ('stack' in job ? [[job.stack, outcome!.plan ?? '']] : [])),
    ),
  );
}
