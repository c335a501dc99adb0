import { hash } from 'node:crypto';
import { byAddress } from '../../model/address.ts';
import type { Change } from '../../model/change.ts';
import type { Pace } from '../../model/pace.ts';
import type { Plan } from '../../model/plan.ts';
import { countOf } from '../../model/wholes.ts';
import { cleanLine } from '../clean.ts';
import { count } from '../count.ts';
import { type Adopted, adoptedText, type Entry, foldChanges, splitAdopted } from '../fold-changes.ts';
import {
  accountText,
  newSources,
  sourcesMean,
  sourcesOfChanges,
  sourcesTitle,
  sourceTexts,
  unmanagedTexts,
  waitingTexts,
  waitingTitle,
} from '../plan-notes.ts';
import { type Section, sectionsOf } from '../plan-sections.ts';
import { sentIn } from '../summary-of.ts';
import { changeContext, changeEntry, requestList } from './change.ts';
import { actions, causeOf, causes, grades, html, Markup, type Part } from './markup.ts';
import { type Group, groupsOf, outline, type Place } from './outline.ts';
import style from './page.css?raw';
import script from './page.js?raw';
import { factsOf, type PageAbout } from './page-about.ts';
import { headline, problems, summary } from './summary.ts';

/** With more changes the page is long: laying out all of it would take too long. */
const many = 200;
/** So many changes stand open: all, or those that ask for a look, if they are not more. */
const few = 8;

/** A plan as one page that needs nothing else: no network, no other file, and no script to be read. */
export function planHtml(plan: Plan, pace?: Pace, about?: PageAbout): string {
  const { changes, errors, rest, ...parts } = planParts(plan, pace, about);
  return page({ ...parts, main: [errors, toolbar(changes), rest] });
}

interface PageParts {
  title: string;
  header: Part;
  places: Place[];
  main: Part;
  isLong: boolean;
}

interface PlanParts extends Omit<PageParts, 'main'> {
  changes: Change[];
  errors: Part;
  /** What is dangerous, then warnings and sources, then what is usual, then what stays. */
  rest: Part;
}

/** What a page shows of a plan. */
function planParts(plan: Plan, pace: Pace | undefined, about?: PageAbout): PlanParts {
  const sections = sectionsOf([...plan.changes].sort(byAddress), sentIn(plan));
  const changes = sections.flatMap((section) => section.changes);
  const stack = cleanLine(plan.stack);
  const account = accountText(plan);
  const { urgent, usual, others, places } = changeSections(plan, sections);
  const parts = [
    { id: 'errors', label: 'Errors', name: 'destructive', part: problems(plan.diagnostics, 'error') },
    { part: urgent, inside: places.urgent },
    { id: 'warnings', label: 'Warnings', name: 'disruptive', part: problems(plan.diagnostics, 'warning') },
    { id: 'sources', label: 'New sources', part: freshSources(plan) },
    { part: usual, inside: places.usual },
    { id: 'read', label: 'Read for these', part: usualSources(plan) },
    { part: others },
    { id: 'waiting', label: 'Not ready', part: notReady(plan) },
    { id: 'unchanged', label: 'Left as it is', part: unchanged(plan) },
  ];
  return {
    changes,
    title: `${[stack, ...account].join(', ')}: ${headline(plan, changes)}`,
    header: html`
<h1>Stack ${stack}${account.map((text) => html`<span class="account">, ${text}</span>`)}</h1>${factsOf(about)}${summary(plan, sections, pace)}`,
    places: parts.flatMap(
      ({ part, inside, ...place }) => inside ?? (part && place.id !== undefined ? [place as Place] : []),
    ),
    errors: parts[0]!.part,
    rest: parts.slice(1).map(({ part }) => part),
    isLong: changes.length > many,
  };
}

/** A part of a page that is about a plan, among others: its ids begin with `name`, a word. */
export function planSection(
  plan: Plan,
  name: string,
  pace?: Pace,
): { markup: Markup; places: Place[]; changes: Change[] } {
  const { header, errors, rest, places, changes } = planParts(plan, pace);
  const placed = (place: Place): Place => ({
    ...place,
    id: `${name}-${place.id}`,
    ...(place.inside ? { inside: place.inside.map(placed) } : {}),
  });
  return { markup: under(name, html`${header}${errors}${rest}`), places: places.map(placed), changes };
}

/** A part of a page whose ids, and links to them, begin with `name`, a word. */
export function under(name: string, { text }: Markup): Markup {
  // No quote of a text is left as it is, so that only attributes look like one.
  return new Markup(text.replace(/ (id="|aria-labelledby="|href="#)/g, ` $1${name}-`));
}

/** A page that needs nothing else. */
export const page = ({ title, header, places, main, isLong }: PageParts): string =>
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
<header><p class="tool">trueup plan</p>${header}
</header>
<div class="frame">${outline(places)}
<main${isLong && html` class="long"`}>${main}
</main></div>
<script>${new Markup(script)}</script>
</body>
</html>`.text;

const asksForALook = (change: Change) => change.grade !== 'safe' || causeOf(change).cause === 'conflict';

/** The changes by section and project, and what is sent without a change: there should be nothing, but a plan shows all that will be sent. */
function changeSections(plan: Plan, sections: Section[]) {
  const sent = sentIn(plan);
  const all = plan.changes.map(({ address }) => address);
  const parts = sections.map((section) => {
    const { adopted, others } = splitAdopted(section.changes, { sent });
    return { section, adopted, groups: groupsOf(foldChanges(others, { sent, all })) };
  });
  const entries = parts.flatMap(({ groups }) => groups.flatMap((group) => group.entries));
  const context = changeContext(plan, entries);
  const open = new Set(
    [entries, entries.filter(({ change }) => asksForALook(change))].find(({ length }) => length <= few),
  );
  const written = parts.map(({ section, adopted, groups }) => ({
    isUrgent: section.urgent,
    part: sectionOf(section, adopted, groups, (entry, level) =>
      changeEntry(entry, context, { isOpen: open.has(entry), level }),
    ),
    place: placeOf(section, groups),
  }));
  const others = plan.operations.filter((operation) => !context.written.has(operation));
  const of = (wanted: boolean) => written.filter(({ isUrgent }) => isUrgent === wanted);
  return {
    urgent: of(true).map(({ part }) => part),
    usual: of(false).map(({ part }) => part),
    places: {
      urgent: of(true).map(({ place }) => place),
      usual: of(false).map(({ place }) => place),
    },
    others:
      others.length > 0 &&
      html`
<section aria-labelledby="others"><h2 id="others">Also sent</h2>${requestList(others.flatMap(({ requests }) => requests))}</section>`,
  };
}

/** One section. Where all is in one project, the name of that says nothing. */
function sectionOf(
  { name, title, means, changes }: Section,
  adopted: Adopted[],
  groups: Group[],
  written: (entry: Entry, level: 3 | 4) => Markup,
): Markup {
  const listOf = ({ entries }: Group, level: 3 | 4) => html`
<div class="list">${entries.map((entry) => written(entry, level))}
</div>`;
  return html`
<section class="changes" aria-labelledby="${name}">
<h2 id="${name}"><i class="${name}" aria-hidden="true"></i>${title} <span class="count">${countOf(changes)}</span></h2>
<p class="means">${means}</p>${adopted.map(
    (one) => html`
<p class="adopted">${cleanLine(adoptedText(one))}</p>`,
  )}${
    groups.length > 1
      ? groups.map(
          (group, at) => html`
<div class="group">
<h3 id="${name}-${at + 1}"><code>${cleanLine(group.label)}</code> <span class="count">${sizeOf(group)}</span></h3>${listOf(group, 4)}</div>`,
        )
      : groups.map((group) => listOf(group, 3))
  }</section>`;
}

/** How many changes a group has, as people count them. */
const sizeOf = ({ entries }: Group) => entries.reduce((sum, { wholes }) => sum + wholes.length, 0);

const placeOf = ({ name, label, changes }: Section, groups: Group[]): Place => ({
  id: name,
  name,
  label: `${label.charAt(0).toUpperCase()}${label.slice(1)}`,
  count: countOf(changes),
  inside:
    groups.length > 1
      ? groups.map((group, at) => ({
          id: `${name}-${at + 1}`,
          label: cleanLine(group.label),
          count: sizeOf(group),
        }))
      : [],
});

const hashOf = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`;

/** Nothing may be loaded, sent or framed, and only this style and this script count. */
const policy = [
  "default-src 'none'",
  `style-src ${hashOf(style)}`,
  `script-src ${hashOf(script)}`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** The sources that the configuration reads from outside, and that nobody has agreed to before. */
function freshSources(plan: Plan): Part {
  const news = newSources(plan);
  return (
    news.length > 0 &&
    html`
<section aria-labelledby="sources" class="sources">
<h2 id="sources">${sourcesTitle} <span class="count">${news.length}</span></h2>
<p class="means">${sourcesMean}</p>${list(sourceTexts(news))}</section>`
  );
}

/** The other sources of what is to be sent. */
function usualSources(plan: Plan): Part {
  const usual = sourcesOfChanges(plan.changes, plan);
  return (
    usual.length > 0 &&
    html`
<section aria-labelledby="read" class="sources">
<h2 id="read">Read for these changes <span class="count">${usual.length}</span></h2>${list(sourceTexts(usual))}</section>`
  );
}

const list = (items: { name: string; text: string }[]): Markup => html`
<ul>${items.map(
  ({ name, text }) => html`
<li><code>${name}</code>: <code>${text}</code></li>`,
)}
</ul>`;

/** What is declared and not ready, or will not be at once when it is made. */
function notReady(plan: Plan): Part {
  const waiting = waitingTexts(plan);
  return (
    waiting.length > 0 &&
    html`
<section aria-labelledby="waiting" class="sources">
<h2 id="waiting">${waitingTitle} <span class="count">${waiting.length}</span></h2>${list(waiting)}</section>`
  );
}

/** The objects that do not change: those that are as they should be, and those that are nobody's business here. */
function unchanged(plan: Plan): Part {
  const { changes, unmanaged, unlisted } = plan;
  const same = countOf(changes.filter(({ action }) => action === 'noop'));
  const counts = unmanagedTexts(plan, cleanLine);
  if (same + counts.length === 0) return undefined;
  // A number of those that happen to be known would be taken for the number of all.
  const number = unlisted ? '' : `${unmanaged.length} `;
  return html`
<section aria-labelledby="unchanged" class="unchanged">
<h2 id="unchanged">Left as it is</h2>
<ul>${
    same > 0 &&
    html`
<li>${same} managed here and as the configuration says</li>`
  }${
    counts.length > 0 &&
    html`
<li>${number}${unlisted ? 'Not' : 'not'} managed here: ${counts.join(', ')}</li>`
  }
</ul></section>`;
}

/** Search and filters. The page's script shows it: without one it would do nothing. */
export function toolbar(changes: Change[]): Part {
  if (changes.length < 2) return undefined;
  const kinds = [...new Set(changes.map(({ kind }) => kind))].sort();
  const action = choices(
    'Action',
    'action',
    actions.map(({ action, verb }) => ({ value: action, label: verb })),
    changes,
    ({ action }) => action,
  );
  const risk = choices(
    'Risk',
    'risk',
    grades.map((grade) => ({ value: grade, label: grade })),
    changes,
    ({ grade }) => grade,
  );
  const cause = choices(
    'Cause',
    'cause',
    causes.map(({ cause, label }) => ({ value: cause, label })),
    changes,
    (change) => causeOf(change).cause,
  );
  return html`
<div class="toolbar" role="search" aria-label="Changes" hidden>
<div class="row"><label class="search"><span class="unseen">Search the changes</span><input type="search" id="search" placeholder="Search" autocomplete="off" spellcheck="false" aria-keyshortcuts="/"><kbd aria-hidden="true">/</kbd></label>
<label class="kind"><span class="unseen">Kind</span><select id="kind"><option value="">All kinds</option>${kinds.map((kind) => html`<option value="${kind}">${cleanLine(kind)}</option>`)}</select></label></div>${
    (action || risk || cause) &&
    html`
<div class="row">${action}${risk}${cause}</div>`
  }
<div class="row tail"><p role="status" id="shown">${count(countOf(changes), 'change')}</p>
<label class="chip"><input type="checkbox" id="beside" checked><span>side by side</span></label>
<button type="button" id="expand">Expand all</button><button type="button" id="collapse">Collapse all</button></div>
<p class="keys"><kbd>/</kbd> search <kbd>j</kbd> <kbd>k</kbd> next, previous <kbd>Enter</kbd> open, close <kbd>Esc</kbd> back</p>
</div>`;
}

/** A choice of several, each with how many changes it stands for; none where all changes are alike. */
function choices(
  legend: string,
  name: 'action' | 'risk' | 'cause',
  values: { value: string; label: string }[],
  changes: Change[],
  sortOf: (change: Change) => string,
): Markup | undefined {
  const found = new Set(changes.map(sortOf));
  const used = values.filter(({ value }) => found.has(value));
  if (used.length < 2) return undefined;
  const number = (wanted: string) => countOf(changes.filter((one) => sortOf(one) === wanted));
  return html`
<fieldset><legend>${legend}</legend>${used.map(
    ({ value, label }) => html`
<label class="chip"><input type="checkbox" name="${name}" value="${value}"><span>${label} <b>${number(value)}</b></span></label>`,
  )}</fieldset>`;
}
