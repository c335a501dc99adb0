import type { Input, Lookup } from '../kind/lookup.ts';
import type { ApiObject } from '../kind/read.ts';
import type { Pages, Request } from '../model/request.ts';
import { composeRequest } from './compose-request.ts';
import { type LookupRow, memberAtPath, type Progress, toLookupRow } from './lookup-rows.ts';

/** Everything needed to read a lookup. */
export interface LookupContext {
  send(request: Request): Promise<unknown>;
  /** The query parameters that the catalog has for an endpoint. */
  queryOf(endpoint: string): readonly string[];
}

/** Objects as they are told. `isMore`: there are others that were not read or are left out. */
export interface LookupResult {
  rows: LookupRow[];
  /** As the platform answered them, beside the rows. */
  objects: ApiObject[];
  isMore: boolean;
}

export const hasGlob = (name: string): boolean => /[*?[{]/.test(name);

/** Makes a function that reads the objects of a lookup, each time anew. `input`: all of it, the name of one object too. */
export const createRepeatedLookup = (
  lookup: Lookup,
  input: Input,
  ids: ReadonlyMap<string, string>,
  ground: LookupContext,
) => {
  const { [lookup.key ?? '']: name, ...rest } = input;
  const read = createObjectReader(
    lookup,
    { name: name === undefined ? undefined : String(name), ids, input: rest },
    ground,
  );
  return (isWanted: (object: ApiObject) => boolean = () => true, limit = 1) => read(isWanted, limit);
};

type Read = (isWanted: (object: ApiObject) => boolean, limit: number) => Promise<LookupResult>;

/** The same, with the name apart: it may be a glob. */
export function createObjectReader(
  lookup: Lookup,
  { name, ids, input }: { name: string | undefined; ids: ReadonlyMap<string, string>; input: Input },
  { send, queryOf }: LookupContext,
): Read {
  const { single: one, items, endpoint, item, name: what } = lookup;
  const told = (objects: ApiObject[], isMore = false): LookupResult => ({
    objects,
    rows: objects.map((object) => toLookupRow(lookup, object)),
    isMore,
  });
  const query = queryOf(endpoint);
  if (one && name !== undefined && !hasGlob(name)) {
    const values = { ...input, id: name };
    const request = composeRequest(
      one.endpoint,
      { name: what, ids, input: values, query: queryOf(one.endpoint) },
      () => undefined,
    );
    return async () => {
      const answer = await send(request).catch(undefinedIfAbsent);
      const object = memberAtPath(answer, one.item) as ApiObject | null | undefined;
      if (!object) return told([]);
      // An answer that tells nothing of it is none.
      return told(Object.keys(toLookupRow(lookup, object)).length > 0 ? [object] : []);
    };
  }
  const request = composeRequest(endpoint, { name: what, ids, input, query });
  if (items === undefined)
    return async (isWanted) => {
      const object = memberAtPath(await send(request), item) as ApiObject | null | undefined;
      return told(object && isWanted(object) ? [object] : []);
    };
  return async (isWanted, limit) => {
    let pages = (await send({ ...request, items, pages: true })) as Pages;
    let objects = (pages.items() as ApiObject[]).filter(isWanted);
    while (objects.length < limit && pages.readNext) {
      pages = await pages.readNext();
      objects = (pages.items() as ApiObject[]).filter(isWanted);
    }
    return told(objects.slice(0, limit), objects.length > limit || pages.readNext !== undefined);
  };
}

/** A missing object does not make a look fail. */
function undefinedIfAbsent(error: unknown): undefined {
  if ((error as { status?: number }).status === 404) return undefined;
  throw error;
}

interface LookupFollowOptions<T> {
  /** Looks once more. */
  look(): Promise<T>;
  /** Judges the rows that were seen. */
  progressOf(seen: T): Progress;
  /** Called with what is seen, each time. */
  onSeen(seen: T): void;
  clock: { now(): number; sleep(milliseconds: number, stop?: AbortSignal): Promise<void> };
  stop: AbortSignal;
  /** The time limit, in milliseconds. */
  timeout: number;
}

/** Seconds between one look and the next; the last one repeats. */
const lookupPauses = [2, 3, 5, 5, 10];

/** Looks again and again until something came to rest, the time is over, or it is stopped. */
export async function pollUntilSettled<T>(options: LookupFollowOptions<T>): Promise<Progress | 'stopped'> {
  const { look, progressOf: stand, onSeen, clock, stop, timeout: within } = options;
  const end = clock.now() + within;
  for (let turn = 0; ; turn++) {
    const seen = await look();
    if (stop.aborted) return 'stopped';
    onSeen(seen);
    const standing = stand(seen);
    if (standing !== 'under way') return standing;
    const left = end - clock.now();
    if (left <= 0) return 'under way';
    // It rejects where it is called off.
    await clock
      .sleep(Math.min((lookupPauses[turn] ?? lookupPauses.at(-1)!) * 1000, left), stop)
      .catch(() => {});
    if (stop.aborted) return 'stopped';
  }
}
