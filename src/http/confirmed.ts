import { freshFor } from '../model/plan.ts';
import type { Clock } from './clock.ts';

/** Its turn came, but nothing was sent. */
export class NotSent extends Error {}

/** Runs `inTurn`, which waits for its turn and runs what it is given immediately before it sends. */
export type Confirmed = <T>(inTurn: (before: () => void) => Promise<T>) => Promise<T>;

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
