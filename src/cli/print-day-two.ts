import { type ActionSummary, dayTwoListText, dayTwoText, type LookupSummary } from '../manual/day-two.ts';
import { jsonText } from '../report/json-value.ts';
import { named } from './open-reading.ts';
import type { Terminal } from './terminal.ts';

/** Prints what there is: all of it, or one by its name. Throws `Problems` for a name that is none. */
export function printDayTwo(
  list: readonly (ActionSummary | LookupSummary)[],
  name: string | undefined,
  what: 'actions' | 'lookups',
  { json }: { json?: boolean },
  terminal: Terminal,
): void {
  const byName = new Map(list.map((one) => [one.name, one]));
  const one =
    name === undefined
      ? undefined
      : named(name, byName, what.slice(0, -1), `trueup ${what === 'actions' ? 'run' : 'get'} --list`);
  const document = one ? { ...one } : { [what]: list };
  if (json) terminal.out(jsonText({ formatVersion: '1.0', ...document }));
  else terminal.out(one ? dayTwoText(one, terminal.outStyle) : dayTwoListText(list, terminal.outStyle));
}
