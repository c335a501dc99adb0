import type { Address } from './address.ts';
import { canonical } from './canonical.ts';
import type { Change } from './change.ts';
import { groupBy } from './graph.ts';

/** An address without the place of a unit: of `projects/web/env/API_URL@production` it is `projects/web/env/API_URL`. */
export const wholeAddress = (address: Address): Address => address.replace(/(?<=[^/])@[^/@]*$/, '');

/** The place of a unit, such as `production`; empty where an address has none. */
export const placeOf = (address: Address): string => address.slice(wholeAddress(address).length + 1);

/**
 * The changes as people count them: units that one entry of the YAML or one row of the platform makes, and that change alike, are one, as
 * a variable in three targets is. Order is kept. Counts, sections and budgets all go by this.
 */
export const wholesOf = <T extends Change>(changes: readonly T[]): T[][] => [
  ...groupBy(changes, wholeOf).values(),
];

/** The number of changes, as people count. */
export const countOf = (changes: readonly Change[]): number => new Set(changes.map(wholeOf)).size;

/** A change is asked for often, and never changes. */
const wholes = new WeakMap<Change, string>();

function wholeOf(change: Change): string {
  const { address, kind, at, id } = change;
  const whole = wholeAddress(address);
  if (whole === address) return address;
  let text = wholes.get(change);
  if (text === undefined) {
    const place = at ? [at.file, at.line, at.column] : (id ?? address);
    text = JSON.stringify([whole, kind, place, readAs(change)]);
    wholes.set(change, text);
  }
  return text;
}

/**
 * All that a change says but where it is. Sealed values are `(secret)` here, or the name of their source: nobody can tell from it that two
 * secrets are equal.
 */
export const readAs = ({
  action,
  fields,
  grade,
  gradeReason,
  reason,
  outside,
  exclusive,
  moves,
  anew,
  permissions,
}: Change): string =>
  canonical({ action, fields, grade, gradeReason, reason, outside, exclusive, moves, anew, permissions });
