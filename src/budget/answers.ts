import { shortPause } from '../http/bucket.ts';
import type { Clock } from '../http/clock.ts';
import type { Limits } from '../model/budget.ts';
import type { Draw, Told } from './draw.ts';

type Said = Pick<Draw, 'told' | 'blind' | 'untold'>;
type Noted = Map<number | undefined, Omit<Told, 'age'> & { at: number }>;

/** What the answers to a run's calls said of a bucket, and nobody has been told yet. */
export interface Answers {
  /** Takes in one; how long its window lasts, in milliseconds, where it says that. */
  note(limits: Limits | undefined, isAnswer: boolean): number | undefined;
  /** True if one told of a limit. */
  isLimited(): boolean;
  /** All of it, to be told now; `back` where that failed. */
  take(): { said: Said; back(): void };
}

export function openAnswers(clock: Clock): Answers {
  let told: Noted = new Map();
  let blind = 0;
  let untold = false;

  return {
    note(limits, isAnswer) {
      const { limit, remaining, window } = limits ?? {};
      const resetIn = limits?.resetIn ?? (remaining === 0 ? shortPause : undefined);
      if (remaining === undefined || resetIn === undefined) {
        blind += 1;
        untold ||= isAnswer;
        return undefined;
      }
      const least = Math.min(remaining, told.get(window)?.remaining ?? remaining);
      told.set(window, { limit, remaining: least, resetIn, window, at: clock.now() });
      return resetIn;
    },
    isLimited: () => told.size > 0,
    take() {
      const now = clock.now();
      const before = { told, blind, untold };
      [told, blind, untold] = [new Map(), 0, false];
      const all = [...before.told.values()].map(({ at, resetIn, ...one }) => ({
        ...one,
        resetIn: resetIn - (now - at),
        age: now - at,
      }));
      return {
        said: { told: all, blind: before.blind, untold: before.untold },
        back() {
          told = new Map([...before.told, ...told]);
          blind += before.blind;
          untold ||= before.untold;
        },
      };
    },
  };
}
