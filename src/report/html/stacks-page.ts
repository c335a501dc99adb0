import type { Pace } from '../../model/budget.ts';
import type { Change } from '../../model/change.ts';
import { groupLogicalChanges } from '../../model/logical-changes.ts';
import { contentsText } from '../contents-text.ts';
import { logicalNameOf } from '../fold-changes.ts';
import {
  awaitsTexts,
  equalFailureText,
  findEqualFailures,
  type StackReport,
  skippedText,
  stackCountsText,
} from '../stacks/stack-report.ts';
import {
  sortByDanger,
  sumSummaries,
  type TotalSection,
  totalSectionsOf,
  totalsByKind,
} from '../stacks/stack-totals.ts';
import { cleanLine, count } from '../text.ts';
import { actionsInOrder, html, type Markup, type Part } from './markup.ts';
import { htmlPage, planSection, prefixIds } from './page.ts';
import { actionCounts, factsOf, type PageAbout, problemSection, sectionBar } from './summary.ts';
import { type OutlineItem, toolbar } from './toolbar.ts';

/** A stack on the page: its section, its item of the outline, its changes for the filters, and the ids of its changes on the page. */
type StackSection = ReturnType<typeof stackSectionOf>;

/**
 * Formats the plans of several stacks as one HTML page, such as for `plan --all --format html`: the totals of all stacks, their dangerous
 * changes, and then each plan below the name of its stack, the most dangerous first.
 */
export function stacksHtml(reports: StackReport[], pace?: Pace, about?: PageAbout): string {
  const sum = `${stackCountsText(reports)}.`;
  const sorted = sortByDanger(reports);
  const equalFailures = findEqualFailures(sorted);
  const sections = sorted.map((report, index) =>
    stackSectionOf(report, `stack${index}`, pace, equalFailures.get(report.id)),
  );
  const sectionsByStack = new Map(sorted.map((report, index) => [report, sections[index]!]));
  const totals = totalSectionsOf(sorted);
  const dangers = totals.filter(({ urgent }) => urgent);
  // The number of a section of danger leads to the list above the stacks, any other number to the first stack with such changes.
  const barSections = totals.map((total) => ({
    ...total,
    id: total.urgent ? `all-${total.name}` : firstPlaceOf(total, sectionsByStack),
  }));
  return htmlPage({
    title: `Stacks: ${sum}`,
    header: html`
<h1>Stacks</h1>${factsOf(about)}
<p class="headline">${sum}</p>${
      totals.length > 0 &&
      html`
<ul class="counts">${actionCounts(sumSummaries(reports))}
</ul>${sectionBar(barSections)}${kindTotals(reports)}`
    }`,
    places: [
      ...(dangers.length > 0 ? [{ id: 'all-dangers', label: 'Review first', children: [] }] : []),
      ...sections.map(({ place }) => place),
    ],
    main: [
      dangersPart(dangers, sectionsByStack),
      toolbar(
        sections.flatMap(({ rowChanges }) => rowChanges),
        new Map(sections.flatMap(({ findingFilters }) => [...findingFilters])),
      ),
      sections.map(({ markup }) => markup),
    ],
    isLong: reports.length > 1,
  });
}

/** Returns the id of the first place on the page with changes of a section. */
const firstPlaceOf = ({ name, stacks }: TotalSection, sections: ReadonlyMap<StackReport, StackSection>) =>
  `${sections.get(stacks[0]!.report)!.place.id}-${name}`;

/**
 * Formats how many objects of each kind change in all stacks, for the page of several plans: a list below the totals that the reader can
 * open. False if nothing changes.
 */
function kindTotals(reports: StackReport[]): Part {
  const kinds = totalsByKind(reports);
  return (
    kinds.length > 0 &&
    html`
<details class="more kinds"><summary>By kind</summary>
<ul>${kinds.map(
      ({ kind, text }) => html`
<li><code>${cleanLine(kind)}</code>: ${text}</li>`,
    )}
</ul></details>`
  );
}

/** The most changes of one section of danger that are listed above the stacks. */
const maxListedDangers = 20;

/**
 * Formats the list of the dangerous changes above the stacks, by section, each with its stack and a link to its row, so that a reviewer
 * finds the one deletion among 60 stacks. Of a section with many, only the first ones are listed. Undefined if there are none.
 */
function dangersPart(dangers: TotalSection[], sections: ReadonlyMap<StackReport, StackSection>): Part {
  if (dangers.length === 0) return undefined;
  const total = dangers.reduce((sum, { number }) => sum + number, 0);
  return html`
<section aria-labelledby="all-dangers" class="dangers">
<h2 id="all-dangers">Review first <span class="count">${total}</span></h2>${dangers.map((danger) => dangerList(danger, sections))}
</section>`;
}

/** Lists the first changes of one section of danger in all stacks, and counts the others. */
function dangerList(
  { name, title, means, number, stacks }: TotalSection,
  sections: ReadonlyMap<StackReport, StackSection>,
): Markup {
  const items = stacks.flatMap(({ report, changes }) =>
    groupLogicalChanges(changes).map((logicalChange) =>
      dangerItem(logicalChange, report, sections.get(report)!),
    ),
  );
  return html`
<h3 id="all-${name}"><i class="${name}" aria-hidden="true"></i>${title} <span class="count">${number}</span></h3>
<p class="means">${means}</p>
<ul>${items.slice(0, maxListedDangers)}${
    number > maxListedDangers &&
    html`
<li>and ${count(number - maxListedDangers, 'more change')}</li>`
  }
</ul>`;
}

/** Formats one dangerous change for the list above the stacks on the page of several plans. */
function dangerItem(logicalChange: Change[], { id }: StackReport, { ids }: StackSection): Markup {
  const { action, address } = logicalChange[0]!;
  const label = actionsInOrder.find((entry) => entry.action === action);
  return html`
<li><span class="mark ${action}"><span aria-hidden="true">${label?.sign}</span> ${label?.verb ?? action}</span> <a href="#${ids.get(address)}"><code>${cleanLine(logicalNameOf(logicalChange))}</code></a>${contentsText(logicalChange)} in <code>${cleanLine(id)}</code></li>`;
}

/**
 * Formats the section of one stack on the page of several plans: its plan, its errors and warnings, or why it was skipped. Returns it with
 * its item of the outline, its changes for the filters, and the ids of their rows. `name`: the prefix of all ids in it. `equalFailure`: the
 * stack that failed for the same reason and has the explanation.
 */
function stackSectionOf(report: StackReport, name: string, pace: Pace | undefined, equalFailure?: string) {
  const { id, needs, plan } = report;
  const after = needs.length > 0 && html`, after ${needs.map(cleanLine).join(', ')}`;
  const planned = plan && planSection(plan, name, pace);
  const body = planned?.markup ?? noPlanMarkup(report, name, equalFailure);
  const markup = html`
<section id="${name}" class="stack" aria-label="${cleanLine(id)}">
<p class="tool"><span id="${name}-title">${cleanLine(id)}</span>${after}</p>${awaitsTexts(report).map(remarkMarkup)}${body}
</section>`;
  const outlineItem: OutlineItem = { id: name, label: cleanLine(id), children: planned?.places ?? [] };
  return {
    markup,
    place: outlineItem,
    rowChanges: planned?.rowChanges ?? [],
    findingFilters: planned?.findingFilters ?? new Map<Change, never>(),
    ids: planned?.ids ?? new Map<string, string>(),
  };
}

/**
 * Formats why a stack has no plan, for its section of the HTML report of several stacks: the stack that failed for the same reason
 * (`equalFailure`), its problems, or why it was skipped.
 */
function noPlanMarkup(report: StackReport, name: string, equalFailure: string | undefined): Markup {
  const { failed } = report;
  if (equalFailure !== undefined) return remarkMarkup(equalFailureText(equalFailure));
  if (!failed) return remarkMarkup(skippedText(report));
  return prefixIds(name, html`${problemSection(failed, 'error')}${problemSection(failed, 'warning')}`);
}

/** Formats a sentence about a stack. */
const remarkMarkup = (text: string): Markup => html`
<p class="remark">${cleanLine(text)}</p>`;
