import type { Budget, Limits, Share } from '../model/budget.ts';
import { freshFor } from '../model/request.ts';
import { type Bucket, learn, type Reservation, renew, roomIn, unknownBucket } from './bucket.ts';
import { type Clock, systemClock } from './clock.ts';
import { type Asked, HttpError, RateLimited } from './errors.ts';
import { type OnWait, standardMaxWait } from './retry.ts';

export interface LimiterOptions {
  /** The most concurrent calls. Default 10. */
  concurrency?: number;
  clock?: Clock;
  /** Longest wait for a bucket, in milliseconds. Default 15 minutes. */
  maxWait?: number;
  onWait?: OnWait;
  /** The budget that the runs of a token share. Default: this run has everything to itself. */
  budget?: Pick<Budget, 'share'> | undefined;
}

/** Lets calls through as fast as the platform's rate buckets allow. */
export interface Limiter {
  /**
   * Runs `once` when there is room, within a bucket in order of arrival, and learns from the `limits` of what it returns or
   * throws. Throws `RateLimited`, without running it, if its bucket stays empty for longer than `maxWait`. With a reservation it
   * goes before all that have none.
   */
  run<T extends { limits?: Limits }>(
    bucket: string,
    asked: Asked,
    once: () => Promise<T>,
    reservation?: Reservation,
  ): Promise<T>;
  /**
   * Waits as a call does, and then keeps room for one: in this window of the bucket or, if it was not used by then, in the next
   * ones. Two reservations are given at once: one in a bucket that no answer has told of yet, since its room is not known, and one
   * that a whole window has no room for beside the others, since they would wait for each other.
   */
  reserve(bucket: string, asked: Asked): Promise<Reservation>;
}

/** A call, or a reservation, which takes no connection. */
interface Waiting {
  turn: number;
  asked: Asked;
  isCall: boolean;
  reservation?: Reservation | undefined;
  start(): void;
  reject(error: Error): void;
}

interface Queue extends Bucket {
  name: string;
  waiting: Waiting[];
  share?: Share | undefined;
  /** Since when its share is used up, and nothing came. */
  lackingSince?: number | undefined;
  /** The time for which a timer runs. */
  timerFor?: number;
}

export function createLimiter(options: LimiterOptions = {}): Limiter {
  const { concurrency = 10, clock = systemClock, maxWait = standardMaxWait, onWait, budget } = options;
  const buckets = new Map<string, Queue>();
  let running = 0;
  let turns = 0;
  const hold = holding({ clock, maxWait, onWait }, pump);

  function bucketOf(name: string): Queue {
    const bucket = buckets.get(name);
    if (bucket) return bucket;
    const queue = newQueue(name, budget, pump);
    buckets.set(name, queue);
    return queue;
  }

  /** True if the budget that is shared has nothing for the next call of a bucket; then it is asked for more. */
  function isLacking(bucket: Queue, isReserved: boolean): boolean {
    const { share, reserved } = bucket;
    if (!share || share.left() > (isReserved ? 0 : reserved.size)) {
      bucket.lackingSince = undefined;
      return false;
    }
    bucket.lackingSince ??= clock.now();
    const until = share.more();
    if (until !== undefined) hold(bucket, until);
    return true;
  }

  function next(): Queue | undefined {
    let first: Queue | undefined;
    for (const bucket of buckets.values()) {
      if (bucket.waiting.length === 0) continue;
      renew(bucket, clock.now());
      const isReserved = bucket.waiting[0]!.reservation !== undefined;
      const room = roomIn(bucket, isReserved);
      if (bucket.inFlight < room) {
        if (isLacking(bucket, isReserved)) continue;
        if (!first || bucket.waiting[0]!.turn < first.waiting[0]!.turn) first = bucket;
      } else if (room <= 0 && bucket.resetAt !== undefined) hold(bucket, bucket.resetAt);
    }
    return first;
  }

  function pump(): void {
    while (running < concurrency) {
      const bucket = next();
      if (!bucket) return;
      const first = bucket.waiting.shift()!;
      if (first.isCall) {
        running += 1;
        bucket.inFlight += 1;
        bucket.share?.begin();
      }
      first.start();
    }
  }

  /** Waits until it is the first of its bucket and there is room for it. */
  function turnIn(bucket: Queue, one: Pick<Waiting, 'asked' | 'isCall' | 'reservation'>, take: () => void) {
    return new Promise<void>((resolve, reject) => {
      const start = () => {
        take();
        resolve();
      };
      const { waiting } = bucket;
      const behind = one.reservation ? waiting.findIndex(({ reservation }) => !reservation) : -1;
      waiting.splice(behind < 0 ? waiting.length : behind, 0, { ...one, turn: turns++, start, reject });
      pump();
    });
  }

  return {
    async reserve(name, asked) {
      const bucket = bucketOf(name);
      const reservation: Reservation = {
        release() {
          if (bucket.reserved.delete(reservation)) pump();
        },
      };
      await turnIn(bucket, { asked, isCall: false }, () => bucket.reserved.add(reservation));
      return reservation;
    },
    async run(name, asked, once, given) {
      const bucket = bucketOf(name);
      const reservation = given && bucket.reserved.has(given) ? given : undefined;
      await turnIn(bucket, { asked, isCall: true, reservation }, () => {
        if (reservation) bucket.reserved.delete(reservation);
      });
      let limits: Limits | undefined;
      let ended: Parameters<Share['end']>[0] = 'answered';
      try {
        const answer = await once();
        limits = answer.limits;
        return answer;
      } catch (error) {
        limits = (error as { limits?: Limits }).limits;
        ended = error instanceof HttpError ? 'answered' : error instanceof NotSent ? 'unsent' : 'lost';
        // It may be tried again.
        if (reservation) bucket.reserved.add(reservation);
        throw error;
      } finally {
        running -= 1;
        bucket.inFlight -= 1;
        if (ended !== 'unsent') learn(bucket, limits, clock.now());
        bucket.share?.end(ended, limits);
        pump();
      }
    },
  };
}

function newQueue(name: string, budget: LimiterOptions['budget'], changed: () => void): Queue {
  const queue: Queue = { name, waiting: [], ...unknownBucket() };
  const { waiting, reserved } = queue;
  const now = () => ({ waiting: waiting.length, reserved: reserved.size });
  queue.share = budget?.share(name, { now, changed });
  return queue;
}

/** Sees to it that the calls of an empty bucket go on at some time, or fail if that is too far off. */
function holding(
  {
    clock,
    maxWait,
    onWait,
  }: Required<Pick<LimiterOptions, 'clock' | 'maxWait'>> & Pick<LimiterOptions, 'onWait'>,
  pump: () => void,
) {
  return (bucket: Queue, until: number): void => {
    const now = clock.now();
    const wait = until - now;
    if (until - (bucket.lackingSince ?? now) > maxWait) {
      refuse(bucket, until, { wait, maxWait });
      return;
    }
    if (bucket.timerFor === until) return;
    bucket.timerFor = until;
    if (wait > 1000) onWait?.({ seconds: Math.ceil(wait / 1000), reason: `rate limit of ${bucket.name}` });
    void clock.sleep(wait).then(() => {
      // A timer may fire a little early: then the next look sets another one.
      bucket.timerFor = undefined;
      pump();
    });
  };
}

/** All that waits in a bucket would wait for too long. */
function refuse(bucket: Queue, until: number, waits: { wait: number; maxWait: number }): void {
  bucket.lackingSince = undefined;
  for (const { asked, reject } of bucket.waiting.splice(0))
    reject(new RateLimited(asked, { bucket: bucket.name, until }, waits));
}

/** Its turn came, but nothing was sent. */
class NotSent extends Error {}

/** Runs `inTurn`, which waits for its turn and runs what it is given immediately before it sends. */
type Confirmed = <T>(inTurn: (before: () => void) => Promise<T>) => Promise<T>;

/**
 * For all attempts to send one request, the first of which follows a look at what it changes: where one comes long after that,
 * `confirm` is asked whether it still may be sent, without holding up others, and then it waits once more.
 */
export function confirmedBy(confirm: (() => Promise<void>) | undefined, clock: Clock): Confirmed {
  let looked = clock.now();
  return async (inTurn) => {
    for (;;) {
      try {
        return await inTurn(() => {
          if (confirm && clock.now() - looked >= freshFor) throw new NotSent();
        });
      } catch (error) {
        if (!(error instanceof NotSent)) throw error;
        await confirm?.();
        looked = clock.now();
      }
    }
  };
}
