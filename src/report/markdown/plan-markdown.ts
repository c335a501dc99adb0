import type { Pace } from '../../model/budget.ts';
import { asksForNothing, type Plan } from '../../model/plan.ts';
import { actionsTitle, actionTexts, followingTexts } from '../action-texts.ts';
import { findingCountsTexts } from '../finding-text.ts';
import { durationOf, readsText } from '../forecast.ts';
import {
  noChangesText,
  notComparedCounts,
  notComparedLine,
  notComparedTexts,
  notComparedTitle,
  reportedDiagnostics,
} from '../not-compared-text.ts';
import { summaryCountsText } from '../plan-end.ts';
import {
  accountText,
  newSources,
  sourcesOfChanges,
  sourcesTitle,
  sourceTexts,
  summarizePlan,
  waitingTexts,
  waitingTitle,
} from '../plan-notes.ts';
import { countPlannedRequests } from '../request-text.ts';
import { count, firstLines } from '../text.ts';
import { changePartsOf } from './change-parts.ts';
import {
  byteLengthOf,
  chosenForm,
  code,
  commentLimit,
  fence,
  htmlText,
  joinBlocks,
  type Places,
  type PlanPart,
  plainPlaces,
  sectionsOfPieces,
  stackMarker,
  withinRoom,
} from './forms.ts';
import { headNotesOf } from './head-notes.ts';
import { problemsAboveChanges, problemsBelowChanges } from './problem-parts.ts';

/** The bytes kept free for headings and for the line that counts truncated parts. */
const reservedForHeadings = 2_000;

/**
 * Formats a plan for the comment of a pull request, a step summary or `--format markdown`: risky changes first, details collapsed. Parts
 * for which there is no room in `limit` bytes are left out and counted. Begins with the marker by which a later run finds the comment of
 * the stack. `pace`: the platform's speed, for the estimated duration. `places`: how places in files are written, such as links to the code
 * host.
 */
export function planMarkdown(
  plan: Plan,
  pace?: Pace,
  limit = commentLimit,
  places: Places = plainPlaces,
): string {
  const head = [stackMarker(plan.stack), ...planHeadLines(plan, pace)];
  const notes = headNotesOf(plan, pace).map((note): PlanPart => ({ ...note, heading: '', changes: 0 }));
  const parts = planPartsOf(plan, places);
  const pieces = [...notes, ...parts];
  const chosen = withinRoom(pieces, limit - reservedForHeadings - byteLengthOf(head.join('\n\n')));
  const noteTexts = notes.flatMap((note, index) => chosenForm(note, chosen[index]));
  const chosenOfParts = chosen.slice(notes.length);
  const sections = sectionsOfPieces(parts, chosenOfParts).map(({ heading, texts }) =>
    [heading, joinBlocks(texts)].filter((text) => text !== '').join('\n\n'),
  );
  return `${[...head, ...noteTexts, ...sections, ...truncationLines(pieces, chosen)].join('\n\n')}\n`;
}

/** Returns a part of a comment for each item, such as a source with its text. `isUrgent`: it gets room before ordinary parts. */
const itemParts = (
  heading: string,
  items: { name: string; text: string }[],
  { isUrgent = false } = {},
): PlanPart[] =>
  items.map(({ name, text }) => ({
    heading,
    forms: [`- ${code(name)}: ${code(text)}`],
    urgent: isUrgent,
    changes: 0,
  }));

/**
 * Returns the parts of a plan's comment in the order in which they are shown: errors and new warnings first, then new sources (of secrets
 * and of values from elsewhere) and changes by danger, other warnings and notes last. Urgent parts get room before others if the comment is
 * too long. The member `changes` of a part is 0 if it is not about changes.
 */
function planPartsOf(plan: Plan, places: Places): PlanPart[] {
  const addedSources = newSources(plan);
  const usedSources = sourceTexts(sourcesOfChanges(plan.changes, plan));
  const notReady = waitingTexts(plan);
  return [
    ...problemsAboveChanges(plan, places),
    ...notComparedParts(plan),
    ...itemParts(`${sourcesTitle} (${addedSources.length})`, sourceTexts(addedSources), { isUrgent: true }),
    ...changePartsOf(plan, places),
    ...followingParts(plan),
    ...itemParts('Read for these changes', usedSources),
    ...itemParts(`${waitingTitle} (${notReady.length})`, notReady),
    ...problemsBelowChanges(plan, places),
  ];
}

/** Returns a part of a plan's comment for each follow-up action (`$then`), which an apply sends after the changes. */
function followingParts(plan: Plan): PlanPart[] {
  const texts = actionTexts(plan);
  return texts.map(({ name, text, isOpen }) => ({
    heading: `${actionsTitle} (${texts.length})`,
    forms: [`- ${isOpen ? `**${code(name)}**` : code(name)}${text === '' ? '' : `: ${code(text)}`}`],
    urgent: isOpen,
    changes: 0,
  }));
}

/**
 * Counts the changes, problems and other items of a plan that its comment leaves out or shortens for lack of room.
 * `chosen` has the index of the form in which the comment shows each part: 0 is the longest form, undefined
 * means none. Empty if nothing is missing.
 */
function truncationLines(parts: PlanPart[], chosen: (number | undefined)[]): string[] {
  const absentParts = parts.filter((_, index) => chosen[index] === undefined);
  const changesInAbsentParts = absentParts.reduce((sum, { changes }) => sum + changes, 0);
  const shortParts = parts.filter((_, index) => (chosen[index] ?? 0) > 0);
  // Form 0 shows all details, and stands here also for the absent parts. They are counted above.
  const changesWithoutDetails = parts.reduce(
    (sum, { withoutDetails }, index) => sum + (withoutDetails?.[chosen[index] ?? 0] ?? 0),
    0,
  );
  const truncated = [
    ...truncationCounts(absentParts, changesInAbsentParts),
    ...truncationCounts(shortParts, changesWithoutDetails).map((text) => `details of ${text} above`),
  ];
  return truncated.length > 0
    ? [`**Truncated: ${truncated.join(', ')}.** \`trueup plan\` and \`trueup show\` show everything.`]
    : [];
}

/**
 * Formats the counts of the parts that a comment leaves out or shortens, for its line about this: `3 changes`, `1 problem`, `2 other items`
 * (such as sources and actions). Counts of zero are left out. `changes`: the number of changes, which the caller counts, because a
 * shortened part may still show some of its changes in full.
 */
function truncationCounts(parts: PlanPart[], changes: number): string[] {
  const problems = parts.filter(({ isProblem }) => isProblem).length;
  const otherItems = parts.filter((part) => part.changes === 0 && !part.isProblem).length;
  return [
    ...(changes > 0 ? [count(changes, 'change')] : []),
    ...(problems > 0 ? [count(problems, 'problem')] : []),
    ...(otherItems > 0 ? [count(otherItems, 'other item')] : []),
  ];
}

/**
 * Formats the first lines of a plan's comment: heading, errors, restrictions, and counts of changes, actions, requests, reads and findings.
 * They are shown even if there is no room for more. With `pace`, also the duration of an apply. The notes below them are in
 * `head-notes.ts`.
 */
function planHeadLines(plan: Plan, pace?: Pace): string[] {
  const errors = reportedDiagnostics(plan).filter(({ severity }) => severity === 'error').length;
  const uncompared = notComparedCounts(plan);
  const notCompared = uncompared === '' ? undefined : `${uncompared} not compared`;
  const names = [plan.stack, ...accountText(plan)].map(code).join(', ');
  const counts = asksForNothing(plan)
    ? nothingPlannedMarkdown(plan, errors)
    : `**Plan: ${[summaryCountsText(summarizePlan(plan)), ...followingTexts(plan)].join(', ')}.** ${requestText(plan, pace)}`;
  return [
    ['### trueup plan', names, ...(notCompared === undefined ? [] : [notCompared])].join(': '),
    ...(errors > 0 ? [`**This cannot be applied: ${count(errors, 'error')}.**`] : []),
    ...(plan.complete
      ? []
      : [`**This plan is incomplete: ${notCompared ?? 'not everything could be read'}.**`]),
    ...(plan.isNarrowed ? ['Only part of the stack was planned.'] : []),
    [counts, ...readsText(plan)].join(' '),
    // New warnings are bold.
    ...findingCountsTexts(plan).map((text) => (text.includes('new warning') ? `**${text}**` : text)),
  ];
}

/** Returns the summary of a plan without changes: because of errors, or because nothing differs. */
const nothingPlannedMarkdown = (plan: Plan, errors: number): string =>
  errors > 0
    ? 'Nothing is planned until this is fixed.'
    : noChangesText(plan).replace(/^No changes\.?/, '**$&**');

/**
 * Counts the requests of an apply by method, for the head of the comment: `9 requests: 2 PATCH, 7 POST, about 2 min.` If there are none,
 * says so.
 */
function requestText(plan: Plan, pace: Pace | undefined): string {
  const { total, methodCounts } = countPlannedRequests(plan);
  if (total === 0) return 'Nothing is sent; this is only recorded.';
  const byMethod = methodCounts.length > 0 ? `: ${methodCounts.join(', ')}` : '';
  return `${count(total, 'request')}${byMethod}${durationOf(plan, pace)}.`;
}

/** The most names of one cause. The JSON document has all names. */
const maxNotComparedNames = 200;
/** Up to so many names fit into one line, without a fold. */
const maxInlineNames = 3;

/**
 * Returns a part of a plan's comment for each cause for which objects and secrets could not be compared with the account: their names in a
 * collapsed list or, for a few names or without room, one line.
 */
function notComparedParts(plan: Pick<Plan, 'notCompared'>): PlanPart[] {
  const heading = `${notComparedTitle} (${notComparedCounts(plan)})`;
  return notComparedTexts(plan).map((group) => {
    const { text, names } = group;
    const line = `- ${code(notComparedLine(group))}`;
    const list = fence(firstLines(names, maxNotComparedNames), '');
    const collapsed = `<details><summary>${htmlText(text)}</summary>\n\n${list}\n\n</details>`;
    const forms = names.length > maxInlineNames ? [collapsed, line] : [line];
    return { heading, forms, urgent: true, changes: 0 };
  });
}
