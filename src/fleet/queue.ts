import type { Job } from './job.ts';
import type { Outcome } from './outcome.ts';

/** The two queues: signed jobs for workers with a key, open ones for workers that only plan. */
export type Lane = 'signed' | 'open';

/** A job as the queue has it. Nothing of it is believed but for what it shows. */
export interface QueuedJob {
  job: Job;
  /** `blocked`: what it needs is not done. `lost`: the queue has given it up, after too many workers died at it. */
  state: 'blocked' | 'waiting' | 'running' | 'over' | 'lost';
  /** The number of earlier attempts. */
  retries: number;
  outcome?: Outcome;
  since: Date;
}

/** A recurring round. */
export interface Schedule {
  job: Job;
  time: string;
  zone: string;
}

/** A worker at the queue, as it was heard of last. */
export interface WorkerSeen {
  name: string;
  isAlive: boolean;
  running: number;
}

/** A worker's own end of the queue. */
interface Working {
  /** Takes no more, and waits for what is under way. */
  stop(): Promise<void>;
}

/**
 * All that a fleet asks of a queue. Whoever can write to it can drop, delay and repeat what is in it; what it holds is verified by
 * whoever acts on it.
 */
export interface Queue {
  /** For people: where it is, without credentials. */
  readonly place: string;
  /** Adds jobs, which wait for those that they need. All or none. */
  send(lane: Lane, jobs: readonly Job[]): Promise<void>;
  /**
   * Has `handle` do jobs, so many at once, and one of a ledger at a time; `attempt` counts from 0. 'later': the queue gives it out again,
   * after a while that grows.
   */
  work(
    lane: Lane,
    how: { concurrency: number },
    handle: (job: Job, attempt: number) => Promise<Outcome | 'later'>,
  ): Promise<Working>;
  /** The outcomes of jobs that are over, by id. */
  outcomes(lane: Lane, ids: readonly string[]): Promise<Map<string, Outcome>>;
  /** All jobs that the queue still knows, or those of a batch. */
  jobs(batch?: string): Promise<QueuedJob[]>;
  /** True if nothing is left to be done. */
  isIdle(lane: Lane): Promise<boolean>;
  workers(): Promise<WorkerSeen[]>;
  /** Has a round begin whenever the time says so; one for each name. */
  schedule(lane: Lane, name: string, time: Omit<Schedule, 'job'>, job: Job): Promise<void>;
  unschedule(lane: Lane, name: string): Promise<void>;
  schedules(): Promise<Schedule[]>;
  close(): Promise<void>;
}
