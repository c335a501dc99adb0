import { html, type Markup } from './markup.ts';
import { type Piece, type Row, type Side, sideBySide } from './side-by-side.ts';

/** Two values by their lines, as a table: before on the left, after on the right. A narrow page puts them under each other. */
export const difference = (before: string[], after: string[], name: string): Markup => html`
<table class="difference">
<caption class="unseen">${name}: before and after</caption>
<colgroup><col class="line"><col><col class="line"><col></colgroup>
<thead class="unseen"><tr><th scope="col">Line before</th><th scope="col">Before</th><th scope="col">Line after</th><th scope="col">After</th></tr></thead>
<tbody>${sideBySide(before, after).map(rowOf)}
</tbody>
</table>`;

function rowOf(row: Row): Markup {
  if (row.type === 'skipped')
    return html`
<tr class="skipped"><td colspan="4">${row.lines} equal ${row.lines === 1 ? 'line' : 'lines'}</td></tr>`;
  const same = row.type === 'same';
  return html`
<tr${same && html` class="same"`}>${sideOf(row.before, same ? 'same' : 'old')}${sideOf(row.after, same ? 'same' : 'new')}</tr>`;
}

const signs = { old: '−', new: '+', same: ' ' };

function sideOf(side: Side | undefined, type: keyof typeof signs): Markup {
  if (!side) return html`<td class="none"></td><td class="none"></td>`;
  const text = side.pieces.map((piece) => pieceOf(piece, type));
  return html`<td class="line ${type}">${side.line}</td><td class="${type}"><span class="sign">${signs[type]} </span>${text}</td>`;
}

function pieceOf({ text, differs }: Piece, type: keyof typeof signs): Markup {
  if (!differs) return html`${text}`;
  return type === 'old' ? html`<del>${text}</del>` : html`<ins>${text}</ins>`;
}
