import { cleanLine } from '../clean.ts';
import { html, type Part } from './markup.ts';

/** A place on the page, with how many changes it has. */
export interface Place {
  id: string;
  title: string;
  changes: number;
  /** For the sign in front of it. */
  sort: string;
  inside: Omit<Place, 'inside' | 'sort'>[];
}

/** The sections of a page and what they are about; none where there is little to choose from. */
export function outline(places: Place[]): Part {
  const number = places.reduce((sum, { inside }) => sum + 1 + inside.length, 0);
  if (number < 4) return undefined;
  return html`
<nav class="outline" aria-label="Outline"><details open><summary>Outline</summary>
<ul>${places.map(
    ({ id, title, changes, sort, inside }) => html`
<li><a href="#${id}"><i class="${sort}" aria-hidden="true"></i>${title} <b>${changes}</b></a>${
      inside.length > 0 &&
      html`
<ul>${inside.map(
        (one) => html`
<li><a href="#${one.id}"><code>${cleanLine(one.title)}</code> <b>${one.changes}</b></a></li>`,
      )}
</ul>`
    }</li>`,
  )}
</ul></details></nav>`;
}
