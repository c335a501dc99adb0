import type { LeaseClock } from '../ledger/lease.ts';

export interface SettleOptions {
  clock: Pick<LeaseClock, 'now' | 'sleep'>;
  /** How many milliseconds to go on for; with 0 it looks once. */
  within: number;
  /** Told once, before it waits. */
  onWait(): void;
  /** Once aborted, it waits for nothing more. */
  stop: AbortSignal;
}

/** Seconds between one look and the next; after them the last one repeats. */
const pauses = [1, 2, 4, 8, 15, 30];

/** Looks until what is seen is settled, the time is over, or it is stopped. Gives back what was seen last. */
export async function settle<T>(
  look: () => Promise<T>,
  isSettled: (seen: T) => boolean,
  { clock, within, onWait, stop }: SettleOptions,
): Promise<T> {
  let seen = await look();
  const end = clock.now() + within;
  const stopped = new Promise<void>((done) => stop.addEventListener('abort', () => done()));
  for (let turn = 0; !isSettled(seen) && !stop.aborted && clock.now() < end; turn++) {
    if (turn === 0) onWait();
    const pause = (pauses[turn] ?? pauses.at(-1)!) * 1000;
    // It rejects where it is called off.
    await clock.sleep(Math.min(pause, end - clock.now()), stop).catch(() => {});
    if (!stop.aborted) seen = (await Promise.race([look(), stopped])) ?? seen;
  }
  return seen;
}
