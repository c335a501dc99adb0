import type { Pace } from '../../model/budget.ts';
import { cleanLine } from '../clean.ts';
import { awaitsTexts, type StackReport, skippedText, stackCountsText } from '../stacks/stack-report.ts';
import { html } from './markup.ts';
import { htmlPage, planSection, prefixIds } from './page.ts';
import { factsOf, type PageAbout, problemSection } from './summary.ts';
import { type OutlineItem, toolbar } from './toolbar.ts';

/** Formats the plans of several stacks as one HTML page for `plan --all`, each below the name of its stack. */
export function stacksHtml(reports: StackReport[], pace?: Pace, about?: PageAbout): string {
  const sum = `${stackCountsText(reports)}.`;
  const sections = reports.map((report, index) => stackSectionOf(report, `stack${index}`, pace));
  return htmlPage({
    title: `Stacks: ${sum}`,
    header: html`
<h1>Stacks</h1>${factsOf(about)}
<p class="headline">${sum}</p>`,
    places: sections.map(({ place }) => place),
    main: [toolbar(sections.flatMap(({ changes }) => changes)), sections.map(({ markup }) => markup)],
    isLong: reports.length > 1,
  });
}

/** Formats the result for one stack: its plan, its errors, or why it was skipped. `name`: the prefix of all ids in it. */
function stackSectionOf(report: StackReport, name: string, pace: Pace | undefined) {
  const { id, needs, plan, failed } = report;
  const after = needs.length > 0 ? `after ${needs.map(cleanLine).join(', ')}` : undefined;
  const planned = plan && planSection(plan, name, pace);
  const markup = html`
<section id="${name}" class="stack" aria-label="${cleanLine(id)}">
<p class="tool"><span id="${name}-title">${cleanLine(id)}</span>${after !== undefined && html`, ${after}`}</p>${awaitsTexts(
    report,
  ).map(
    (text) => html`
<p class="remark">${cleanLine(text)}</p>`,
  )}${
    planned?.markup ??
    (failed
      ? prefixIds(name, html`${problemSection(failed, 'error')}${problemSection(failed, 'warning')}`)
      : html`
<p class="remark">${cleanLine(skippedText(report))}</p>`)
  }
</section>`;
  const outlineItem: OutlineItem = { id: name, label: cleanLine(id), children: planned?.places ?? [] };
  return { markup, place: outlineItem, changes: planned?.changes ?? [] };
}
