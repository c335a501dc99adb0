import type { ConstructorOptions, DatabaseOptions, JobWithMetadata, PgBoss } from 'pg-boss';
import { type Job, type JobOutcome, parseJob, parseOutcome } from '../fleet/job.ts';
import type { Lane, Queue, QueuedJob, Schedule, WorkerSeen } from '../fleet/queue.ts';
import { type Diagnostic, Problems, problem, raise } from '../model/diagnostic.ts';
import { loadClientPackage } from '../stores/client-package.ts';
import type { DatabaseConnection } from '../stores/postgres/connection.ts';
import { classifyPostgresError } from '../stores/postgres/postgres-error.ts';

const lanes: Record<Lane, string> = { signed: 'trueup-signed', open: 'trueup-open' };

/** A worker that was silent for this many seconds loses its job to another one. pg-boss accepts at least ten. */
const heartbeatTimeout = 30;
/** The number of workers that may die during a job before the queue gives it up. */
const maxWorkerDeaths = 25;
/** The longest pause in seconds before a job is started again, after its worker died and after a worker postponed it. */
const [longestPauseAfterDeath, longestPauseAfterPostponing] = [10, 900];
/** The time limit for a job in seconds. `--max-wait` limits the waits of an apply, so a job that takes longer hangs. */
const jobTimeout = 12 * 3600;
/** The largest number of jobs that is read from each lane. */
const mostJobs = 100_000;

const queueOptions = {
  // At most one job with the same singleton key runs. The key is the ledger, so no two jobs write the same one.
  policy: 'singleton',
  retryLimit: maxWorkerDeaths,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: longestPauseAfterDeath,
  heartbeatSeconds: heartbeatTimeout,
  expireInSeconds: jobTimeout,
};

/** The process that uses the queue. */
interface PostgresQueueOptions {
  /** True for a worker, which also does the queue's maintenance. */
  isWorker: boolean;
  /** The name of this process for people: `ada@host`. */
  who: string;
  /** Called with the errors of background work. */
  warn(text: string): void;
  now(): number;
}

/** The time in milliseconds within which a repeated message is about the same failure. */
const repetitionWindow = 60_000;

/**
 * Returns a function which calls `report` with a message only if the same message was not given to it within the last
 * minute. An unreachable server causes an error twice a second for each job that a worker could take, and the user
 * should read it once. `now`: the time in milliseconds.
 */
export function onceWhileItLasts(report: (text: string) => void, now: () => number): (text: string) => void {
  const lastTimes = new Map<string, number>();
  return (text) => {
    const previousTime = lastTimes.get(text) ?? Number.NEGATIVE_INFINITY;
    lastTimes.set(text, now());
    if (now() - previousTime > repetitionWindow) report(text);
  };
}

/**
 * Returns the settings of pg-boss, the package that keeps the fleet's queue in PostgreSQL. Only workers do its
 * maintenance, such as detecting dead workers, so that short commands such as `fleet status` end quickly.
 */
const settingsOf = (
  { schema, config }: DatabaseConnection,
  { isWorker, who }: PostgresQueueOptions,
): ConstructorOptions => ({
  ...(config as DatabaseOptions),
  schema,
  application_name: 'trueup fleet',
  max: isWorker ? 8 : 4,
  connectionTimeoutMillis: 30_000,
  openTelemetry: { enabled: false },
  instanceName: who,
  registerInstance: isWorker,
  instanceHeartbeatSeconds: 10,
  supervise: isWorker,
  schedule: isWorker,
  warningSlowQuerySeconds: 60,
  ...(isWorker
    ? {
        superviseIntervalSeconds: 10,
        monitorIntervalSeconds: 10,
        flowIntervalSeconds: 1,
        cronMonitorIntervalSeconds: 10,
      }
    : {}),
});

/**
 * Opens the queue of a fleet, which the package pg-boss keeps in PostgreSQL. Errors become `Problems` with a hint;
 * errors of background work are shown as warnings. Throws `Problems` if the database cannot be used.
 */
export async function openPostgresQueue(
  connection: DatabaseConnection,
  options: PostgresQueueOptions,
): Promise<Queue> {
  const { shown, schema, config } = connection;
  const { warn, now } = options;
  const { PgBoss } = await loadClientPackage('pg-boss', () => import('pg-boss'), 'a fleet');
  const toProblems = (error: Error): Diagnostic[] => {
    if (error instanceof Problems) return error.diagnostics;
    const { why, hint } = classifyPostgresError(error, config.password as string | undefined);
    return [problem('fleet/queue', `the queue ${shown} cannot be used: ${why}`, { hint })];
  };
  const withProblems: WithProblems = async (work) => {
    try {
      return await work();
    } catch (error) {
      raise(toProblems(error as Error));
    }
  };
  const boss = new PgBoss(settingsOf(connection, options));
  const warnOnce = onceWhileItLasts(warn, now);
  const reportError = (error: Error) => {
    // pg-boss appends the name of an internal queue, which means nothing to users.
    for (const { message } of toProblems(error))
      warnOnce(`${message.replace(/ \(Queue: [^)]*\)$/, '')}; it is asked again until it answers`);
  };
  // Without a listener, an error of background work would end the process.
  boss.on('error', reportError);
  await withProblems(async () => {
    await boss.start();
    for (const name of Object.values(lanes)) await boss.createQueue(name, queueOptions);
  });
  return {
    place: shown,
    send: (lane, jobs) => withProblems(() => insertJobs(boss, lanes[lane], jobs)),
    work: (lane, { concurrency }, handle) =>
      withProblems(async () => {
        const name = lanes[lane];
        for (let number = 0; number < concurrency; number++)
          await startTaker(boss, name, { handle, warn, reportError });
        return { stop: () => withProblems(() => boss.offWork(name, { wait: true })) };
      }),
    ...createStatusReaders(boss, schema, withProblems),
    ...createScheduler(boss, withProblems),
    close: () => withProblems(() => boss.stop({ graceful: true, timeout: 5000 })),
  };
}

/** The functions that get a job and the errors of its queue. */
interface TakerOptions {
  handle: Parameters<Queue['work']>[2];
  warn: PostgresQueueOptions['warn'];
  /** Reports an error of background work. The worker goes on. */
  reportError(error: Error): void;
}

/**
 * Starts to take jobs for `trueup fleet work` from the queue `name`, one at a time, until the worker stops. A worker that does several jobs
 * at once starts several of these. A job whose handler returns `later` goes back to the queue.
 */
async function startTaker(
  boss: PgBoss,
  name: string,
  { handle, warn, reportError }: TakerOptions,
): Promise<void> {
  const workOptions = {
    pollingIntervalSeconds: 0.5,
    heartbeatRefreshSeconds: heartbeatTimeout / 3,
    includeMetadata: true,
  } as const;
  // `work` returns the id, which the function for jobs needs only later.
  let takerId = '';
  takerId = await boss.work<unknown, JobOutcome | undefined, typeof workOptions>(
    name,
    workOptions,
    async ([row]: JobWithMetadata<unknown>[]) => {
      const outcome = await handleRow(row!, handle, warn);
      // Starts the next job at once. Otherwise the worker would wait for its polling interval.
      boss.notifyWorker(takerId);
      if (outcome !== 'later') return outcome;
      try {
        await postponeJob(boss, name, row!);
      } catch (error) {
        reportError(error as Error);
        // If this function returned, pg-boss would complete the job. An error makes it one failed attempt, and pg-boss repeats it.
        throw error;
      }
      return undefined;
    },
  );
}

/**
 * Creates the functions that read the jobs and workers of the fleet's queue, for `fleet status` and for workers
 * whose job depends on others. There are two lanes: jobs signed with the key, and others.
 */
function createStatusReaders(
  boss: PgBoss,
  schema: string,
  withProblems: WithProblems,
): Pick<Queue, 'outcomes' | 'jobs' | 'isIdle' | 'workers'> {
  return {
    outcomes: (lane, ids) => withProblems(() => readOutcomes(boss, lanes[lane], ids)),
    jobs: (batch) =>
      withProblems(async () => [
        ...(await readJobs(boss, lanes.signed, batch)),
        ...(await readJobs(boss, lanes.open, batch)),
      ]),
    isIdle: (lane) =>
      withProblems(async () => {
        const unfinished = `select 1 from "${schema}".job where name = $1 and state < 'completed' limit 1`;
        const { rows } = await boss.getDb().executeSql(unfinished, [lanes[lane]]);
        return rows.length === 0;
      }),
    workers: () => withProblems(() => readWorkers(boss)),
  };
}

/**
 * Returns the outcomes of those of the jobs that are completed, by id, for a worker that checks whether the jobs which its job needs are
 * done. Jobs without a valid outcome are left out. `name`: the queue of the lane.
 */
async function readOutcomes(
  boss: PgBoss,
  name: string,
  ids: Iterable<string>,
): Promise<Map<string, JobOutcome>> {
  const outcomes = new Map<string, JobOutcome>();
  for (const id of ids) {
    const [row] = await boss.findJobs(name, { id });
    const outcome = row?.state === 'completed' ? parseOutcome(row.output) : undefined;
    if (outcome) outcomes.set(id, outcome);
  }
  return outcomes;
}

/** Returns the jobs in the queue of a lane, at most `mostJobs`; with `batch`, only those that were added together under this id. */
async function readJobs(boss: PgBoss, name: string, batch: string | undefined): Promise<QueuedJob[]> {
  const data = batch === undefined ? undefined : { batch };
  const rows = await boss.findJobs<unknown>(name, { limit: mostJobs, data });
  return rows.flatMap(toQueuedJobs);
}

/** Returns the workers that have not stopped, each with the number of its running jobs. */
async function readWorkers(boss: PgBoss): Promise<WorkerSeen[]> {
  const instances = await boss.getInstances();
  return instances
    .filter(({ stoppedOn }) => stoppedOn === null)
    .map(({ name, host, live, workers }) => ({
      name: name ?? host,
      isAlive: live,
      running: workers.reduce((sum, { active }) => sum + active, 0),
    }));
}

/** Runs a query of the queue, and throws its errors as `Problems`. */
type WithProblems = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Creates the functions that schedule rounds, such as a nightly drift check of all stacks of a fleet. pg-boss adds
 * a job for the round to the queue whenever its time comes. `lane`: for jobs signed with the key, or for others.
 */
const createScheduler = (
  boss: PgBoss,
  withProblems: WithProblems,
): Pick<Queue, 'schedule' | 'unschedule' | 'schedules'> => ({
  schedule: (lane, name, { time, zone }, job) =>
    withProblems(() =>
      boss.schedule(lanes[lane], time, job, { tz: zone, key: name, singletonKey: `round ${name}` }),
    ),
  unschedule: (lane, name) => withProblems(() => boss.unschedule(lanes[lane], name)),
  schedules: () =>
    withProblems(async () => {
      const schedules = await Promise.all(Object.values(lanes).map((name) => boss.getSchedules(name)));
      return schedules.flat().flatMap(({ cron, timezone, data }): Schedule[] => {
        const job = parseJob(data);
        return job ? [{ job, time: cron, zone: timezone }] : [];
      });
    }),
});

/**
 * Runs the job in a row of the queue's table with `handle`, and returns its outcome. A row that is no job counts as
 * finished, because no worker of this version could ever run it.
 */
async function handleRow(
  { id, data, retryCount }: JobWithMetadata<unknown>,
  handle: Parameters<Queue['work']>[2],
  warn: PostgresQueueOptions['warn'],
): Promise<JobOutcome | 'later' | undefined> {
  const job = parseJob(data);
  if (job) return handle(job, retryCount);
  warn(`Queue entry ${id} is not a job that this version understands; it is skipped.`);
  return undefined;
}

/**
 * Returns a job to the fleet's queue, which starts it again later, because a worker cannot finish it now. The
 * pauses get longer each time. The retry limit is raised by one, because it is meant for jobs whose workers die.
 */
async function postponeJob(
  boss: PgBoss,
  name: string,
  { id, retryCount, retryLimit }: JobWithMetadata<unknown>,
): Promise<void> {
  await boss.fail(name, { id, retryCount }, { message: 'put off' });
  await boss.update(name, undefined, {
    id,
    retryLimit: retryLimit + 1,
    retryBackoff: true,
    retryDelayMax: longestPauseAfterPostponing,
  });
}

/**
 * Adds jobs that belong together, such as the drift check of each stack of a fleet, to the queue, all or none. A job starts when those in
 * its `needs` are done. pg-boss needs a flow for that. It accepts a flow only if some job waits, and only for jobs of the flow, so `needs`
 * outside of `jobs` are left out. Of several jobs with one `singletonKey`, only one runs at a time, so that no two write the same ledger. A
 * round, which enqueues further jobs, has no ledger and no needs.
 */
async function insertJobs(boss: PgBoss, name: string, jobs: readonly Job[]): Promise<void> {
  const ids = new Set(jobs.map(({ id }) => id));
  const needsOf = (job: Job) => (job.action === 'round' ? [] : job.needs.filter((id) => ids.has(id)));
  const optionsOf = (job: Job) => ({
    id: job.id,
    singletonKey: job.action === 'round' ? 'round' : `ledger ${job.ledger}`,
  });
  if (jobs.some((job) => needsOf(job).length > 0))
    await boss.flow(
      jobs.map((job) => ({
        ref: job.id,
        name,
        data: job,
        options: optionsOf(job),
        dependsOn: needsOf(job),
      })),
    );
  else if (jobs.length > 0)
    await boss.insert(
      name,
      jobs.map((job) => ({ ...optionsOf(job), data: job })),
    );
}

/**
 * Converts a row of the queue's table for `fleet status`. Returns an empty list for a row that this version cannot
 * read, because another version of trueup wrote it. A job that failed or was cancelled counts as lost: workers
 * report failures as outcomes, so the queue itself gave up this job.
 */
function toQueuedJobs(row: JobWithMetadata<unknown>): QueuedJob[] {
  const job = parseJob(row.data);
  if (!job) return [];
  const outcome = parseOutcome(row.output);
  const state = {
    created: row.blocked ? ('blocked' as const) : ('waiting' as const),
    retry: 'waiting' as const,
    active: 'running' as const,
    completed: 'over' as const,
    cancelled: 'lost' as const,
    failed: 'lost' as const,
  }[row.state];
  return [
    {
      job,
      state,
      retries: row.retryCount,
      outcome: state === 'over' ? outcome : undefined,
      since: row.completedOn ?? row.startedOn ?? row.createdOn,
    },
  ];
}
