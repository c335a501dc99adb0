import { type Address, ancestorsAmong, lastNameOf } from './address.ts';
import type { Change } from './change.ts';
import type { Position } from './diagnostic.ts';
import { canonicalJson } from './digest.ts';
import { groupBy, memoize } from './graph.ts';
import type { FieldReference } from './resource.ts';

/**
 * Returns the address of a variable without its target: for `projects/web/env/API_URL@production`, `projects/web/env/API_URL`. Reports name
 * and count a variable without its targets. Any other address stays.
 */
export function addressWithoutTarget(address: Address): Address {
  const index = address.lastIndexOf('@');
  // No target: the `@` in `records/@` begins a name, and the one in `env/A@production/x` stands in the middle of the address.
  return index > 0 && address[index - 1] !== '/' && !address.includes('/', index)
    ? address.slice(0, index)
    : address;
}

/**
 * Returns the names for a message about several objects: their addresses without targets of variables, and without objects that are in
 * another one. An outermost object has no ancestor among them but itself.
 */
export const namesOfOutermost = (addresses: ReadonlySet<Address>): Address[] => [
  ...new Set(
    [...addresses]
      .filter((address) => ancestorsAmong(address, addresses).length === 1)
      .map(addressWithoutTarget),
  ),
];

/**
 * Returns the target in the address of a unit, such as `production` for a variable in production; an empty text if the address has none.
 */
export const unitSuffixOf = (address: Address): string =>
  address.slice(addressWithoutTarget(address).length + 1);

/**
 * Groups changes into logical changes, the unit in which people count. One logical change has all units of one YAML
 * entry, or of one row of the platform, that change in the same way, such as a variable in three targets. Keeps the
 * order. Used by counts, sections and budgets.
 */
export const groupLogicalChanges = <T extends Change>(changes: readonly T[]): T[][] => [
  ...groupBy(changes, createLogicalKey(changes)).values(),
];

/** Returns the number of changes as reports count them: a variable that changes in three targets counts once. */
export const countLogicalChanges = (changes: readonly Change[]): number =>
  new Set(changes.map(createLogicalKey(changes))).size;

/** An object that reports count. */
interface CountedObject {
  address: Address;
  /** The place of its YAML entry, if it is declared. */
  at?: Position | undefined;
  /** The ids of its rows on the platform, if it is live. */
  ids?: readonly string[] | undefined;
}

/**
 * Counts objects as plans count changes, for every text that says how many objects a configuration, an account or a ledger has. Each
 * address is one object, but the targets of a variable (`env/A@preview`, `env/A@production`) count once if they come from one YAML entry
 * or, in an account or a ledger, from one object of the platform, so that they have the same ids.
 */
export function countObjects(objects: Iterable<CountedObject>): number {
  const keyOf = ({ address, at, ids = [] }: CountedObject) => {
    const variable = addressWithoutTarget(address);
    if (variable === address) return address;
    return at ? `${variable} ${at.file}:${at.line}:${at.column}` : `${variable} ${ids.join(',')}`;
  };
  return new Set([...objects].map(keyOf)).size;
}

/**
 * Creates a function which returns a key for each of these changes. Changes with an equal key are one logical change, which reports show
 * and count once: such as those of a variable in its targets (units), if they come from one YAML entry and change in the same way.
 */
function createLogicalKey(changes: readonly Change[]): (change: Change) => string {
  const unitCounts = new Map<Address, number>();
  for (const { address } of changes) {
    const withoutTarget = addressWithoutTarget(address);
    if (withoutTarget !== address) unitCounts.set(withoutTarget, (unitCounts.get(withoutTarget) ?? 0) + 1);
  }
  return (change) => {
    const address = addressWithoutTarget(change.address);
    // Comparing contents is slow. Most changes have only one unit and need no comparison.
    const isAlone = address === change.address || unitCounts.get(address) === 1;
    return isAlone ? change.address : unitKeyOf(change);
  };
}

/**
 * Returns a text that is equal for units of one YAML entry with the same change. Cached, because it serializes the
 * change.
 */
const unitKeyOf = memoize((change: Change): string => {
  const { address, kind, at, id } = change;
  const origin = at ? [at.file, at.line, at.column] : (id ?? address);
  return JSON.stringify([addressWithoutTarget(address), kind, origin, contentKeyOf(change)]);
});

/** The members of a change that make it differ from a change of another unit in the same entry. */
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
 * Returns the content of a change without its address, as a text. Used to find changes that can be shown together. A sealed value is
 * `(secret)` in it, or the name of its source, so that the text does not reveal that two secrets are equal. Of the item in front of a moved
 * one (`position.after`), only the name counts, because its address differs between collections.
 */
export const contentKeyOf = (change: Change): string => {
  const { position } = change;
  return canonicalJson({
    ...Object.fromEntries(contentMembers.map((name) => [name, change[name]])),
    position: position && { ...position, after: position.after && lastNameOf(position.after) },
  });
};

/** Counts the objects that changes release, such as projects that a destroy leaves in the account. A variable in several targets is one. */
export const countReleased = (changes: readonly Change[]): number =>
  groupLogicalChanges(changes.filter(({ action }) => action === 'release')).length;

/** Returns the name of the field that takes the secret of a reference, for the sources in the plan and the ledger. */
export const referenceTarget = ({ target }: Pick<FieldReference, 'target'>): string =>
  `field ${target.field} of ${addressWithoutTarget(target.address)}`;

/** Returns the name of the field that a reference copies a secret from, by which a plan notices that the source of a secret has changed. */
export const referenceSource = ({ source }: Pick<FieldReference, 'source'>): string =>
  `field ${source.field} of ${source.address}`;

/**
 * Returns, for each field that copies a secret from another field (`${...}`), where the secret comes from. Key: the copying field, such as
 * `field value of projects/web/env/A`; value: its sources, such as `field secret of projects/web/protectionBypass/e2e`. A plan reports if
 * the source of a field changed since the last apply. `references`: only those that copy a secret, or may.
 */
export const referenceOrigins = (references: Iterable<FieldReference>): Map<string, string> =>
  new Map(
    [...groupBy(references, referenceTarget)].map(([name, ofTarget]) => [
      name,
      [...new Set(ofTarget.map(referenceSource))].join(', '),
    ]),
  );
