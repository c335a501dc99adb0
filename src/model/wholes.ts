import { type Address, lastNameOf } from './address.ts';
import { canonical } from './canonical.ts';
import type { Change } from './change.ts';
import { groupBy } from './graph.ts';
import { memoize } from './memoize.ts';

/** Returns an address without the target of a unit: for `projects/web/env/API_URL@production`, `projects/web/env/API_URL`. */
export function addressWithoutTarget(address: Address): Address {
  const index = address.lastIndexOf('@');
  // A name may begin with one, and one may stand in the middle of an address.
  return index > 0 && address[index - 1] !== '/' && !address.includes('/', index)
    ? address.slice(0, index)
    : address;
}

/** Returns the target in the address of a unit, such as `production`; an empty text if the address has none. */
export const unitSuffixOf = (address: Address): string =>
  address.slice(addressWithoutTarget(address).length + 1);

/**
 * Groups changes into logical changes, which are what people count. A logical change has all units that one entry of the YAML, or one row of
 * the platform, makes and that change alike, such as a variable in three targets. Keeps the order. Used by counts, sections and budgets.
 */
export const groupLogicalChanges = <T extends Change>(changes: readonly T[]): T[][] => [
  ...groupBy(changes, wholeIn(changes)).values(),
];

/** Counts logical changes. */
export const countLogicalChanges = (changes: readonly Change[]): number =>
  new Set(changes.map(wholeIn(changes))).size;

/** A text for each of these changes, which is the same for those that are one. */
function wholeIn(changes: readonly Change[]): (change: Change) => string {
  const units = new Map<Address, number>();
  for (const { address } of changes) {
    const whole = addressWithoutTarget(address);
    if (whole !== address) units.set(whole, (units.get(whole) ?? 0) + 1);
  }
  return (change) => {
    const address = addressWithoutTarget(change.address);
    // Most have one unit: there is nothing to compare.
    return address === change.address || units.get(address) === 1 ? change.address : likeOf(change);
  };
}

/** The same text for units of one entry that change alike. */
const likeOf = memoize((change: Change): string => {
  const { address, kind, at, id } = change;
  const place = at ? [at.file, at.line, at.column] : (id ?? address);
  return JSON.stringify([addressWithoutTarget(address), kind, place, contentKeyOf(change)]);
});

/** The members of a change that tell it from another one in the same place, but for its position. */
const contentMembers = [
  'action',
  'fields',
  'grade',
  'gradeReason',
  'reason',
  'outside',
  'exclusive',
  'moves',
  'reinserted',
  'permissions',
] as const satisfies (keyof Change)[];

/**
 * All that a change says but where it is. Sealed values are `(secret)` here, or the name of their source: nobody can tell from it that two
 * secrets are equal.
 */
export const contentKeyOf = (change: Change): string => {
  const { position } = change;
  return canonical({
    ...Object.fromEntries(contentMembers.map((name) => [name, change[name]])),
    position: position && { ...position, after: position.after && lastNameOf(position.after) },
  });
};
