import type { Limits } from '../model/budget.ts';
import type { Reservation } from './bucket.ts';
import type { NamedBucket } from './buckets.ts';
import { type CallEnd, createCallQueues, type LimitedCall, type LimiterOptions } from './call-queues.ts';
import { HttpError } from './errors.ts';
import { NotConfirmed } from './retry.ts';

/** Starts calls as fast as the platform's rate limits allow. */
export interface Limiter {
  /**
   * Runs `send` when all buckets of the call have room, and updates them from the `limits` of the answer or error. Throws `RateLimited` without
   * running it if a bucket stays empty for longer than `maxWait`. A call with a reservation goes before the calls without one.
   */
  run<T extends { limits?: Limits }>(
    operation: string,
    call: LimitedCall,
    send: () => Promise<T>,
    reservation?: Reservation,
  ): Promise<T>;
  /**
   * Waits like a call and then keeps room for one call in all its buckets, also in later windows if it is not used in this one. A reservation does not wait in two
   * cases: if no answer has stated the bucket's limit yet, and if a whole window has no room for it beside the other reservations, since they would
   * wait for each other.
   */
  reserve(operation: string, call: LimitedCall): Promise<Reservation>;
}

/**
 * Creates the limiter of a run: it starts calls to the platform as fast as it allows, and holds them back before a rate limit is exceeded. It learns
 * the limits from the answers, and until then from the documentation.
 */
export function createLimiter(options: LimiterOptions = {}): Limiter {
  const queues = createCallQueues(options);
  return {
    async reserve(operation, call) {
      let reservedBuckets: readonly NamedBucket[] = [];
      const reservation: Reservation = {
        isUnused: () => reservedBuckets.some(({ reserved }) => reserved.has(reservation)),
        release() {
          const releases = reservedBuckets.map((bucket) => bucket.reserved.delete(reservation));
          if (releases.includes(true)) queues.pump();
        },
      };
      await queues.waitForTurn(operation, { call, takesConnection: false }, (buckets) => {
        reservedBuckets = buckets;
        for (const bucket of buckets) bucket.reserved.add(reservation);
      });
      return reservation;
    },
    async run(operation, call, send, offered) {
      const reservation = offered?.isUnused() ? offered : undefined;
      let counted: readonly NamedBucket[] = [];
      await queues.waitForTurn(operation, { call, takesConnection: true, reservation }, (buckets) => {
        counted = buckets;
        for (const bucket of buckets) {
          bucket.inFlight += 1;
          if (reservation) bucket.reserved.delete(reservation);
        }
      });
      const end: CallEnd = { outcome: 'answered', limits: undefined, isAnswer: true };
      try {
        const answer = await send();
        end.limits = answer.limits;
        return answer;
      } catch (error) {
        end.limits = (error as { limits?: Limits }).limits;
        end.outcome =
          error instanceof HttpError ? 'answered' : error instanceof NotConfirmed ? 'unsent' : 'lost';
        end.isAnswer = error instanceof HttpError && error.status < 500;
        // If the caller repeats the call, it needs the room again.
        if (reservation) for (const bucket of counted) bucket.reserved.add(reservation);
        throw error;
      } finally {
        queues.end(operation, counted, end);
      }
    },
  };
}
