import { hash } from 'node:crypto';
import { byAddress } from '../../model/address.ts';
import type { Pace } from '../../model/budget.ts';
import type { Change } from '../../model/change.ts';
import { countLogicalChanges } from '../../model/logical-changes.ts';
import type { Plan } from '../../model/plan.ts';
import { actionsTitle, actionTexts } from '../action-texts.ts';
import { cleanLine } from '../clean.ts';
import { count } from '../count.ts';
import {
  notComparedCounts,
  notComparedState,
  notComparedTexts,
  notComparedTitle,
  reportedDiagnostics,
} from '../not-compared-text.ts';
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
import { sectionsOf } from '../plan-sections.ts';
import { sentAddressesIn } from '../summarize-plan.ts';
import { requestList } from './change.ts';
import { changeSections } from './change-sections.ts';
import { html, Markup, type Part } from './markup.ts';
import style from './page.css?raw';
import script from './page.js?raw';
import { factsOf, headline, type PageAbout, problems, summary } from './summary.ts';
import { type OutlineItem, outline, toolbar } from './toolbar.ts';

/** With more changes the page is long: laying out all of it would take too long. */
const manyChanges = 200;

/** A plan as one page that needs nothing else: no network, no other file, and no script to be read. */
export function planHtml(plan: Plan, pace?: Pace, about?: PageAbout): string {
  const { changes, errors, rest, ...parts } = planParts(plan, pace, about);
  return page({ ...parts, main: [errors, toolbar(changes), rest] });
}

interface PageParts {
  /** The program that made it. */
  tool?: string;
  title: string;
  header: Part;
  places: OutlineItem[];
  main: Part;
  isLong: boolean;
}

interface PlanParts extends Omit<PageParts, 'main'> {
  changes: Change[];
  errors: Part;
  /** Dangerous changes first, then warnings and sources, then the usual ones, then those that stay. */
  rest: Part;
}

/** The content of a plan's page. */
function planParts(plan: Plan, pace: Pace | undefined, about?: PageAbout): PlanParts {
  const sections = sectionsOf([...plan.changes].sort(byAddress), sentAddressesIn(plan));
  const changes = sections.flatMap((section) => section.changes);
  const stack = cleanLine(plan.stack);
  const account = accountText(plan);
  const { urgent, usual, others, places } = changeSections(plan, sections);
  const number = (wanted: string) =>
    reportedDiagnostics(plan).filter(({ severity }) => severity === wanted).length;
  const parts = [
    {
      id: 'errors',
      label: 'Errors',
      name: 'destructive',
      count: number('error'),
      part: problems(reportedDiagnostics(plan), 'error'),
    },
    { id: 'not-compared', label: notComparedTitle, name: 'destructive', part: notComparedPart(plan) },
    { part: urgent, inside: places.urgent },
    {
      id: 'warnings',
      label: 'Warnings',
      name: 'disruptive',
      count: number('warning'),
      part: problems(reportedDiagnostics(plan), 'warning'),
    },
    { id: 'sources', label: 'New sources', part: freshSources(plan) },
    { part: usual, inside: places.usual },
    { id: 'following', label: 'Then', part: followingPart(plan) },
    { id: 'read', label: 'Read for these', part: usualSources(plan) },
    { part: others },
    { id: 'waiting', label: 'Not ready', part: notReady(plan) },
    { id: 'unchanged', label: 'Unchanged', part: unchanged(plan) },
  ];
  return {
    changes,
    title: `${[stack, ...account].join(', ')}: ${[headline(plan, changes), ...notComparedState(plan)].join(' ')}`,
    header: html`
<h1>Stack ${stack}${account.map((text) => html`<span class="account">, ${text}</span>`)}</h1>${factsOf(about)}${summary(plan, sections, pace)}`,
    places: parts.flatMap(
      ({ part, inside, ...place }) =>
        inside ?? (part && place.id !== undefined ? [place as OutlineItem] : []),
    ),
    errors: parts[0]!.part,
    rest: parts.slice(1).map(({ part }) => part),
    isLong: changes.length > manyChanges,
  };
}

/** A part of a page that is about a plan, among others: its ids begin with `name`, a word. */
export function planSection(
  plan: Plan,
  name: string,
  pace?: Pace,
): { markup: Markup; places: OutlineItem[]; changes: Change[] } {
  const { header, errors, rest, places, changes } = planParts(plan, pace);
  const placed = (place: OutlineItem): OutlineItem => ({
    ...place,
    id: `${name}-${place.id}`,
    ...(place.children ? { children: place.children.map(placed) } : {}),
  });
  return { markup: under(name, html`${header}${errors}${rest}`), places: places.map(placed), changes };
}

/** A part of a page whose ids, and links to them, begin with `name`, a word; `NAME-title` names the whole part, and so each section in it. */
export function under(name: string, { text }: Markup): Markup {
  // No quote of a text is left as it is, so that only attributes look like one.
  return new Markup(
    text
      .replace(/ (id="|href="#)/g, ` $1${name}-`)
      .replace(/ aria-labelledby="/g, ` aria-labelledby="${name}-title ${name}-`),
  );
}

/** A page that needs nothing else. */
export const page = ({ tool = 'trueup plan', title, header, places, main, isLong }: PageParts): string =>
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

const contentHashOf = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`;

/** Nothing may be loaded, sent or framed, and only this style and this script count. */
const policy = [
  "default-src 'none'",
  `style-src ${contentHashOf(style)}`,
  `script-src ${contentHashOf(script)}`,
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
<p class="means">${sourcesMean}</p>${listMarkup(sourceTexts(news))}</section>`
  );
}

/** The other sources of what is to be sent. */
function usualSources(plan: Plan): Part {
  const usual = sourcesOfChanges(plan.changes, plan);
  return (
    usual.length > 0 &&
    html`
<section aria-labelledby="read" class="sources">
<h2 id="read">Read for these changes <span class="count">${usual.length}</span></h2>${listMarkup(sourceTexts(usual))}</section>`
  );
}

const listMarkup = (items: { name: string; text: string }[]): Markup => html`
<ul>${items.map(
  ({ name, text }) => html`
<li><code>${name}</code>: <code>${text}</code></li>`,
)}
</ul>`;

/** So many names are shown without a click. */
const fewPageNames = 10;

/** What was not compared, by cause, with all names. */
function notComparedPart(plan: Plan): Part {
  const groups = notComparedTexts(plan);
  return (
    groups.length > 0 &&
    html`
<section aria-labelledby="not-compared" class="sources">
<h2 id="not-compared">${notComparedTitle} <span class="count">${notComparedCounts(plan)}</span></h2>
<ul>${groups.map(
      ({ text, names }) => html`
<li>${text}<details${names.length <= fewPageNames && html` open`}><summary>${count(names.length, 'name')}</summary>${names.map(
        (name) => html`
<code>${name}</code><br>`,
      )}</details></li>`,
    )}
</ul></section>`
  );
}

/** The actions that follow the changes, with their requests. */
function followingPart(plan: Plan): Part {
  const texts = actionTexts(plan);
  return (
    texts.length > 0 &&
    html`
<section aria-labelledby="following" class="sources">
<h2 id="following">${actionsTitle} <span class="count">${texts.length}</span></h2>
<ul>${texts.map(
      ({ name, text, action: { request } }) => html`
<li><code><b>${name}</b></code><p class="means">${text}</p>${request && requestList([request])}</li>`,
    )}
</ul></section>`
  );
}

/** The declared objects that are not ready, or will not be right after their creation. */
function notReady(plan: Plan): Part {
  const waiting = waitingTexts(plan);
  return (
    waiting.length > 0 &&
    html`
<section aria-labelledby="waiting" class="sources">
<h2 id="waiting">${waitingTitle} <span class="count">${waiting.length}</span></h2>${listMarkup(waiting)}</section>`
  );
}

/** The objects that do not change: those that are as they should be, and those that are nobody's business here. */
function unchanged(plan: Plan): Part {
  const { changes, unmanaged, unlisted } = plan;
  const count = countLogicalChanges(changes.filter(({ action }) => action === 'noop'));
  const counts = unmanagedTexts(plan, cleanLine);
  if (count + counts.length === 0) return undefined;
  // A number of those that happen to be known would be taken for the number of all.
  const number = unlisted ? '' : `${unmanaged.length} `;
  return html`
<section aria-labelledby="unchanged" class="unchanged">
<h2 id="unchanged">Unchanged</h2>
<ul>${
    count > 0 &&
    html`
<li>${count} managed here and up to date</li>`
  }${
    counts.length > 0 &&
    html`
<li>${number}${unlisted ? 'Not' : 'not'} managed here: ${counts.join(', ')}</li>`
  }
</ul></section>`;
}
