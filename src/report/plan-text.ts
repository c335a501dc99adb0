import { byAddress } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { countLogicalChanges } from '../model/logical-changes.ts';
import type { Plan, PlanSource } from '../model/plan.ts';
import { actionsTitle, actionTexts, followingCounts } from './action-texts.ts';
import { changeLines } from './change-text.ts';
import { type CountedChanges, splitCountedChanges } from './counted-changes.ts';
import { diagnosticsText } from './diagnostics-text.ts';
import { isShownChange, problemsBesideChanges } from './finding-text.ts';
import { foldChanges } from './fold-changes.ts';
import { createPlanContext, legendLines, type PlanContext, type PlanTextOptions } from './plan-context.ts';
import { planFooter } from './plan-end.ts';
import {
  accountText,
  newSources,
  permissionTexts,
  sourcesOfChanges,
  sourcesTitle,
  sourceTexts,
  takeoverTexts,
} from './plan-notes.ts';
import { type ReportSection, sectionsOf } from './plan-sections.ts';
import { operationLines } from './request-text.ts';
import { plainly, type Style } from './style.ts';
import { cleanLine, displayWidth, fold, wrap } from './text.ts';

/*
 * Prints a plan for a terminal: the stack, permissions and take-overs, ordinary changes, dangerous changes, other requests, follow-up
 * actions, sources, and the end (see plan-end.ts). The most important parts come last, because a terminal stops at the end.
 */

/** Formats a plan for the terminal of the person who reviews it. Leaves out unchanged objects; the most dangerous changes come last. */
export function planText(plan: Plan, options: PlanTextOptions): string {
  const context = createPlanContext(plan, options);
  const { style } = context;
  const changes = plan.changes.filter(isShownChange).sort(byAddress);
  const dangerousSections = sectionsOf(changes, context.operationsByAddress).filter(({ usual }) => !usual);
  const lines = [
    ...(changes.length > 0 ? [headLines(plan, changes, context)] : []),
    ...ordinaryBlocks(changes, context),
    ...dangerousSections.reverse().flatMap((section) => sectionBlocks(section, context)),
    ...otherRequestBlocks(plan, context),
    ...followUpBlocks(plan, context),
    ...sourceBlocks(plan, changes, context),
    ...planFooter(plan, context),
  ];
  return plainly(lines.map((block) => block.join('\n')).join('\n\n'), style);
}

/** Formats the lines above the changes of a plan: the stack, permissions, take-overs, actions that follow, and the legend of the signs. */
function headLines(plan: Plan, changes: Change[], context: PlanContext): string[] {
  const { style } = context;
  return [
    ...stackLines(plan, style),
    ...permissionTexts(changes).map((text) => `  ${style.alarm(text)}`),
    ...takeoverTexts(changes).map((text) => `  ${style.warn(text)}`),
    ...followsLines(plan, style),
    ...legendLines(changes, context, style.width - 2).map((line) => `  ${style.quiet(line)}`),
  ];
}

/** Formats the stack and its account for the top of a plan, so that a reviewer sees what it is about; in one line if both fit. */
function stackLines(plan: Plan, style: Style): string[] {
  const stack = cleanLine(plan.stack);
  const [account] = accountText(plan);
  const head = `${style.quiet('Stack')} ${style.strong(stack)}`;
  if (account === undefined) return [head];
  return displayWidth(`Stack ${stack}, ${account}`) <= style.width
    ? [`${head}${style.quiet(`, ${account}`)}`]
    : [
        `${head}${style.quiet(',')}`,
        ...wrap(account, style.width - 2).map((line) => `  ${style.quiet(line)}`),
      ];
}

/** Counts the actions that start when the changes are done, in one line at the top. */
function followsLines(plan: Plan, style: Style): string[] {
  const counts = followingCounts(plan);
  return counts.length === 0 ? [] : [`  ${style.warn(`Triggers: ${counts.join(', ')}.`)}`];
}

/** The signs of changes that are only counted. */
const countMarks = { adopt: '=  ', release: '.  ' } as const;

/**
 * Formats the ordinary changes in the text of a plan, without a heading. Changes of ownership that send nothing
 * are only counted, in one block at the end, because there may be hundreds.
 */
function ordinaryBlocks(changes: Change[], context: PlanContext): string[][] {
  const sections = sectionsOf(changes, context.operationsByAddress).filter(({ usual }) => usual);
  const { counted, otherChanges } = splitCountedChanges(
    sections.flatMap(({ changes }) => changes),
    { sentAddresses: context.operationsByAddress, findings: context.findings, isFull: context.verbose },
  );
  const counts = counted.flatMap((changes) => countedLines(changes, context.style));
  return [...blocks(otherChanges.sort(byAddress), context), ...(counts.length > 0 ? [counts] : [])];
}

/**
 * Formats changes that are only counted: a coloured sign or word, the top-level object that contains them if they have one, and the text.
 */
function countedLines({ action, address, text }: CountedChanges, style: Style): string[] {
  const [mark, indent] = style.unicode ? [countMarks[action], '      '] : [action, '    '];
  const paint = action === 'adopt' ? style.adopt : style.quiet;
  const line = `  ${mark} ${cleanLine(address === undefined ? text : `${address} ${text}`)}`;
  const [first = '', ...others] = fold(line, style.prose, indent);
  return [first.replace(mark, () => paint(mark)), ...others];
}

/**
 * Formats a section of dangerous changes in the text of a plan: a block of lines for each entry (a change, or
 * several equal ones), the first with the heading of the section. The report puts an empty line between
 * blocks.
 */
function sectionBlocks({ title, paint, changes }: ReportSection, context: PlanContext): string[][] {
  const { style } = context;
  const [firstBlock = [], ...otherBlocks] = blocks(changes, context);
  return [
    [...headingLines(`${title} (${countLogicalChanges(changes)})`, style).map(style[paint]), ...firstBlock],
    ...otherBlocks,
  ];
}

/** Formats the heading of a section: `--- Title ------`, or only its words without Unicode, for screen readers. */
function headingLines(heading: string, { unicode, width }: Style): string[] {
  if (!unicode) return wrap(heading, width);
  const lines = wrap(`--- ${heading}`, width);
  return [...lines.slice(0, -1), `${lines.at(-1)} `.padEnd(width, '-').trimEnd()];
}

/**
 * Formats the follow-up actions (`$then`) as one block below the changes of a plan, with their requests if these are shown. Empty if there
 * are none.
 */
function followUpBlocks(plan: Plan, context: PlanContext): string[][] {
  const texts = actionTexts(plan);
  if (texts.length === 0) return [];
  const { style } = context;
  const lines = texts.flatMap(({ name, text, isOpen, action }) => [
    ...fold(`  ${name}`, style.prose, '      ').map(isOpen ? style.strong : style.quiet),
    ...(text === '' ? [] : fold(`      ${text}`, style.prose, '      ').map(style.quiet)),
    ...(context.showsRequests && action.request
      ? operationLines({ requests: [action.request] }, context).map((line) => `      ${line}`)
      : []),
  ]);
  return [[...headingLines(`${actionsTitle} (${texts.length})`, style).map(style.strong), ...lines]];
}

/**
 * Formats for a plan where the values of secrets and variables come from: first the sources of the secrets in
 * these changes, then the new sources under a heading, because a person should review them.
 */
function sourceBlocks(plan: Plan, changes: Change[], { style }: PlanContext): string[][] {
  const [usedSources, addedSources] = [sourcesOfChanges(changes, plan), newSources(plan)];
  const lines = (list: PlanSource[]) =>
    sourceTexts(list).flatMap(({ name, text }) => fold(`  ${name}: ${text}`, style.prose, '      '));
  return [
    ...(usedSources.length > 0 ? [['Read for these changes:', ...lines(usedSources)].map(style.quiet)] : []),
    ...(addedSources.length > 0
      ? [
          [
            ...headingLines(`${sourcesTitle} (${addedSources.length})`, style).map(style.warn),
            ...lines(addedSources),
          ],
        ]
      : []),
  ];
}

/**
 * Formats changes for the text of a plan, as blocks of lines with an empty line between them. Alike changes
 * are folded into one entry. Short entries that follow each other share a block, so that a list of them is
 * easy to scan; every longer entry has its own block. A short entry has one line, or two if it stands for
 * several changes.
 */
function blocks(changes: Change[], context: PlanContext): string[][] {
  const formattedBlocks: string[][] = [];
  let areShort = false;
  const entries = foldChanges(changes, {
    sentAddresses: context.operationsByAddress,
    planAddresses: context.planAddresses,
    findings: context.findings,
    isFull: context.verbose,
  });
  for (const entry of entries) {
    const lines = changeLines(entry, context);
    const isShort = lines.length === 1 || (entry.logicalChanges.length > 1 && lines.length === 2);
    if (isShort && areShort) formattedBlocks.at(-1)!.push(...lines);
    else formattedBlocks.push(lines);
    areShort = isShort;
  }
  return formattedBlocks;
}

/**
 * Formats the operations that no change in the text of a plan has shown. There should be none, but a plan with `--requests` must show every
 * request that an apply sends. Empty without that option.
 */
function otherRequestBlocks(plan: Plan, context: PlanContext): string[][] {
  if (!context.showsRequests) return [];
  const operations = plan.operations.filter((operation) => !context.shownOperations.has(operation));
  if (operations.length === 0) return [];
  const lines = operations.flatMap((operation) => operationLines(operation, context));
  return [['  Also sent:', ...lines.map((line) => `      ${line}`)]];
}

/** A plan with its problems, in the order in which a terminal prints them. */
interface PlanReport {
  warnings: string;
  plan: string;
  errors: string;
}

/**
 * Formats a plan with its warnings and errors for a terminal, each as a text of its own, because the problems
 * go to another stream than the plan. `notes` is the style of that stream. Warnings and notes that the plan shows at
 * a change are left out.
 */
export function planReport(plan: Plan, options: PlanTextOptions, notes: Style = options.style): PlanReport {
  const problems = problemsBesideChanges(plan);
  const format = (diagnostics: Diagnostic[]) => diagnosticsText(diagnostics, { style: notes });
  return {
    warnings: format(
      problems.filter((diagnostic) => diagnostic.severity !== 'error' && !isShownInChange(diagnostic)),
    ),
    plan: planText(plan, options),
    errors: format(problems.filter(({ severity }) => severity === 'error')),
  };
}

/** True for a warning that the plan prints below the change itself, so that it is not repeated. */
const isShownInChange = ({ code }: Diagnostic): boolean => code === 'guard/conflict';
