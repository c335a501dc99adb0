/*
 * Gives the objects of a filled twin the identities of the account: their ids, and the times of their last writes.
 *
 * Objects of both sides have the same addresses. `src/compare/pair-addresses.ts` also pairs objects of two sides, but there the addresses
 * can differ and the ids do not matter.
 */
import { canonicalJson } from '../model/digest.ts';
import type { Live, LiveResource, LiveRow } from '../model/resource.ts';
import { revealed } from '../model/sealed.ts';

/** The identities of the account, by those that the twin has made for the same objects. */
export interface RealIdentities {
  ids: ReadonlyMap<string, string>;
  /** Times of last writes, in milliseconds. The twin gives each time to one object only, so a time identifies it. */
  times: ReadonlyMap<number, number>;
}

/**
 * Returns the real ids and times of the objects of a filled twin (the simulated account of a rehearsal), by those that the twin has made.
 * The plan and the ledger name objects by the real ones. `live`: the account. `filled`: the same objects as the twin shows them.
 */
export function findRealIdentities(live: Live, filled: Live): RealIdentities {
  const ids = new Map<string, string>();
  const times = new Map<number, number>();
  for (const [address, twinObject] of filled.resources) {
    const realObject = live.resources.get(address);
    if (!realObject) continue;
    for (const [twinId, realId] of pairIds(twinObject, realObject))
      if (twinId !== realId) ids.set(twinId, realId);
    if (twinObject.updatedAt !== undefined && realObject.updatedAt !== undefined)
      times.set(twinObject.updatedAt, realObject.updatedAt);
  }
  return { ids, times };
}

/** An id in the twin, and that of the same object or row in the account. */
type IdPair = readonly [twinId: string, realId: string];

/** Returns the pairs of ids of one object. An object can have several ids if it consists of several rows of the platform. */
const pairIds = (twinObject: LiveResource, realObject: LiveResource): IdPair[] =>
  twinObject.rows && realObject.rows
    ? pairRows(twinObject.rows, realObject.rows)
    : twinObject.ids.map((id, index) => [id, realObject.ids[index] ?? id]);

/**
 * Returns the pairs of ids of an object's rows (entries of a list of the platform) in the twin (the simulated account of a rehearsal) and
 * in the account: first rows with equal fields, then the others in their order. The twin then gets the ids of the account.
 */
function pairRows(twinRows: readonly LiveRow[], realRows: readonly LiveRow[]): IdPair[] {
  const fieldsTextOf = ({ fields }: LiveRow) => canonicalJson(revealed(fields));
  const unpairedRows = [...realRows];
  const takeRow = (isWanted: (row: LiveRow) => boolean): LiveRow | undefined => {
    const index = unpairedRows.findIndex(isWanted);
    return index < 0 ? undefined : unpairedRows.splice(index, 1)[0];
  };
  const equalRows = twinRows.map((twinRow) => {
    const fieldsText = fieldsTextOf(twinRow);
    return takeRow((row) => fieldsTextOf(row) === fieldsText);
  });
  // Only after all equal rows are taken.
  return twinRows.map(({ id }, index) => [id, (equalRows[index] ?? takeRow(() => true))?.id ?? id]);
}

/**
 * Returns the account of a twin (the simulated account of a rehearsal) with the real ids and times in all places, also as names of members.
 * The account is plain data in the twin's own format, which this function does not know. It need not: the twin's ids are random, so a text
 * that equals an id is that id. A number that equals a time of the twin, in milliseconds, is taken for that time.
 */
export function withRealIdentities(account: object, { ids, times }: RealIdentities): object {
  const replace = (value: unknown): unknown => {
    if (typeof value === 'string') return ids.get(value) ?? value;
    if (typeof value === 'number') return times.get(value) ?? value;
    if (Array.isArray(value)) return value.map(replace);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [ids.get(name) ?? name, replace(member)]),
    );
  };
  return replace(account) as object;
}
