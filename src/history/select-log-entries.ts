import { raise } from '../model/diagnostic.ts';
import { createAddressMatcher } from '../model/glob.ts';
import type { LogEntry } from './log-text.ts';
import type { RunRecord } from './record.ts';

/** The conditions that a run must meet for `trueup log` to show it. Absent ones are not looked at. */
interface LogConditions {
  /** The number of the run. */
  number?: number | undefined;
  /** The run ended at this time or later, in milliseconds since 1970; one without an end began then. */
  since?: number | undefined;
  /** The run changed an address that this glob matches. */
  glob?: string | undefined;
}

/** Selects the runs that `trueup log` shows, oldest first. With a glob, only the matching changes of each run are included. */
export function selectLogEntries(
  records: readonly RunRecord[],
  { number, since, glob }: LogConditions,
): LogEntry[] {
  const isShown = glob === undefined ? () => true : createAddressMatcher([glob]);
  return records
    .filter(({ head }) => number === undefined || head.run === number)
    .filter(({ head }) => since === undefined || Date.parse(head.end ?? head.start) >= since)
    .map((record) => ({
      record,
      changes: record.details?.changes.filter(({ address }) => isShown(address)) ?? [],
    }))
    .filter(({ changes }) => glob === undefined || changes.length > 0);
}

const secondsOfUnit: Record<string, number> = { m: 60, h: 3600, d: 86_400, w: 604_800 };

/** Parses the time of `log --since` to milliseconds: a date, a time, or an age such as `3d` before `now`. Throws `Problems` for other texts. */
export function parseLogTime(text: string, now: number): number {
  const [, amount, unit] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  if (amount !== undefined) return now - Number(amount) * secondsOfUnit[unit!]! * 1000;
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  raise('history/since', `--since: cannot parse ${JSON.stringify(text)}`, {
    hint: 'use a date (`2026-01-31`), a time (`2026-01-31T12:00:00Z`) or an age: `30m`, `12h`, `3d`, `2w`',
  });
}
