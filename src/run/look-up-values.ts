import type { Row } from '../action/rows.ts';
import type { FieldSchemas, Kinds } from '../kind/kind.ts';
import { type Diagnostic, Problems, problem } from '../model/diagnostic.ts';
import type { Desired, LookupSource, Resource } from '../model/resource.ts';
import {
  type Fields,
  holdsSecret,
  holesIn,
  isJoin,
  isLookupRef,
  isPlainObject,
  joinPieces,
  type LookupRef,
  mapHoles,
  type Value,
} from '../model/value.ts';
import { mapMembers } from '../model/walk.ts';
import { addressOfWhole } from '../model/wholes.ts';

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
  return filled(value, await rowsOf(used, lookups, lookUp)) as V;
}

type Rows = ReadonlyMap<string, Row | undefined>;

/** What the lookups of these holes find. Throws `Problems` where it is less than they need. */
async function rowsOf(
  used: readonly LookupRef[],
  lookups: ReadonlyMap<string, LookupSource>,
  lookUp: LookUp,
): Promise<Rows> {
  const names = [...new Set(used.map(({ $lookup }) => $lookup))];
  const rows = new Map(
    await Promise.all(
      names.map(async (name) => {
        const declared = lookups.get(name)!;
        return [name, await lookUp(declared).catch(sayWhere(name, declared))] as const;
      }),
    ),
  );
  const wrong = used.flatMap((hole) => missing(hole, rows, lookups));
  if (wrong.length > 0) throw new Problems(eachOnce(wrong));
  return rows;
}

/** Names the lookup that could not be read, and its place. */
const sayWhere =
  (name: string, { at }: LookupSource) =>
  (error: unknown) => {
    if (!(error instanceof Problems)) throw refusedBy(error, name, at);
    throw new Problems(
      error.diagnostics.map((diagnostic) => ({
        ...{ at, ...diagnostic, message: `the lookup \`${name}\`: ${diagnostic.message}` },
        ...(diagnostic.code === 'api/resource'
          ? {
              hint: `${diagnostic.hint ? `${diagnostic.hint} ` : ''}(lookups read the account before anything is created: if this configuration creates it, apply that first, without the lookup)`,
            }
          : {}),
      })),
    );
  };

/** What the platform refuses to tell, as a problem of its lookup. Anything else may pass, or is no matter of one lookup. */
function refusedBy(error: unknown, name: string, position: LookupSource['at']): unknown {
  const { status, message, hint } = error as { status?: number; message?: string; hint?: string };
  if (status === undefined || ![400, 403, 404, 410, 422].includes(status)) return error;
  return new Problems([
    problem('lookup/refused', `the lookup \`${name}\`: ${message}`, {
      at: position,
      hint: hint ?? 'check the names and ids that it is given',
    }),
  ]);
}

/** However often a lookup is used, and however many units one entry makes. */
const eachOnce = (diagnostics: readonly Diagnostic[]): Diagnostic[] => [
  ...new Map(diagnostics.map((diagnostic) => [diagnostic.message, diagnostic])).values(),
];

/** Fills the fields of a configuration with what its lookups find. Throws `Problems` where a field does not take it. */
export async function withFoundFields(desired: Desired, lookUp: LookUp, kinds: Kinds): Promise<Desired> {
  if (!desired.lookups?.size) return desired;
  const all = [...desired.resources];
  const using = all.filter(([, { fields }]) => holesIn(fields).some(isLookupRef));
  if (using.length === 0) return desired;
  const used = using.flatMap(([, { fields }]) => holesIn(fields).filter(isLookupRef));
  const rows = await rowsOf(used, desired.lookups, lookUp);
  const resources = new Map(desired.resources);
  const wrong: Diagnostic[] = [];
  for (const [address, resource] of using) {
    const fields = withoutMissing(resource.fields, rows) as Fields;
    for (const [name, value] of Object.entries(fields)) {
      if (!holesIn(value).some(isLookupRef)) continue;
      const fit = fitting(value, rows, kinds.get(resource.kind)!.fields[name]!);
      if ('value' in fit) fields[name] = fit.value;
      else wrong.push(misfit(resource, name, fit.why));
    }
    resources.set(address, { ...resource, fields });
  }
  if (wrong.length > 0) throw new Problems(eachOnce(wrong));
  return { ...desired, resources };
}

/** A field with what is found, as its schema takes it: text, where that is all that it takes. With an open place in it, the platform checks. */
function fitting(value: Value, rows: Rows, schema: FieldSchemas[string]): { value: Value } | { why: string } {
  const [found, text] = [filled(value, rows) as Value, asText(value, rows)];
  const isOpen = holesIn(found).length > 0 || holdsSecret(found);
  const checked = [found, text].map((value) => ({
    one: value,
    ...schema.safeParse(mapHoles(value, () => 'id')),
  }));
  const fit = checked.find(({ success }) => success);
  if (fit) return { value: isOpen ? fit.one : (fit.data as Value) };
  if (isOpen) return { value: text };
  if (typeof found === 'object') return { why: Array.isArray(found) ? 'it is a list' : 'it is a map' };
  return { why: checked[1]!.error!.issues[0]!.message };
}

/** Filled with what is found; where that is a number, or true or false, with its text. */
const asText = (value: Value, rows: Rows): Value =>
  filled(
    value,
    new Map(
      [...rows].map(([name, row]) => [
        name,
        row && mapMembers(row, (one) => (/^(number|boolean)$/.test(typeof one) ? String(one) : one)),
      ]),
    ),
  ) as Value;

const misfit = ({ address, fields, at }: Resource, name: string, why: string): Diagnostic => {
  const { $lookup, attr } = holesIn(fields[name]).find(isLookupRef)!;
  return problem(
    'lookup/value',
    `${addressOfWhole(address)}: \`${name}\` cannot be what \`\${lookup.${$lookup}.${attr}}\` finds: ${why.charAt(0).toLowerCase()}${why.slice(1)}`,
    { address, at, hint: 'use another field of the lookup, or write the value' },
  );
};

function missing(
  { $lookup: name, attr, isOptional }: LookupRef,
  rows: Rows,
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

const filled = (value: unknown, rows: Rows): unknown =>
  mapHoles(withoutMissing(value, rows), (hole) => {
    if (isLookupRef(hole)) return rows.get(hole.$lookup)![hole.attr];
    return isJoin(hole) ? joinPieces(hole.$join.map((value) => filled(value, rows) as Value)) : hole;
  });

/** A copy without the members and items that are left out. */
function withoutMissing(value: unknown, rows: Rows): unknown {
  const isGone = (value: unknown) =>
    isLookupRef(value) && rows.get(value.$lookup)?.[value.attr] === undefined;
  if (Array.isArray(value))
    return value.filter((one) => !isGone(one)).map((one) => withoutMissing(one, rows));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => !isGone(one))
      .map(([name, one]) => [name, withoutMissing(one, rows)]),
  );
}
