import type { Address } from '../model/address.ts';
import { type Change, type FieldChange, isHiddenField, isHiddenSide } from '../model/change.ts';
import type { Position } from '../model/diagnostic.ts';
import { listFew, listFirst } from '../model/fold-wordings.ts';
import { byText, groupBy, memoize } from '../model/graph.ts';
import {
  addressWithoutTarget,
  contentKeyOf,
  groupLogicalChanges,
  unitSuffixOf,
} from '../model/logical-changes.ts';
import { hiddenFieldText, reportedFieldsOf } from './field-text.ts';
import { type AnchoredFindings, findingsKeyOf } from './finding-text.ts';
import { patternFor } from './pattern-for.ts';
import { jsonValue, secretNames, show } from './show.ts';
import { displayWidth } from './text.ts';

/*
 * Folds changes into entries for reports, so that 200 equal new projects take one entry and not 200.
 *
 * - A logical change is what people count as one change: the changes of one resource of the YAML that differ only in their target, such as
 *   a variable in three targets. `groupLogicalChanges` groups changes into them. All changes of a logical change have the same fields and,
 *   as far as they may be shown, values.
 * - A target is the last part of an address: `production` in `projects/web/env/API_URL@production`.
 * - An entry is one logical change, or several that read alike.
 * - A pass groups the logical changes that are still single by a similarity key, and folds each group that is worth it.
 *
 * | Pass | The same in a group                                                | Folded if                                                 |
 * | ---- | ------------------------------------------------------------------ | --------------------------------------------------------- |
 * | 1    | circumstances; own name; fields and values                         | 3 or more                                                 |
 * | 2    | circumstances; own name; field paths                               | 3 or more safe creations with a parent                    |
 * | 3    | circumstances; fields and values                                   | 3 or more; safe creations only in 3 or more parents       |
 * | 4    | circumstances; field paths                                         | 8 or more safe creations in 3 or more parents, or in none |
 *
 * Circumstances: kind, action, grade, reasons, permissions, targets, position in a list, findings, and if it is sent. An object without a
 * parent has no own name.
 *
 * Example: `LOG_LEVEL` added with one value to 40 projects is one entry (pass 1), also if its value differs in each (pass 2). Values may
 * differ in creations only, because nothing is compared there. Ten new variables in one project stay apart, because their names are what
 * the reader looks for.
 */

/** One entry of a report: a logical change, or several that read alike. */
export interface ReportEntry {
  /** The logical changes of the entry, each as its changes by target. */
  logicalChanges: Change[][];
  /** The first change. Reports print its fields and texts for all of them. */
  change: Change;
  /** The paths of the fields whose values are not the same in all of them. */
  variedPaths: ReadonlySet<string>;
  /** A pattern for `--target` that matches exactly the addresses of this entry. Absent for a single logical change, or if none is found. */
  pattern?: string;
}

/** The facts about the plan that decide how changes are folded. */
interface FoldOptions {
  /** The addresses that some request writes. Changes that are sent are never folded with changes that are not. */
  sentAddresses: { has(address: Address): boolean };
  /** All addresses of the plan, also those that do not change: a pattern must match none of the others. */
  planAddresses: readonly Address[];
  /** The findings below changes. Changes with different findings are never folded. */
  findings?: AnchoredFindings;
  /** True for a report in full (`--verbose`), which folds nothing: each logical change is an entry of its own. */
  isFull?: boolean;
}

/** Fewer logical changes than this stay apart, because they are read as quickly. */
const minEqualChanges = 3;
/** Like `minEqualChanges`, for logical changes whose names and values both differ. */
const minDifferingChanges = 8;

/**
 * Folds changes that read alike into entries, in the order of their first changes, so that 200 equal new projects take one entry. The ways
 * to fold (`createFoldPasses`) are tried one after the other; each gets the changes that the earlier ones have left. Used by the text, the
 * comments and the page, so that all of them show the same entries. Secrets are compared by the text that reports print for them: their
 * names, not their values. So an entry does not reveal that two secrets are equal, and shows the name of each.
 */
export function foldChanges(
  changes: readonly Change[],
  { sentAddresses, planAddresses, findings, isFull = false }: FoldOptions,
): ReportEntry[] {
  let singles = groupLogicalChanges(changes);
  const foldedGroups: Change[][][] = [];
  for (const { keyParts, isEntry } of isFull ? [] : createFoldPasses(sentAddresses, findings)) {
    const groupsByKey = groupBy(singles, (logicalChange) =>
      JSON.stringify(keyParts.map((keyPart) => keyPart(logicalChange))),
    );
    const groups = [...groupsByKey.values()].filter(isEntry);
    foldedGroups.push(...groups);
    const folded = new Set(groups.flat());
    singles = singles.filter((logicalChange) => !folded.has(logicalChange));
  }
  const indexOf = new Map(changes.map(({ address }, index) => [address, index]));
  return [...foldedGroups, ...singles.map((logicalChange) => [logicalChange])]
    .map((group) => createReportEntry(group, planAddresses))
    .sort((a, b) => indexOf.get(a.change.address)! - indexOf.get(b.change.address)!);
}

/** One way in which logical changes can be alike. */
interface FoldPass {
  /** Functions that return the parts of the similarity key: JSON values that are the same for logical changes that are alike. */
  keyParts: ((logicalChange: Change[]) => unknown)[];
  /** True if a group of logical changes with one key becomes one entry. */
  isEntry(group: Change[][]): boolean;
}

/**
 * Returns the ways to fold changes into one entry of a report, in the order in which they are tried. Each has
 * functions for the parts of a key that must be equal (`keyParts`), and a condition for a group with one key.
 * A logical change is what people count as one change: a list of changes that differ only in their target.
 * The parts are remembered, since each change takes part in several passes.
 */
function createFoldPasses(
  sentAddresses: FoldOptions['sentAddresses'],
  findings: AnchoredFindings | undefined,
): FoldPass[] {
  // The circumstances of a change: everything but its name, fields and values.
  const circumstancesOf = memoize((logicalChange: Change[]) => {
    const [change] = logicalChange as [Change];
    const targets = logicalChange.map(({ address }) => unitSuffixOf(address)).sort();
    return [
      change.kind,
      sentAddresses.has(change.address),
      targets,
      contentKeyOf({ ...change, fields: [] }),
      findingsKeyOf(logicalChange, findings),
    ];
  });
  const fieldsAndValuesOf = memoize(([change]: Change[]) =>
    reportedFieldsOf(change!).map((field) => [field.path, field.cause, field.replaces, shownValuesOf(field)]),
  );
  return [
    // The same change everywhere: `LOG_LEVEL` with one value in 40 projects.
    { keyParts: [circumstancesOf, nameInParentOf, fieldsAndValuesOf], isEntry: isWorthFolding },
    // New objects with one name and different values: `LOG_LEVEL` with another value in each project.
    {
      keyParts: [circumstancesOf, nameInParentOf, fieldPathsOf],
      isEntry: (group) =>
        isWorthFolding(group) && isSafeCreation(group) && group[0]![0]!.parent !== undefined,
    },
    // The same values under different names: 40 projects that get the same framework. New objects in few parents stay apart, because
    // readers look for their names.
    {
      keyParts: [circumstancesOf, fieldsAndValuesOf],
      isEntry: (group) => isWorthFolding(group) && (!isSafeCreation(group) || areParentsDistinct(group)),
    },
    // New objects with different names and values, but the same fields: 40 new projects.
    {
      keyParts: [circumstancesOf, fieldPathsOf],
      isEntry: (group) =>
        isSafeCreation(group) && areParentsDistinct(group) && group.length >= minDifferingChanges,
    },
  ];
}

/** Returns the paths of the fields of a logical change. All its changes have the same fields. */
const fieldPathsOf = ([change]: Change[]): string[] => reportedFieldsOf(change!).map(({ path }) => path);

/** Returns the address of a logical change without its parent and its target: `/env/LOG_LEVEL`. Empty without a parent. */
const nameInParentOf = ([change]: Change[]): string =>
  change!.parent === undefined ? '' : addressWithoutTarget(change!.address).slice(change!.parent.length);

/** True if a group is large enough: fewer entries are read as quickly. */
const isWorthFolding = (group: Change[][]): boolean => group.length >= minEqualChanges;

/** True if a group creates objects and does no harm. The key of its pass ensures that all changes of a group are alike in this. */
const isSafeCreation = ([logicalChange]: Change[][]): boolean =>
  logicalChange![0]!.action === 'create' && logicalChange![0]!.grade === 'safe';

/**
 * True if the members of a group are in three parents or more, or have none. Used for groups with different names: in few parents, readers
 * look for these names, so such changes stay apart.
 */
const areParentsDistinct = (group: Change[][]): boolean => {
  const parents = new Set(group.map(([change]) => change!.parent));
  return parents.has(undefined) || parents.size >= minEqualChanges;
};

/**
 * Creates the entry of a report for changes that read alike: finds the fields whose values differ among them,
 * and a pattern that matches exactly their addresses. `group`: a list for each change that people count as
 * one; it has a change for each target, such as the environments of a variable.
 */
function createReportEntry(group: Change[][], planAddresses: readonly Address[]): ReportEntry {
  const [change] = group[0]! as [Change];
  if (group.length === 1) return { logicalChanges: group, change, variedPaths: new Set() };
  const pattern = patternFor(
    group.flat().map(({ address }) => address),
    planAddresses,
  );
  const variedFields = reportedFieldsOf(change).filter((field) => {
    const shownValues = shownValuesOf(field);
    const hasOtherValue = (otherField: FieldChange) =>
      otherField.path === field.path && shownValuesOf(otherField) !== shownValues;
    return group.some(([otherChange]) => reportedFieldsOf(otherChange!).some(hasOtherValue));
  });
  return {
    logicalChanges: group,
    change,
    variedPaths: new Set(variedFields.map(({ path }) => path)),
    pattern,
  };
}

/**
 * Returns a text that is equal for fields that reports print with the same values. Secrets without a name all have the same text, so equal
 * ones stay unnoticed.
 */
const shownValuesOf = (field: FieldChange): string =>
  isHiddenField(field)
    ? hiddenFieldText(field)
    : JSON.stringify(
        [field.before, field.after].map((value) =>
          isHiddenSide(field, value) ? ['(secret)', ...secretNames(value)] : jsonValue(value),
        ),
      );

/** The number of different values of an entry that are listed. */
const maxShownValues = 3;

/**
 * Formats the values of a field that differ among the changes of one entry of a plan: `debug, info and 2 more`. Shows as many of the first
 * three values as fit into `width` columns, or only their number.
 */
export function variedValuesText({ logicalChanges }: ReportEntry, path: string, width = 100): string {
  const values = logicalChanges.map(([change]) => {
    const field = reportedFieldsOf(change!).find((reportedField) => reportedField.path === path)!;
    const value = field.after === undefined ? field.before : field.after;
    return isHiddenSide(field, value) ? hiddenFieldText(field) : show(value);
  });
  const distinctValues = [...new Set(values)];
  const textsLongestFirst = Array.from(
    { length: Math.min(maxShownValues, distinctValues.length) },
    (_, index) => listFirst(distinctValues, index + 1),
  ).reverse();
  return (
    textsLongestFirst.find((text) => displayWidth(text) <= width) ??
    `${distinctValues.length} different values`
  );
}

/** Returns the targets of a logical change, production first; none for a single change, because its address already has its target. */
export const targetsOf = (logicalChange: readonly Change[]): string[] =>
  logicalChange.length === 1
    ? []
    : logicalChange.map(({ address }) => unitSuffixOf(address)).sort(compareTargets);

const usualTargets = ['production', 'preview', 'development'];
const rankOfTarget = (target: string) => usualTargets.indexOf(target) + 1 || 4;
const compareTargets = (a: string, b: string) => rankOfTarget(a) - rankOfTarget(b) || byText(a, b);

/** Returns the name of a logical change: its address, without the target if it has several: `projects/web/env/API_URL`. */
export const logicalNameOf = ([change, ...otherTargets]: readonly Change[]): Address =>
  otherTargets.length === 0 ? change!.address : addressWithoutTarget(change!.address);

/**
 * Returns the name of an entry (a change, or several that read alike) for reports: for one change its name
 * and its targets, `projects/web/env/A` and `[production, preview]`. For several changes it is their number
 * and a pattern that matches all of them, `projects/site-*`, or without a pattern only their first names: `a, b, c
 * and 4 more`.
 */
export function formatEntryName({ logicalChanges, pattern }: ReportEntry): {
  count?: number;
  name: string;
  targets: string[];
} {
  const targets = targetsOf(logicalChanges[0]!);
  if (logicalChanges.length === 1) return { name: logicalNameOf(logicalChanges[0]!), targets };
  if (pattern !== undefined) {
    const hasPatternTargets = pattern !== addressWithoutTarget(pattern);
    return { count: logicalChanges.length, name: pattern, targets: hasPatternTargets ? [] : targets };
  }
  return { name: listFew(logicalChanges.map(logicalNameOf)), targets };
}

/**
 * Returns the line of the configuration that all changes of an entry (changes that read alike) have in
 * common, so that a report can link it; undefined if they are on several lines or on none.
 */
export function sharedPositionOf({ logicalChanges, change: { at } }: ReportEntry): Position | undefined {
  const isShared = logicalChanges
    .flat()
    .every((change) => change.at?.file === at?.file && change.at?.line === at?.line);
  return isShared ? at : undefined;
}

/**
 * Returns the top-level resource that contains all changes of an entry, such as `projects/web`; undefined if they are in several. Used to
 * group entries by project.
 */
export function rootResourceOf({ logicalChanges }: ReportEntry): Address | undefined {
  const roots = new Set(logicalChanges.flat().map(({ address }) => topLevelOf(address)));
  return roots.size === 1 ? [...roots][0] : undefined;
}

/** Returns the top-level object that contains an address: `projects/web` for `projects/web/env/A`. */
export const topLevelOf = (address: Address): Address => address.split('/').slice(0, 2).join('/');
