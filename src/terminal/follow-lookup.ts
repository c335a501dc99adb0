import {
  formatInputValue,
  type LookupResult,
  type LookupRow,
  type Progress,
  pollUntilSettled,
} from '../action/read-lookup.ts';
import { listenToSignals } from '../host.ts';
import type { Lookup } from '../kind/lookup.ts';
import { tableText } from '../report/rows-text.ts';
import { cleanLine } from '../report/text.ts';
import { type LiveView, openLiveView } from './live-view.ts';
import type { Terminal } from './terminal.ts';

interface FollowOptions {
  terminal: Terminal;
  /** The fields in the table of the live view. */
  columns: readonly string[];
  /** The longest time to follow, in milliseconds. */
  within: number;
  /** Decides from the rows if what the lookup shows is still changing. */
  progressOf(rows: readonly LookupRow[]): Progress;
}

/**
 * Reads a lookup, such as a deployment's state, again and again until it comes to rest or the time is over, and shows each change. Used by
 * `get --watch`, `wait` and `run --wait`. Returns the last rows and how they stand; `stopped` after Ctrl-C, even if a read is still
 * pending.
 */
export async function followLookup(
  lookup: Lookup,
  look: () => Promise<LookupResult>,
  { terminal, columns, within, progressOf }: FollowOptions,
): Promise<LookupResult & { standing: Progress | 'stopped' }> {
  const { host } = terminal.run;
  const stop = new AbortController();
  const stopListening = listenToSignals(host, () => stop.abort());
  const view = await openLiveView(terminal);
  const showRows = view
    ? showTable(lookup, columns, terminal, view)
    : showStateChanges(lookup, columns, terminal);
  let last: LookupResult = { rows: [], objects: [], isMore: false };
  try {
    const standing = await pollUntilSettled({
      look,
      progressOf: ({ rows }) => progressOf(rows),
      onSeen: (seen) => {
        last = seen;
        showRows(seen.rows);
      },
      clock: host.clock,
      stop: stop.signal,
      timeout: within,
    });
    return { ...last, standing };
  } finally {
    view?.clear();
    stopListening();
  }
}

/** Returns a function to show the rows of a lookup as a table, redrawn in place, for `get --watch` and `trueup wait` on a terminal. */
const showTable =
  ({ name }: Lookup, columns: readonly string[], { errStyle }: Terminal, view: LiveView) =>
  (rows: readonly LookupRow[]): void =>
    view.redraw(rows.length > 0 ? tableText(rows, columns, errStyle) : `There is no ${name} yet.`);

/**
 * Returns a function which prints a line for each row of a lookup (an object, such as a deployment) whose state has changed. Used for logs,
 * because a log cannot redraw a table. The state is the field that says when the object is at rest, or all columns without such a field.
 */
function showStateChanges(
  { name, key = '', end }: Lookup,
  columns: readonly string[],
  { say }: Terminal,
): (rows: readonly LookupRow[]) => void {
  const printedStates = new Map<string, string>();
  let isFirst = true;
  const stateFields = end ? [end.field] : columns;
  return (rows) => {
    if (isFirst && rows.length === 0) say(`There is no ${name} yet.`);
    isFirst = false;
    for (const row of rows) {
      const id = formatInputValue(row[key]);
      const state = stateFields.map((field) => formatInputValue(row[field])).join(' ');
      const title = id === '' ? name : `${name} ${id}`;
      if (printedStates.get(id) !== state) say(cleanLine(`${title}: ${state}`));
      printedStates.set(id, state);
    }
  };
}
