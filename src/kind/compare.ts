import deepEqual from 'fast-deep-equal';
import { canonical } from '../model/canonical.ts';
import { groupBy } from '../model/graph.ts';
import { revealed, Sealed } from '../model/sealed.ts';
import { type Fields, isHole, isPlainObject, type Value } from '../model/value.ts';
import type { FieldTraits } from './traits.ts';

/** A value as it is compared and digested: a set is sorted, so that order and spelling of the input do not matter. */
export function toComparable(value: Value | undefined, traits: FieldTraits): Value {
  if (value === undefined) return null;
  if (!traits.unordered || !Array.isArray(value)) return value;
  return [...value].sort((a, b) => (canonical(revealed(a)) < canonical(revealed(b)) ? -1 : 1));
}

/** True if a found value is the wanted one. A missing value equals null; secrets are compared in memory. */
export function isSameValue(
  wanted: Value | undefined,
  value: Value | undefined,
  traits: FieldTraits,
): boolean {
  if (typeof wanted !== 'object' && typeof value !== 'object' && wanted !== undefined)
    return wanted === value;
  const part = reduceToDeclared(value, wanted, traits);
  return equal(revealed(toComparable(wanted, traits)), revealed(toComparable(part, traits)));
}

/** Names that the comparison library looks up on every object, and would take for members of its own. */
const asked = ['constructor', 'toString', 'valueOf'];

const equal = (a: unknown, b: unknown): boolean =>
  [a, b].some(holdsAsked) ? deepEqual(aside(a), aside(b)) : deepEqual(a, b);

const holdsAsked = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (asked.some((name) => Object.hasOwn(value, name)) || Object.values(value).some(holdsAsked));

/** A copy of a value in which no member has one of those names. */
const aside = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(aside)
    : isPlainObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [`:${name}`, aside(inner)]))
      : value;

/** True for a value that says nothing: null, missing, an empty list or an empty object. */
export const isEmptyValue = (value: Value | undefined): boolean =>
  value === undefined ||
  value === null ||
  (Array.isArray(value) && value.length === 0) ||
  (isPlainObject(value) && Object.keys(value).length === 0);

/** A set whose items may be declared in part. */
export const isItemwise = (value: Value | undefined, { whereDeclared }: FieldTraits): value is Fields[] =>
  whereDeclared !== undefined && Array.isArray(value) && value.every(isPlainObject);

/**
 * Rewrites a found set so that it can be compared with the wanted one: items in both come first, in the wanted order, with only their
 * declared members. The other items follow, without the members that no wanted item declares.
 */
export function reduceToDeclared(
  value: Value | undefined,
  wanted: Value | undefined,
  traits: FieldTraits,
): Value | undefined {
  if (!isItemwise(value, traits) || !isItemwise(wanted, traits)) return value;
  const open = traits.whereDeclared!;
  const matches = groupBy(value, (item) => identityOf(item, open));
  const undeclared = open.filter((name) => wanted.every((item) => item[name] === undefined));
  const inBoth = wanted.flatMap((item) => {
    const match = matches.get(identityOf(item, open))?.shift();
    if (!match) return [];
    const declared = open.filter((name) => item[name] !== undefined && match[name] !== undefined);
    return [
      { ...omitMembers(item, open), ...Object.fromEntries(declared.map((name) => [name, match[name]!])) },
    ];
  });
  const rest = [...matches.values()].flat();
  return [...inBoth, ...rest.map((item) => omitMembers(item, undeclared))];
}

/** Tells an item from the others of its set. The members in `open` do not count, since they need not be declared. */
export const identityOf = (item: Fields, open: readonly string[]): string =>
  canonical(revealed(omitMembers(item, open)));

export const omitMembers = (item: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));

/** Seals a secret value as one text, so that a change may carry it. */
export function sealValue(value: Value | undefined): Value | undefined {
  if (value === undefined || value === null || value instanceof Sealed || isHole(value)) return value;
  const names = canonical(value);
  return new Sealed(names);
}
