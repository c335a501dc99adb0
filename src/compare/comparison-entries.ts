/*
 * Groups a comparison into entries, the unit in which people count: a variable that differs alike in three targets is one entry.
 *
 * Each entry has one state, so the numbers of all states add up to the number of entries:
 *
 *   onlyInA, onlyInB   the other side does not have it
 *   different          a setting or the place in a list differs
 *   otherSource        only the source of a secret differs
 *   unread             the account of the other side could not be read there
 *   equal              everything that can be compared is equal
 */
import { groupBy } from '../model/graph.ts';
import { addressWithoutTarget, unitSuffixOf } from '../model/logical-changes.ts';
import { jsonLine, jsonValue } from '../report/show.ts';
import type { ComparedPair, SideComparison } from './compare-sides.ts';
import type { ComparedObject } from './compared-side.ts';

export const entryStates = ['onlyInA', 'onlyInB', 'different', 'otherSource', 'unread', 'equal'] as const;

/** The state of an object in a comparison. */
export type EntryState = (typeof entryStates)[number];

/** An object of both sides, or of one, with all targets that are alike. */
export interface ComparisonEntry {
  state: EntryState;
  /** The address in each side, without a target. */
  a: string | undefined;
  b: string | undefined;
  targets: string[];
  kind: string;
  /** The objects in A, or in B if A has none. */
  objects: ComparedObject[];
  /** One of the pairs: all are alike. Absent for an object of one side. */
  pair: ComparedPair | undefined;
}

/**
 * Returns the entries that the reports of `trueup diff` show, from a comparison of two sides. Objects that read alike, such as the targets
 * of a variable, are one entry.
 */
export function groupComparison({ pairs, onlyInA, onlyInB, unread }: SideComparison): ComparisonEntry[] {
  const pairEntries = [...groupBy(pairs, pairKeyOf).values()].map((group): ComparisonEntry => {
    const [first] = group as [ComparedPair];
    return {
      state: stateOf(first),
      a: addressWithoutTarget(first.a.address),
      b: addressWithoutTarget(first.b.address),
      targets: targetsOfObjects(group.map(({ a }) => a)),
      kind: first.a.kind,
      objects: group.map(({ a }) => a),
      pair: first,
    };
  });
  return [
    ...groupObjects(onlyInA).map((objects) => ({
      ...entryOfOneSide(objects),
      state: 'onlyInA' as const,
      b: undefined,
    })),
    ...groupObjects(onlyInB).map((objects) => ({
      ...entryOfOneSide(objects),
      state: 'onlyInB' as const,
      a: undefined,
    })),
    ...groupObjects(unread).map((objects) => ({ ...entryOfOneSide(objects), state: 'unread' as const })),
    ...pairEntries,
  ];
}

const stateOf = ({ settings, secrets, place }: ComparedPair): EntryState => {
  if (settings.length > 0 || place) return 'different';
  return secrets.some(({ result }) => result === 'different') ? 'otherSource' : 'equal';
};

/**
 * Returns the key by which `groupComparison` makes one entry of pairs that read alike in a report of `trueup diff`: those of one variable
 * with the same differences. A variable has an object for each of its targets (environments such as `production`), and the key leaves out
 * the target. `place`: the difference of the places in an ordered list.
 */
const pairKeyOf = ({ a, b, settings, secrets, place }: ComparedPair): string =>
  jsonLine([
    addressWithoutTarget(a.address),
    addressWithoutTarget(b.address),
    settings.map((setting) => [setting.path, jsonValue(setting.a), jsonValue(setting.b)]),
    secrets,
    place ?? null,
  ]);

const groupObjects = (objects: readonly ComparedObject[]): ComparedObject[][] => [
  ...groupBy(objects, ({ address }) => addressWithoutTarget(address)).values(),
];

/**
 * Returns the entry of a report of `trueup diff` for an object that only one side is known to have. `objects`: the object, or all targets
 * of a variable. `a` and `b` both get its address; `groupComparison` removes that of a side which lacks the object.
 */
function entryOfOneSide(objects: ComparedObject[]): Omit<ComparisonEntry, 'state'> {
  const address = addressWithoutTarget(objects[0]!.address);
  return {
    a: address,
    b: address,
    targets: targetsOfObjects(objects),
    kind: objects[0]!.kind,
    objects,
    pair: undefined,
  };
}

const targetsOfObjects = (objects: readonly ComparedObject[]): string[] =>
  objects.map(({ address }) => unitSuffixOf(address)).filter((suffix) => suffix !== '');

/** The number of entries in each state, and of secrets by the result of their comparison. */
export interface ComparisonSummary extends Record<EntryState, number> {
  total: number;
  secrets: { same: number; different: number; unknown: number };
}

/**
 * Counts the entries of a comparison by state (different, only in A and so on) and its secrets by result, for the summary of `trueup diff`.
 */
export function summarizeComparison(entries: readonly ComparisonEntry[]): ComparisonSummary {
  const countOf = (state: EntryState) => entries.filter((entry) => entry.state === state).length;
  const secrets = entries.flatMap(({ pair }) => pair?.secrets ?? []);
  const secretsWith = (result: string) => secrets.filter((secret) => secret.result === result).length;
  return {
    total: entries.length,
    onlyInA: countOf('onlyInA'),
    onlyInB: countOf('onlyInB'),
    different: countOf('different'),
    otherSource: countOf('otherSource'),
    unread: countOf('unread'),
    equal: countOf('equal'),
    secrets: {
      same: secretsWith('same'),
      different: secretsWith('different'),
      unknown: secretsWith('unknown'),
    },
  };
}

/** True if two sides differ in something that could be compared. */
export const hasDifferences = ({ total, equal, unread }: ComparisonSummary): boolean =>
  equal + unread < total;
