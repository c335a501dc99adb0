/*
 * Fills `${lookup.NAME.FIELD}` in configurations and action inputs with values of existing objects of the account.
 *
 * Terms
 * - lookup: a declaration of the configuration that names objects of the account by a query. It finds the newest match.
 * - row: the object that a lookup finds, as a map of its fields.
 * - lookup hole: the place in a value that one field of a row fills. A hole with `?` is optional: without a row, its member is left out.
 */
import type { LookupRow } from '../action/read-lookup.ts';
import type { FieldSchemas, Kind, Kinds } from '../kind/kind.ts';
import { type Diagnostic, Problems, problem, raise, raiseErrors } from '../model/diagnostic.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
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

/** Reads the newest object that a declared lookup finds; undefined if there is none. */
export type LookUp = (declared: LookupSource) => Promise<LookupRow | undefined>;

/**
 * Returns a value with its lookup holes (`${lookup.NAME.FIELD}`) filled from the account, and without the members of optional holes (`?`)
 * whose lookup finds nothing. Each lookup is read once. Used for the input of actions. Throws like `readLookupRows`.
 */
export async function withLookups<V>(
  value: V,
  lookups: ReadonlyMap<string, LookupSource> | undefined,
  lookUp: LookUp,
): Promise<V> {
  const holes = holesIn(value).filter(isLookupRef);
  if (holes.length === 0 || !lookups) return value;
  return fillLookups(value, await readLookupRows(holes, lookups, lookUp)) as V;
}

/** The rows by the name of their lookup; undefined for a lookup that finds nothing. */
type Rows = ReadonlyMap<string, LookupRow | undefined>;

/**
 * Reads the object that the lookup of each of these holes (`${lookup.NAME.FIELD}`) finds, once per lookup. Used before filling the holes.
 * Throws `Problems` if a lookup is refused, or if a hole that is not optional (`?`) finds no value, and any other error of a read as it
 * is.
 */
async function readLookupRows(
  holes: readonly LookupRef[],
  lookups: ReadonlyMap<string, LookupSource>,
  lookUp: LookUp,
): Promise<Rows> {
  const names = [...new Set(holes.map(({ $lookup }) => $lookup))];
  const rows = new Map(
    await Promise.all(
      names.map(async (name) => {
        const declared = lookups.get(name)!;
        return [name, await lookUp(declared).catch(throwForLookup(name, declared))] as const;
      }),
    ),
  );
  const missingValues = holes.flatMap((hole) => checkFound(hole, rows, lookups));
  raiseErrors(uniqueByMessage(missingValues));
  return rows;
}

/**
 * Returns a handler that throws the error of a failed lookup (`${lookup.NAME.FIELD}`) again, with the name and the position of the lookup.
 * Otherwise the error would not say which lookup of the configuration failed.
 */
const throwForLookup =
  (name: string, { at }: LookupSource) =>
  (error: unknown) => {
    if (!(error instanceof Problems)) throwLookupError(error, name, at);
    const orderHint =
      '(lookups read the account before anything is created: if this configuration creates it, apply that first, without the lookup)';
    raise(
      error.diagnostics.map((diagnostic) => {
        // The object that the lookup is about does not exist.
        const isMissing = diagnostic.code === 'api/resource';
        const hint = isMissing ? [diagnostic.hint, orderHint].filter(Boolean).join(' ') : diagnostic.hint;
        return { at, ...diagnostic, message: `the lookup \`${name}\`: ${diagnostic.message}`, hint };
      }),
    );
  };

/**
 * Throws a refusal of the platform as a problem of the lookup that caused it. Throws other errors, such as a rate limit, as they are,
 * because the lookup is not wrong.
 */
function throwLookupError(error: unknown, name: string, position: LookupSource['at']): never {
  const { status, message, hint } = error as { status?: number; message?: string; hint?: string };
  if (status === undefined || ![400, 403, 404, 410, 422].includes(status)) throw error;
  raise('lookup/refused', `the lookup \`${name}\`: ${message}`, {
    at: position,
    hint: hint ?? 'check the names and ids that it is given',
  });
}

/**
 * Removes repeated problems, so that the user sees each once. A lookup can be used in many places, and one block of
 * the configuration can become many resources.
 */
const uniqueByMessage = (diagnostics: readonly Diagnostic[]): Diagnostic[] => [
  ...new Map(diagnostics.map((diagnostic) => [diagnostic.message, diagnostic])).values(),
];

/**
 * Returns a configuration with the lookup holes (`${lookup.NAME.FIELD}`) of its fields filled, before it is planned. Throws like
 * `readLookupRows`, and `Problems` if a field does not accept the value that is found. Used by `openSessionPlan`, so that
 * the plan has the values that existing objects of the account give.
 */
export async function withFoundFields(desired: Desired, lookUp: LookUp, kinds: Kinds): Promise<Desired> {
  if (!desired.lookups?.size) return desired;
  const withHoles = [...desired.resources].filter(([, { fields }]) => holesIn(fields).some(isLookupRef));
  if (withHoles.length === 0) return desired;
  const holes = withHoles.flatMap(([, { fields }]) => holesIn(fields).filter(isLookupRef));
  const rows = await readLookupRows(holes, desired.lookups, lookUp);
  const filled = withHoles.map(([, resource]) => fillResource(resource, rows, kinds.get(resource.kind)!));
  raiseErrors(uniqueByMessage(filled.flatMap(({ misfits }) => misfits)));
  const filledResources = filled.map(({ resource }) => [resource.address, resource] as const);
  return { ...desired, resources: new Map([...desired.resources, ...filledResources]) };
}

/**
 * Returns a resource with the lookups in its fields filled in, without those optional ones that found nothing, and a problem for each field
 * that does not accept the value.
 */
function fillResource(
  resource: Resource,
  rows: Rows,
  kind: Kind,
): { resource: Resource; misfits: Diagnostic[] } {
  const fields = withoutMissing(resource.fields, rows) as Fields;
  const namesWithLookups = Object.keys(fields).filter((name) => holesIn(fields[name]).some(isLookupRef));
  const fits = namesWithLookups.map((name) => ({
    name,
    ...fitToSchema(fields[name]!, rows, kind.fields[name]!),
  }));
  const fittingValues = fits.flatMap((fit) => ('value' in fit ? [[fit.name, fit.value] as const] : []));
  return {
    resource: { ...resource, fields: { ...fields, ...Object.fromEntries(fittingValues) } },
    misfits: fits.flatMap((fit) => ('why' in fit ? misfitProblem(resource, fit.name, fit.why) : [])),
  };
}

/**
 * Returns the value of a field with its lookup holes filled, in the form that the field's schema accepts: as it was found or, for a field
 * that takes text, with numbers and booleans as text. Returns why if the schema accepts neither. A value that still has other holes or
 * secrets cannot be checked completely, so the platform checks it.
 */
function fitToSchema(
  value: Value,
  rows: Rows,
  schema: FieldSchemas[string],
): { value: Value } | { why: string } {
  const filledValue = fillLookups(value, rows) as Value;
  const filledText = fillLookupsAsText(value, rows);
  const isIncomplete = holesIn(filledValue).length > 0 || holdsSecret(filledValue);
  // Any other hole, such as the id of a new object, is checked as if it were a text.
  const parse = (candidate: unknown) => ({
    candidate: candidate as Value,
    ...schema.safeParse(mapHoles(candidate, () => 'id')),
  });
  const [resultAsFound, resultAsText] = [parse(filledValue), parse(filledText)];
  const accepted = [resultAsFound, resultAsText].find(({ success }) => success);
  // The parsed data has the stand-ins for holes, so that an incomplete value is returned as it was.
  if (accepted) return { value: isIncomplete ? accepted.candidate : (accepted.data as Value) };
  // The schema cannot tell, so the platform checks it.
  if (isIncomplete) return { value: filledText };
  if (typeof filledValue === 'object')
    return { why: Array.isArray(filledValue) ? 'it is a list' : 'it is a map' };
  return { why: resultAsText.error!.issues[0]!.message };
}

/**
 * Fills lookup holes (`${lookup.NAME.FIELD}`) like `fillLookups`, but with the numbers and booleans that the lookups found as text. Used if
 * a field does not accept the value as it was found, such as the value of an environment variable.
 */
function fillLookupsAsText(value: Value, rows: Rows): Value {
  const toText = (member: unknown) =>
    typeof member === 'number' || typeof member === 'boolean' ? String(member) : member;
  const textRows = new Map([...rows].map(([name, row]) => [name, row && mapMembers(row, toText)]));
  return fillLookups(value, textRows) as Value;
}

/**
 * Returns the problem that a field does not accept the value that its lookup finds. It names field, lookup and
 * reason, because the configuration alone does not show the value.
 */
const misfitProblem = ({ address, fields, at }: Resource, name: string, why: string): Diagnostic => {
  const { $lookup, attr } = holesIn(fields[name]).find(isLookupRef)!;
  return problem(
    'lookup/value',
    `${addressWithoutTarget(address)}: \`${name}\` cannot be what \`\${lookup.${$lookup}.${attr}}\` finds: ${why.charAt(0).toLowerCase()}${why.slice(1)}`,
    { address, at, hint: 'use another field of the lookup, or write the value' },
  );
};

/**
 * Returns the problem that a lookup hole finds no value; an empty list if it does, or if it is optional (`?`).
 * Planning stops with these problems, because the configuration would be incomplete.
 */
function checkFound(
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

/**
 * Returns a value with each lookup in it (`${lookup.NAME.FIELD}`) replaced by the value that was found in the
 * account, before a plan is made or an action is sent. An optional lookup (`?`) that finds nothing leaves its member
 * or item out. `rows`: the found objects by the lookup's name; `readLookupRows` has checked that all other lookups
 * found something.
 */
const fillLookups = (value: unknown, rows: Rows): unknown =>
  mapHoles(withoutMissing(value, rows), (hole) => {
    if (isLookupRef(hole)) return rows.get(hole.$lookup)![hole.attr];
    return isJoin(hole) ? joinPieces(hole.$join.map((piece) => fillLookups(piece, rows) as Value)) : hole;
  });

/**
 * Returns a copy of a value without the members and items that are lookups (`${lookup.NAME.FIELD}`) without a
 * value. Used before lookups are filled in, so that an optional one leaves its member out instead of setting
 * it to nothing.
 */
function withoutMissing(value: unknown, rows: Rows): unknown {
  const isMissing = (member: unknown) =>
    isLookupRef(member) && rows.get(member.$lookup)?.[member.attr] === undefined;
  if (Array.isArray(value))
    return value.filter((item) => !isMissing(item)).map((item) => withoutMissing(item, rows));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => !isMissing(member))
      .map(([name, member]) => [name, withoutMissing(member, rows)]),
  );
}
