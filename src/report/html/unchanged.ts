import type { Plan } from '../../model/plan.ts';
import { cleanLine } from '../clean.ts';
import { unmanagedTexts } from '../unmanaged-text.ts';
import { html, type Part } from './markup.ts';

/** What is not changed: as it should be already, or nobody's business here. */
export function unchanged(plan: Plan): Part {
  const { changes, unmanaged, unlisted } = plan;
  const same = changes.filter(({ action }) => action === 'noop').length;
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
