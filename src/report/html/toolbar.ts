import type { Change } from '../../model/change.ts';
import { groupBy } from '../../model/graph.ts';
import { type ReportEntry, rootResourceOf } from '../fold-changes.ts';
import { capitalized, cleanLine, count } from '../text.ts';
import { type FindingFilter, findingFilters } from './findings.ts';
import {
  actionsInOrder,
  causeOf,
  causes,
  filterActionOf,
  gradesWorstFirst,
  html,
  type Markup,
  type Part,
} from './markup.ts';

/**
 * Formats the search and the filters of a page for the logical changes that have a row on it. Hidden until the script of the page runs,
 * because they need it. Undefined for fewer than two changes. `findings`: the worst finding of each change that has one.
 */
export function toolbar(rowChanges: Change[][], findings: ReadonlyMap<Change, FindingFilter>): Part {
  if (rowChanges.length < 2) return undefined;
  // The units of one logical change are alike. The plans of several stacks may have changes of the same address.
  const changes = rowChanges.map(([change]) => change!);
  const kinds = [...new Set(changes.map(({ kind }) => kind))].sort();
  const filters = [
    filterChoices('action', actionChoices, changes, filterActionOf),
    filterChoices('risk', riskChoices, changes, ({ grade }) => grade),
    filterChoices('cause', causeChoices, changes, (change) => causeOf(change).cause),
    filterChoices('finding', findingFilters, changes, (change) => findings.get(change) ?? 'none'),
  ];
  return html`
<div class="toolbar" role="search" aria-label="Changes" hidden>
<div class="row"><label class="search"><span class="unseen">Search the changes</span><input type="search" id="search" placeholder="Search" autocomplete="off" spellcheck="false" aria-keyshortcuts="/"><kbd aria-hidden="true">/</kbd></label>
<label class="kind"><span class="unseen">Kind</span><select id="kind"><option value="">All kinds</option>${kinds.map((kind) => html`<option value="${kind}">${cleanLine(kind)}</option>`)}</select></label></div>${
    filters.some((filter) => filter !== undefined) &&
    html`
<details class="filters"><summary>Filters</summary><div class="row">${filters}</div></details>`
  }
<div class="row tail"><p role="status" id="shown">${count(changes.length, 'change')}</p>
<label class="chip"><input type="checkbox" id="beside" checked><span>side by side</span></label>
<button type="button" id="expand">Expand all</button><button type="button" id="collapse">Collapse all</button></div>
<p class="keys"><kbd>/</kbd> search <kbd>j</kbd> <kbd>k</kbd> next, previous <kbd>Enter</kbd> open, close <kbd>Esc</kbd> back</p>
</div>`;
}

/** A value by which the changes of a page can be filtered. */
interface FilterChoice {
  value: string;
  label: string;
}

const actionChoices: FilterChoice[] = actionsInOrder.map(({ action, verb }) => ({
  value: action,
  label: verb,
}));
const riskChoices: FilterChoice[] = gradesWorstFirst.map((grade) => ({ value: grade, label: grade }));
const causeChoices: FilterChoice[] = causes.map(({ cause, label }) => ({ value: cause, label }));

/**
 * Formats the check boxes of one filter above the changes of a plan's page, each with its number of changes; undefined if all changes have
 * the same value, so that there is no choice.
 */
function filterChoices(
  name: 'action' | 'risk' | 'cause' | 'finding',
  values: FilterChoice[],
  changes: Change[],
  filterValueOf: (change: Change) => string,
): Markup | undefined {
  const presentValues = new Set(changes.map(filterValueOf));
  const used = values.filter(({ value }) => presentValues.has(value));
  if (used.length < 2) return undefined;
  const number = (wanted: string) => changes.filter((change) => filterValueOf(change) === wanted).length;
  return html`
<fieldset><legend>${capitalized(name)}</legend>${used.map(
    ({ value, label }) => html`
<label class="chip"><input type="checkbox" name="${name}" value="${value}"><span>${label} <b>${number(value)}</b></span></label>`,
  )}</fieldset>`;
}

/** An item of the outline: a place of the page, with the places inside it. `name`: the section, for its colour. */
export interface OutlineItem {
  id: string;
  label: string;
  count?: number;
  name?: string;
  children?: OutlineItem[];
}

/** The entries of one project or another root resource, those of one section of the YAML, or, without a label, all of a few. */
export interface EntryGroup {
  label: string;
  entries: ReportEntry[];
}

/** Fewer entries need no headings between them. */
const minGroupedEntries = 4;

/**
 * Groups the entries of a section of a plan's page (an entry is a change, or several that read alike) under
 * headings, by the root resource that they are in, such as `projects/web`. An entry that is alone in its root
 * resource, or is about several, gets the section of the YAML as its heading: `webhooks`. Up to three entries
 * are one group without a heading. Keeps the order of the entries.
 */
export function groupEntries(entries: ReportEntry[]): EntryGroup[] {
  if (entries.length < minGroupedEntries) return entries.length > 0 ? [{ label: '', entries }] : [];
  const byRoot = groupBy(entries, rootResourceOf);
  const labelOf = (entry: ReportEntry): string => {
    const root = rootResourceOf(entry);
    const isShared = root !== undefined && byRoot.get(root)!.length > 1;
    return isShared ? root : entry.change.address.split('/', 1)[0]!;
  };
  return [...groupBy(entries, labelOf)].map(([label, members]) => ({ label, entries: members }));
}

/**
 * Formats the table of contents of a report: next to the page, or collapsed above it on a narrow screen.
 * Undefined for fewer than two sections.
 */
export function outline(places: OutlineItem[]): Part {
  const size = places.reduce((sum, { children: inside = [] }) => sum + 1 + inside.length, 0);
  if (size < 2) return undefined;
  return html`
<nav class="outline" aria-label="Outline"><details><summary>On this page</summary>${outlineList(places)}</details></nav>`;
}

/**
 * Formats items of the outline (the table of contents of a page) as a nested list of links to the sections
 * with these ids.
 */
const outlineList = (places: OutlineItem[]): Markup => html`
<ul>${places.map(
  ({ id, label, count, name, children: inside = [] }) => html`
<li><a href="#${id}">${name !== undefined && html`<i class="${name}" aria-hidden="true"></i>`}<span class="label">${label}</span>${count !== undefined && html` <span class="count">${count}</span>`}</a>${inside.length > 0 && outlineList(inside)}</li>`,
)}
</ul>`;
