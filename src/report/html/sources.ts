import type { Plan, PlanSource } from '../../model/plan.ts';
import { newSources, sourcesMean, sourcesOfChanges, sourcesTitle, sourceTexts } from '../sources-text.ts';
import { html, type Markup, type Part } from './markup.ts';

/** What the configuration reads from outside: first what nobody has agreed to before. */
export function sources(plan: Plan): Part {
  const [news, usual] = [newSources(plan), sourcesOfChanges(plan.changes, plan)];
  return [
    news.length > 0 &&
      html`
<section aria-labelledby="sources" class="sources">
<h2 id="sources">${sourcesTitle} <span class="count">${news.length}</span></h2>
<p class="means">${sourcesMean}</p>${list(news)}</section>`,
    usual.length > 0 &&
      html`
<section aria-labelledby="read" class="sources">
<h2 id="read">Read for these changes <span class="count">${usual.length}</span></h2>${list(usual)}</section>`,
  ];
}

const list = (sources: PlanSource[]): Markup => html`
<ul>${sourceTexts(sources).map(
  ({ name, text }) => html`
<li><code>${name}</code>: <code>${text}</code></li>`,
)}
</ul>`;
