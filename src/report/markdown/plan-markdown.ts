import { byAddress } from '../../model/address.ts';
import type { Pace } from '../../model/budget.ts';
import { byKey, groupBy } from '../../model/graph.ts';
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

/** For what is said of the rest, and for headings. */
const planRoom = 2_000;

/** The sections whose changes stand open, whatever there is of them. */
const expandedSections: ReadonlySet<string> = new Set([
  'irreversible',
  'destructive',
  'exclusive',
  'conflict',
]);

/** So few entries beside those stand open, too: nothing is hard to find among them. */
const fewChanges = 3;

/** A part of the report under a heading, and how many changes it is about. */
interface PlanPart extends Piece {
  heading: string;
  changes: number;
  /** The number of changes that each form shows without details; none for entries that are no change. */
  withoutDetails?: number[];
}

/**
 * A plan for a pull request: what is risky first, details folded. It is never longer than `limit` bytes; what is left out is counted.
 * The marker in front makes it possible to find the comment of the stack again.
 */
export function planMarkdown(
  plan: Plan,
  pace?: Pace,
  limit = commentLimit,
  places: Places = plainPlaces,
): string {
  const head = [stackMarker(plan.stack), ...planHeadLines(plan, pace)];
  const parts = planPartsOf(plan, places);
  const chosen = withinRoom(parts, limit - planRoom - sizeOf(head.join('\n\n')));
  const sections = [...groupBy(parts.keys(), (key) => parts[key]!.heading)].map(([heading, indices]) =>
    [
      `#### ${heading}`,
      joinBlocks(indices.flatMap((index) => parts[index]!.forms[chosen[index] ?? -1] ?? [])),
    ]
      .filter((text) => text !== '')
      .join('\n\n'),
  );
  return `${[...head, ...sections, ...restLines(parts, chosen)].join('\n\n')}\n`;
}

/** Returns one part for each problem of a severity. */
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

/** Returns the parts of a plan's comment, in the order in which they are shown. */
function planPartsOf(plan: Plan, places: Places): PlanPart[] {
  const context = createPlanContext(plan, { style: styleFor({ color: false, width: 100 }), requests: false });
  const { operationsByAddress, planAddresses } = context;
  const sections = sectionsOf([...plan.changes].sort(byAddress), operationsByAddress).map((section) => {
    const { adopted, otherChanges } = splitPlainAdoptions(section.changes, {
      sentAddresses: operationsByAddress,
    });
    const entries = foldChanges(otherChanges, { sentAddresses: operationsByAddress, planAddresses });
    return { ...section, adopted, entries };
  });
  const uncompared = notComparedForms(plan).map(
    (forms): PlanPart => ({
      heading: `${notComparedTitle} (${notComparedCounts(plan)})`,
      forms,
      urgent: true,
      changes: 0,
    }),
  );
  const number = sections.reduce(
    (sum, { name, entries }) => sum + (expandedSections.has(name) ? 0 : entries.length),
    0,
  );
  const changes = sections.flatMap(({ name, title, urgent, changes: own, adopted, entries }): PlanPart[] => {
    const heading = `${title} (${countLogicalChanges(own)})`;
    const groups = expandedSections.has(name)
      ? entries.map((entry) => {
          const forms = changeForms(entry, context, places);
          const changes = entry.logicalChanges.length;
          return { forms: [forms.open, forms.line], changes, withoutDetails: [0, changes] };
        })
      : foldedByProject(entries, context, { places, isOpen: number <= fewChanges });
    return [
      ...groups.map((group) => ({ ...group, heading, urgent })),
      ...adopted.map((one) => ({
        heading,
        forms: [`- ${code('=')} ${adoptionCountText(one)}`],
        urgent,
        changes: one.number,
      })),
    ];
  });
  const news = newSources(plan);
  const sources = sourceTexts(news).map(
    ({ name, text }): PlanPart => ({
      heading: `${sourcesTitle} (${news.length})`,
      forms: [`- ${code(name)}: ${code(text)}`],
      urgent: true,
      changes: 0,
    }),
  );
  const usual = sourceTexts(sourcesOfChanges(plan.changes, plan)).map(
    ({ name, text }): PlanPart => ({
      heading: 'Read for these changes',
      forms: [`- ${code(name)}: ${code(text)}`],
      urgent: false,
      changes: 0,
    }),
  );
  const notReady = waitingTexts(plan);
  const waiting = notReady.map(
    ({ name, text }): PlanPart => ({
      heading: `${waitingTitle} (${notReady.length})`,
      forms: [`- ${code(name)}: ${code(text)}`],
      urgent: false,
      changes: 0,
    }),
  );
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
    ...uncompared,
    ...sources,
    ...changes,
    ...following,
    ...usual,
    ...waiting,
    ...diagnosticParts(plan, places, 'warning', 'Warnings'),
  ];
}

/** Names what was left out, or cut, for lack of room. */
function restLines(parts: PlanPart[], chosen: (number | undefined)[]): string[] {
  const number = (of: (part: PlanPart, form: number | undefined) => number) =>
    parts.reduce((sum, part, index) => sum + of(part, chosen[index]), 0);
  const absent = number(({ changes }, form) => (form === undefined ? changes : 0));
  const untold = number(({ changes }, form) => (form === undefined ? Number(changes === 0) : 0));
  const isShort = (form: number | undefined) => form !== undefined && form > 0;
  const short = number(({ withoutDetails }, form) => (isShort(form) ? (withoutDetails?.[form!] ?? 0) : 0));
  const shortTold = number(({ changes }, form) => Number(isShort(form) && changes === 0));
  const left = [
    ...(absent > 0 ? [count(absent, 'change')] : []),
    ...(untold > 0 ? [count(untold, 'problem')] : []),
    ...(short > 0 ? [`details of ${count(short, 'change')} above`] : []),
    ...(shortTold > 0 ? [`details of ${count(shortTold, 'problem')} above`] : []),
  ];
  return left.length > 0
    ? [`**Truncated: ${left.join(', ')}.** \`trueup plan\` and \`trueup show\` show everything.`]
    : [];
}

/** Sums a plan up in a line or two. With the platform's pace it also says how long it takes. */
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
      ? [nothingPlannedText(plan, errors), ...readsText(plan)].join(' ')
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

const nothingPlannedText = (plan: Plan, errors: number): string =>
  errors > 0
    ? 'Nothing is planned until this is fixed.'
    : noChangesText(plan).replace(/^No changes\.?/, '**$&**');

function requestText(plan: Plan, pace: Pace | undefined): string {
  const requests = plan.operations.flatMap((operation) => operation.requests);
  if (requests.length === 0) return 'Nothing is sent; this is only recorded.';
  const methods = groupBy(requests, ({ endpoint }) => endpoint.split(' ', 1)[0]!);
  const counts = [...methods].sort(byKey).map(([method, all]) => `${all.length} ${method}`);
  return `${count(requests.length, 'request')}: ${counts.join(', ')}${durationOf(plan, pace)}.`;
}

function unmanagedMarkdownLines(plan: Plan): string[] {
  const counts = unmanagedTexts(plan, code);
  return counts.length === 0 ? [] : [`Not managed here, left alone: ${counts.join(', ')}.`];
}
