import type { Reservation } from './bucket.ts';
import type { LimitedCall } from './call-queues.ts';
import type { Limiter } from './limiter.ts';

/**
 * Reservations under a name, for calls that belong together. Used where a rate limit between two requests would leave something half done, such
 * as a list that is staged and then published.
 */
interface Reservations {
  /** Reserves room for all of these calls, or throws `RateLimited` and reserves none. A second call with the same name waits for the first. */
  reserve(name: string, calls: { operation: string; call: LimitedCall }[]): Promise<void>;
  /** Returns a reservation of this name for a call of the operation, or undefined if none is left. The caller releases it. */
  take(name: string, operation: string): Reservation | undefined;
  /** Releases all reservations of this name that were not taken. */
  release(name: string): void;
}

/** The reservations of one name. `granted` resolves when all of them are made. */
interface ReservationGroup {
  granted: Promise<void>;
  reservations: { operation: string; reservation: Reservation }[];
}

/**
 * Opens the reservations of a run. Before it deletes an object in order to create it again, it reserves room in the
 * rate limits for the creation, so that it does not have to stop in between.
 */
export function openReservations({ reserve }: Pick<Limiter, 'reserve'>): Reservations {
  const groups = new Map<string, ReservationGroup>();

  function release(name: string): void {
    const group = groups.get(name);
    groups.delete(name);
    for (const { reservation } of group?.reservations.splice(0) ?? []) reservation.release();
  }

  return {
    reserve(name, calls) {
      const existingGroup = groups.get(name);
      if (existingGroup) return existingGroup.granted;
      const group: ReservationGroup = { granted: Promise.resolve(), reservations: [] };
      groups.set(name, group);
      const reserveAll = async () => {
        // One after the other. A reservation only waits for time, never for another reservation, so there is no deadlock.
        for (const { operation, call } of calls) {
          const reservation = await reserve(operation, call);
          // The group may have been released while this reservation waited.
          if (groups.get(name) !== group) return reservation.release();
          group.reservations.push({ operation, reservation });
        }
      };
      group.granted = reserveAll().catch((error) => {
        if (groups.get(name) === group) release(name);
        throw error;
      });
      return group.granted;
    },
    take(name, operation) {
      const reservations = groups.get(name)?.reservations ?? [];
      const index = reservations.findIndex((entry) => entry.operation === operation);
      return index < 0 ? undefined : reservations.splice(index, 1)[0]!.reservation;
    },
    release,
  };
}
