import type { Pace } from '../../model/pace.ts';
import { cleanLine } from '../clean.ts';
import { awaitsTexts, overview, type StackReport, skippedText } from '../stacks/stack-report.ts';
import { html, type Markup } from './markup.ts';
import { type Origin, originText, page, planSection } from './page.ts';
import { problems } from './summary.ts';

/** The plans of several stacks as one page, each under its name. */
export function stacksHtml(reports: StackReport[], pace?: Pace, origin: Origin = {}): string {
  const sum = `${overview(reports)}.`;
  return page({
    title: `Stacks: ${sum}`,
    header: html`
<h1>Stacks</h1>
<p class="headline">${sum}</p>
<ul>${reports.map(
      ({ id }, at) => html`
<li><a href="#stack${at}">${cleanLine(id)}</a></li>`,
    )}</ul>${originText(origin)}`,
    main: reports.map((report, at) => sectionOf(report, `stack${at}`, pace)),
    isLong: reports.length > 1,
  });
}

function sectionOf(report: StackReport, name: string, pace: Pace | undefined): Markup {
  const { id, needs, plan, failed } = report;
  const after = needs.length > 0 ? `after ${needs.map(cleanLine).join(', ')}` : undefined;
  return html`
<section id="${name}" aria-label="${cleanLine(id)}">
<p class="tool">${cleanLine(id)}${after !== undefined && html`, ${after}`}</p>${awaitsTexts(report).map(
    (text) => html`
<p class="remark">${cleanLine(text)}</p>`,
  )}${
    plan
      ? planSection(plan, name, pace)
      : failed
        ? problems(failed)
        : html`
<p class="remark">${cleanLine(skippedText(report))}</p>`
  }
</section>`;
}
