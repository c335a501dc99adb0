import type { Clock } from './clock.ts';
import type { OnWait } from './retry.ts';

/** Passes each wait on once: calls that wait for the same thing until the same time make one announcement. */
export function announceOnce(onWait: OnWait | undefined, clock: Clock): OnWait {
  const until = new Map<string, number>();
  return (wait) => {
    const end = clock.now() + wait.seconds * 1000;
    // Ends are rounded up to seconds, so those of one wait may lie that far apart.
    if (end <= (until.get(wait.reason) ?? 0) + 1000) return;
    until.set(wait.reason, end);
    onWait?.(wait);
  };
}
