import type { Standing } from './rows.ts';

interface FollowOptions<T> {
  /** Looks once more. */
  look(): Promise<T>;
  /** How what was seen stands. */
  stand(seen: T): Standing;
  /** Called with what is seen, each time. */
  onSeen(seen: T): void;
  clock: { now(): number; sleep(milliseconds: number, stop?: AbortSignal): Promise<void> };
  stop: AbortSignal;
  /** How long it goes on, in milliseconds. */
  within: number;
}

/** Seconds between one look and the next; the last one repeats. */
const pauses = [2, 3, 5, 5, 10];

/** Looks again and again until something came to rest, the time is over, or it is stopped. */
export async function follow<T>(options: FollowOptions<T>): Promise<Standing | 'stopped'> {
  const { look, stand, onSeen, clock, stop, within } = options;
  const end = clock.now() + within;
  for (let turn = 0; ; turn++) {
    const seen = await look();
    if (stop.aborted) return 'stopped';
    onSeen(seen);
    const standing = stand(seen);
    if (standing !== 'under way') return standing;
    const left = end - clock.now();
    if (left <= 0) return 'under way';
    // It rejects where it is called off.
    await clock.sleep(Math.min((pauses[turn] ?? pauses.at(-1)!) * 1000, left), stop).catch(() => {});
    if (stop.aborted) return 'stopped';
  }
}
