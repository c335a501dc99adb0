import { groupBy } from '../../model/graph.ts';
import type { Plan } from '../../model/plan.ts';
import { cleanLine } from '../clean.ts';
import { html, type Part } from './markup.ts';

/** What is not changed: as it should be already, or nobody's business here. */
export function unchanged({ changes, unmanaged }: Plan): Part {
  const same = changes.filter(({ action }) => action === 'noop').length;
  if (same + unmanaged.length === 0) return undefined;
  const kinds = [...groupBy(unmanaged, ({ kind }) => kind)].sort(([a], [b]) => (a < b ? -1 : 1));
  return html`
<section aria-labelledby="unchanged" class="unchanged">
<h2 id="unchanged">Left as it is</h2>
<ul>${
    same > 0 &&
    html`
<li>${same} managed here and as the configuration says</li>`
  }${
    unmanaged.length > 0 &&
    html`
<li>${unmanaged.length} not managed here: ${kinds.map(([kind, { length }]) => `${length} ${cleanLine(kind)}`).join(', ')}</li>`
  }
</ul></section>`;
}
