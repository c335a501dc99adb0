import type { Budget, Limits, Share } from '../model/budget.ts';
import { type DocumentedBucket, freeCallsIn, type Reservation, renewWindow } from './bucket.ts';
import { type Buckets, createBuckets, type NamedBucket } from './buckets.ts';
import { type Clock, systemClock } from './clock.ts';
import { type CallName, RateLimited } from './errors.ts';
import { type OnWait, standardMaxWait } from './retry.ts';

/*
 * Decides when waiting calls start.
 *
 *   queue         the waiting calls of one operation. The first one starts if all buckets (rate limits) that it counts towards have room
 *   turn          calls start in order of arrival, counted over all queues. A call with a reservation goes before those of
 *                 its queue without one
 *   reservation   room for one later call in all its buckets. It waits in a queue like a call, but uses no connection
 *   share         what this run may use of a bucket, if several runs with the same token share a budget (see `Budget`)
 *   pump          starts calls until the concurrency is used up or no waiting call has room. Runs after every event that can make room
 */

export interface LimiterOptions {
  /** The largest number of concurrent calls. Default: 10. */
  concurrency?: number;
  clock?: Clock;
  /** The longest wait for a bucket, in milliseconds. Default: 15 minutes. */
  maxWait?: number;
  onWait?: OnWait;
  /** The budget that several runs with the same token share. Default: this run uses the limits alone. */
  budget?: Pick<Budget, 'share'> | undefined;
}

/** A call with the rate limits that are documented for it, the shortest window first. Without any, only answers teach its limit. */
export interface LimitedCall extends CallName {
  documented?: readonly DocumentedBucket[] | undefined;
  /** Once aborted, the call does not start any more. It is rejected with the reason if it waits for its turn. */
  signal?: AbortSignal | undefined;
}

/** A call or a reservation that waits for its turn. */
interface QueueItem {
  turn: number;
  call: LimitedCall;
  /** False for the request of a reservation, because that uses no connection. */
  takesConnection: boolean;
  reservation?: Reservation | undefined;
  /** Runs when the item has its turn, before anything else can start. */
  take(buckets: readonly NamedBucket[]): void;
  resolve(): void;
  reject(error: Error): void;
}

/** The calls of one operation that wait. */
interface CallQueue {
  operation: string;
  waiting: QueueItem[];
  /** The first of its buckets, the only one that it may share with other runs. Other operations may count towards it, too. */
  sharedBucket: NamedBucket;
  /** The time since which the share of the run is used up, in milliseconds since 1970. */
  lackingSince?: number | undefined;
  /** The time for which a timer is set, so that it is set only once. */
  timerFor?: number | undefined;
}

/** The end of a call, as the buckets have to know it. */
export interface CallEnd {
  /** `unsent`: it used up nothing; `lost`: no answer came. */
  outcome: Parameters<Share['end']>[0];
  limits: Limits | undefined;
  /** False if the platform itself may not have answered, so that missing limits mean nothing. */
  isAnswer: boolean;
}

/** The queues of a run. */
export interface CallQueues {
  /**
   * Resolves when an item is the first of its queue and there is room for it. `take` runs at that very moment, before another call can use
   * the room, and gets the buckets that the call counts towards. Rejects with `RateLimited` if that would take longer than `maxWait`, and
   * with the reason of the call's `signal` once that is aborted.
   */
  waitForTurn(
    operation: string,
    item: Pick<QueueItem, 'call' | 'takesConnection' | 'reservation'>,
    take: QueueItem['take'],
  ): Promise<void>;
  /** Counts a call that ended in its buckets, and starts the calls that have room now. */
  end(operation: string, counted: readonly NamedBucket[], end: CallEnd): void;
  /** Starts waiting calls, because a reservation was released. */
  pump(): void;
}

/** Creates the queues in which the calls of a run wait for the platform's rate limits. */
export const createCallQueues = (options: LimiterOptions): CallQueues => new OperationQueues(options);

/** The queues of a run, one for each operation of the platform. The terms are at the top of the file. */
class OperationQueues implements CallQueues {
  readonly #concurrency: number;
  readonly #clock: Clock;
  readonly #maxWait: number;
  readonly #onWait: OnWait | undefined;
  readonly #buckets: Buckets;
  readonly #queues = new Map<string, CallQueue>();
  #runningCalls = 0;
  #nextTurn = 0;

  /**
   * Prepares the queues in which the calls to each operation of the platform wait for room in the rate limits; a queue is created with its
   * first call. With a shared budget (`--limits`), each rate limit (bucket) gets this run's share of it, which asks how many calls wait or
   * are reserved, and starts waiting calls when it has changed.
   */
  constructor({
    concurrency = 10,
    clock = systemClock,
    maxWait = standardMaxWait,
    onWait,
    budget,
  }: LimiterOptions) {
    this.#concurrency = concurrency;
    this.#clock = clock;
    this.#maxWait = maxWait;
    this.#onWait = onWait;
    this.#buckets = createBuckets(clock.now, (bucket) =>
      budget?.share(bucket.name, {
        now: () => ({
          waiting: countWaiting(this.#queues.values(), bucket),
          reserved: bucket.reserved.size,
        }),
        changed: () => this.pump(),
      }),
    );
  }

  /**
   * Puts a call into the queue of its operation, or a reservation, which only asks for room for a later call. Resolves when it has its turn
   * and its rate limits have room for it. `take` runs at that very moment, before another call can use the room, and gets the buckets (rate
   * limits) that the call counts towards.
   */
  waitForTurn(
    operation: string,
    item: Pick<QueueItem, 'call' | 'takesConnection' | 'reservation'>,
    take: QueueItem['take'],
  ): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const { signal } = item.call;
      if (signal?.aborted) return reject(signal.reason);
      const { waiting } = this.#findOrCreateQueue(operation, item.call);
      const queued: QueueItem = {
        ...item,
        turn: this.#nextTurn++,
        take,
        resolve: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
        reject: (error) => {
          signal?.removeEventListener('abort', leave);
          reject(error);
        },
      };
      const leave = () => {
        waiting.splice(waiting.indexOf(queued), 1);
        queued.reject(signal!.reason);
        this.pump();
      };
      signal?.addEventListener('abort', leave);
      enqueue(waiting, queued);
      this.pump();
    });
  }

  /**
   * Records the end of a call in the buckets (rate limits) that it counted towards (`counted`), and starts the calls that have room now. A
   * call that was not sent uses up nothing. `isAnswer`: false if the platform itself may not have answered.
   */
  end(operation: string, counted: readonly NamedBucket[], { outcome, limits, isAnswer }: CallEnd): void {
    this.#runningCalls -= 1;
    for (const bucket of counted) bucket.inFlight -= 1;
    if (outcome !== 'unsent') this.#buckets.update(operation, counted, limits, isAnswer);
    // Runs with a shared budget share only the first limit of an operation.
    counted[0]!.share?.end(outcome, limits);
    this.pump();
  }

  /**
   * Starts waiting calls until as many are running as allowed, or no waiting call has room in its rate limits. Called after every event
   * that can make room: a new call, an answer, a timer. A reservation (room that is kept for a later call) starts nothing, so it does not
   * count as running.
   */
  pump(): void {
    while (this.#runningCalls < this.#concurrency) {
      const queue = this.#findNextQueue();
      if (!queue) return;
      const first = queue.waiting.shift()!;
      const counted = this.#bucketsOf(queue, first);
      if (first.takesConnection) {
        this.#runningCalls += 1;
        // Only the first bucket of an operation is shared with other runs.
        counted[0]!.share?.begin();
      }
      first.take(counted);
      first.resolve();
    }
  }

  /**
   * Returns the queue in which the calls of an operation wait for its rate limits; creates it for the first call. Each operation has its
   * own, so that a used-up limit holds back only calls that count towards it. If an operation has several limits, the runs of a shared
   * budget (`--limits`) share only the first, the one with the shortest window (of the first call); each run counts the others on its own.
   */
  #findOrCreateQueue(operation: string, call: LimitedCall): CallQueue {
    const existing = this.#queues.get(operation);
    if (existing) return existing;
    const [sharedBucket] = this.#buckets.bucketsOf(operation, call.documented);
    const queue: CallQueue = { operation, waiting: [], sharedBucket: sharedBucket! };
    this.#queues.set(operation, queue);
    return queue;
  }

  /** Returns the buckets (rate limits) that a waiting call counts towards. */
  #bucketsOf({ operation }: CallQueue, { call }: QueueItem): readonly NamedBucket[] {
    return this.#buckets.bucketsOf(operation, call.documented);
  }

  /**
   * Returns the queue whose first call may start now and has waited longest; undefined if no waiting call may start. Calls of one operation
   * start in their order, but do not hold back those of other operations.
   */
  #findNextQueue(): CallQueue | undefined {
    let oldest: CallQueue | undefined;
    for (const queue of this.#queues.values()) {
      if (queue.waiting.length === 0 || !this.#hasRoom(queue)) continue;
      if (!oldest || queue.waiting[0]!.turn < oldest.waiting[0]!.turn) oldest = queue;
    }
    return oldest;
  }

  /**
   * True if all buckets (rate limits) of the first call of a queue have room for it. Otherwise also arranges that the queue is looked at
   * again: sets a timer for the time at which the platform resets the full bucket, or asks the other runs for a share of it. A call with a
   * reservation may use the room that was reserved earlier.
   */
  #hasRoom(queue: CallQueue): boolean {
    const first = queue.waiting[0]!;
    const hasReservation = first.reservation !== undefined;
    for (const bucket of this.#bucketsOf(queue, first)) {
      renewWindow(bucket, this.#clock.now());
      const freeCalls = freeCallsIn(bucket, hasReservation);
      if (bucket.inFlight < freeCalls) continue;
      // If only calls under way fill the bucket, `end` looks at the queue again.
      if (freeCalls <= 0 && bucket.resetAt !== undefined) this.#holdBack(queue, bucket.resetAt);
      return false;
    }
    return !this.#awaitsShare(queue, hasReservation);
  }

  /**
   * True if the calls of a queue wait because this run has used up its share of a budget that several runs with the same token share
   * (`--limits`). Then also requests more of it. Without a shared budget always false. Of the share, calls without a reservation leave the
   * reserved part (`reserved`) for later calls.
   */
  #awaitsShare(queue: CallQueue, hasReservation: boolean): boolean {
    const { share, reserved } = queue.sharedBucket;
    if (!share || share.availableCalls() > (hasReservation ? 0 : reserved.size)) {
      queue.lackingSince = undefined;
      return false;
    }
    queue.lackingSince ??= this.#clock.now();
    const until = share.requestCalls();
    if (until !== undefined) this.#holdBack(queue, until);
    return true;
  }

  /**
   * Holds back the calls of a queue until a time at which their rate limit has room again, with one timer for all of them. If that is more
   * than `maxWait` after the start of the wait, rejects them with `RateLimited` instead, so that a run does not hang for hours. A wait for
   * the share of a budget starts when the share was used up (`lackingSince`), because each request for more may name a new time.
   */
  #holdBack(queue: CallQueue, until: number): void {
    const currentTime = this.#clock.now();
    const wait = until - currentTime;
    if (until - (queue.lackingSince ?? currentTime) > this.#maxWait) {
      rejectWaiting(queue, until, { wait, maxWait: this.#maxWait });
      return;
    }
    if (queue.timerFor === until) return;
    queue.timerFor = until;
    if (wait > 1000)
      this.#onWait?.({ seconds: Math.ceil(wait / 1000), reason: `rate limit of ${queue.operation}` });
    void this.#clock.sleep(wait).then(() => {
      // If the timer fires a little early, `pump` finds no room and sets another one.
      queue.timerFor = undefined;
      this.pump();
    });
  }
}

/** Counts the calls that wait for a bucket which several runs share (`--limits`), so that the run asks the others for as many. */
function countWaiting(queues: Iterable<CallQueue>, bucket: NamedBucket): number {
  let count = 0;
  for (const { sharedBucket, waiting } of queues) if (sharedBucket === bucket) count += waiting.length;
  return count;
}

/** Adds a call to the queue of its operation: at the end, or before all calls without a reservation if it has one. */
function enqueue(waiting: QueueItem[], item: QueueItem): void {
  const index = item.reservation ? waiting.findIndex(({ reservation }) => !reservation) : -1;
  waiting.splice(index < 0 ? waiting.length : index, 0, item);
}

/**
 * Rejects all waiting calls of an operation with `RateLimited`, because its rate limit has no room before the time `until`, and that is too
 * far away. Their changes are left to a later run. `waits`: that wait and the longest one allowed, in milliseconds, for the message.
 */
function rejectWaiting(queue: CallQueue, until: number, waits: { wait: number; maxWait: number }): void {
  queue.lackingSince = undefined;
  for (const { call, reject } of queue.waiting.splice(0))
    reject(new RateLimited(call, { bucket: queue.operation, until }, waits));
}
