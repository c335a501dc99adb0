/*
 * Compares the values of one field. Differences in the order of a set, or between two spellings, do not count.
 *
 * A set (trait `unordered`) is a list whose order means nothing. An itemwise set (trait `whereDeclared` as well) has objects as items, with
 * optional members: they are compared only in items that declare them. The other members of an item are its identity.
 */
import deepEqual from 'fast-deep-equal';
import { canonicalJson } from '../model/canonical.ts';
import { groupBy } from '../model/graph.ts';
import { revealed, Sealed } from '../model/sealed.ts';
import { type Fields, isHole, isPlainObject, type Value } from '../model/value.ts';
import type { FieldTraits } from './traits.ts';

/**
 * Returns a value in the form in which it is compared and digested: a set is sorted, because its order means nothing, and a missing value
 * is null.
 */
export function toComparable(value: Value | undefined, traits: FieldTraits): Value {
  if (value === undefined) return null;
  if (!traits.unordered || !Array.isArray(value)) return value;
  return [...value].sort((a, b) => (canonicalJson(revealed(a)) < canonicalJson(revealed(b)) ? -1 : 1));
}

/**
 * True if a live value equals the desired one, so that nothing has to be sent. A missing value equals null. Secrets are revealed in memory
 * for this.
 */
export function isSameValue(
  desired: Value | undefined,
  live: Value | undefined,
  traits: FieldTraits,
): boolean {
  if (typeof desired !== 'object' && typeof live !== 'object' && desired !== undefined)
    return desired === live;
  const declaredPart = reduceToDeclared(live, desired, traits);
  return isDeepEqual(revealed(toComparable(desired, traits)), revealed(toComparable(declaredPart, traits)));
}

/** The names that `deepEqual` looks up on every object: it would take a member of that name for a method. */
const reservedNames = ['constructor', 'toString', 'valueOf'];

/** Compares like `deepEqual`, but is also right for users' data with members such as `constructor`. */
const isDeepEqual = (a: unknown, b: unknown): boolean =>
  [a, b].some(hasReservedName) ? deepEqual(prefixNames(a), prefixNames(b)) : deepEqual(a, b);

const hasReservedName = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (reservedNames.some((name) => Object.hasOwn(value, name)) || Object.values(value).some(hasReservedName));

/** Returns a copy of a value with a colon before each member's name, so that no member has a name that `deepEqual` treats in its own way. */
const prefixNames = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(prefixNames)
    : isPlainObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [`:${name}`, prefixNames(inner)]))
      : value;

/**
 * True for null, a missing value, an empty list and an empty object. The comparisons of a plan, and the search for side effects of an apply, treat
 * all of these as "not set".
 */
export const isEmptyValue = (value: Value | undefined): boolean =>
  value === undefined ||
  value === null ||
  (Array.isArray(value) && value.length === 0) ||
  (isPlainObject(value) && Object.keys(value).length === 0);

/** True for the value of an itemwise set: a list of objects whose optional members are compared only in items that declare them. */
export const isItemwise = (value: Value | undefined, { whereDeclared }: FieldTraits): value is Fields[] =>
  whereDeclared !== undefined && Array.isArray(value) && value.every(isPlainObject);

/**
 * Reduces a live set to the part that the desired set declares, so that both can be compared and shown side by side. Only for itemwise
 * sets: sets of objects with optional members that count only in items that declare them. Items in both sets come first, in the desired
 * order. The other live items follow, without optional members that no desired item declares. Any other value is returned as it is.
 */
export function reduceToDeclared(
  live: Value | undefined,
  desired: Value | undefined,
  traits: FieldTraits,
): Value | undefined {
  if (!isItemwise(live, traits) || !isItemwise(desired, traits)) return live;
  const optionalMembers = traits.whereDeclared!;
  const liveItems = groupBy(live, (item) => identityOf(item, optionalMembers));
  const undeclared = optionalMembers.filter((name) => desired.every((item) => item[name] === undefined));
  const itemsInBoth = desired.flatMap((item) => {
    const liveItem = liveItems.get(identityOf(item, optionalMembers))?.shift();
    if (!liveItem) return [];
    const declared = optionalMembers.filter(
      (name) => item[name] !== undefined && liveItem[name] !== undefined,
    );
    const members = Object.fromEntries(declared.map((name) => [name, liveItem[name]!]));
    return [{ ...omitMembers(item, optionalMembers), ...members }];
  });
  const otherItems = [...liveItems.values()].flat();
  return [...itemsInBoth, ...otherItems.map((item) => omitMembers(item, undeclared))];
}

/**
 * Returns a text that tells an item of an itemwise set (a set whose items are compared one by one) from the other items: all members but the optional
 * ones.
 */
export const identityOf = (item: Fields, optionalMembers: readonly string[]): string =>
  canonicalJson(revealed(omitMembers(item, optionalMembers)));

/** Returns a copy of an object without the members with these names. */
export const omitMembers = (item: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));

/**
 * Seals a secret value of any type as one text, so that a change can contain it without showing it. Null and holes contain no secret text,
 * so they stay.
 */
export function sealValue(value: Value | undefined): Value | undefined {
  if (value === undefined || value === null || value instanceof Sealed || isHole(value)) return value;
  return new Sealed(canonicalJson(value));
}
