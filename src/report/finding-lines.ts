/*
 * The findings of a plan on a terminal: as comments below a change, and as lists and counts at the end of the plan.
 */
import type { Diagnostic, FindingState } from '../model/diagnostic.ts';
import type { Plan } from '../model/plan.ts';
import {
  findingTexts,
  fixedElsewhereTitle,
  foldFindings,
  formatFinding,
  groupFindings,
  suppressedFindingsTexts,
  unchangedTitle,
  unlistedFindingsTexts,
} from './finding-text.ts';
import type { ReportEntry } from './fold-changes.ts';
import type { PlanContext } from './plan-context.ts';
import type { Style } from './style.ts';
import { cleanLine, count, fold, wrap } from './text.ts';

/**
 * Formats the findings (harm that a valid configuration does) of an entry (a change, or several that read alike) for the text of a plan:
 * `# warning: MESSAGE [CODE]` with its hint below, or `# fixes: MESSAGE [CODE]`. The caller indents them by `indentWidth` columns.
 */
export function entryFindingLines(
  entry: ReportEntry,
  { style, findings, verbose }: PlanContext,
  indentWidth: number,
): string[] {
  const width = style.prose - indentWidth;
  const paints = { error: style.alarm, warning: style.warn, note: style.quiet, fixes: style.add };
  const { texts, more } = findingTexts(entry, findings, verbose);
  return [
    ...texts.flatMap(({ label, text, hint }) => [
      ...fold(`${label}: ${text}`, width - 2, '  ').map((line) => paints[label](`# ${line}`)),
      ...(hint === undefined
        ? []
        : fold(`-> ${hint}`, width - 2, '   ').map((line) => style.quiet(`# ${line}`))),
    ]),
    ...(more > 0 ? [style.quiet(`# ... and ${count(more, 'more finding')}`)] : []),
  ];
}

/**
 * Lists the findings (harm that a valid configuration does) that the plan fixes although none of its changes is about them, and counts
 * those that it does not change, and those that the configuration suppresses. A verbose report also lists the unchanged ones.
 */
export function findingFooterLines(plan: Plan, { style, verbose }: PlanContext): string[] {
  const { fixedElsewhere, unchanged } = groupFindings(plan);
  const fixed = foldFindings(fixedElsewhere);
  const shownFixed = verbose ? fixed : fixed.slice(0, maxFixedShown);
  const more = fixed.length - shownFixed.length;
  const wrapAll = (texts: string[]) => texts.flatMap((text) => wrap(text, style.width));
  return [
    ...(fixed.length > 0 ? [`${fixedElsewhereTitle}:`] : []),
    ...shownFixed.flatMap((finding) => findingItemLines(finding, 'fixed', style)),
    ...(more > 0 ? [`  ... and ${more} more`] : []),
    ...(verbose && unchanged.length > 0
      ? [
          `${unchangedTitle} (${unchanged.length}):`,
          ...foldFindings(unchanged).flatMap((finding) => findingItemLines(finding, 'unchanged', style)),
        ]
      : wrapAll(unlistedFindingsTexts(plan))),
    ...wrapAll(suppressedFindingsTexts(plan)),
  ].map(style.quiet);
}

/**
 * Formats a finding (harm that a valid configuration does) as an item below a heading: message, place (or the address, if it has none) and
 * hint. Used for findings that are not shown beside a change of the plan.
 */
function findingItemLines(finding: Diagnostic, state: FindingState, style: Style): string[] {
  const { label, text, hint } = formatFinding(finding, state);
  const { at, address } = finding;
  const location = at ? `${at.file}:${at.line}` : address;
  return [
    ...fold(`  ${label}: ${text}`, style.prose, '      '),
    ...(location === undefined ? [] : [`      at ${cleanLine(location)}`]),
    ...(hint === undefined ? [] : fold(`      -> ${hint}`, style.prose, '         ')),
  ];
}

const maxFixedShown = 10;
