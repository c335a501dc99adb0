import type { Input, Lookup } from '../kind/lookup.ts';
import type { ApiObject } from '../kind/read.ts';
import type { Pages, Request } from '../model/request.ts';
import { composeRequest } from './compose-request.ts';
import { memberOf, type Row, rowOf, type Standing } from './rows.ts';

/** Everything needed to read a lookup. */
export interface LookupGround {
  send(request: Request): Promise<unknown>;
  /** The query parameters that the catalog has for an endpoint. */
  queryOf(endpoint: string): readonly string[];
}

/** Objects as they are told. `isMore`: there are others that were not read or are left out. */
export interface Found {
  rows: Row[];
  /** As the platform answered them, beside the rows. */
  objects: ApiObject[];
  isMore: boolean;
}

export const hasGlob = (name: string): boolean => /[*?[{]/.test(name);

/** Makes a function that reads the objects of a lookup, each time anew. `input`: all of it, the name of one object too. */
export const lookupAt = (
  lookup: Lookup,
  input: Input,
  ids: ReadonlyMap<string, string>,
  ground: LookupGround,
) => {
  const { [lookup.key ?? '']: name, ...rest } = input;
  const read = readerOf(
    lookup,
    { name: name === undefined ? undefined : String(name), ids, input: rest },
    ground,
  );
  return (isWanted: (object: ApiObject) => boolean = () => true, limit = 1) => read(isWanted, limit);
};

type Read = (isWanted: (object: ApiObject) => boolean, limit: number) => Promise<Found>;

/** The same, with the name apart: it may be a glob. */
export function readerOf(
  lookup: Lookup,
  { name, ids, input }: { name: string | undefined; ids: ReadonlyMap<string, string>; input: Input },
  { send, queryOf }: LookupGround,
): Read {
  const { single: one, items, endpoint, item, name: what } = lookup;
  const told = (objects: ApiObject[], isMore = false): Found => ({
    objects,
    rows: objects.map((object) => rowOf(lookup, object)),
    isMore,
  });
  const query = queryOf(endpoint);
  if (one && name !== undefined && !hasGlob(name)) {
    const values = { ...input, id: name };
    const request = composeRequest(
      one.endpoint,
      { what, ids, input: values, query: queryOf(one.endpoint) },
      () => undefined,
    );
    return async () => {
      const answer = await send(request).catch(undefinedIfAbsent);
      const object = memberOf(answer, one.item) as ApiObject | null | undefined;
      if (!object) return told([]);
      // An answer that tells nothing of it is none.
      return told(Object.keys(rowOf(lookup, object)).length > 0 ? [object] : []);
    };
  }
  const request = composeRequest(endpoint, { what, ids, input, query });
  if (items === undefined)
    return async (isWanted) => {
      const object = memberOf(await send(request), item) as ApiObject | null | undefined;
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
  stand(seen: T): Standing;
  /** Called with what is seen, each time. */
  onSeen(seen: T): void;
  clock: { now(): number; sleep(milliseconds: number, stop?: AbortSignal): Promise<void> };
  stop: AbortSignal;
  /** The time limit, in milliseconds. */
  within: number;
}

/** Seconds between one look and the next; the last one repeats. */
const lookupPauses = [2, 3, 5, 5, 10];

/** Looks again and again until something came to rest, the time is over, or it is stopped. */
export async function follow<T>(options: LookupFollowOptions<T>): Promise<Standing | 'stopped'> {
  const { look, stand, onSeen, clock, stop, within } = options;
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
