import { formatInputValue, type LookupRow, type Progress } from '../action/lookup-rows.ts';
import { type LookupResult, pollUntilSettled } from '../action/read-lookup.ts';
import type { Lookup } from '../kind/lookup.ts';
import { tableText } from '../report/rows-text.ts';
import { type LiveText, liveText, type Terminal } from './terminal.ts';

interface FollowOptions {
  terminal: Terminal;
  /** The fields of the live view. */
  columns: readonly string[];
  /** Milliseconds. */
  within: number;
  stand(rows: readonly LookupRow[]): Progress;
}

/** Looks at what is in motion until it rests, and shows each change; Ctrl-C ends that. What was seen last, and how it stands. */
export async function followLookup(
  lookup: Lookup,
  look: () => Promise<LookupResult>,
  { terminal, columns, within, stand }: FollowOptions,
): Promise<LookupResult & { standing: Progress | 'stopped' }> {
  const { host } = terminal.run;
  const stop = new AbortController();
  const stopListening = host.onSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], () => stop.abort());
  const view = createLookupView(lookup, columns, terminal, await liveText(terminal));
  let last: LookupResult = { rows: [], objects: [], isMore: false };
  try {
    const stopped = new Promise<'stopped'>((done) =>
      stop.signal.addEventListener('abort', () => done('stopped')),
    );
    // A look that hangs is not waited for.
    const standing = await Promise.race([
      stopped,
      pollUntilSettled({
        look,
        progressOf: ({ rows }) => stand(rows),
        onSeen: (seen) => {
          last = seen;
          view.show(seen.rows);
        },
        clock: host.clock,
        stop: stop.signal,
        timeout: within,
      }),
    ]);
    return { ...last, standing };
  } finally {
    view.done();
    stopListening();
  }
}

/** A table that is redrawn on a terminal; elsewhere a line for each change of what is in motion. */
function createLookupView(
  { name, key = '', end }: Lookup,
  columns: readonly string[],
  { say, errStyle }: Terminal,
  update: LiveText | undefined,
) {
  if (update) {
    return {
      show: (rows: readonly LookupRow[]) => {
        update.clear();
        update(rows.length > 0 ? tableText(rows, columns, errStyle) : `There is no ${name} yet.`);
      },
      done: () => update.clear(),
    };
  }
  const known = new Map<string, string>();
  return {
    show(rows: readonly LookupRow[]) {
      if (rows.length === 0 && known.size === 0) {
        known.set('', '');
        say(`There is no ${name} yet.`);
      }
      for (const row of rows) {
        const id = formatInputValue(row[key]);
        const state = end
          ? formatInputValue(row[end.field])
          : columns.map((field) => formatInputValue(row[field])).join(' ');
        if (known.get(id) === state) continue;
        known.set(id, state);
        say(`${[name, id].filter((word) => word !== '').join(' ')}: ${state}`);
      }
    },
    done: () => {},
  };
}
