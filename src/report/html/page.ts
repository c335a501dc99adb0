import { hash } from 'node:crypto';
import { type Address, byAddress } from '../../model/address.ts';
import type { Pace } from '../../model/budget.ts';
import type { Change } from '../../model/change.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { countLogicalChanges } from '../../model/logical-changes.ts';
import type { Plan } from '../../model/plan.ts';
import { actionsTitle, actionTexts } from '../action-texts.ts';
import { findingCountsTexts, problemsToReview } from '../finding-text.ts';
import {
  notComparedCounts,
  notComparedState,
  notComparedTexts,
  notComparedTitle,
} from '../not-compared-text.ts';
import {
  accountText,
  newSources,
  sentAddressesIn,
  sourcesMeaning,
  sourcesOfChanges,
  sourcesTitle,
  sourceTexts,
  summarizePlan,
  waitingTexts,
  waitingTitle,
} from '../plan-notes.ts';
import { sectionsOf } from '../plan-sections.ts';
import { cleanLine, count } from '../text.ts';
import { unmanagedTexts } from '../unmanaged-text.ts';
import { changeSections, requestList } from './change.ts';
import { type FindingFilter, fixedElsewherePart, quietFindingItems } from './findings.ts';
import { html, Markup, type Part } from './markup.ts';
import style from './page.css?raw';
import script from './page.js?raw';
import { factsOf, headline, type PageAbout, problemSection, problemTitles, summary } from './summary.ts';
import { type OutlineItem, outline, toolbar } from './toolbar.ts';

/** A page with more changes is long: the browser lays out only its visible part, because all of it would take too long. */
const manyChanges = 200;

/** Formats a plan as one HTML page that needs no network and no other file, and can be read without its script. */
export function planHtml(plan: Plan, pace?: Pace, about?: PageAbout): string {
  const { rowChanges, findingFilters, errors, sections, ...parts } = planParts(plan, pace, about);
  return htmlPage({ ...parts, main: [errors, toolbar(rowChanges, findingFilters), sections] });
}

/** The parts of a page. */
interface PageParts {
  /** The program that made the page. */
  tool?: string;
  title: string;
  header: Part;
  /** The items of the outline. */
  places: OutlineItem[];
  main: Part;
  /** True to let the browser lay out only the visible part. */
  isLong: boolean;
}

/** The parts of the page of a plan. They make a whole page, or a part of a page with several plans. */
interface PlanParts extends Omit<PageParts, 'main'> {
  /** The logical changes that have a row, for the filters. */
  rowChanges: Change[][];
  /** The worst finding of each change that has one. */
  findingFilters: ReadonlyMap<Change, FindingFilter>;
  /** The id of the row of each change, by its address. */
  ids: ReadonlyMap<Address, string>;
  errors: Part;
  /** All sections but the errors: objects that were not compared, dangerous changes, warnings, new sources, ordinary changes, and so on. */
  sections: Part;
}

/** A part of the page of a plan. `inside`: the items of the outline for its sections, instead of one of its own. */
interface PagePart extends Partial<OutlineItem> {
  part: Part;
  inside?: OutlineItem[];
}

/**
 * Formats the parts of the page of a plan (`plan --format html`), in the order in which a reviewer needs
 * them. Each part that is not empty gets an item of the outline (the table of contents), its own or those of the sections `inside`
 * it, except requests that no change shows. The `name` of a part is the style class of its item.
 */
function planParts(plan: Plan, pace: Pace | undefined, about?: PageAbout): PlanParts {
  const sections = sectionsOf([...plan.changes].sort(byAddress), sentAddressesIn(plan));
  const changes = sections.flatMap((section) => section.changes);
  const stack = cleanLine(plan.stack);
  const account = accountText(plan);
  const { urgent, usual, unshownRequests, ids, findingFilters, rowChanges } = changeSections(plan, sections);
  const problems = problemsToReview(plan);
  const problemsPart = (severity: Diagnostic['severity'], name?: string) => ({
    id: `${severity}s`,
    label: problemTitles[severity],
    name,
    count: problems.filter((problem) => problem.severity === severity).length,
    part: problemSection(problems, severity, ids),
  });
  const alsoFixed = fixedElsewherePart(plan);
  const errors = problemsPart('error', 'destructive');
  // The errors stand above the filters of the page, these parts below them.
  const parts: PagePart[] = [
    { id: 'not-compared', label: notComparedTitle, name: 'destructive', part: notComparedPart(plan) },
    urgent,
    problemsPart('warning', 'disruptive'),
    { id: 'sources', label: 'New sources', part: newSourcesPart(plan) },
    usual,
    { id: 'following', label: 'Then', part: followingPart(plan) },
    { id: 'read', label: 'Read for these', part: usedSourcesPart(plan) },
    { part: unshownRequests },
    problemsPart('note'),
    {
      id: 'fixed',
      label: 'Also fixed',
      part: alsoFixed && listSection('fixed', alsoFixed.title, alsoFixed.count, alsoFixed.list),
    },
    { id: 'waiting', label: 'Not ready', part: notReadyPart(plan) },
    { id: 'unchanged', label: 'Unchanged', part: unchangedPart(plan) },
  ];
  const state = [headline(plan, changes), ...findingCountsTexts(plan), ...notComparedState(plan)].join(' ');
  return {
    rowChanges,
    findingFilters,
    ids,
    title: `${[stack, ...account].join(', ')}: ${state}`,
    header: html`
<h1>Stack ${stack}${account.map((text) => html`<span class="account">, ${text}</span>`)}</h1>${factsOf(about)}${summary(plan, sections, pace)}`,
    places: [errors, ...parts].flatMap(outlineItemsOf),
    errors: errors.part,
    sections: parts.map(({ part }) => part),
    isLong: changes.length > manyChanges,
  };
}

/** Returns the items of the outline for a part of the page: those of the sections inside it, or its own if it has one and is not empty. */
function outlineItemsOf({ part, inside, ...place }: PagePart): OutlineItem[] {
  if (inside) return inside;
  return part && place.id !== undefined ? [place as OutlineItem] : [];
}

/** Formats a plan as a part of a page with several plans. All ids in it begin with `name` (a word), so that the ids of the plans differ. */
export function planSection(
  plan: Plan,
  name: string,
  pace?: Pace,
): { markup: Markup; places: OutlineItem[] } & Pick<PlanParts, 'rowChanges' | 'findingFilters' | 'ids'> {
  const { header, errors, sections, places, rowChanges, findingFilters, ids } = planParts(plan, pace);
  const withPrefix = (place: OutlineItem): OutlineItem => ({
    ...place,
    id: `${name}-${place.id}`,
    children: place.children?.map(withPrefix),
  });
  return {
    markup: prefixIds(name, html`${header}${errors}${sections}`),
    places: places.map(withPrefix),
    rowChanges,
    findingFilters,
    ids: new Map([...ids].map(([address, id]) => [address, `${name}-${id}`])),
  };
}

/**
 * Puts `name` in front of all ids in a part of a page, and of the links to them. The label of each section also refers to the title of the
 * part (`NAME-title`), so that a screen reader reads the stack with each section.
 */
export function prefixIds(name: string, { text }: Markup): Markup {
  // All quotes in texts are escaped, so only attributes match these patterns.
  return new Markup(
    text
      .replace(/ (id="|href="#)/g, ` $1${name}-`)
      .replace(/ aria-labelledby="/g, ` aria-labelledby="${name}-title ${name}-`),
  );
}

/**
 * Formats a whole HTML page for a report of one or several plans or a fleet, with its style and script inside, and a
 * security policy that allows nothing else. `places`: the items of the outline. `isLong`: the browser lays
 * out only the visible part, because the page may have thousands of changes.
 */
export const htmlPage = ({ tool = 'trueup plan', title, header, places, main, isLong }: PageParts): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<header><p class="tool">${tool}</p>${header}
</header>
<div class="frame">${outline(places)}
<main${isLong && html` class="long"`}>${main}
</main></div>
<script>${new Markup(script)}</script>
</body>
</html>`.text;

/** Returns the digest of a style or script, as a content security policy names it. */
const contentHashOf = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`;

/** The content security policy of a page: it may load, send and frame nothing, and only its own style and script are used. */
const policy = [
  "default-src 'none'",
  `style-src ${contentHashOf(style)}`,
  `script-src ${contentHashOf(script)}`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Formats a section of a plan's page that lists something beside the changes. `count`: the number behind its title. */
const listSection = (id: string, title: string, count: Part, body: Part): Markup => html`
<section aria-labelledby="${id}" class="sources">
<h2 id="${id}">${title} <span class="count">${count}</span></h2>${body}</section>`;

/**
 * Formats the section of a plan's page that lists the new and changed sources of secrets and variables,
 * because a person should review them. False if there are none.
 */
function newSourcesPart(plan: Plan): Part {
  const addedSources = newSources(plan);
  const body = html`
<p class="means">${sourcesMeaning}</p>${listMarkup(sourceTexts(addedSources))}`;
  return addedSources.length > 0 && listSection('sources', sourcesTitle, addedSources.length, body);
}

/**
 * Formats the section of a plan's page that lists the sources (environment variables, files, programs, fields) of the secrets that its
 * changes write, so that a reviewer can check them. New and changed sources are left out, because they have a section of their own. False
 * if there are none.
 */
function usedSourcesPart(plan: Plan): Part {
  const usedSources = sourcesOfChanges(plan.changes, plan);
  const body = listMarkup(sourceTexts(usedSources));
  return usedSources.length > 0 && listSection('read', 'Read for these changes', usedSources.length, body);
}

/** Formats names with texts as a list, for the sections of the page about sources and about objects that are not ready yet. */
const listMarkup = (items: { name: string; text: string }[]): Markup => html`
<ul>${items.map(
  ({ name, text }) => html`
<li><code>${name}</code>: <code>${text}</code></li>`,
)}
</ul>`;

/** Longer lists of names are folded. */
const maxOpenNames = 10;

/**
 * Formats the section of the objects and secrets that were not compared, by cause, with all names, so that the plan does not look
 * complete. False if there are none.
 */
function notComparedPart(plan: Plan): Part {
  const groups = notComparedTexts(plan);
  const body = html`
<ul>${groups.map(
    ({ text, names }) => html`
<li>${text}<details${names.length <= maxOpenNames && html` open`}><summary>${count(names.length, 'name')}</summary>${names.map(
      (name) => html`
<code>${name}</code><br>`,
    )}</details></li>`,
  )}
</ul>`;
  return groups.length > 0 && listSection('not-compared', notComparedTitle, notComparedCounts(plan), body);
}

/**
 * Formats the section of a plan's page with the follow-up actions (`$then`) and their requests, because an apply sends these after the
 * changes. False if there are none.
 */
function followingPart(plan: Plan): Part {
  const texts = actionTexts(plan);
  const body = html`
<ul>${texts.map(
    ({ name, text, action: { request } }) => html`
<li><code><b>${name}</b></code><p class="means">${text}</p>${request && requestList([request])}</li>`,
  )}
</ul>`;
  return texts.length > 0 && listSection('following', actionsTitle, texts.length, body);
}

/**
 * Formats the section of a plan's page with the declared objects that are not ready, or will not be ready right after their creation. False
 * if there are none.
 */
function notReadyPart(plan: Plan): Part {
  const waiting = waitingTexts(plan);
  return waiting.length > 0 && listSection('waiting', waitingTitle, waiting.length, listMarkup(waiting));
}

/**
 * Counts on the page of a plan the objects and the findings that do not change: managed objects that are up to date, unmanaged ones, and
 * harm that the account has already. Undefined if there are none.
 */
function unchangedPart(plan: Plan): Part {
  const { changes, partialKinds } = plan;
  const upToDate = countLogicalChanges(changes.filter(({ action }) => action === 'noop'));
  const unmanaged = unmanagedTexts(plan, cleanLine);
  const findings = quietFindingItems(plan);
  if (upToDate + unmanaged.length + findings.length === 0) return undefined;
  // If some kinds were not listed, the number of the known objects would look like the number of all.
  const unmanagedLabel = partialKinds
    ? 'Not managed here'
    : `${summarizePlan(plan).unmanaged} not managed here`;
  return html`
<section aria-labelledby="unchanged" class="unchanged">
<h2 id="unchanged">Unchanged</h2>
<ul>${
    upToDate > 0 &&
    html`
<li>${upToDate} managed here and up to date</li>`
  }${
    unmanaged.length > 0 &&
    html`
<li>${unmanagedLabel}: ${unmanaged.join(', ')}</li>`
  }${findings}
</ul></section>`;
}
