import { byAddress } from '../../model/address.ts';
import type { Pace } from '../../model/budget.ts';
import type { Change } from '../../model/change.ts';
import { groupBy } from '../../model/graph.ts';
import { countLogicalChanges } from '../../model/logical-changes.ts';
import { asksForNothing, type Plan } from '../../model/plan.ts';
import { actionsTitle, actionTexts, followingTexts } from '../action-texts.ts';
import { positionTexts, shownReasonOf } from '../change-text.ts';
import {
  adoptionCountText,
  foldChanges,
  formatEntryName,
  logicalNameOf,
  type ReportEntry,
  rootResourceOf,
  sharedPositionOf,
  splitPlainAdoptions,
  variedValuesText,
} from '../fold-changes.ts';
import { durationOf, readsText } from '../forecast.ts';
import {
  noChangesText,
  notComparedCounts,
  notComparedLine,
  notComparedTexts,
  notComparedTitle,
  reportedDiagnostics,
} from '../not-compared-text.ts';
import { createPlanContext, markerOf, type PlanContext } from '../plan-context.ts';
import { summaryCountsText } from '../plan-end.ts';
import {
  accountText,
  changedByTexts,
  newSources,
  sourcesOfChanges,
  sourcesTitle,
  sourceTexts,
  summarizePlan,
  waitingTexts,
  waitingTitle,
} from '../plan-notes.ts';
import { sectionsOf } from '../plan-sections.ts';
import { countPlannedRequests } from '../request-text.ts';
import { showName } from '../show.ts';
import { styleFor } from '../style.ts';
import { cleanLine, count, firstLines, flow } from '../text.ts';
import { columns, commentLines, diagnosticForms, fieldsDiff, type Sign, signedLines } from './diff-lines.ts';
import {
  byteLengthOf,
  code,
  commentLimit,
  fence,
  type HeadedPiece,
  htmlCode,
  htmlText,
  type Places,
  placeHtml,
  placeLink,
  plainPlaces,
  sectionsOfPieces,
  stackMarker,
  withinRoom,
} from './forms.ts';
import { headNotesOf } from './head-notes.ts';

/** The bytes kept free for headings and for the line that counts truncated parts. */
const reservedForHeadings = 2_000;

/** The sections whose changes are never collapsed. */
const expandedSections: ReadonlySet<string> = new Set([
  'irreversible',
  'destructive',
  'exclusive',
  'conflict',
]);

/** Up to so many entries of the other sections are open, too, because a few are easy to read. */
const maxOpenEntries = 3;

/** A part of the comment under a heading, with its number of changes and its forms (see `forms.ts`). */
interface PlanPart extends HeadedPiece {
  changes: number;
  /** True if the part is a problem. Without changes and problem, it is another item, such as an action or a source. */
  isProblem?: true;
  /** The number of changes that each form shows without details. Absent for parts that are not about changes. */
  withoutDetails?: number[];
}

/**
 * Formats a plan for the comment of a pull request: risky changes first, details collapsed. Never longer than
 * `limit` bytes: parts without room are left out and counted. Begins with the marker by which a later run
 * finds the comment of the stack. `pace`: the platform's speed, for the estimated duration.
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
  const noteTexts = notes.flatMap(({ forms }, index) => forms[chosen[index] ?? -1] ?? []);
  const sections = sectionsOfPieces(parts, chosen.slice(notes.length)).map(({ heading, texts }) =>
    [heading, joinBlocks(texts)].filter((text) => text !== '').join('\n\n'),
  );
  return `${[...head, ...noteTexts, ...sections, ...truncationLines(pieces, chosen)].join('\n\n')}\n`;
}

/** Returns a part of a plan's comment on a pull request for each problem of a severity, below a heading with their number. */
function diagnosticParts(
  plan: Plan,
  places: Places,
  severity: 'error' | 'warning',
  title: string,
): PlanPart[] {
  const diagnostics = reportedDiagnostics(plan).filter((diagnostic) => diagnostic.severity === severity);
  const heading = `${title} (${diagnostics.length})`;
  return diagnostics.map((diagnostic) => ({
    heading,
    forms: diagnosticForms(diagnostic, places),
    urgent: severity === 'error',
    changes: 0,
    isProblem: true,
  }));
}

/**
 * Returns the parts of the comment on a pull request for the changes of a plan, by section. Dangerous changes
 * show their details or, without room, one line. Other changes are grouped by project and collapsed; the
 * groups are open if there are few changes.
 */
function changePartsOf(plan: Plan, places: Places): PlanPart[] {
  const context = createPlanContext(plan, { style: styleFor({ color: false, width: 100 }), requests: false });
  const { operationsByAddress, planAddresses } = context;
  const sections = sectionsOf([...plan.changes].sort(byAddress), operationsByAddress).map((section) => {
    const { adopted, otherChanges } = splitPlainAdoptions(section.changes, {
      sentAddresses: operationsByAddress,
    });
    const entries = foldChanges(otherChanges, { sentAddresses: operationsByAddress, planAddresses });
    return { ...section, adopted, entries };
  });
  const groupedSections = sections.filter(({ name }) => !expandedSections.has(name));
  const groupedCount = groupedSections.reduce((sum, { entries }) => sum + entries.length, 0);
  const isOpen = groupedCount <= maxOpenEntries;
  return sections.flatMap(({ name, title, urgent, changes, adopted, entries }): PlanPart[] => {
    const heading = `${title} (${countLogicalChanges(changes)})`;
    const groups = expandedSections.has(name)
      ? entries.map((entry) => expandedPartOf(entry, context, places))
      : foldedByProject(entries, context, { places, isOpen });
    const counts = adopted.map((adoption) => ({
      forms: [`- ${code('=')} ${adoptionCountText(adoption)}`],
      changes: adoption.number,
    }));
    return [...groups, ...counts].map((part) => ({ ...part, heading, urgent }));
  });
}

/** Returns the part of a comment for one entry (a change, or several that read alike): with its details or, without room, as one line. */
function expandedPartOf(entry: ReportEntry, context: PlanContext, places: Places): EntriesPart {
  const { open, line } = changeForms(entry, context, places);
  const changes = entry.logicalChanges.length;
  return { forms: [open, line], changes, withoutDetails: [0, changes] };
}

/** Returns a part of a comment for each item, such as a source with its text. `urgent`: it gets room before ordinary parts. */
const itemParts = (heading: string, items: { name: string; text: string }[], urgent = false): PlanPart[] =>
  items.map(({ name, text }) => ({ heading, forms: [`- ${code(name)}: ${code(text)}`], urgent, changes: 0 }));

/**
 * Returns the parts of a plan's comment in the order in which they are shown: errors first, then changes by
 * danger, warnings last. Urgent parts get room before others if the comment is too long. `changes` is 0 for a
 * part that is not about changes.
 */
function planPartsOf(plan: Plan, places: Places): PlanPart[] {
  const notComparedParts = notComparedForms(plan).map(
    (forms): PlanPart => ({
      heading: `${notComparedTitle} (${notComparedCounts(plan)})`,
      forms,
      urgent: true,
      changes: 0,
    }),
  );
  const addedSources = newSources(plan);
  const usedSources = sourceTexts(sourcesOfChanges(plan.changes, plan));
  const notReady = waitingTexts(plan);
  const texts = actionTexts(plan);
  const following = texts.map(
    ({ name, text, isOpen }): PlanPart => ({
      heading: `${actionsTitle} (${texts.length})`,
      forms: [`- ${isOpen ? `**${code(name)}**` : code(name)}${text === '' ? '' : `: ${code(text)}`}`],
      urgent: isOpen,
      changes: 0,
    }),
  );
  return [
    ...diagnosticParts(plan, places, 'error', 'Errors'),
    ...notComparedParts,
    ...itemParts(`${sourcesTitle} (${addedSources.length})`, sourceTexts(addedSources), true),
    ...changePartsOf(plan, places),
    ...following,
    ...itemParts('Read for these changes', usedSources),
    ...itemParts(`${waitingTitle} (${notReady.length})`, notReady),
    ...diagnosticParts(plan, places, 'warning', 'Warnings'),
  ];
}

/**
 * Counts the changes, problems and other items of a plan that its comment leaves out or shortens for lack of room.
 * `chosen` has the index of the form in which the comment shows each part: 0 is the longest form, undefined
 * means none. Empty if nothing is missing.
 */
function truncationLines(parts: PlanPart[], chosen: (number | undefined)[]): string[] {
  const isOther = ({ changes, isProblem }: PlanPart) => changes === 0 && !isProblem;
  const absentParts = parts.filter((_, index) => chosen[index] === undefined);
  const absentChanges = absentParts.reduce((sum, { changes }) => sum + changes, 0);
  const absentProblems = absentParts.filter(({ isProblem }) => isProblem).length;
  const absentOthers = absentParts.filter(isOther).length;
  const shortParts = parts.filter((_, index) => (chosen[index] ?? 0) > 0);
  const shortProblems = shortParts.filter(({ isProblem }) => isProblem).length;
  const shortOthers = shortParts.filter(isOther).length;
  const shortChanges = parts.reduce((sum, { withoutDetails }, index) => {
    const form = chosen[index] ?? 0;
    return sum + (form > 0 ? (withoutDetails?.[form] ?? 0) : 0);
  }, 0);
  const truncated = [
    ...(absentChanges > 0 ? [count(absentChanges, 'change')] : []),
    ...(absentProblems > 0 ? [count(absentProblems, 'problem')] : []),
    ...(absentOthers > 0 ? [count(absentOthers, 'other item')] : []),
    ...(shortChanges > 0 ? [`details of ${count(shortChanges, 'change')} above`] : []),
    ...(shortProblems > 0 ? [`details of ${count(shortProblems, 'problem')} above`] : []),
    ...(shortOthers > 0 ? [`details of ${count(shortOthers, 'other item')} above`] : []),
  ];
  return truncated.length > 0
    ? [`**Truncated: ${truncated.join(', ')}.** \`trueup plan\` and \`trueup show\` show everything.`]
    : [];
}

/**
 * Formats the first lines of a plan's comment, which are always shown: heading, errors and counts. With `pace`, also the duration of an apply. The
 * notes below them are in `head-notes.ts`.
 */
function planHeadLines(plan: Plan, pace?: Pace): string[] {
  const errors = reportedDiagnostics(plan).filter(({ severity }) => severity === 'error').length;
  const uncompared = notComparedCounts(plan);
  return [
    `### trueup plan: ${[plan.stack, ...accountText(plan)].map(code).join(', ')}${uncompared === '' ? '' : `: ${uncompared} not compared`}`,
    ...(errors > 0 ? [`**This cannot be applied: ${count(errors, 'error')}.**`] : []),
    ...(plan.complete
      ? []
      : [
          `**This plan is incomplete: ${uncompared === '' ? 'not everything could be read' : `${uncompared} not compared`}.**`,
        ]),
    ...(plan.isNarrowed ? ['Only part of the stack was planned.'] : []),
    asksForNothing(plan)
      ? [nothingPlannedMarkdown(plan, errors), ...readsText(plan)].join(' ')
      : [
          `**Plan: ${[summaryCountsText(summarizePlan(plan)), ...followingTexts(plan)].join(', ')}.** ${requestText(plan, pace)}`,
          ...readsText(plan),
        ].join(' '),
  ];
}

/** Returns the summary of a plan without changes: because of errors, or because nothing differs. */
const nothingPlannedMarkdown = (plan: Plan, errors: number): string =>
  errors > 0
    ? 'Nothing is planned until this is fixed.'
    : noChangesText(plan).replace(/^No changes\.?/, '**$&**');

/** Counts the requests of an apply by method, for the head of the comment: `9 requests: 2 PATCH, 7 POST, about 2 min.` If there are none, says so. */
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
 * Formats the objects and secrets that a plan could not compare with the account, for a comment of limited
 * size. Returns for each cause one or two texts, the longest first: all names in a collapsed list, and one
 * line. The comment shows the longest text that fits.
 */
const notComparedForms = (plan: Pick<Plan, 'notCompared'>): string[][] =>
  notComparedTexts(plan).map((group) => {
    const line = `- ${code(notComparedLine(group))}`;
    const { text, names } = group;
    if (names.length <= maxInlineNames) return [line];
    const list = fence(firstLines(names, maxNotComparedNames), '');
    return [`<details><summary>${htmlText(text)}</summary>\n\n${list}\n\n</details>`, line];
  });

/** The part of a comment for one entry, or for the entries of one root resource, such as a project. */
interface EntriesPart {
  /** The forms of the group, the longest first (see forms.ts). */
  forms: string[];
  changes: number;
  /** The number of changes that each form shows without details. */
  withoutDetails: number[];
}

/** The words for the actions of a plan, for counts. */
const plannedWords: Partial<Record<Change['action'], string>> = {
  create: 'to create',
  adopt: 'to adopt',
  update: 'to update',
  replace: 'to replace',
  move: 'to move',
  release: 'to stop managing',
  forget: 'to stop managing',
  delete: 'to delete',
};

/**
 * Counts changes by their planned verb, for the title of a collapsed list in a comment: `2 to create, 1 to
 * update`. Actions with the same verb are counted together.
 */
function actionCountsText(changes: Change[]): string {
  const words = [...new Set(Object.values(plannedWords))];
  return words
    .map((word) => ({
      word,
      number: countLogicalChanges(changes.filter(({ action }) => plannedWords[action] === word)),
    }))
    .filter(({ number }) => number > 0)
    .map(({ word, number }) => `${number} ${word}`)
    .join(', ');
}

/**
 * The forms of a group with several entries: each share is the part of the group's full size that entries with details may take. The remaining
 * entries have one line each.
 */
const detailShares = [1, 0.5, 0.25, 0.1, 0];

/**
 * Groups the entries of a section of a plan's comment (an entry is a change, or several that read alike) by
 * project, so that a reviewer can open one project at a time. Each group is collapsed, or open with `isOpen`:
 * its title counts changes, its content shows them. Each group has several forms, with fewer and fewer
 * details, the longest first.
 */
function foldedByProject(
  entries: ReportEntry[],
  context: PlanContext,
  { places, isOpen }: { places: Places; isOpen: boolean },
): EntriesPart[] {
  const foldStart = isOpen ? '<details open>' : '<details>';
  const groups = groupBy(entries, (entry) => rootResourceOf(entry) ?? '');
  return [...groups].map(([root, groupEntries]): EntriesPart => {
    const changes = groupEntries.flatMap(({ logicalChanges }) => logicalChanges.flat());
    const forms = groupEntries.map((entry) => changeForms(entry, context, places));
    const number = groupEntries.reduce((sum, { logicalChanges }) => sum + logicalChanges.length, 0);
    if (groupEntries.length === 1) {
      const { folded, line } = forms[0]!;
      return {
        forms: [folded.replace('<details>', foldStart), line],
        changes: number,
        withoutDetails: [0, folded === line ? 0 : number],
      };
    }
    const title = root === '' ? 'in several places' : htmlCode(root);
    const summary = `${foldStart}<summary>${title}: ${actionCountsText(changes)}</summary>`;
    const contents = detailShares.map((share) => joinEntryForms(groupEntries, forms, share));
    const countedForm = `- ${title}: ${actionCountsText(changes)}`;
    return {
      forms: [...contents.map(({ text }) => [summary, text, '</details>'].join('\n\n')), countedForm],
      changes: number,
      withoutDetails: [...contents.map(({ withoutDetails }) => withoutDetails), number],
    };
  });
}

/**
 * Joins the texts of the entries of one project in a comment. The first entries have their details, as long as these
 * take at most `share` (0 to 1) of the size of all details; the others have one line each. Also returns the number
 * of changes without details. `forms`: the texts of each entry.
 */
function joinEntryForms(
  entries: ReportEntry[],
  forms: ChangeForms[],
  share: number,
): { text: string; withoutDetails: number } {
  const fullSize = forms.reduce((sum, { open }) => sum + byteLengthOf(open), 0);
  let room = fullSize * share;
  let withoutDetails = 0;
  const texts = forms.map(({ open, line }, index) => {
    room -= byteLengthOf(open);
    if (room >= 0 || share === 1) return open;
    withoutDetails += entries[index]!.logicalChanges.length;
    return line;
  });
  return { text: joinBlocks(texts), withoutDetails };
}

/**
 * Joins blocks of Markdown with empty lines between them. Items of one list have none between them, because Markdown would make it a loose
 * list.
 */
const joinBlocks = (texts: string[]): string =>
  texts.reduce((joined, text) => {
    if (joined === '') return text;
    const isList = text.startsWith('- ') && joined.split('\n').at(-1)!.startsWith('- ');
    return `${joined}${isList ? '\n' : '\n\n'}${text}`;
  }, '');

/** The forms of one entry in a comment. */
interface ChangeForms {
  /** Title and details. */
  open: string;
  /** Title and details in a fold. Equal to `line` if there are no details. */
  folded: string;
  /** The title as an item of a list. */
  line: string;
}

/** The most names of an entry that are listed. */
const maxNames = 100;

/**
 * Formats one entry of a plan (a change, or several that read alike) for a comment in three forms: with its
 * details, with details that open on a click, and as one line. A comment chooses the form by the room that it
 * has.
 */
function changeForms(entry: ReportEntry, context: PlanContext, places: Places): ChangeForms {
  const { change } = entry;
  const { sign, means } = markerOf(change, context);
  const { count, name, targets } = formatEntryName(entry);
  const position = sharedPositionOf(entry);
  const number = count === undefined ? '' : `${count} x `;
  const suffix = targets.length > 0 ? ` [${targets.map(cleanLine).join(', ')}]` : '';
  const link = position ? ` at ${placeLink(position, places)}` : '';
  const title = `${code(sign)} ${number}${code(cleanLine(name))}${suffix === '' ? '' : ` ${code(suffix.trim())}`}`;
  const line = `- ${title}${link}`;
  const body = entryDiffLines(entry, context);
  const open = `${title} (${means}, ${isWord(change.kind) ? change.kind : code(change.kind)})${link}`;
  if (body.length === 0) return { open, folded: line, line };
  const block = fence(body, 'diff');
  const factsText = htmlText([means, change.kind].join(', '));
  const summary = `${htmlCode(sign)} ${number}${htmlCode(name)}${htmlText(suffix)} (${factsText})${position ? ` at ${placeHtml(position, places)}` : ''}`;
  return {
    open: `${open}\n\n${block}`,
    folded: `<details><summary>${summary}</summary>\n\n${block}\n\n</details>`,
    line,
  };
}

/** True for a text that needs no code marks, because Markdown gives it no meaning. */
const isWord = (text: string): boolean => /^[A-Za-z]\w*$/.test(text);

const diffSigns: Record<string, Sign> = { create: '+', delete: '-' };

/**
 * Formats the details of an entry (a change, or several that read alike) as lines of a `diff` block, which Markdown colours: comments, fields, and
 * the names of all its changes if there are several.
 */
function entryDiffLines(entry: ReportEntry, context: PlanContext): string[] {
  const { change, variedPaths, logicalChanges } = entry;
  const { grade, gradeReason, action } = change;
  const names =
    logicalChanges.length > 1 ? logicalChanges.map((changes) => cleanLine(logicalNameOf(changes))) : [];
  const shown = names.slice(0, maxNames);
  const more = names.length - shown.length;
  return [
    ...[...shownReasonOf(change), ...changedByTexts(context.changedBy.get(change.address))].flatMap(
      commentLines,
    ),
    ...(grade === 'safe' ? [] : commentLines([grade, gradeReason].filter(Boolean).join(': '))),
    ...positionTexts(change).flatMap(commentLines),
    ...fieldsDiff(change, variedPaths, context),
    ...[...variedPaths].flatMap((path) => {
      const label = `${showName(path, 'plain')}: `;
      return signedLines(
        diffSigns[action] ?? '!',
        label + variedValuesText(entry, path, columns - 2 - label.length),
      );
    }),
    ...flow(
      shown.map((name, index) => (index < shown.length - 1 ? `${name},` : name)),
      ' ',
      columns - 2,
    ).flatMap((line) => signedLines('#', line)),
    ...(more > 0 ? [`# ... and ${more} more`] : []),
  ];
}
