import { type Diagnostic, downgradeIncomplete, warning } from '../model/diagnostic.ts';
import { listFew } from '../model/fold-wordings.ts';
import {
  countNotCompared,
  type NotCompared,
  type NotComparedCause,
  type NotComparedItem,
  namesOfItems,
} from '../model/not-compared.ts';
import { driftCount, type Plan } from '../model/plan.ts';
import { capitalized, cleanLine, count, joinAsSentence } from './text.ts';

export const notComparedTitle = 'Not compared';

/** The reason for each cause, as the end of a sentence. */
const notComparedReasons: Record<NotComparedCause, string> = {
  unread: 'could not be read',
  dependency: 'need an object that was not compared',
  unidentified: 'cannot be identified in the account',
  unchecked: 'exist, but whether they work was not read',
  unavailable: 'have no value here',
  'no-key': 'need the ledger key that they were applied with',
  'before-apply': 'are compared by the first apply',
  unreadable: 'cannot be read back, and the last applied value is unknown or was changed since',
};

type WithNotCompared = Pick<Plan, 'complete' | 'notCompared'>;

/** Counts the objects and secrets that were not compared: `17 objects and 2 secrets`. Empty if everything was compared. */
export function notComparedCounts({ notCompared }: Pick<Plan, 'notCompared'>): string {
  const { objects, secrets } = countNotCompared(notCompared);
  return objectsAndSecrets(objects, secrets);
}

/** Formats numbers of objects and secrets that a plan did not compare: `17 objects and 2 secrets`; empty if both are 0. */
export const objectsAndSecrets = (objects: number, secrets: number): string =>
  joinAsSentence([
    ...(objects > 0 ? [count(objects, 'object')] : []),
    ...(secrets > 0 ? [count(secrets, 'secret')] : []),
  ]);

/**
 * Returns the last sentence of a plan's summary, so that an incomplete plan does not look complete: `Incomplete: 17 objects not
 * compared.` Empty if everything was compared. A plan for which everything was read is complete even if some secrets could not be
 * compared: `Not compared: 2 secrets.`
 */
export function notComparedState(plan: WithNotCompared): string[] {
  const counts = notComparedCounts(plan);
  if (plan.complete) return counts === '' ? [] : [`${notComparedTitle}: ${counts}.`];
  return [counts === '' ? 'Incomplete.' : `Incomplete: ${counts} not compared.`];
}

/** Returns the sentence about secrets that an apply did not set, because their values are not available; empty if there are none. */
export function notSetState({ notCompared = [] }: Pick<Plan, 'notCompared'>): string[] {
  const names = notCompared
    .filter(({ cause }) => cause === 'unavailable')
    .flatMap(({ items }) => namesOfItems(items))
    .map(cleanLine);
  if (names.length === 0) return [];
  const [were, have] = names.length === 1 ? ['was', 'its value is'] : ['were', 'their values are'];
  return [
    `${count(names.length, 'secret')} ${were} not set, because ${have} not available here: ${listFew(names)}.`,
  ];
}

/** Returns the restriction of a statement about the account, to be put at its end. Empty if everything was compared. */
export const comparedPart = ({ complete, notCompared }: WithNotCompared): string =>
  complete && !notCompared ? '' : ' in the compared values';

/** States that nothing is left to do, as far as it was planned and compared: `the account matches the configuration`. */
export const matchText = (plan: WithNotCompared & Pick<Plan, 'isNarrowed'>): string =>
  `the ${plan.isNarrowed ? 'selected part' : 'account'} matches the configuration${comparedPart(plan)}`;

/**
 * States that a plan has no changes, as far as it was compared: `No changes. The account matches the configuration.` Used by every report
 * of a plan.
 */
export function noChangesText(plan: WithNotCompared & Pick<Plan, 'isNarrowed'>): string {
  const limit = comparedPart(plan);
  if (plan.isNarrowed)
    return `No changes in ${limit === '' ? '' : 'the compared values of '}the selected part.`;
  return limit === '' ? `No changes. ${capitalized(matchText(plan))}.` : `No changes${limit}.`;
}

/** The objects and secrets that were not compared for one cause, as texts. */
interface NotComparedText {
  /** The number and the cause: `17 objects could not be read (answered 403 forbidden: Not yours)`. */
  text: string;
  /** The addresses of the objects, and the names of the secrets. */
  names: string[];
}

/** Returns a text for each group, with all names. */
export const notComparedTexts = ({ notCompared = [] }: Pick<Plan, 'notCompared'>): NotComparedText[] =>
  notCompared.map((group) => ({ text: textOfGroup(group), names: namesOfItems(group.items).map(cleanLine) }));

/**
 * Formats for reports of a plan how many objects and secrets were not compared for one cause: `17 objects could not be read (403
 * forbidden), 2 of them no longer declared`.
 */
function textOfGroup(group: NotCompared): string {
  const { objects, secrets } = countNotCompared([group]);
  const undeclared = namesOfItems(group.items.filter((item) => item.undeclared)).length;
  const undeclaredText = undeclared > 0 ? `, ${undeclared} of them no longer declared` : '';
  const reasonText = group.why === undefined ? '' : ` (${cleanLine(group.why)})`;
  const reason = objects + secrets === 1 ? singular[group.cause] : undefined;
  return `${objectsAndSecrets(objects, secrets)} ${reason ?? notComparedReasons[group.cause]}${reasonText}${undeclaredText}`;
}

/** The reasons whose verb differs for one item. */
const singular: Partial<Record<NotComparedCause, string>> = {
  unchecked: 'exists, but whether it works was not read',
  dependency: 'needs an object that was not compared',
  unavailable: 'has no value here',
  'no-key': 'needs the ledger key that it was applied with',
  'before-apply': 'is compared by the first apply',
};

/** Formats a group in one line: its text, three names and the number of the others. */
export const notComparedLine = ({ text, names }: NotComparedText): string => `${text}: ${listFew(names)}`;

/**
 * Returns the problems of a plan as reports show them. A collection that could not be read is always a warning, although it is an error
 * without `--allow-incomplete`: the report is the same whether the operator goes on or not.
 */
export const reportedDiagnostics = ({ diagnostics }: Pick<Plan, 'diagnostics'>): Diagnostic[] =>
  diagnostics.map(downgradeIncomplete);

/**
 * Returns one warning for each cause for which a plan could not compare objects or secrets with the account.
 * The warning lists the lines of the configuration of all of them. Used by formats that can only print
 * problems, such as CI annotations.
 */
export const notComparedDiagnostics = ({ notCompared = [] }: Pick<Plan, 'notCompared'>): Diagnostic[] =>
  notComparedTexts({ notCompared }).map((text, index) =>
    listingDiagnostic(
      'plan/not-compared',
      `not compared: ${notComparedLine(text)}`,
      notCompared[index]!.items,
    ),
  );

/**
 * Creates a warning about several objects, for formats such as SARIF that can only print problems. Its place is that of the first object,
 * and the others are related places.
 */
export function listingDiagnostic(
  code: string,
  message: string,
  objects: readonly Pick<NotComparedItem, 'address' | 'at'>[],
): Diagnostic {
  const placed = objects.flatMap(({ address, at }) => (at ? [{ message: cleanLine(address), at }] : []));
  const [first, ...related] = placed;
  return warning(code, message, { at: first?.at, related: related.length > 0 ? related : undefined });
}

/**
 * Formats the number of objects that somebody changed outside, for `--drift-exitcode`, and counts the comparisons that were not possible.
 */
export function driftText(plan: Plan): string {
  const drifted = driftCount(plan);
  const objectsWere = drifted === 1 ? '1 object was' : `${drifted} objects were`;
  const subject = drifted === 0 ? 'Nothing was' : objectsWere;
  return [`${subject} changed outside since the last apply.`, ...notComparedState(plan)].join(' ');
}
