import { hash } from 'node:crypto';
import { byAddress } from '../../model/address.ts';
import type { Change } from '../../model/change.ts';
import type { Pace } from '../../model/pace.ts';
import type { Plan } from '../../model/plan.ts';
import { countOf } from '../../model/wholes.ts';
import { byRoot } from '../by-root.ts';
import { cleanLine } from '../clean.ts';
import { count } from '../count.ts';
import { adoptedText, type Entry, foldChanges, splitAdopted } from '../fold-changes.ts';
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
import { outline, type Place } from './outline.ts';
import style from './page.css?raw';
import script from './page.js?raw';
import { headline, problems, summary } from './summary.ts';

/** With more changes the page is long: laying out all of it would take too long. */
const many = 200;
/** So many changes stand open: all, or those that ask for a look, if they are not more. */
const few = 8;

/** Where and when a page was made, as far as that is known: none of it is part of the plan. */
export interface Origin {
  commit?: { id: string; dirty?: boolean; url?: string };
  run?: { name: string; url?: string };
  /** Milliseconds since 1970. */
  time?: number;
}

/** A plan as one page that needs nothing else: no network, no other file, and no script to be read. */
export function planHtml(plan: Plan, pace?: Pace, origin: Origin = {}): string {
  const { changes, main, header, ...parts } = planParts(plan, pace);
  return page({ ...parts, header: [header, originText(origin)], main: [toolbar(changes), main] });
}

/** `Commit 1a2b3c4 · GitHub Actions, run 12 · 2026-11-23 21:00 UTC` */
export function originText({ commit, run, time }: Origin): Part {
  const link = (text: Part, url: string | undefined) =>
    url?.startsWith('https://') ? html`<a href="${url}">${text}</a>` : html`${text}`;
  const parts = [
    ...(commit
      ? [
          html`Commit ${link(html`<code>${commit.id.slice(0, 10)}</code>`, commit.url)}${commit.dirty === true && ' and files that are not committed'}`,
        ]
      : []),
    ...(run ? [link(cleanLine(run.name), run.url)] : []),
    ...(time === undefined
      ? []
      : [
          html`<time datetime="${new Date(time).toISOString()}">${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC</time>`,
        ]),
  ];
  if (parts.length === 0) return undefined;
  return html`
<p class="origin">${parts.map((part, at) => html`${at > 0 && ' · '}${part}`)}</p>`;
}

interface PageParts {
  title: string;
  header: Part;
  main: Part;
  isLong: boolean;
}

/** What a page shows of a plan. `main`: the changes and what stays, without what stands in front of them. */
function planParts(plan: Plan, pace: Pace | undefined): PageParts & { changes: Change[] } {
  const sections = sectionsOf([...plan.changes].sort(byAddress), sentIn(plan));
  const changes = sections.flatMap((section) => section.changes);
  const stack = cleanLine(plan.stack);
  const account = accountText(plan);
  return {
    changes,
    title: `${[stack, ...account].join(', ')}: ${headline(plan, changes)}`,
    header: html`
<h1>Stack ${stack}${account.map((text) => html`<span class="account">, ${text}</span>`)}</h1>${summary(plan, sections, pace)}`,
    main: mainOf(plan, sections),
    isLong: changes.length > many,
  };
}

/** A part of a page that is about a plan, among others: its ids begin with `name`, a word. */
export function planSection(plan: Plan, name: string, pace?: Pace): Markup {
  const { header, main } = planParts(plan, pace);
  const { text } = html`${header}${main}`;
  // No quote of a text is left as it is, so that only attributes look like one.
  return new Markup(
    text.replace(/ (id|aria-labelledby)="/g, ` $1="${name}-`).replace(/ href="#/g, ` href="#${name}-`),
  );
}

/** A page that needs nothing else. */
export const page = ({ title, header, main, isLong }: PageParts): string =>
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
<main${isLong && html` class="long"`}>${main}
</main>
<script>${new Markup(script)}</script>
</body>
</html>`.text;

const asksForALook = (change: Change) => change.grade !== 'safe' || causeOf(change).cause === 'conflict';

/**
 * What a page says below its head: what has to be mended first, then what can do harm, then what to know, then the rest. The outline stands
 * beside it.
 */
function mainOf(plan: Plan, sections: Section[]): Part {
  const { written, places, rest } = changeSections(plan, sections);
  const of = (wanted: 'error' | 'warning') => plan.diagnostics.filter(({ severity }) => severity === wanted);
  const isUsual = (at: number) => sections[at]!.usual === true;
  return [
    outline(places),
    problems(of('error')),
    written.filter((_, at) => !isUsual(at)),
    problems(of('warning')),
    sources(plan),
    written.filter((_, at) => isUsual(at)),
    rest,
    notReady(plan),
    unchanged(plan),
  ];
}

/** The changes by section, each by what it is in, and what is sent without a change: there should be nothing, but a plan shows all that is sent. */
function changeSections(plan: Plan, sections: Section[]): { written: Markup[]; places: Place[]; rest: Part } {
  const sent = sentIn(plan);
  const all = plan.changes.map(({ address }) => address);
  const parts = sections.map((section) => {
    const { adopted, others } = splitAdopted(section.changes, { sent });
    const entries = foldChanges(others, { sent, all });
    const groups = byRoot(entries).map((group, at) => ({ ...group, id: `${section.name}-${at + 1}` }));
    return { section, adopted, entries, groups: entries.length > few && groups.length > 1 ? groups : [] };
  });
  const entries = parts.flatMap((part) => part.entries);
  const context = changeContext(plan, entries);
  const open = new Set(
    [entries, entries.filter(({ change }) => asksForALook(change))].find(({ length }) => length <= few),
  );
  const list = (own: Entry[], level: 3 | 4) => html`
<div class="list">${own.map((entry) => changeEntry(entry, context, { isOpen: open.has(entry), level }))}
</div>`;
  const written = parts.map(
    ({ section: { name, title, means, changes }, adopted, entries: inIt, groups }) => html`
<section class="changes" aria-labelledby="${name}">
<h2 id="${name}"><i class="${name}" aria-hidden="true"></i>${title} <span class="count">${countOf(changes)}</span></h2>
<p class="means">${means}</p>${adopted.map(
      (one) => html`
<p class="adopted">${cleanLine(adoptedText(one))}</p>`,
    )}${
      groups.length === 0
        ? inIt.length > 0 && list(inIt, 3)
        : groups.map(
            ({ root, entries: own, id }) => html`
<div class="group"><h3 class="root" id="${id}">${rootText(root)} <span class="count">${numberOf(own)}</span></h3>${list(own, 4)}
</div>`,
          )
    }</section>`,
  );
  const others = plan.operations.filter((operation) => !context.written.has(operation));
  return {
    written,
    places: parts.map(({ section: { name, label, changes }, groups }) => ({
      id: name,
      sort: name,
      title: `${label.charAt(0).toUpperCase()}${label.slice(1)}`,
      changes: countOf(changes),
      inside: groups.map(({ root, id, entries: own }) => ({
        id,
        title: root === '' ? severalPlaces : root,
        changes: numberOf(own),
      })),
    })),
    rest:
      others.length > 0 &&
      html`
<section aria-labelledby="others"><h2 id="others">Also sent</h2>${requestList(others.flatMap(({ requests }) => requests))}</section>`,
  };
}

const severalPlaces = 'in several places';
const rootText = (root: string): Markup =>
  root === '' ? html`${severalPlaces}` : html`<code>${cleanLine(root)}</code>`;
const numberOf = (entries: Entry[]) => entries.reduce((sum, { wholes }) => sum + wholes.length, 0);

const hashOf = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`;

/** Nothing may be loaded, sent or framed, and only this style and this script count. */
const policy = [
  "default-src 'none'",
  `style-src ${hashOf(style)}`,
  `script-src ${hashOf(script)}`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** The sources that the configuration reads from outside: first those that nobody has agreed to before. */
function sources(plan: Plan): Part {
  const [news, usual] = [newSources(plan), sourcesOfChanges(plan.changes, plan)];
  return [
    news.length > 0 &&
      html`
<section aria-labelledby="sources" class="sources">
<h2 id="sources">${sourcesTitle} <span class="count">${news.length}</span></h2>
<p class="means">${sourcesMean}</p>${list(sourceTexts(news))}</section>`,
    usual.length > 0 &&
      html`
<section aria-labelledby="read" class="sources">
<h2 id="read">Read for these changes <span class="count">${usual.length}</span></h2>${list(sourceTexts(usual))}</section>`,
  ];
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
function toolbar(changes: Change[]): Part {
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
