import { type Found, follow, hasGlob, type LookupGround, readerOf } from '../action/read-lookup.ts';
import { type Row, rowOf, type Standing, shownText } from '../action/rows.ts';
import { typedInput } from '../action/typed-input.ts';
import { hintFor, quoted } from '../config/suggest.ts';
import type { Input, Lookup } from '../kind/lookup.ts';
import { matcherOf } from '../model/address-glob.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { tableText } from '../report/rows-text.ts';
import { type LiveText, liveText } from './live-text.ts';
import { aboutOf, queryOf, type Reading } from './open-reading.ts';
import type { Terminal } from './terminal.ts';

/** Which objects of a lookup are asked for. */
interface Wanted {
  /** A name, or a glob over names: the lookup's `key`. */
  name?: string | undefined;
  /** The address of what it is about. */
  of?: string | undefined;
  /** Names and values: what is asked of the platform, or what the objects have to have. */
  where: readonly (readonly [string, string])[];
  /** So many at most. */
  limit: number;
}

/** The surroundings of an account's lookups and actions. */
export const lookupGround = ({
  connection,
  operations,
}: Pick<Reading, 'connection' | 'operations'>): LookupGround => ({
  send: connection.send,
  queryOf: (endpoint) => queryOf(endpoint, operations),
});

/** Makes a function that reads what is wanted of a lookup, each time anew. Throws `Problems` for what it does not know. */
export async function lookupReader(
  lookup: Lookup,
  wanted: Wanted,
  reading: Pick<Reading, 'around' | 'connection' | 'operations'>,
): Promise<() => Promise<Found>> {
  const { around } = reading;
  const { about, asked, conditions } = sorted(lookup, wanted);
  const input = typedInput(asked, lookup.input, { what: lookup.name, flag: '--where' });
  const ids =
    about === undefined ? new Map<string, string>() : (await aboutOf(about, lookup.on!, around)).ids;
  refuseWithoutAbout(lookup, ids, input);
  const { name } = wanted;
  const read = readerOf(lookup, { name, ids, input }, lookupGround(reading));
  const isNamed = name === undefined || !lookup.key ? () => true : nameTest(name, lookup.key);
  const isWanted = (row: Row) =>
    isNamed(row) && conditions.every(([field, value]) => shownText(row[field]) === value);
  return () => read((object) => isWanted(rowOf(lookup, object)), wanted.limit);
}

function nameTest(name: string, key: string): (row: Row) => boolean {
  const test = hasGlob(name) ? matcherOf([name]) : (text: string) => text === name;
  return (row) => test(shownText(row[key]));
}

/** Sorts the words of `--where`: the object, the inputs for the platform, and the conditions on an object. */
function sorted({ name, on, input, output }: Lookup, { of, where }: Wanted) {
  const about = of ?? where.find(([field]) => field === on)?.[1];
  const others = where.filter(([field]) => field !== on);
  const isAsked = ([field]: readonly [string, string]) => Object.hasOwn(input, field.split('.')[0]!);
  const conditions = others.filter((one) => !isAsked(one));
  if (of !== undefined && on === undefined)
    throw new Problems('asked/about', `${name} is about the account and takes no --of`);
  refuseUnknown(
    conditions.map(([field]) => field),
    Object.keys(output),
    {
      what: name,
      known: [...(on === undefined ? [] : [on]), ...Object.keys(input), ...Object.keys(output)],
    },
  );
  return { about, asked: others.filter(isAsked), conditions };
}

/** Fields that a lookup does not tell. Throws `Problems`. */
export function refuseUnknown(
  names: readonly string[],
  fields: readonly string[],
  { what, known = [...fields] }: { what: string; known?: string[] },
): void {
  const wrong = names.filter((name) => !fields.includes(name));
  if (wrong.length === 0) return;
  throw new Problems(
    wrong.map((name) =>
      problem('asked/unknown', `${what} has no ${quoted(name)}`, { hint: hintFor(name, known, 'it has') }),
    ),
  );
}

function refuseWithoutAbout(
  { name, on, endpoint }: Lookup,
  ids: ReadonlyMap<string, string>,
  input: Input,
): void {
  const path = endpoint.split('?')[0]!;
  const missing = [...path.matchAll(/\{(\w+)\}/g)]
    .map(([, of]) => of!)
    .filter((of) => of !== 'teamId' && !ids.has(of) && input[of] === undefined);
  if (missing.length === 0) return;
  throw new Problems('asked/missing', `${name} needs to know which ${on ?? missing[0]}`, {
    hint: on === undefined ? `name it: --where ${missing[0]}=VALUE` : 'name it: --of ADDRESS',
  });
}

interface FollowOptions {
  terminal: Terminal;
  /** The fields of the live view. */
  columns: readonly string[];
  /** Milliseconds. */
  within: number;
  stand(rows: readonly Row[]): Standing;
}

/** Looks at what is in motion until it rests, and shows each change; Ctrl-C ends that. What was seen last, and how it stands. */
export async function followLookup(
  lookup: Lookup,
  look: () => Promise<Found>,
  { terminal, columns, within, stand }: FollowOptions,
): Promise<Found & { standing: Standing | 'stopped' }> {
  const { host } = terminal.run;
  const stop = new AbortController();
  const stopListening = host.onSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], () => stop.abort());
  const view = viewOf(lookup, columns, terminal, await liveText(terminal));
  let last: Found = { rows: [], objects: [], isMore: false };
  try {
    const stopped = new Promise<'stopped'>((done) =>
      stop.signal.addEventListener('abort', () => done('stopped')),
    );
    // A look that hangs is not waited for.
    const standing = await Promise.race([
      stopped,
      follow({
        look,
        stand: ({ rows }) => stand(rows),
        onSeen: (seen) => {
          last = seen;
          view.show(seen.rows);
        },
        clock: host.clock,
        stop: stop.signal,
        within,
      }),
    ]);
    return { ...last, standing };
  } finally {
    view.done();
    stopListening();
  }
}

/** A table that is redrawn on a terminal; elsewhere a line for each change of what is in motion. */
function viewOf(
  { name, key = '', end }: Lookup,
  columns: readonly string[],
  { err, errStyle }: Terminal,
  update: LiveText | undefined,
) {
  if (update) {
    return {
      show: (rows: readonly Row[]) => {
        update.clear();
        update(rows.length > 0 ? tableText(rows, columns, errStyle) : `There is no ${name} yet.`);
      },
      done: () => update.clear(),
    };
  }
  const known = new Map<string, string>();
  return {
    show(rows: readonly Row[]) {
      if (rows.length === 0 && known.size === 0) {
        known.set('', '');
        err(`There is no ${name} yet.`);
      }
      for (const row of rows) {
        const id = shownText(row[key]);
        const state = end
          ? shownText(row[end.field])
          : columns.map((field) => shownText(row[field])).join(' ');
        if (known.get(id) === state) continue;
        known.set(id, state);
        err(`${[name, id].filter((word) => word !== '').join(' ')}: ${state}`);
      }
    },
    done: () => {},
  };
}
