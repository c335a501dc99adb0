import { diffWordsWithSpace, structuredPatch } from 'diff';
import { type Action, type FieldChange, isHiddenField } from '../../model/change.ts';
import { isRef } from '../../model/value.ts';
import { displayWidth } from '../cut.ts';
import { hiddenFieldText } from '../field-text.ts';
import { show, showName } from '../show.ts';
import { linesOfBoth, normalizeSides, valueLines } from '../value-diff.ts';
import { causes, html, type Markup } from './markup.ts';

const fieldWidth = 60;
/** So many lines of one value stand open; more are folded. */
const mostRows = 16;

/** One field: its name, why it differs, and its value or both values. */
export function fieldMarkup(field: FieldChange, action: Action, notYet: ReadonlySet<string>): Markup {
  const name = showName(field.path, 'plain');
  return html`
<div class="field"><dt><code>${name}</code></dt>
<dd>${valueText(field, action, name)}${fieldNotesOf(field, notYet)}</dd></div>`;
}

/** A field that has not the same value in all changes of an entry. */
export const variedFieldMarkup = (path: string, text: string): Markup => html`
<div class="field"><dt><code>${showName(path, 'plain')}</code></dt>
<dd><code>${text}</code> <span class="note">differs</span></dd></div>`;

/** Below the value, where there is room for a sentence. */
function fieldNotesOf(
  { cause, notKept, replaces, after }: FieldChange,
  notYet: ReadonlySet<string>,
): Markup[] {
  const { label, means } = causes.find((one) => one.cause === cause)!;
  return [
    ...(cause === 'edit' ? [] : [html`<span class="cause ${cause}">${label}</span> ${means}`]),
    ...(notKept ? [html`not kept by the platform at the last apply: sent again`] : []),
    ...(replaces ? [html`cannot be changed in place`] : []),
    ...(isRef(after) && notYet.has(after.$ref) ? [html`known after apply`] : []),
  ].map((note) => html` <span class="note">${note}</span>`);
}

function valueText(field: FieldChange, action: Action, name: string): Markup {
  const { cause } = field;
  const [before, after] = normalizeSides(field.before, field.after);
  if (isHiddenField(field)) return html`<em>${hiddenFieldText(field)}</em>`;
  const isWhole =
    (action === 'create' || action === 'delete') && (before === undefined || after === undefined);
  if (isWhole || cause === 'recorded' || cause === 'released')
    return oneValue(after === undefined ? before : after);
  const [a, b] = [show(before), show(after)];
  if (a === b) return html`<code>${a}</code> <em>(a secret in it changes)</em>`;
  const isText = [before, after].some((value) => typeof value === 'string' && value.includes('\n'));
  if (!isText && displayWidth(a) + displayWidth(b) <= fieldWidth)
    return html`<span class="unseen">before </span><del>${a}</del> <span aria-hidden="true">→</span><span class="unseen"> after </span> <ins>${b}</ins>`;
  return difference(...linesOfBoth(before, after, fieldWidth), name);
}

function oneValue(value: unknown): Markup {
  const isText = typeof value === 'string' && value.includes('\n');
  const lines =
    isText || (typeof value === 'object' && value !== null) ? valueLines(value, fieldWidth) : [show(value)];
  if (lines.length === 1) return html`<code>${lines[0]}</code>`;
  const block = html`<pre>${lines.map((line) => html`<span>${line}\n</span>`)}</pre>`;
  if (lines.length <= mostRows) return block;
  return html`<details class="more"><summary>${lines.length} lines</summary>${block}</details>`;
}

/** Two values by their lines, as a table: before on the left, after on the right. A narrow page puts them under each other. */
const difference = (before: string[], after: string[], name: string): Markup => html`
<table class="difference">
<caption class="unseen">${name}: before and after</caption>
<colgroup><col class="line"><col><col class="line"><col></colgroup>
<thead class="unseen"><tr><th scope="col">Line before</th><th scope="col">Before</th><th scope="col">Line after</th><th scope="col">After</th></tr></thead>
<tbody>${sideBySide(before, after).map(htmlRowOf)}
</tbody>
</table>`;

function htmlRowOf(row: Row): Markup {
  if (row.type === 'skipped')
    return html`
<tr class="skipped"><td colspan="4">${row.lines} equal ${row.lines === 1 ? 'line' : 'lines'}</td></tr>`;
  const same = row.type === 'same';
  return html`
<tr${same && html` class="same"`}>${sideOf(row.before, same ? 'same' : 'old')}${sideOf(row.after, same ? 'same' : 'new')}</tr>`;
}

const lineSigns = { old: '−', new: '+', same: ' ' };

function sideOf(side: Side | undefined, type: keyof typeof lineSigns): Markup {
  if (!side) return html`<td class="none"></td><td class="none"></td>`;
  const text = side.pieces.map((piece) => pieceOf(piece, type));
  return html`<td class="line ${type}">${side.line}</td><td class="${type}"><span class="sign">${lineSigns[type]} </span>${text}</td>`;
}

function pieceOf({ text, differs }: DiffPiece, type: keyof typeof lineSigns): Markup {
  if (!differs) return html`${text}`;
  return type === 'old' ? html`<del>${text}</del>` : html`<ins>${text}</ins>`;
}

/** A piece of a line; `differs`: not so on the other side. */
interface DiffPiece {
  text: string;
  differs: boolean;
}

/** One side of a row: a line and its number, from 1. */
export interface Side {
  line: number;
  pieces: DiffPiece[];
}

/** A row of a comparison: the same on both sides, different, on one side only, or so many equal lines left out. */
export type Row =
  | { type: 'same'; before: Side; after: Side }
  | { type: 'changed'; before?: Side; after?: Side }
  | { type: 'skipped'; lines: number };

const context = 3;
/** Words are compared only in lines that are not longer: beyond, the page would take too long to make. */
const longestValue = 4000;

/** Two texts, by lines, in rows of two sides. Only equal lines far from any difference are left out, and counted. */
export function sideBySide(before: string[], after: string[]): Row[] {
  const [a, b] = [before, after].map((lines) => lines.map((line) => `${line}\n`).join('')) as [
    string,
    string,
  ];
  const patch = structuredPatch('', '', a, b, '', '', { context, maxEditLength: 2000 });
  const hunks = patch?.hunks ?? [
    {
      oldStart: 1,
      newStart: 1,
      lines: [...before.map((line) => `-${line}`), ...after.map((line) => `+${line}`)],
    },
  ];
  const rows: Row[] = [];
  let next = 1;
  for (const { oldStart, newStart, lines } of hunks) {
    // Of an empty side the patch says that it starts at 0.
    const start = Math.max(1, oldStart);
    if (start > next) rows.push({ type: 'skipped', lines: start - next });
    rows.push(...diffRowsOf(lines, start, Math.max(1, newStart)));
    next = start + lines.filter((line) => !line.startsWith('+')).length;
  }
  const rest = before.length - next + 1;
  return patch && rest > 0 ? [...rows, { type: 'skipped', lines: rest }] : rows;
}

/** Removed lines stand beside the added ones that follow them. */
function diffRowsOf(lines: string[], oldStart: number, newStart: number): Row[] {
  const rows: Row[] = [];
  let [oldLine, newLine] = [oldStart, newStart];
  for (let index = 0; index < lines.length; ) {
    const removed = htmlRunOf('-', lines, index);
    const added = htmlRunOf('+', lines, index + removed.length);
    for (let i = 0; i < Math.max(removed.length, added.length); i++) {
      const [left, right] = compared(removed[i], added[i]);
      rows.push({
        type: 'changed',
        before: left && { line: oldLine++, pieces: left },
        after: right && { line: newLine++, pieces: right },
      });
    }
    index += removed.length + added.length;
    if (removed.length + added.length > 0) continue;
    const pieces = [{ text: lines[index++]!.slice(1), differs: false }];
    rows.push({
      type: 'same',
      before: { line: oldLine++, pieces },
      after: { line: newLine++, pieces },
    });
  }
  return rows;
}

function htmlRunOf(mark: string, lines: string[], from: number): string[] {
  const end = lines.findIndex((line, index) => index >= from && !line.startsWith(mark));
  return lines.slice(from, end < 0 ? undefined : end).map((line) => line.slice(1));
}

/** Two lines with what differs in them; a line that has no counterpart, or nothing in common with it, differs as a whole. */
function compared(before?: string, after?: string): [DiffPiece[] | undefined, DiffPiece[] | undefined] {
  const whole = (text?: string) => (text === undefined ? undefined : [{ text, differs: true }]);
  if (before === undefined || after === undefined || before.length + after.length > longestValue)
    return [whole(before), whole(after)];
  const parts = diffWordsWithSpace(before, after);
  const shared = parts.filter(({ added, removed }) => !added && !removed);
  if (shared.reduce((sum, { value }) => sum + value.trim().length, 0) * 3 < before.trim().length)
    return [whole(before), whole(after)];
  const side = (other: 'added' | 'removed') =>
    parts
      .filter((part) => !part[other])
      .map(({ value, added, removed }) => ({ text: value, differs: added || removed }));
  return [side('added'), side('removed')];
}
