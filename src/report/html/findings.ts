/*
 * The findings of a plan on its page (see `finding-text.ts`): new and fixed ones in the row of their change, new ones also among the
 * problems, with a link to the row, because a row may be far below. Unchanged ones are counted at the end of the page.
 */
import type { Change } from '../../model/change.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';
import {
  type EntryFindings,
  type FindingText,
  fixedElsewhereTitle,
  foldFindings,
  formatFinding,
  groupFindings,
  suppressedFindingsTexts,
  unchangedFindingsTexts,
} from '../finding-text.ts';
import type { ReportEntry } from '../fold-changes.ts';
import { count } from '../text.ts';
import { html, type Markup, type Part } from './markup.ts';

/** The worst finding of a row, for the filters: its label, or `none`. */
export type FindingFilter = FindingText['label'] | 'none';

/** The choices of the filter by findings, the worst first. */
export const findingFilters: { value: FindingFilter; label: string }[] = [
  { value: 'error', label: 'new error' },
  { value: 'warning', label: 'new warning' },
  { value: 'note', label: 'new note' },
  { value: 'fixes', label: 'fixed' },
  { value: 'none', label: 'none' },
];

/**
 * Returns how bad the worst finding (harm that a valid configuration does) of each change on the page of a plan is, because the page can
 * be filtered by it. Changes without a finding are absent. All changes of an entry (changes that read alike) have alike findings.
 */
export function findingFiltersOf(
  findings: ReadonlyMap<ReportEntry, EntryFindings>,
): Map<Change, FindingFilter> {
  return new Map(
    [...findings].flatMap(([{ logicalChanges }, { texts }]) => {
      const [worst] = texts;
      return worst ? logicalChanges.flat().map((change) => [change, worst.label] as const) : [];
    }),
  );
}

/**
 * Formats the findings (harm that a valid configuration does) of an entry (a change, or several that read alike) for its row on the page
 * of a plan, a line each.
 */
export function findingRows({ texts, more }: EntryFindings): Part {
  return [
    texts.map(
      (text) => html`
<span class="finding">${findingMarkup(text)}</span>`,
    ),
    more > 0 &&
      html`
<span class="finding">and ${count(more, 'more finding')}</span>`,
  ];
}

/** Formats a finding as a line: label, message and code, and what to do. */
const findingMarkup = ({ label, text, hint }: FindingText): Markup =>
  html`<strong class="label-${label}">${label}</strong> ${text}${
    hint !== undefined && html` <span class="advice"><span aria-hidden="true">→ </span>${hint}</span>`
  }`;

/** Formats findings (harm that a valid configuration does) that need no attention as items of a list on the page of a plan. */
const findingItems = (findings: readonly Diagnostic[], state: 'fixed' | 'unchanged'): Markup[] =>
  foldFindings(findings).map(
    (finding) => html`
<li>${findingMarkup(formatFinding(finding, state))}</li>`,
  );

/**
 * Returns the title, the number and the list of the findings (harm that a valid configuration does) that a plan fixes and no row of its
 * page shows, for their section; undefined if there are none.
 */
export function fixedElsewherePart(plan: Plan): { title: string; count: number; list: Markup } | undefined {
  const { fixedElsewhere } = groupFindings(plan);
  if (fixedElsewhere.length === 0) return undefined;
  return {
    title: fixedElsewhereTitle,
    count: fixedElsewhere.length,
    list: html`
<ul class="findings">${findingItems(fixedElsewhere, 'fixed')}
</ul>`,
  };
}

/**
 * Formats the counts of the findings (harm that a valid configuration does) that a plan does not change or the configuration turns off,
 * as items of a list on its page. The unchanged ones can be unfolded.
 */
export function quietFindingItems(plan: Plan): Markup[] {
  const { unchanged } = groupFindings(plan);
  return [
    ...unchangedFindingsTexts(plan).map(
      (text) => html`
<li>${text}<details><summary>${count(unchanged.length, 'finding')}</summary>
<ul class="findings">${findingItems(unchanged, 'unchanged')}
</ul></details></li>`,
    ),
    ...suppressedFindingsTexts(plan).map(
      (text) => html`
<li>${text}</li>`,
    ),
  ];
}
