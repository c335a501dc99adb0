import type { Reservation } from './bucket.ts';
import type { Asked } from './errors.ts';
import type { Limiter } from './limiter.ts';

/** Reservations by name, for calls that belong together. */
interface Reservations {
  /** All of these calls or none; throws `RateLimited`. A name is reserved for once: who asks again waits for the same. */
  reserve(name: string, calls: { bucket: string; asked: Asked }[]): Promise<void>;
  /** The one for a call to this bucket, if there still is one; whoever takes it releases it. */
  take(name: string, bucket: string): Reservation | undefined;
  /** Gives back all that was not taken. */
  release(name: string): void;
}

interface Group {
  granted: Promise<void>;
  kept: { bucket: string; reservation: Reservation }[];
}

/** Opens an empty list of reservations. */
export function openReservations({ reserve }: Pick<Limiter, 'reserve'>): Reservations {
  const groups = new Map<string, Group>();

  function release(name: string): void {
    const group = groups.get(name);
    groups.delete(name);
    for (const { reservation } of group?.kept.splice(0) ?? []) reservation.release();
  }

  return {
    reserve(name, calls) {
      const known = groups.get(name);
      if (known) return known.granted;
      const group: Group = { granted: Promise.resolve(), kept: [] };
      groups.set(name, group);
      const take = async () => {
        // One after the other: a reservation waits for time only, never for another one, so nobody waits in a circle.
        for (const { bucket, asked } of calls) {
          const reservation = await reserve(bucket, asked);
          // It may have been given back meanwhile.
          if (groups.get(name) !== group) return reservation.release();
          group.kept.push({ bucket, reservation });
        }
      };
      group.granted = take().catch((error) => {
        if (groups.get(name) === group) release(name);
        throw error;
      });
      return group.granted;
    },
    take(name, bucket) {
      const kept = groups.get(name)?.kept ?? [];
      const index = kept.findIndex((one) => one.bucket === bucket);
      return index < 0 ? undefined : kept.splice(index, 1)[0]!.reservation;
    },
    release,
  };
}
