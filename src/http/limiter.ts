import type { Budget, Limits, Share } from '../model/budget.ts';
import {
  type Bucket,
  createBucket,
  freeCallsIn,
  type Reservation,
  renewWindow,
  updateBucket,
} from './bucket.ts';
import { type Clock, systemClock } from './clock.ts';
import { type CallName, HttpError, RateLimited } from './errors.ts';
import { NotConfirmed, type OnWait, standardMaxWait } from './retry.ts';

/*
 * Delays calls so that they do not run into the platform's rate limits.
 *
 *   turn    calls start in order of arrival, counted over all buckets. A call with a reservation goes before the calls without one
 *   share   what this run may use of a bucket, if several runs with the same token share a budget (see `Budget`)
 *   pump    starts calls until the concurrency is used up or no bucket has room. Runs after every event that can make room
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

/** Starts calls as fast as the platform's rate limits allow. */
export interface Limiter {
  /**
   * Runs `send` when the bucket has room, and updates the bucket from the `limits` of the answer or error. Throws `RateLimited` without running it
   * if the bucket stays empty for longer than `maxWait`. A call with a reservation goes before the calls without one.
   */
  run<T extends { limits?: Limits }>(
    bucket: string,
    call: CallName,
    send: () => Promise<T>,
    reservation?: Reservation,
  ): Promise<T>;
  /**
   * Waits like a call and then keeps room for one call, also in later windows if it is not used in this one. A reservation does not wait in two
   * cases: if no answer has stated the bucket's limit yet, and if a whole window has no room for it beside the other reservations, since they would
   * wait for each other.
   */
  reserve(bucket: string, call: CallName): Promise<Reservation>;
}

/** A call or a reservation that waits for its turn. */
interface QueueItem {
  turn: number;
  call: CallName;
  /** False for the request of a reservation, because that uses no connection. */
  takesConnection: boolean;
  reservation?: Reservation | undefined;
  /** Runs when the item has its turn, before anything else can start. */
  take(): void;
  resolve(): void;
  reject(error: Error): void;
}

/** A bucket with the calls that wait for it. */
interface BucketQueue extends Bucket {
  name: string;
  waiting: QueueItem[];
  share?: Share | undefined;
  /** The time since which the share is used up, in milliseconds since 1970. */
  lackingSince?: number | undefined;
  /** The time for which a timer is set, so that it is set only once. */
  timerFor?: number;
}

/**
 * Creates the limiter of a run: it starts calls to the platform as fast as it allows, and holds them back before a rate limit is exceeded. It learns
 * the limits from the answers.
 */
export function createLimiter(options: LimiterOptions = {}): Limiter {
  const { concurrency = 10, clock = systemClock, maxWait = standardMaxWait, onWait, budget } = options;
  const buckets = new Map<string, BucketQueue>();
  let runningCalls = 0;
  let nextTurn = 0;
  const waitUntil = createBucketWait({ clock, maxWait, onWait }, pump);

  /** Returns the bucket (a rate limit of the platform) of a name with its waiting calls; creates it for the first call. */
  function findOrCreateBucket(name: string): BucketQueue {
    const bucket = buckets.get(name);
    if (bucket) return bucket;
    const queue = createBucketQueue(name, budget, pump);
    buckets.set(name, queue);
    return queue;
  }

  /**
   * True if this run has used up its share of a budget that several runs with the same token share. Then requests
   * more, and calls of this bucket wait for it. Without a budget always false.
   */
  function lacksShare(bucket: BucketQueue, hasReservation: boolean): boolean {
    const { share, reserved } = bucket;
    if (!share || share.availableCalls() > (hasReservation ? 0 : reserved.size)) {
      bucket.lackingSince = undefined;
      return false;
    }
    bucket.lackingSince ??= clock.now();
    const until = share.requestCalls();
    if (until !== undefined) waitUntil(bucket, until);
    return true;
  }

  /** Returns the bucket whose first call may start and has waited longest. Sets a timer for each bucket that has no room. */
  function nextBucket(): BucketQueue | undefined {
    let first: BucketQueue | undefined;
    for (const bucket of buckets.values()) {
      if (bucket.waiting.length === 0) continue;
      renewWindow(bucket, clock.now());
      const hasReservation = bucket.waiting[0]!.reservation !== undefined;
      const freeCalls = freeCallsIn(bucket, hasReservation);
      if (bucket.inFlight < freeCalls) {
        if (lacksShare(bucket, hasReservation)) continue;
        if (!first || bucket.waiting[0]!.turn < first.waiting[0]!.turn) first = bucket;
      } else if (freeCalls <= 0 && bucket.resetAt !== undefined) waitUntil(bucket, bucket.resetAt);
    }
    return first;
  }

  /**
   * Starts waiting calls until the concurrency is used up or no bucket has room. Called after every event that can
   * make room: a new call, an answer, a timer.
   */
  function pump(): void {
    while (runningCalls < concurrency) {
      const bucket = nextBucket();
      if (!bucket) return;
      const first = bucket.waiting.shift()!;
      if (first.takesConnection) {
        runningCalls += 1;
        bucket.inFlight += 1;
        bucket.share?.begin();
      }
      first.take();
      first.resolve();
    }
  }

  /**
   * Resolves when an item is the first of its bucket and there is room for it. `take` runs at that very moment,
   * before another call can use the room.
   */
  function waitForTurn(
    bucket: BucketQueue,
    item: Pick<QueueItem, 'call' | 'takesConnection' | 'reservation'>,
    take: () => void,
  ) {
    return new Promise<void>((resolve, reject) => {
      enqueue(bucket.waiting, { ...item, turn: nextTurn++, take, resolve, reject });
      pump();
    });
  }

  return {
    async reserve(name, call) {
      const bucket = findOrCreateBucket(name);
      const reservation: Reservation = {
        release() {
          if (bucket.reserved.delete(reservation)) pump();
        },
      };
      await waitForTurn(bucket, { call, takesConnection: false }, () => bucket.reserved.add(reservation));
      return reservation;
    },
    async run(name, call, send, offered) {
      const bucket = findOrCreateBucket(name);
      const isUnused = offered !== undefined && bucket.reserved.has(offered);
      const reservation = isUnused ? offered : undefined;
      await waitForTurn(bucket, { call, takesConnection: true, reservation }, () => {
        if (reservation) bucket.reserved.delete(reservation);
      });
      let limits: Limits | undefined;
      let outcome: Parameters<Share['end']>[0] = 'answered';
      try {
        const answer = await send();
        limits = answer.limits;
        return answer;
      } catch (error) {
        limits = (error as { limits?: Limits }).limits;
        outcome = error instanceof HttpError ? 'answered' : error instanceof NotConfirmed ? 'unsent' : 'lost';
        // If the caller repeats the call, it needs the room again.
        if (reservation) bucket.reserved.add(reservation);
        throw error;
      } finally {
        runningCalls -= 1;
        bucket.inFlight -= 1;
        if (outcome !== 'unsent') updateBucket(bucket, limits, clock.now());
        bucket.share?.end(outcome, limits);
        pump();
      }
    },
  };
}

/** Adds a call to the queue of its bucket (a rate limit of the platform): at the end, or before all calls without a reservation if it has one. */
function enqueue(waiting: QueueItem[], item: QueueItem): void {
  const index = item.reservation ? waiting.findIndex(({ reservation }) => !reservation) : -1;
  waiting.splice(index < 0 ? waiting.length : index, 0, item);
}

/**
 * Creates an empty bucket with its share of the common budget, if there is one. `changed`: called when the budget has
 * more room.
 */
function createBucketQueue(name: string, budget: LimiterOptions['budget'], changed: () => void): BucketQueue {
  const queue: BucketQueue = { name, waiting: [], ...createBucket() };
  const { waiting, reserved } = queue;
  const countNeeds = () => ({ waiting: waiting.length, reserved: reserved.size });
  queue.share = budget?.share(name, { now: countNeeds, changed });
  return queue;
}

/**
 * Creates a function which makes the calls of an empty bucket wait until a given time, when it has room again. If that
 * is more than `maxWait` away, it rejects them with `RateLimited` instead, so that a run does not hang for hours.
 */
function createBucketWait(
  {
    clock,
    maxWait,
    onWait,
  }: Required<Pick<LimiterOptions, 'clock' | 'maxWait'>> & Pick<LimiterOptions, 'onWait'>,
  pump: () => void,
) {
  return (bucket: BucketQueue, until: number): void => {
    const now = clock.now();
    const wait = until - now;
    if (until - (bucket.lackingSince ?? now) > maxWait) {
      rejectWaiting(bucket, until, { wait, maxWait });
      return;
    }
    if (bucket.timerFor === until) return;
    bucket.timerFor = until;
    if (wait > 1000) onWait?.({ seconds: Math.ceil(wait / 1000), reason: `rate limit of ${bucket.name}` });
    void clock.sleep(wait).then(() => {
      // If the timer fires a little early, `pump` finds no room and sets another one.
      bucket.timerFor = undefined;
      pump();
    });
  };
}

/**
 * Rejects all waiting calls of a bucket with `RateLimited`, because the next window is too far away. Their changes
 * are left to a later run.
 */
function rejectWaiting(bucket: BucketQueue, until: number, waits: { wait: number; maxWait: number }): void {
  bucket.lackingSince = undefined;
  for (const { call, reject } of bucket.waiting.splice(0))
    reject(new RateLimited(call, { bucket: bucket.name, until }, waits));
}
