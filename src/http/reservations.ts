import type { Limits } from '../model/budget.ts';
import type { Reservation } from './bucket.ts';
import type { NamedBucket } from './buckets.ts';
import {
  type CallEnd,
  type CallQueues,
  createCallQueues,
  type LimitedCall,
  type LimiterOptions,
} from './call-queues.ts';
import { HttpError } from './errors.ts';
import { NotConfirmed } from './retry.ts';

/**
 * Reservations under a name, for calls that belong together. Used where a rate limit between two requests would leave
 * something half done: an object that is deleted and created again.
 */
interface Reservations {
  /**
   * Reserves room for all of these calls, or throws `RateLimited` and reserves none. A second call with the same name waits for the first.
   */
  reserve(name: string, calls: { operation: string; call: LimitedCall }[]): Promise<void>;
  /**
   * Returns a reservation (room in the rate limits for one call) that was made for a call of the operation under a name, and forgets it,
   * because the caller uses it now; undefined if there is none.
   */
  take(name: string, operation: string): Reservation | undefined;
  /**
   * Releases all reservations (room in the rate limits for one call each) of a name that were not taken, so that other calls get their
   * room.
   */
  release(name: string): void;
}

/** The reservations of one name. `granted` resolves when all of them are made. */
interface ReservationGroup {
  granted: Promise<void>;
  reservations: { operation: string; reservation: Reservation }[];
}

/**
 * Opens the reservations of a run: room in the platform's rate limits for calls that will follow soon, under a name. Before a run deletes
 * an object in order to create it again, it reserves room for the creation, so that no rate limit stops it in between. `reserve`: waits
 * until there is room for one call and keeps it.
 */
export function openReservations({ reserve }: Pick<Limiter, 'reserve'>): Reservations {
  return new ReservationGroups(reserve);
}

/** The reservations of a run, in groups by name. */
class ReservationGroups implements Reservations {
  readonly #reserveOne: Limiter['reserve'];
  readonly #groups = new Map<string, ReservationGroup>();

  constructor(reserveOne: Limiter['reserve']) {
    this.#reserveOne = reserveOne;
  }

  /**
   * Reserves room in the rate limits for all of these calls under a name, so that no rate limit stops a run between the deletion of an
   * object and its new creation. Rejects with `RateLimited`, and reserves nothing, if that would take too long. A second call for the same
   * name waits for the first.
   */
  reserve(name: string, calls: { operation: string; call: LimitedCall }[]): Promise<void> {
    const existingGroup = this.#groups.get(name);
    if (existingGroup) return existingGroup.granted;
    const group: ReservationGroup = { granted: Promise.resolve(), reservations: [] };
    this.#groups.set(name, group);
    group.granted = this.#reserveAll(name, group, calls).catch((error: unknown) => {
      // Unless it was released, and perhaps reserved again, meanwhile.
      if (this.#groups.get(name) === group) this.release(name);
      throw error;
    });
    return group.granted;
  }

  /**
   * Takes an unused reservation of a name for a call of the operation, which then uses the reserved room; undefined if there is none. Each
   * reservation can be taken once.
   */
  take(name: string, operation: string): Reservation | undefined {
    const reservations = this.#groups.get(name)?.reservations ?? [];
    const index = reservations.findIndex((entry) => entry.operation === operation);
    return index < 0 ? undefined : reservations.splice(index, 1)[0]!.reservation;
  }

  /**
   * Releases the reservations of a name (see `reserve`) that no call has taken, so that other calls get their room. Called when the calls
   * of that name are done or will not come.
   */
  release(name: string): void {
    const group = this.#groups.get(name);
    this.#groups.delete(name);
    for (const { reservation } of group?.reservations.splice(0) ?? []) reservation.release();
  }

  /**
   * Reserves room in the rate limits for the calls of a group, one after the other. There is no deadlock, because a reservation only waits
   * for time, never for another reservation. Stops if the group is released meanwhile.
   */
  async #reserveAll(
    name: string,
    group: ReservationGroup,
    calls: { operation: string; call: LimitedCall }[],
  ): Promise<void> {
    for (const { operation, call } of calls) {
      const reservation = await this.#reserveOne(operation, call);
      if (this.#groups.get(name) !== group) return reservation.release();
      group.reservations.push({ operation, reservation });
    }
  }
}

/** Starts calls as fast as the platform's rate limits allow. */
export interface Limiter {
  /**
   * Runs `send` when all buckets of the call have room, and updates them from the `limits` of the answer or error.
   * Throws `RateLimited` without running it if a bucket stays empty for longer than `maxWait`. A call with a
   * reservation goes before those of the same operation without one.
   */
  run<T extends { limits?: Limits }>(
    operation: string,
    call: LimitedCall,
    send: () => Promise<T>,
    reservation?: Reservation,
  ): Promise<T>;
  /**
   * Waits like a call and then keeps room for one call in all its buckets, also in later windows if it is not used in
   * this one. It does not wait while the limit is unknown. If the other reservations take a whole window, it waits
   * for the next window only, since they would otherwise wait for each other.
   */
  reserve(operation: string, call: LimitedCall): Promise<Reservation>;
}

/**
 * Creates the limiter of a run: it starts calls to the platform as fast as it allows, and holds them back before a rate limit is exceeded.
 * It learns the limits from the answers, and until then from the documentation.
 */
export function createLimiter(options: LimiterOptions = {}): Limiter {
  const queues = createCallQueues(options);
  return {
    run: (operation, call, send, reservation) => runCall(queues, operation, call, send, reservation),
    reserve: (operation, call) => reserveCall(queues, operation, call),
  };
}

/**
 * Runs `send` when all rate limits of the call have room, and counts the call in them until its answer comes. A call with an unused
 * reservation uses its room. If the call fails, it gets the reservation back, because its caller may repeat it.
 */
async function runCall<T extends { limits?: Limits }>(
  queues: CallQueues,
  operation: string,
  call: LimitedCall,
  send: () => Promise<T>,
  offeredReservation: Reservation | undefined,
): Promise<T> {
  const reservation = offeredReservation?.isUnused() ? offeredReservation : undefined;
  let counted: readonly NamedBucket[] = [];
  await queues.waitForTurn(operation, { call, takesConnection: true, reservation }, (buckets) => {
    counted = buckets;
    for (const bucket of buckets) {
      bucket.inFlight += 1;
      if (reservation) bucket.reserved.delete(reservation);
    }
  });
  let end: CallEnd;
  try {
    const answer = await send();
    end = { outcome: 'answered', limits: answer.limits, isAnswer: true };
    return answer;
  } catch (error) {
    end = endOfFailedCall(error);
    if (reservation) for (const bucket of counted) bucket.reserved.add(reservation);
    throw error;
  } finally {
    queues.end(operation, counted, end!);
  }
}

/**
 * Returns how a call ended that failed with an error, for its rate limits: a refusal counts, a lost answer may count, and a write that was
 * not sent (`NotConfirmed`) does not. A status of 500 or more may come from a proxy, so missing limits in it mean nothing (`isAnswer`).
 */
function endOfFailedCall(error: unknown): CallEnd {
  const { limits } = error as { limits?: Limits };
  if (error instanceof HttpError) return { outcome: 'answered', limits, isAnswer: error.status < 500 };
  return { outcome: error instanceof NotConfirmed ? 'unsent' : 'lost', limits, isAnswer: false };
}

/**
 * Waits until all rate limits of a call have room for it, and keeps that room until a call uses the reservation (`runCall`) or it is
 * released. It waits in the queue of the operation like a call, but uses no connection.
 */
async function reserveCall(queues: CallQueues, operation: string, call: LimitedCall): Promise<Reservation> {
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
}
