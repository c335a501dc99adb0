import { type Address, ancestorsAmong } from '../../model/address.ts';
import type { Pace } from '../../model/budget.ts';
import type { Change } from '../../model/change.ts';
import { type Diagnostic, hasErrors, type Position } from '../../model/diagnostic.ts';
import { countLogicalChanges } from '../../model/logical-changes.ts';
import type { Plan, Summary } from '../../model/plan.ts';
import { followingTexts } from '../action-texts.ts';
import { firstPlaces } from '../diagnostics-text.ts';
import { findingCountsTexts, isNewFinding } from '../finding-text.ts';
import { durationOf, readsText, waitLines } from '../forecast.ts';
import { noChangesText, notComparedState, reportedDiagnostics } from '../not-compared-text.ts';
import { countUnverifiedSecrets, firstContactTexts } from '../plan-end.ts';
import {
  alsoChangedText,
  conflictText,
  countFieldsWith,
  deletionTexts,
  guardsTexts,
  handoverTexts,
  permissionTexts,
  renewedTexts,
  summarizePlan,
  takeoverTexts,
} from '../plan-notes.ts';
import type { ReportSection } from '../plan-sections.ts';
import { countPlannedRequests } from '../request-text.ts';
import { clean, cleanLine, count, errorLines, joinAsSentence } from '../text.ts';
import { actionsInOrder, html, type Markup, type Part } from './markup.ts';

/**
 * Formats the summary at the top of a plan's page: a sentence, counts by action, a bar with the share of each
 * section, and remarks. `sections` are the changes grouped by danger; `pace` is the platform's speed, for the
 * estimated duration.
 */
export function summary(plan: Plan, sections: ReportSection[], pace?: Pace): Markup {
  const changes = sections.flatMap((section) => section.changes);
  return html`
<p class="headline">${[headline(plan, changes, pace), ...findingCountsTexts(plan), ...notComparedState(plan), ...readsText(plan)].join(' ')}</p>${
    changes.length > 0 &&
    html`
<ul class="counts">${actionCounts(summarizePlan(plan))}
</ul>${sectionBar(sections.map((section) => ({ ...section, number: countLogicalChanges(section.changes), id: section.name })))}`
  }${[
    ...waitLines(plan, pace, Number.POSITIVE_INFINITY),
    ...remarks(plan, changes),
    ...renewedTexts(plan),
    ...handoverTexts(plan),
    ...firstContactTexts(plan, (text) => text),
    ...guardsTexts(plan),
  ].map(
    (text) => html`
<p class="remark">${text}</p>`,
  )}`;
}

/**
 * Sums a plan up in a sentence for the top of its page: `12 changes, then 2 builds, 9 requests (2 PATCH and 7 POST), about 2 min.` Also
 * used in the page's title, without the duration (no `pace`). `changes`: those that the page shows. Without any change, request and
 * follow-up action, says that nothing changes, or that the errors have to be fixed first.
 */
export function headline(plan: Plan, changes: Change[], pace?: Pace): string {
  const { total, methodCounts } = countPlannedRequests(plan);
  const followUpCounts = followingTexts(plan);
  if (changes.length + total + followUpCounts.length > 0)
    return `${[count(countLogicalChanges(changes), 'change'), ...followUpCounts].join(', ')}, ${count(total, 'request')}${methodCounts.length > 1 ? ` (${joinAsSentence(methodCounts)})` : ''}${durationOf(plan, pace)}.`;
  return hasErrors(reportedDiagnostics(plan))
    ? 'Nothing is planned until the errors are fixed.'
    : noChangesText(plan);
}

/**
 * Lists the number of changes for each action, for the counts at the top of a page: `+ 2 to create`.
 * Forgotten objects count as released.
 */
export function actionCounts(summary: Summary): Part {
  return actionsInOrder
    .filter(({ action }) => action !== 'forget')
    .map(({ action, sign, verb }) => {
      const number = summary[action as Exclude<typeof action, 'forget'>];
      if (number === 0) return undefined;
      const alsoChanged = action === 'adopt' ? alsoChangedText(summary.adoptAndUpdate) : '';
      return html`
<li class="${action}"><span aria-hidden="true" class="sign">${sign}</span> <b>${number}</b> to ${verb}${alsoChanged}</li>`;
    });
}

/**
 * Lists the number of changes of each section, below a bar with their shares if there are several sections. The bar is an SVG with the
 * widths as attributes, because the policy of the page forbids inline styles. `id`: the place on the page to which the number leads.
 */
export function sectionBar(
  sections: (Pick<ReportSection, 'name' | 'label'> & { number: number; id: string })[],
): Markup {
  const total = sections.reduce((sum, { number }) => sum + number, 0);
  let endOfBar = 0;
  const bars = sections.map(({ name, number }) => {
    endOfBar += number;
    return html`<rect class="${name}" x="${endOfBar - number}" width="${number}" height="1"/>`;
  });
  const legend = sections.map(
    ({ name, label, number, id }) => html`
<li><a href="#${id}"><i class="${name}" aria-hidden="true"></i>${number} ${label}</a></li>`,
  );
  return html`
<div class="risk">${
    sections.length > 1 &&
    html`<svg viewBox="0 0 ${total} 1" preserveAspectRatio="none" aria-hidden="true" focusable="false">${bars}</svg>`
  }
<ul>${legend}
</ul></div>`;
}

/**
 * Lists the remarks at the top of a plan's page, which a reviewer should read before the changes: limits of the plan, permissions,
 * take-overs, and doubts about fields.
 */
function remarks(plan: Plan, changes: Change[]): string[] {
  const { isNarrowed } = plan;
  const [unknown, unverified] = [countFieldsWith(changes, 'unknown'), countUnverifiedSecrets(changes)];
  return [
    ...(isNarrowed ? ['Only part of the stack was planned.'] : []),
    ...deletionTexts(plan),
    ...permissionTexts(changes),
    ...takeoverTexts(changes),
    ...conflictText(changes),
    ...(unknown > 0
      ? [
          `${count(unknown, 'field')} may have been changed here or outside: the last applied value is unknown.`,
        ]
      : []),
    ...(unverified > 0 ? [`${count(unverified, 'secret')} cannot be compared and will be sent again.`] : []),
  ];
}

/** The sections of problems by severity. */
export const problemTitles = { error: 'Errors', warning: 'Warnings', note: 'Notes' } as const;

/** The ids of the changes on a page, for links to them. */
type ChangeIds = ReadonlyMap<Address, string>;

/**
 * Formats the problems of one severity as a section of a plan's page, each with its place and its hint, the new findings first. Undefined
 * if there are none.
 */
export function problemSection(
  diagnostics: Diagnostic[],
  severityShown: Diagnostic['severity'],
  ids: ChangeIds = new Map(),
): Part {
  const selected = diagnostics.filter(({ severity }) => severity === severityShown);
  if (selected.length === 0) return undefined;
  const sorted = [...selected].sort((a, b) => Number(isNewFinding(b)) - Number(isNewFinding(a)));
  return html`
<section aria-labelledby="${severityShown}s" class="problems">
<h2 id="${severityShown}s">${problemTitles[severityShown]} <span class="count">${selected.length}</span></h2>
<ul>${sorted.map((diagnostic) => problemItem(diagnostic, ids))}
</ul></section>`;
}

/**
 * Formats one problem of a plan as an item of the list on the plan's page: severity, message, its line of the
 * configuration or the address of its object, other lines that it refers to, the hint, and the change that
 * causes it.
 */
function problemItem(diagnostic: Diagnostic, ids: ChangeIds): Markup {
  const { severity, at, address, code, finding } = diagnostic;
  const { shown, more } = firstPlaces(diagnostic);
  const { message, hint } = errorLines(diagnostic);
  // The change with a row on the page that causes the finding, if any: that of the object itself, or of one around it.
  const [cause] = (finding?.causes ?? []).flatMap((causeAddress) => ancestorsAmong(causeAddress, ids));
  const addressMarkup =
    address !== undefined &&
    html`
<p class="about"><code>${cleanLine(address)}</code></p>`;
  return html`
<li class="${severity === 'note' ? 'is-note' : severity}"><p><strong class="severity">${severity}</strong> ${joinLines(message)}${finding && ` [${cleanLine(code)}]`}</p>${
    at ? placeMarkup(at) : addressMarkup
  }${shown.map(
    (related) => html`
<p>${cleanLine(related.message)}</p>${placeMarkup(related.at)}`,
  )}${
    more > 0 &&
    html`
<p>and ${count(more, 'more place')}</p>`
  }${
    hint.length > 0 &&
    html`
<p class="hint"><span aria-hidden="true">→ </span>${joinLines(hint)}</p>`
  }${
    cause !== undefined &&
    html`
<p class="about">Caused by the change of <a href="#${ids.get(cause)}">${cleanLine(cause)}</a></p>`
  }</li>`;
}

/** Joins lines of text by line breaks. */
const joinLines = (texts: string[]) => texts.map((text, index) => html`${index > 0 && html`<br>`}${text}`);

/**
 * Formats the file, line and column of a problem on a plan's page, and below it the text of that line with
 * the word at the column marked, so that the reader sees the mistake.
 */
function placeMarkup({ file, line, column, text, caret = column - 1 }: Position): Markup {
  const where = html`
<p class="about place">${cleanLine(file)}:${line}:${column}</p>`;
  if (text === undefined) return where;
  const oneLine = (textPart: string) => clean(textPart).replace(/\n/g, ' ');
  const fromCaret = text.slice(caret);
  const length = /^\S*/.exec(fromCaret)![0].length;
  return html`${where}
<pre><span>${oneLine(text.slice(0, caret)).trimStart()}<mark>${oneLine(fromCaret.slice(0, length))}</mark>${oneLine(fromCaret.slice(length))}</span></pre>`;
}

/** The commit, the CI run and the time of a plan. The caller supplies them, because a plan has no time: equal input makes equal plans. */
export interface PageAbout {
  commit?: { id: string; url?: string; isDirty?: boolean };
  /** The run of a CI system that made the plan. */
  run?: { name: string; url?: string };
  /** The time of the plan, in milliseconds since 1970. */
  time?: number;
}

/**
 * Formats the line below the title of a page, so that a reader can tell where the plan comes from: commit, run and time. Undefined if
 * nothing of it was given.
 */
export function factsOf({ commit, run, time }: PageAbout = {}): Part {
  const facts: [string, Markup][] = [];
  if (commit) {
    const text = html`<code>${cleanLine(commit.id.slice(0, 8))}</code>`;
    facts.push(['Commit', html`${linked(text, commit.url)}${commit.isDirty && ' with uncommitted changes'}`]);
  }
  if (run) facts.push(['Run', linked(html`${cleanLine(run.name)}`, run.url)]);
  if (time !== undefined) {
    const iso = new Date(time).toISOString();
    facts.push(['Planned', html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`]);
  }
  if (facts.length === 0) return undefined;
  return html`
<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt> <dd>${value}</dd></div>`)}</dl>`;
}

/** Formats a text as a link if `url` is a plain web address. The address comes from the environment, so it could be anything. */
const linked = (text: Markup, url: string | undefined): Markup =>
  url !== undefined && /^https?:\/\/[^\s"<>]+$/i.test(url)
    ? html`<a href="${url}" rel="noreferrer">${text}</a>`
    : text;
