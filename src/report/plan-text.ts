import { byAddress } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { countLogicalChanges } from '../model/logical-changes.ts';
import type { Plan, PlanSource } from '../model/plan.ts';
import { actionsTitle, actionTexts, followingCounts } from './action-texts.ts';
import { changeLines } from './change-text.ts';
import { cleanLine } from './clean.ts';
import { displayWidth, fold, wrap } from './cut.ts';
import { diagnosticsText } from './diagnostics-text.ts';
import { adoptionCountText, foldChanges, splitPlainAdoptions } from './fold-changes.ts';
import { reportedDiagnostics } from './not-compared-text.ts';
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
import { type Section, sectionsOf } from './plan-sections.ts';
import { operationLines } from './request-text.ts';
import { plainly, type Style } from './style.ts';

/** A plan for the person who reviews it. What stays as it is, is not mentioned; what is most dangerous comes last. */
export function planText(plan: Plan, options: PlanTextOptions): string {
  const context = createPlanContext(plan, options);
  const { style } = context;
  const changes = plan.changes
    .filter(({ action, changesLedgerOnly }) => action !== 'noop' && !changesLedgerOnly)
    .sort(byAddress);

  const head =
    changes.length === 0
      ? []
      : [
          ...stackLines(plan, style),
          ...permissionTexts(changes).map((text) => `  ${style.alarm(text)}`),
          ...takeoverTexts(changes).map((text) => `  ${style.warn(text)}`),
          ...followsLines(plan, style),
          ...legendLines(changes, context, style.width - 2).map((line) => `  ${style.quiet(line)}`),
        ];
  const lines = [
    ...(head.length > 0 ? [head] : []),
    ...changeSections(changes, context),
    ...sectionsOf(changes, context.operationsByAddress)
      .filter(({ usual }) => !usual)
      .reverse()
      .flatMap((one) => section(one, context)),
    ...otherRequests(plan, context),
    ...followingSections(plan, context),
    ...sources(plan, changes, context),
    ...planFooter(plan, context),
  ];
  return plainly(lines.map((block) => block.join('\n')).join('\n\n'), style);
}

/** Which stack, of which account. */
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

/** Counts the actions that start once the changes are done. */
function followsLines(plan: Plan, style: Style): string[] {
  const counts = followingCounts(plan);
  return counts.length === 0 ? [] : [`  ${style.warn(`Triggers: ${counts.join(', ')}.`)}`];
}

/** The changes that need no heading, sent or only recorded. */
function changeSections(changes: Change[], context: PlanContext): string[][] {
  const sections = sectionsOf(changes, context.operationsByAddress).filter(({ usual }) => usual);
  const { adopted, others } = splitPlainAdoptions(
    sections.flatMap(({ changes }) => changes),
    { sentAddresses: context.operationsByAddress, isFull: context.verbose },
  );
  const { style } = context;
  const mark = style.unicode ? '=  ' : 'adopt';
  const counts = adopted.map((one) => `  ${style.adopt(mark)} ${cleanLine(adoptionCountText(one))}`);
  return [...blocks(others.sort(byAddress), context), ...(counts.length > 0 ? [counts] : [])];
}

function section({ title, paint, changes }: Section, context: PlanContext): string[][] {
  const { style } = context;
  const [first = [], ...rest] = blocks(changes, context);
  return [
    [...headingLines(`${title} (${countLogicalChanges(changes)})`, style).map(style[paint]), ...first],
    ...rest,
  ];
}

function headingLines(heading: string, { unicode, width }: Style): string[] {
  if (!unicode) return wrap(heading, width);
  const lines = wrap(`--- ${heading}`, width);
  return [...lines.slice(0, -1), `${lines.at(-1)} `.padEnd(width, '-').trimEnd()];
}

/** The actions that follow the changes, with their requests. */
function followingSections(plan: Plan, context: PlanContext): string[][] {
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

/** The sources outside of the YAML: those of the secrets above, and those that nobody has agreed to before. */
function sources(plan: Plan, changes: Change[], { style }: PlanContext): string[][] {
  const [usual, news] = [sourcesOfChanges(changes, plan), newSources(plan)];
  const lines = (list: PlanSource[]) =>
    sourceTexts(list).flatMap(({ name, text }) => fold(`  ${name}: ${text}`, style.prose, '      '));
  return [
    ...(usual.length > 0 ? [['Read for these changes:', ...lines(usual)].map(style.quiet)] : []),
    ...(news.length > 0
      ? [[...headingLines(`${sourcesTitle} (${news.length})`, style).map(style.warn), ...lines(news)]]
      : []),
  ];
}

/** Entries of one line, and what is made many times over, stand together, all others apart. */
function blocks(changes: Change[], context: PlanContext): string[][] {
  const result: string[][] = [];
  let areShort = false;
  const entries = foldChanges(changes, {
    sentAddresses: context.operationsByAddress,
    planAddresses: context.planAddresses,
    isFull: context.verbose,
  });
  for (const entry of entries) {
    const lines = changeLines(entry, context);
    const isShort = lines.length === 1 || (entry.logicalChanges.length > 1 && lines.length === 2);
    if (isShort && areShort) result.at(-1)!.push(...lines);
    else result.push(lines);
    areShort = isShort;
  }
  return result;
}

/** Operations without a change above: there should be none, but a plan shows all that will be sent. */
function otherRequests(plan: Plan, context: PlanContext): string[][] {
  if (!context.showsRequests) return [];
  const operations = plan.operations.filter((operation) => !context.shownOperations.has(operation));
  if (operations.length === 0) return [];
  const lines = operations.flatMap((operation) => operationLines(operation, context));
  return [['  Also sent:', ...lines.map((line) => `      ${line}`)]];
}

/** The parts of a plan for a terminal, in this order: the most important is last, where a terminal stops. */
interface PlanReport {
  warnings: string;
  plan: string;
  errors: string;
}

/** `notes`: how warnings and errors look, which may go elsewhere than the plan. */
export function planReport(plan: Plan, options: PlanTextOptions, notes: Style = options.style): PlanReport {
  const shown = reportedDiagnostics(plan);
  const text = (diagnostics: Diagnostic[]) => diagnosticsText(diagnostics, { style: notes });
  return {
    warnings: text(
      shown.filter((diagnostic) => diagnostic.severity !== 'error' && !standsInChange(diagnostic)),
    ),
    plan: planText(plan, options),
    errors: text(shown.filter(({ severity }) => severity === 'error')),
  };
}

/** True for a warning that the plan tells where it shows the change. */
const standsInChange = ({ code }: Diagnostic): boolean => code === 'guard/conflict';
