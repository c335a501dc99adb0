import { canonicalJson } from '../model/digest.ts';
import type { Live, LiveResource, LiveRow } from '../model/resource.ts';
import { revealed } from '../model/sealed.ts';

/** The ids and times of the twin's objects, with those of the same objects in the account. */
export interface RealIdentities {
  ids: ReadonlyMap<string, string>;
  /** Times of last writes, in milliseconds. The twin hands out each time once. */
  times: ReadonlyMap<number, number>;
}

/**
 * Pairs the ids and times of a filled twin with those of the account, by the addresses of the objects. If an object consists of several rows, rows with
 * equal fields are pairs, and the rest follows in order.
 */
export function findRealIdentities(live: Live, filled: Live): RealIdentities {
  const ids = new Map<string, string>();
  const times = new Map<number, number>();
  for (const [address, made] of filled.resources) {
    const real = live.resources.get(address);
    if (!real) continue;
    for (const [madeId, realId] of pairIds(made, real)) if (madeId !== realId) ids.set(madeId, realId);
    if (made.updatedAt !== undefined && real.updatedAt !== undefined)
      times.set(made.updatedAt, real.updatedAt);
  }
  return { ids, times };
}

/** Returns pairs of ids of one object in the twin and in the account. */
function pairIds(made: LiveResource, real: LiveResource): (readonly [string, string])[] {
  if (!made.rows || !real.rows) return made.ids.map((id, index) => [id, real.ids[index] ?? id] as const);
  const formOf = ({ fields }: LiveRow) => canonicalJson(revealed(fields));
  const realRows = [...real.rows];
  const takeRow = (matches: (row: LiveRow) => boolean) => {
    const index = realRows.findIndex(matches);
    return index < 0 ? undefined : realRows.splice(index, 1)[0];
  };
  const equalRows = made.rows.map((row) => {
    const form = formOf(row);
    return [row, takeRow((other) => formOf(other) === form)] as const;
  });
  return equalRows.map(
    ([row, equalRow]) => [row.id, (equalRow ?? takeRow(() => true))?.id ?? row.id] as const,
  );
}

/**
 * Returns the account of a twin with the real ids and times in all places, also as names of members. The account is plain data in the twin's own format,
 * which this function does not know: a text that equals an id is that id, because the twin's ids are random.
 */
export function withRealIdentities(account: object, { ids, times }: RealIdentities): object {
  const replace = (value: unknown): unknown => {
    if (typeof value === 'string') return ids.get(value) ?? value;
    if (typeof value === 'number') return times.get(value) ?? value;
    if (Array.isArray(value)) return value.map(replace);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [ids.get(name) ?? name, replace(item)]),
    );
  };
  return replace(account) as object;
}
