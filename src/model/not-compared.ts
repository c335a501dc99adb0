import type { Address } from './address.ts';
import type { Position } from './diagnostic.ts';
import { addTo, byText } from './graph.ts';
import { addressWithoutTarget } from './logical-changes.ts';

/*
 * The objects and secrets that a plan could not compare with the account. An item is a declared object, an object that only the ledger has,
 * or one secret of a declared object. Items with one cause are one group.
 *
 * | Cause        | Item   | Meaning                                                                          | Plan is incomplete |
 * | ------------ | ------ | -------------------------------------------------------------------------------- | ------------------ |
 * | unread       | object | its collection is `unreadable` (see `Live`)                                      | yes                |
 * | dependency   | object | it needs an object that was not compared                                         | yes                |
 * | unidentified | object | several live objects could be the declared one                                   | no (an error)      |
 * | unchecked    | object | it was compared, but the read that shows whether it works failed or was left out | no                 |
 * | unavailable  | secret | its value is not available here                                                  | no                 |
 * | no-key       | secret | the account does not show it, and the key of its last applied digest is missing  | no                 |
 * | before-apply | secret | nothing was applied yet, and only a run that has a ledger key reads live secrets  | no                 |
 * | unreadable   | secret | the account does not show it, and its last applied value is unknown or outdated  | no                 |
 */
export const notComparedCauses = [
  'unread',
  'dependency',
  'unidentified',
  'unchecked',
  'unavailable',
  'no-key',
  'before-apply',
  'unreadable',
] as const;

/** Why an item was not compared; see the table above. */
export type NotComparedCause = (typeof notComparedCauses)[number];

/** An object or a secret that was not compared with the account. */
export interface NotComparedItem {
  address: Address;
  kind: string;
  /** The dotted path of a secret; absent for an object. */
  path?: string;
  /** Only the ledger has it: the configuration does not declare it any more. */
  undeclared?: true;
  at?: Position;
}

/** Items that were not compared for one cause. */
export interface NotCompared {
  cause: NotComparedCause;
  /** The event behind it, if it differs from group to group: `answered 403 forbidden: Not yours`. */
  why?: string;
  items: NotComparedItem[];
}

/** One item with its cause, as the steps of planning find it. */
export type NotComparedFinding = NotComparedItem & Pick<NotCompared, 'cause' | 'why'>;

/**
 * Groups findings (objects or secrets that the plan did not compare) by cause and reason, in the order of `notComparedCauses`, with their
 * items sorted by address. Plans show these groups.
 */
export function groupNotCompared(findings: readonly NotComparedFinding[]): NotCompared[] {
  const groups = new Map<string, NotComparedFinding[]>();
  for (const finding of findings) addTo(groups, `${finding.cause} ${finding.why ?? ''}`, finding);
  return [...groups.values()]
    .map((group): NotCompared => {
      const { cause, why } = group[0]!;
      const items = group.map(({ cause: _, why: __, ...item }) => item);
      return { cause, why, items: items.sort(byItem) };
    })
    .sort(
      (a, b) =>
        notComparedCauses.indexOf(a.cause) - notComparedCauses.indexOf(b.cause) ||
        byItem(a.items[0]!, b.items[0]!),
    );
}

/** Compares two items for sorting: by address, then by path. */
const byItem = (a: NotComparedItem, b: NotComparedItem): number =>
  byText(`${a.address}\0${a.path ?? ''}`, `${b.address}\0${b.path ?? ''}`);

/**
 * Returns the names of items that a plan did not compare, as people count them: a variable in several targets is one. Reports list and
 * count them.
 */
export const namesOfItems = (items: readonly NotComparedItem[]): string[] => [
  ...new Set(
    items.map(({ address, path }) =>
      path === undefined ? addressWithoutTarget(address) : `${addressWithoutTarget(address)} \`${path}\``,
    ),
  ),
];

/**
 * Returns the numbers of objects and of secrets that a plan could not compare, for its summary. A variable in several targets counts once.
 * An item with a `path` is one secret of an object, an item without is the object itself.
 */
export function countNotCompared(groups: readonly NotCompared[] = []): { objects: number; secrets: number } {
  const countItems = (isIncluded: (item: NotComparedItem) => boolean) =>
    groups.reduce((sum, { items }) => sum + namesOfItems(items.filter(isIncluded)).length, 0);
  return {
    objects: countItems(({ path }) => path === undefined),
    secrets: countItems(({ path }) => path !== undefined),
  };
}
