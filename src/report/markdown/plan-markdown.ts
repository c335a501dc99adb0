import { byAddress } from '../../model/address.ts';
import type { Pace } from '../../model/budget.ts';
import { groupBy } from '../../model/graph.ts';
import { countLogicalChanges } from '../../model/logical-changes.ts';
import { asksForNothing, type Plan } from '../../model/plan.ts';
import { actionsTitle, actionTexts, followingTexts } from '../action-texts.ts';
import { count } from '../count.ts';
import { firstContactTexts } from '../first-contact.ts';
import { adoptionCountText, foldChanges, splitPlainAdoptions } from '../fold-changes.ts';
import { durationOf, readsText, waitLines } from '../forecast.ts';
import {
  noChangesText,
  notComparedCounts,
  notComparedTitle,
  reportedDiagnostics,
} from '../not-compared-text.ts';
import { createPlanContext } from '../plan-context.ts';
import { summaryCountsText } from '../plan-end.ts';
import {
  accountText,
  conflictText,
  guardsTexts,
  handoverTexts,
  newSources,
  permissionTexts,
  renewedTexts,
  sourcesOfChanges,
  sourcesTitle,
  sourceTexts,
  takeoverTexts,
  unmanagedTexts,
  waitingTexts,
  waitingTitle,
} from '../plan-notes.ts';
import { sectionsOf } from '../plan-sections.ts';
import { methodCountsOf } from '../request-text.ts';
import { styleFor } from '../style.ts';
import { summarizePlan } from '../summarize-plan.ts';
import { changeForms, foldedByProject, joinBlocks } from './by-project.ts';
import { diagnosticForms } from './diff-lines.ts';
import {
  code,
  commentLimit,
  type Piece,
  type Places,
  plainPlaces,
  sizeOf,
  stackMarker,
  withinRoom,
} from './forms.ts';
import { notComparedForms } from './not-compared-forms.ts';

/** The bytes kept free for headings and for the line that counts truncated parts. */
const reservedForHeadings = 2_000;

/** The sections whose changes are never folded. */
const expandedSections: ReadonlySet<string> = new Set([
  'irreversible',
  'destructive',
  'exclusive',
  'conflict',
]);

/** Up to so many entries of the other sections are open, too, because a few are easy to read. */
const maxOpenEntries = 3;

/** A part of the comment under a heading, with its number of changes and its forms (see `forms.ts`). */
interface PlanPart extends Piece {
  heading: string;
  changes: number;
  /** The number of changes that each form shows without details. Absent for parts that are not about changes. */
  withoutDetails?: number[];
}

/**
 * Formats a plan for the comment of a pull request: risky changes first, details folded. Never longer than `limit` bytes: parts without
 * room are left out and counted. Begins with the marker by which a later run finds the comment of the stack.
 */
export function planMarkdown(
  plan: Plan,
  pace?: Pace,
  limit = commentLimit,
  places: Places = plainPlaces,
): string {
  const head = [stackMarker(plan.stack), ...planHeadLines(plan, pace)];
  const parts = planPartsOf(plan, places);
  const chosen = withinRoom(parts, limit - reservedForHeadings - sizeOf(head.join('\n\n')));
  const sections = [...groupBy(parts.keys(), (key) => parts[key]!.heading)].map(([heading, indices]) =>
    [
      `#### ${heading}`,
      joinBlocks(indices.flatMap((index) => parts[index]!.forms[chosen[index] ?? -1] ?? [])),
    ]
      .filter((text) => text !== '')
      .join('\n\n'),
  );
  return `${[...head, ...sections, ...truncationLines(parts, chosen)].join('\n\n')}\n`;
}

/** Returns a part of the comment for each problem of a severity, below a heading with their number. */
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
  }));
}

/** Returns the parts of a comment for the changes of a plan, by section: dangerous changes are never folded, others only if they are many. */
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
  const foldedCount = sections.reduce(
    (sum, { name, entries }) => sum + (expandedSections.has(name) ? 0 : entries.length),
    0,
  );
  return sections.flatMap(
    ({ name, title, urgent, changes: sectionChanges, adopted, entries }): PlanPart[] => {
      const heading = `${title} (${countLogicalChanges(sectionChanges)})`;
      const groups = expandedSections.has(name)
        ? entries.map((entry) => {
            const forms = changeForms(entry, context, places);
            const changes = entry.logicalChanges.length;
            return { forms: [forms.open, forms.line], changes, withoutDetails: [0, changes] };
          })
        : foldedByProject(entries, context, { places, isOpen: foldedCount <= maxOpenEntries });
      return [
        ...groups.map((group) => ({ ...group, heading, urgent })),
        ...adopted.map((adoption) => ({
          heading,
          forms: [`- ${code('=')} ${adoptionCountText(adoption)}`],
          urgent,
          changes: adoption.number,
        })),
      ];
    },
  );
}

/** Returns a part of a comment for each item, such as a source with its text. `urgent`: it gets room before ordinary parts. */
const itemParts = (heading: string, items: { name: string; text: string }[], urgent = false): PlanPart[] =>
  items.map(({ name, text }) => ({ heading, forms: [`- ${code(name)}: ${code(text)}`], urgent, changes: 0 }));

/** Returns the parts of a plan's comment, in the order in which they are shown: errors first, then changes by danger, warnings last. */
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

/** Counts the changes and problems that are left out or shortened because the comment has no room for them. Empty if there are none. */
function truncationLines(parts: PlanPart[], chosen: (number | undefined)[]): string[] {
  const sumOver = (countOf: (part: PlanPart, form: number | undefined) => number) =>
    parts.reduce((sum, part, index) => sum + countOf(part, chosen[index]), 0);
  const isShort = (form: number | undefined) => form !== undefined && form > 0;
  const absentChanges = sumOver(({ changes }, form) => (form === undefined ? changes : 0));
  const absentProblems = sumOver(({ changes }, form) => Number(form === undefined && changes === 0));
  const shortChanges = sumOver(({ withoutDetails }, form) =>
    isShort(form) ? (withoutDetails?.[form!] ?? 0) : 0,
  );
  const shortProblems = sumOver(({ changes }, form) => Number(isShort(form) && changes === 0));
  const truncated = [
    ...(absentChanges > 0 ? [count(absentChanges, 'change')] : []),
    ...(absentProblems > 0 ? [count(absentProblems, 'problem')] : []),
    ...(shortChanges > 0 ? [`details of ${count(shortChanges, 'change')} above`] : []),
    ...(shortProblems > 0 ? [`details of ${count(shortProblems, 'problem')} above`] : []),
  ];
  return truncated.length > 0
    ? [`**Truncated: ${truncated.join(', ')}.** \`trueup plan\` and \`trueup show\` show everything.`]
    : [];
}

/**
 * Formats the lines above the first section: heading, errors, counts, and facts that a reviewer must see. With `pace`, also the duration of
 * an apply.
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
    ...(plan.partial ? ['Only part of the stack was planned.'] : []),
    asksForNothing(plan)
      ? [nothingPlannedMarkdown(plan, errors), ...readsText(plan)].join(' ')
      : [
          `**Plan: ${[summaryCountsText(summarizePlan(plan)), ...followingTexts(plan)].join(', ')}.** ${requestText(plan, pace)}`,
          ...readsText(plan),
        ].join(' '),
    ...[...permissionTexts(plan.changes), ...takeoverTexts(plan.changes)].map((text) => `**${text}**`),
    ...conflictText(plan.changes).map((text) => `**${text}**`),
    ...waitLines(plan, pace, Number.POSITIVE_INFINITY),
    ...unmanagedMarkdownLines(plan),
    ...renewedTexts(plan),
    ...handoverTexts(plan),
    ...firstContactTexts(plan, code),
    ...guardsTexts(plan),
  ];
}

/** Returns the summary of a plan without changes: because of errors, or because nothing differs. */
const nothingPlannedMarkdown = (plan: Plan, errors: number): string =>
  errors > 0
    ? 'Nothing is planned until this is fixed.'
    : noChangesText(plan).replace(/^No changes\.?/, '**$&**');

/** Counts the requests of an apply by method, for the head of the comment: `9 requests: 2 PATCH, 7 POST, about 2 min.` */
function requestText(plan: Plan, pace: Pace | undefined): string {
  const requests = plan.operations.flatMap((operation) => operation.requests);
  if (requests.length === 0) return 'Nothing is sent; this is only recorded.';
  return `${count(requests.length, 'request')}: ${methodCountsOf(requests).join(', ')}${durationOf(plan, pace)}.`;
}

/** Counts the objects of the account that no stack manages, by kind; empty if there are none. */
function unmanagedMarkdownLines(plan: Plan): string[] {
  const counts = unmanagedTexts(plan, code);
  return counts.length === 0 ? [] : [`Not managed here, left alone: ${counts.join(', ')}.`];
}
