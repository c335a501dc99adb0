import type { Row } from '../action/rows.ts';
import { type Diagnostic, Problems, problem } from '../model/diagnostic.ts';
import type { Desired, LookupSource } from '../model/resource.ts';
import {
  type Fields,
  holesIn,
  isHole,
  isLookupRef,
  isPlainObject,
  type LookupRef,
  type Value,
} from '../model/value.ts';
import { inside, mapTree } from '../model/walk.ts';

/** Reads the newest object that a declared lookup finds; undefined where there is none. */
export type LookUp = (declared: LookupSource) => Promise<Row | undefined>;

/**
 * Fills the holes of values with what their lookups find, each lookup read once. Members whose lookup may find nothing (`?`), and does,
 * are left out. Throws `Problems` for any other that finds nothing.
 */
export async function withLookups<V>(
  value: V,
  lookups: ReadonlyMap<string, LookupSource> | undefined,
  lookUp: LookUp,
): Promise<V> {
  const used = holesIn(value).filter(isLookupRef);
  if (used.length === 0 || !lookups) return value;
  const names = [...new Set(used.map(({ $lookup }) => $lookup))];
  const rows = new Map(
    await Promise.all(names.map(async (name) => [name, await lookUp(lookups.get(name)!)] as const)),
  );
  const wrong = used.flatMap((hole) => missing(hole, rows, lookups));
  // Each once, however often it is used.
  if (wrong.length > 0) throw new Problems([...new Map(wrong.map((one) => [one.message, one])).values()]);
  return filled(value, rows) as V;
}

/** Fills the fields of a configuration with what its lookups find. */
export async function withFoundFields(desired: Desired, lookUp: LookUp): Promise<Desired> {
  if (!desired.lookups?.size) return desired;
  const all = [...desired.resources];
  const using = all.filter(([, { fields }]) => holesIn(fields).some(isLookupRef));
  if (using.length === 0) return desired;
  const fields = await withLookups(
    using.map(([, resource]) => resource.fields),
    desired.lookups,
    lookUp,
  );
  const resources = new Map(desired.resources);
  for (const [at, [address, resource]] of using.entries())
    resources.set(address, { ...resource, fields: fields[at] as Fields });
  return { ...desired, resources };
}

function missing(
  { $lookup: name, attr, isOptional }: LookupRef,
  rows: ReadonlyMap<string, Row | undefined>,
  lookups: ReadonlyMap<string, LookupSource>,
): Diagnostic[] {
  const row = rows.get(name);
  if (isOptional || (row && row[attr] !== undefined)) return [];
  const { lookup, at } = lookups.get(name)!;
  const message = row
    ? `the ${lookup} that the lookup \`${name}\` finds has no \`${attr}\``
    : `the lookup \`${name}\` finds no ${lookup}`;
  return [
    problem('lookup/nothing', message, {
      at,
      hint: `\`\${lookup.${name}.${attr}?}\` omits the value instead`,
    }),
  ];
}

const filled = (value: unknown, rows: ReadonlyMap<string, Row | undefined>): unknown =>
  mapTree(withoutMissing(value, rows), (one) => {
    if (isLookupRef(one)) return rows.get(one.$lookup)![one.attr] as Value;
    if (isHole(one) && '$join' in one) return joined(one.$join.map((piece) => filled(piece, rows) as Value));
    return isHole(one) ? one : inside;
  });

/** A copy without the members and items that are left out. */
function withoutMissing(value: unknown, rows: ReadonlyMap<string, Row | undefined>): unknown {
  const isGone = (one: unknown) => isLookupRef(one) && rows.get(one.$lookup)?.[one.attr] === undefined;
  if (Array.isArray(value))
    return value.filter((one) => !isGone(one)).map((one) => withoutMissing(one, rows));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => !isGone(one))
      .map(([name, one]) => [name, withoutMissing(one, rows)]),
  );
}

const joined = (pieces: Value[]): Value =>
  pieces.some(isHole) ? { $join: pieces } : pieces.map(String).join('');
