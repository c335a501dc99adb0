import type * as z from 'zod';
import type { FieldSchemas } from '../kind/kind.ts';
import type { Input, Lookup } from '../kind/lookup.ts';
import type { ApiObject } from '../kind/read.ts';
import { traitsOf } from '../kind/traits.ts';
import type { Pages, Request } from '../model/request.ts';
import { Sealed } from '../model/sealed.ts';
import { memberAtPath } from '../model/value.ts';
import { type LoopControl, pauseBeforeTurn, whenAborted } from '../model/wait.ts';
import { composeRequest } from './compose-request.ts';

/** The connection that a lookup is read with. */
export interface LookupContext {
  send(request: Request): Promise<unknown>;
  /** Returns the query parameters that the catalog of the API has for an endpoint. */
  queryOf(endpoint: string): readonly string[];
}

/** The objects that a lookup found. */
export interface LookupResult {
  rows: LookupRow[];
  /** The same objects as the platform returned them. */
  objects: ApiObject[];
  /** True if there may be more objects: further pages were not read, or some objects are above the limit. */
  isMore: boolean;
}

/** Reads the objects of a lookup that satisfy `isWanted`, at most `limit` of them. */
type ReadObjects = (isWanted: (object: ApiObject) => boolean, limit: number) => Promise<LookupResult>;

/** True if a name is a glob, so that it can mean several objects. */
export const hasGlob = (name: string): boolean => /[*?[{]/.test(name);

/** True if a lookup has a request for the object with this name alone, so that it does not read the list. */
export const isReadByName = ({ single }: Lookup, name: string | undefined): name is string =>
  single !== undefined && name !== undefined && !hasGlob(name);

/**
 * Returns a reader of a lookup (a read-only question, such as `deployments`) with this input. Each call reads again, for example until an
 * action is done, or to find out if an action without an answer was done. By default it reads the first object. To read one object,
 * `input` has its name under the lookup's `key`.
 */
export const createRepeatedLookup = (
  lookup: Lookup,
  input: Input,
  ids: ReadonlyMap<string, string>,
  context: LookupContext,
) => {
  // Without a `key`, there is no name.
  const { [lookup.key ?? '']: name, ...otherInput } = input;
  const read = createObjectReader(
    lookup,
    { name: name === undefined ? undefined : String(name), ids, input: otherInput },
    context,
  );
  return (isWanted: (object: ApiObject) => boolean = () => true, limit = 1) => read(isWanted, limit);
};

/**
 * Returns a reader of the objects that a lookup (a read-only question, such as `deployment`) finds, for
 * `trueup get`, `trueup wait` and the wait for an action. It has one of three forms: it reads the object with
 * a name, the only object of the answer, or a list page by page until `limit` objects are found. Throws
 * `Problems` if the endpoint needs an id that is missing.
 * @param selection.name the name of one object; a glob reads the whole list
 * @param selection.ids the ids of the object that the lookup is about and of its parents, by kind
 */
export function createObjectReader(
  lookup: Lookup,
  { name, ids, input }: { name: string | undefined; ids: ReadonlyMap<string, string>; input: Input },
  { send, queryOf }: LookupContext,
): ReadObjects {
  const { single, items, endpoint } = lookup;
  const compose = (source: typeof endpoint, sourceInput: Input, body?: () => unknown) =>
    composeRequest(source, { name: lookup.name, ids, input: sourceInput, query: queryOf(source) }, body);
  if (single && isReadByName(lookup, name)) {
    const request = compose(single.endpoint, { ...input, id: name }, () => undefined);
    return createNamedObjectReader(lookup, single.item, request, send);
  }
  const request = compose(endpoint, input);
  return items === undefined
    ? createOnlyObjectReader(lookup, request, send)
    : createListReader(lookup, { ...request, items, pages: true }, send);
}

/**
 * Returns the result of a lookup with its objects as rows, as `trueup get` prints them. `isMore`: true if the platform may have more of
 * them.
 */
const toLookupResult = (lookup: Lookup, objects: ApiObject[], isMore = false): LookupResult => ({
  objects,
  rows: objects.map((object) => toLookupRow(lookup, object)),
  isMore,
});

/**
 * Returns a reader of the object that an endpoint returns for a name, for `trueup get NAME`. `item`: the member of the answer that contains
 * it.
 */
const createNamedObjectReader =
  (lookup: Lookup, item: string | undefined, request: Request, send: LookupContext['send']): ReadObjects =>
  async (isWanted) => {
    const answer = await send(request).catch(undefinedIfAbsent);
    const object = memberAtPath(answer, item) as ApiObject | null | undefined;
    // An answer without any of the declared fields does not describe an object.
    const isFound = object && Object.keys(toLookupRow(lookup, object)).length > 0;
    return toLookupResult(lookup, isFound && isWanted(object) ? [object] : []);
  };

/**
 * Returns a reader for a lookup (a read-only question of `trueup get`) whose answer is one object, such as
 * the rolling release of a project, and not a list.
 */
const createOnlyObjectReader =
  (lookup: Lookup, request: Request, send: LookupContext['send']): ReadObjects =>
  async (isWanted) => {
    const object = memberAtPath(await send(request), lookup.item) as ApiObject | null | undefined;
    return toLookupResult(lookup, object && isWanted(object) ? [object] : []);
  };

/**
 * Returns a reader for a lookup (a read-only question of `trueup get`) whose answer is a list. It reads page
 * by page until it has enough wanted objects, because a list can be long.
 */
const createListReader =
  (lookup: Lookup, request: Request, send: LookupContext['send']): ReadObjects =>
  async (isWanted, limit) => {
    let pages = (await send(request)) as Pages;
    // `items` returns the objects of all pages that were read so far.
    let objects = (pages.items() as ApiObject[]).filter(isWanted);
    while (objects.length < limit && pages.readNext) {
      pages = await pages.readNext();
      objects = (pages.items() as ApiObject[]).filter(isWanted);
    }
    const isMore = objects.length > limit || pages.readNext !== undefined;
    return toLookupResult(lookup, objects.slice(0, limit), isMore);
  };

/**
 * Returns undefined for the error that an object does not exist (404), since `trueup get` and `wait` then have an empty result, and throws
 * any other error again.
 */
function undefinedIfAbsent(error: unknown): undefined {
  if ((error as { status?: number }).status === 404) return undefined;
  throw error;
}

interface PollOptions<T> extends LoopControl {
  /** Reads the state once. */
  look(): Promise<T>;
  /** Tells from a state whether the work is done. */
  progressOf(seen: T): Progress;
  /** Called with each state, before it is judged. */
  onSeen(seen: T): void;
  /** The time limit, in milliseconds. 0: the state is read once. */
  timeout: number;
}

/** The seconds between two reads; the last value repeats. */
const pauses = [2, 3, 5, 5, 10];

/**
 * Reads a state again and again until the work is done, the time is over or it is stopped. Used to wait for the end of an action or a
 * lookup, such as a deployment. Returns `under way` if the time is over, and `stopped` as soon as it is stopped, even if a reading hangs.
 */
export const pollUntilSettled = async <T>(options: PollOptions<T>): Promise<Progress | 'stopped'> =>
  (await Promise.race([pollInTurns(options), whenAborted(options.stop)])) ?? 'stopped';

/**
 * Reads a state again and again, with pauses, until it is settled or the time is over, and returns the last
 * progress. Used by `pollUntilSettled`, which also returns early if a reading hangs, because a stop is
 * noticed here only between two readings.
 */
async function pollInTurns<T>(options: PollOptions<T>): Promise<Progress | 'stopped'> {
  const { look, progressOf, onSeen, clock, stop, timeout } = options;
  const end = clock.now() + timeout;
  for (let turn = 0; ; turn++) {
    const state = await look();
    if (stop.aborted) return 'stopped';
    onSeen(state);
    const progress = progressOf(state);
    if (progress !== 'under way') return progress;
    if (clock.now() >= end) return 'under way';
    await pauseBeforeTurn(turn, pauses, end, { clock, stop });
    if (stop.aborted) return 'stopped';
  }
}

/** The declared fields of an object that a lookup found, in printable form; secrets are sealed. */
export type LookupRow = Input;

/**
 * Returns the declared fields of an object in an answer, in the order of their declaration, as the row that `trueup get` or `trueup run`
 * prints. Undeclared fields are never printed. Secrets are sealed, and times become ISO texts.
 */
export function openFields(object: Input, output: FieldSchemas): LookupRow {
  return Object.fromEntries(
    Object.entries(output).flatMap(([name, schema]) => {
      const value = object[name];
      if (value === undefined || value === null) return [];
      if (traitsOf(schema).secret === true) return [[name, new Sealed(formatCell(value))]];
      return [[name, isTime(schema) && typeof value === 'number' ? new Date(value).toISOString() : value]];
    }),
  );
}

/** True for a field of a `trueup get` row that is a time. The platform returns times in milliseconds or as text. */
const isTime = (schema: z.ZodType): boolean => (schema.def as { format?: string }).format === 'datetime';

/** Returns a value as text: JSON unless it is a text. */
const formatCell = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Returns the row that `trueup get` and `trueup wait` show for an object that a lookup found, with the fields that the lookup declares. */
export const toLookupRow = (
  { decode, output }: Pick<Lookup, 'decode' | 'output'>,
  object: ApiObject,
): LookupRow => openFields(decode ? decode(object) : object, output);

/** The progress of work that takes time: it reached the wanted state, ended in another one (for example failed), or is still under way. */
export type Progress = 'reached' | 'ended' | 'under way';

/**
 * Tells from a row (an object that a lookup found, such as a deployment) whether the work that it shows is
 * done, so that `wait` and `apply` stop waiting. `reached`: all `wishes` are fulfilled, or without wishes,
 * the row is in a good end state of its lookup. `ended`: it is in another end state and will never get there.
 * @param wishes fields and the values that they have to get, from `--for field=value`
 */
export function progressOf(
  row: LookupRow,
  { end }: Pick<Lookup, 'end'>,
  wishes: readonly (readonly [string, string])[] = [],
): Progress {
  const state = end && String(row[end.field] ?? '');
  if (wishes.length > 0) {
    if (wishes.every(([name, value]) => formatInputValue(row[name]) === value)) return 'reached';
    return end && [...end.reached, ...end.ended].includes(state!) ? 'ended' : 'under way';
  }
  if (end?.reached.includes(state!)) return 'reached';
  return end?.ended.includes(state!) ? 'ended' : 'under way';
}

/**
 * Formats a value of a row (an object that a lookup found) as a user writes it in `name=value`, so that it
 * can be compared with the words of `--where` and `--for`, or with a name: texts as they are, objects as
 * JSON.
 */
export function formatInputValue(value: unknown): string {
  if (value === undefined) return '';
  const isObject = typeof value === 'object' && !(value instanceof Sealed);
  return isObject ? JSON.stringify(value) : String(value);
}
