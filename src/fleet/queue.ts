import type { Job, JobOutcome } from './job.ts';

/** The two queues: `signed` for workers with a ledger key, `open` for workers without one, which only plan. */
export type Lane = 'signed' | 'open';

/**
 * A job in the queue. Anyone who can write to the queue can change it, so its members are shown, but a worker with a key acts only on jobs
 * with a MAC.
 */
export interface QueuedJob {
  job: Job;
  /** `blocked`: a job that it needs is not done. `lost`: the queue has given it up, because too many workers died while doing it. */
  state: 'blocked' | 'waiting' | 'running' | 'over' | 'lost';
  /** The number of earlier attempts. */
  retries: number;
  outcome?: JobOutcome;
  since: Date;
}

/** A round that starts again and again, by a cron expression (`time`) in a time zone. */
export interface Schedule {
  job: Job;
  time: string;
  zone: string;
}

/** The last report of a worker to the queue. */
export interface WorkerSeen {
  name: string;
  isAlive: boolean;
  running: number;
}

/** The work of a worker on a queue. */
interface Working {
  /** Takes no more jobs, and waits for the running ones. */
  stop(): Promise<void>;
}

/**
 * The queue between people who enqueue jobs and workers who do them. Anyone who can write to it can drop, delay, change and repeat jobs, so
 * workers with a key verify the MAC of each job, and that of each outcome on which a job depends.
 */
export interface Queue {
  /** The place of the queue for messages, without credentials. */
  readonly place: string;
  /** Adds all of these jobs or none. A job waits for the jobs that it needs. */
  send(lane: Lane, jobs: readonly Job[]): Promise<void>;
  /**
   * Calls `handle` for each job, for `concurrency` jobs at once but only one per ledger. `attempt`: the number of earlier attempts. If
   * `handle` returns 'later', the queue gives the job out again after a pause, which grows each time.
   */
  work(
    lane: Lane,
    how: { concurrency: number },
    handle: (job: Job, attempt: number) => Promise<JobOutcome | 'later'>,
  ): Promise<Working>;
  /** Returns the outcomes of those of these jobs that are over, by id, as far as this version can read them. */
  outcomes(lane: Lane, ids: readonly string[]): Promise<Map<string, JobOutcome>>;
  /** Returns all jobs that the queue still has, or those of a batch. */
  jobs(batch?: string): Promise<QueuedJob[]>;
  /** True if no job is waiting or running. */
  isIdle(lane: Lane): Promise<boolean>;
  workers(): Promise<WorkerSeen[]>;
  /** Makes a round start at these times. Replaces the schedule with the same name. */
  schedule(lane: Lane, name: string, time: Omit<Schedule, 'job'>, job: Job): Promise<void>;
  unschedule(lane: Lane, name: string): Promise<void>;
  schedules(): Promise<Schedule[]>;
  close(): Promise<void>;
}
