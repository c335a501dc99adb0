import type { ConstructorOptions, DatabaseOptions, JobWithMetadata, PgBoss } from 'pg-boss';
import { type Job, jobIn } from '../fleet/job.ts';
import { type Outcome, outcomeIn } from '../fleet/outcome.ts';
import type { Lane, Queue, QueuedJob, Schedule, WorkerSeen } from '../fleet/queue.ts';
import { Problems } from '../model/diagnostic.ts';
import { loadClientPackage } from '../stores/client-package.ts';
import type { Connection } from '../stores/postgres/connection.ts';
import { classifyPostgresError } from '../stores/postgres/postgres-error.ts';

const lanes: Record<Lane, string> = { signed: 'trueup-signed', open: 'trueup-open' };

/** After so many seconds of silence a worker's job goes to another one; the queue accepts no less than ten. */
const queueHeartbeat = 30;
/** The queue gives up a job after so many workers have died running it. */
const retries = 25;
/** The longest pause before a job is given out again, in seconds: after a worker died, and after one put the job off. */
const [longestAfterDeath, longestAfterPutOff] = [10, 900];
/** A wait for a rate limit is bounded by `--max-wait`, and so is an apply: what takes longer than this hangs. */
const longestJob = 12 * 3600;
const mostJobs = 100_000;

const queueOptions = {
  // One active job for each singleton key: the ledger.
  policy: 'singleton',
  retryLimit: retries,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: longestAfterDeath,
  heartbeatSeconds: queueHeartbeat,
  expireInSeconds: longestJob,
};

interface PostgresQueueOptions {
  /** A worker: it looks after the queue, too. */
  isWorker: boolean;
  /** Its name for people: `ada@host`. */
  who: string;
  /** Told what goes wrong in the background. */
  warn(text: string): void;
  now(): number;
}

/** A text that comes again within this many milliseconds is about the same trouble. */
const peace = 60_000;

/** Tells a text once while it keeps coming: in the background, a server that is away is met twice a second by each job. */
export function onceWhileItLasts(tell: (text: string) => void, now: () => number): (text: string) => void {
  const last = new Map<string, number>();
  return (text) => {
    const before = last.get(text) ?? Number.NEGATIVE_INFINITY;
    last.set(text, now());
    if (now() - before > peace) tell(text);
  };
}

const settingsOf = (
  { schema, config }: Connection,
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

/** The queue of a fleet, as pg-boss keeps it in PostgreSQL. Throws `Problems` where it cannot be reached. */
export async function openPostgresQueue(
  connection: Connection,
  options: PostgresQueueOptions,
): Promise<Queue> {
  const { shown, schema, config } = connection;
  const { warn, now } = options;
  const { PgBoss } = await loadClientPackage('pg-boss', () => import('pg-boss'), 'a fleet');
  const problemsOf = (error: Error): Problems => {
    if (error instanceof Problems) return error;
    const { why, hint } = classifyPostgresError(error, config.password as string | undefined);
    return new Problems('fleet/queue', `the queue ${shown} cannot be used: ${why}`, { hint });
  };
  const told: ReportFailures = async (work) => {
    try {
      return await work();
    } catch (error) {
      throw problemsOf(error as Error);
    }
  };
  const boss = new PgBoss(settingsOf(connection, options));
  const warnOnce = onceWhileItLasts(warn, now);
  const tell = (error: Error) => {
    // Which of its own parts met it is of use to nobody.
    for (const { message } of problemsOf(error).diagnostics)
      warnOnce(`${message.replace(/ \(Queue: [^)]*\)$/, '')}; it is asked again until it answers`);
  };
  // Without a listener an error of its background work would end the process.
  boss.on('error', tell);
  await told(async () => {
    await boss.start();
    for (const name of Object.values(lanes)) await boss.createQueue(name, queueOptions);
  });

  const found = async (lane: Lane, batch: string | undefined): Promise<QueuedJob[]> => {
    const rows = await boss.findJobs<unknown>(lanes[lane], {
      limit: mostJobs,
      ...(batch === undefined ? {} : { data: { batch } }),
    });
    return rows.flatMap(queuedJob);
  };

  return {
    place: shown,
    send: (lane, jobs) => told(() => sendJobs(boss, lanes[lane], jobs)),
    work: (lane, { concurrency }, handle) =>
      told(async () => {
        const name = lanes[lane];
        const how = {
          pollingIntervalSeconds: 0.5,
          heartbeatRefreshSeconds: queueHeartbeat / 3,
          includeMetadata: true,
        } as const;
        for (let number = 0; number < concurrency; number++) {
          let own = '';
          own = await boss.work<unknown, Outcome | undefined, typeof how>(
            name,
            how,
            async ([row]: JobWithMetadata<unknown>[]) => {
              const outcome = await done(row!, handle, warn);
              // Whoever is done asks for the next one at once: it waits only where there was none.
              boss.notifyWorker(own);
              if (outcome !== 'later') return outcome;
              // What does not work is no more than one time that counts.
              await putOff(boss, name, row!).catch(tell);
              return undefined;
            },
          );
        }
        return { stop: () => told(() => boss.offWork(name, { wait: true })) };
      }),
    outcomes: (lane, ids) =>
      told(async () => {
        const known = new Map<string, Outcome>();
        for (const id of ids) {
          const [row] = await boss.findJobs(lanes[lane], { id });
          const outcome = row?.state === 'completed' ? outcomeIn(row.output) : undefined;
          if (outcome) known.set(id, outcome);
        }
        return known;
      }),
    jobs: (batch) => told(async () => [...(await found('signed', batch)), ...(await found('open', batch))]),
    isIdle: (lane) =>
      told(async () => {
        const { rows } = await boss
          .getDb()
          .executeSql(`select 1 from "${schema}".job where name = $1 and state < 'completed' limit 1`, [
            lanes[lane],
          ]);
        return rows.length === 0;
      }),
    workers: () =>
      told(async () =>
        (await boss.getInstances())
          .filter(({ stoppedOn }) => stoppedOn === null)
          .map(
            ({ name, host, live, workers }): WorkerSeen => ({
              name: name ?? host,
              isAlive: live,
              running: workers.reduce((sum, { active }) => sum + active, 0),
            }),
          ),
      ),
    ...scheduling(boss, told),
    close: () => told(() => boss.stop({ graceful: true, timeout: 5000 })),
  };
}

/** Does work with the queue, and words its errors for people. */
type ReportFailures = <T>(work: () => Promise<T>) => Promise<T>;

const scheduling = (
  boss: PgBoss,
  told: ReportFailures,
): Pick<Queue, 'schedule' | 'unschedule' | 'schedules'> => ({
  schedule: (lane, name, { time, zone }, job) =>
    told(() => boss.schedule(lanes[lane], time, job, { tz: zone, key: name, singletonKey: `round ${name}` })),
  unschedule: (lane, name) => told(() => boss.unschedule(lanes[lane], name)),
  schedules: () =>
    told(async () => {
      const all = await Promise.all(Object.values(lanes).map((name) => boss.getSchedules(name)));
      return all.flat().flatMap(({ cron, timezone, data }): Schedule[] => {
        const job = jobIn(data);
        return job ? [{ job, time: cron, zone: timezone }] : [];
      });
    }),
});

/** Has the job of a row done. A row that is no job counts as over: nobody can do it, however often it is given out. */
async function done(
  { id, data, retryCount }: JobWithMetadata<unknown>,
  handle: Parameters<Queue['work']>[2],
  warn: PostgresQueueOptions['warn'],
): Promise<Outcome | 'later' | undefined> {
  const job = jobIn(data);
  if (job) return handle(job, retryCount);
  warn(`Queue entry ${id} is not a job that this version understands; it is skipped.`);
  return undefined;
}

/** Gives a job back that is to be done later. That is no failure of it: only workers that die count against what the queue bears with. */
async function putOff(
  boss: PgBoss,
  name: string,
  { id, retryCount, retryLimit }: JobWithMetadata<unknown>,
): Promise<void> {
  await boss.fail(name, { id, retryCount }, { message: 'put off' });
  await boss.update(name, undefined, {
    id,
    retryLimit: retryLimit + 1,
    ...{ retryBackoff: true, retryDelayMax: longestAfterPutOff },
  });
}

/** Adds jobs, all or none: those that wait for others are a flow, and a flow is nothing but such. */
async function sendJobs(boss: PgBoss, name: string, jobs: readonly Job[]): Promise<void> {
  const ids = new Set(jobs.map(({ id }) => id));
  const needsOf = (job: Job) => (job.action === 'round' ? [] : job.needs.filter((id) => ids.has(id)));
  const optionsOf = (job: Job) => ({
    id: job.id,
    singletonKey: job.action === 'round' ? 'round' : `ledger ${job.ledger}`,
  });
  if (jobs.some((job) => needsOf(job).length > 0))
    await boss.flow(
      jobs.map((job) => ({
        ...{ ref: job.id, name, data: job },
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

function queuedJob(row: JobWithMetadata<unknown>): QueuedJob[] {
  const job = jobIn(row.data);
  if (!job) return [];
  const outcome = outcomeIn(row.output);
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
      ...(outcome && state === 'over' ? { outcome } : {}),
      since: row.completedOn ?? row.startedOn ?? row.createdOn,
    },
  ];
}
