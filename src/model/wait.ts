/*
 * Helpers of the loops that read the account again and again until something has happened: a write is shown, an object is ready, an action
 * is done.
 */

/** The clock of a loop, and the signal that ends it early. */
export interface LoopControl {
  clock: { now(): number; sleep(milliseconds: number, stop?: AbortSignal): Promise<void> };
  /** Once aborted, there is no further pause. */
  stop: AbortSignal;
}

/**
 * Pauses before the account is read again, in `trueup wait` or after an apply, but not longer than until `end`. `pauses`: the seconds
 * before each repetition; the last one repeats. `turn`: the number of pauses so far. Returns early if the loop is stopped.
 */
export async function pauseBeforeTurn(
  turn: number,
  pauses: readonly number[],
  end: number,
  { clock, stop }: LoopControl,
): Promise<void> {
  const pause = (pauses[turn] ?? pauses.at(-1)!) * 1000;
  // A sleep that is stopped rejects.
  await clock.sleep(Math.max(0, Math.min(pause, end - clock.now())), stop).catch(() => {});
}

/**
 * Resolves to undefined when a signal is aborted from now on. Raced with a reading of the account, so that a reading that hangs cannot
 * delay a stop.
 */
export const whenAborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined)));
