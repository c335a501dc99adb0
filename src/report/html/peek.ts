import { type Change, type FieldChange, isHiddenField } from '../../model/change.ts';
import { cut, cutPair, displayWidth } from '../cut.ts';
import { secretText } from '../field-text.ts';
import { fieldsOf } from '../fields-of.ts';
import type { Entry } from '../fold-changes.ts';
import { show, showName } from '../show.ts';
import { comparedSides } from '../value-diff.ts';
import { html, type Markup, type Part } from './markup.ts';

/** So many fields at most are told in a closed row. */
const most = 3;
/** Columns of one value there. */
const width = 44;
/** Columns of all of them together; the first field is told however wide it is. */
const room = 110;

/** The values of an entry in one line, for as long as it is closed: `framework nextjs → astro`, and how many fields more there are. */
export function peekOf({ change, varied }: Entry): Part {
  const fields = fieldsOf(change);
  if (fields.length === 0) return undefined;
  const told: Markup[] = [];
  let used = 0;
  for (const field of fields.slice(0, most)) {
    const piece = pieceOf(field, change, varied.has(field.path));
    used += piece.width;
    if (told.length > 0 && used > room) break;
    told.push(piece.text);
  }
  const more = fields.length - told.length;
  return html`
<span class="peek">${told.map((text, at) => html`${at > 0 && ' '}<span class="one">${text}</span>`)}${more > 0 && html` <span class="rest">and ${more} more</span>`}</span>`;
}

/** One value, without the brackets around a single scalar. */
const alone = (value: unknown): unknown => comparedSides(value, value)[0];

interface Piece {
  text: Markup;
  width: number;
}

function pieceOf(field: FieldChange, { action }: Change, isVaried: boolean): Piece {
  const name = showName(field.path, 'plain');
  const single = (value: string, isNote = false): Piece => {
    const text = cut(value, width);
    return {
      text: html`<code class="field-name">${name}</code> ${isNote ? html`<em>${text}</em>` : html`<code>${text}</code>`}`,
      width: displayWidth(name) + displayWidth(text) + 2,
    };
  };
  if (isVaried) return single('differs', true);
  if (isHiddenField(field)) return single(secretText(field), true);
  const [before, after] = comparedSides(field.before, field.after);
  const isWhole =
    (action === 'create' || action === 'delete') && (before === undefined || after === undefined);
  if (isWhole || field.cause === 'recorded' || field.cause === 'released')
    return single(show(alone(after === undefined ? before : after)));
  const [a, b] = cutPair(show(before), show(after), width).map((text) => cut(text, 2 * width)) as [
    string,
    string,
  ];
  if (a === b) return single('(a secret in it changes)', true);
  return {
    text: html`<code class="field-name">${name}</code> <del>${a}</del> <span aria-hidden="true">→</span><span class="unseen"> becomes </span> <ins>${b}</ins>`,
    width: displayWidth(name) + displayWidth(a) + displayWidth(b) + 6,
  };
}
