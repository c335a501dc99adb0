import { defaultPause } from '../http/bucket.ts';
import type { Clock } from '../http/clock.ts';
import type { Limits } from '../model/budget.ts';
import type { GrantRequest, LimitReport } from './grant-calls.ts';

/** The members of a grant request that say what the platform answered. */
type Reports = Pick<GrantRequest, 'reports' | 'unreportedCalls' | 'isUnlimited'>;

/** What the platform answered to one run's calls of a bucket since the last grant request. The next request tells the other runs. */
export interface PendingReports {
  /**
   * Adds a call that ended. Returns the milliseconds until its window ends, or undefined if the answer does not state them.
   * @param isAnswered false if the answer was lost
   */
  add(limits: Limits | undefined, isAnswered: boolean): number | undefined;
  /** True if an answer stated a limit. */
  hasLimit(): boolean;
  /** Returns everything for a grant request and starts again. `restore` undoes that if the request failed. */
  take(): { reports: Reports; restore(): void };
}

/** Opens an empty collection of reports. It keeps one report for each window: the one with the fewest remaining calls. */
export function openReports(clock: Clock): PendingReports {
  let reportsByWindow = new Map<number | undefined, Omit<LimitReport, 'age'> & { at: number }>();
  let unreportedCalls = 0;
  let isUnlimited = false;

  return {
    add(limits, isAnswered) {
      const { limit, remaining, window } = limits ?? {};
      const resetIn = limits?.resetIn ?? (remaining === 0 ? defaultPause : undefined);
      if (remaining === undefined || resetIn === undefined) {
        unreportedCalls += 1;
        isUnlimited ||= isAnswered;
        return undefined;
      }
      const fewest = Math.min(remaining, reportsByWindow.get(window)?.remaining ?? remaining);
      reportsByWindow.set(window, { limit, remaining: fewest, resetIn, window, at: clock.now() });
      return resetIn;
    },
    hasLimit: () => reportsByWindow.size > 0,
    take() {
      const now = clock.now();
      const takenReports = { reportsByWindow, unreportedCalls, isUnlimited };
      [reportsByWindow, unreportedCalls, isUnlimited] = [new Map(), 0, false];
      const reports = [...takenReports.reportsByWindow.values()].map(({ at, resetIn, ...report }) => ({
        ...report,
        resetIn: resetIn - (now - at),
        age: now - at,
      }));
      return {
        reports: {
          reports,
          unreportedCalls: takenReports.unreportedCalls,
          isUnlimited: takenReports.isUnlimited,
        },
        restore() {
          reportsByWindow = new Map([...takenReports.reportsByWindow, ...reportsByWindow]);
          unreportedCalls += takenReports.unreportedCalls;
          isUnlimited ||= takenReports.isUnlimited;
        },
      };
    },
  };
}
