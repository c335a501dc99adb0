import { diffWordsWithSpace } from 'diff';
import { type ChangeAction, type FieldChange, isHiddenField } from '../../model/change.ts';
import { isRef } from '../../model/value.ts';
import { hiddenFieldText, isShownAsOneValue } from '../field-text.ts';
import { show, showName } from '../show.ts';
import { displayWidth } from '../text.ts';
import { compareLines, linesOfBoth, normalizeSides, runFrom, valueLines } from '../value-diff.ts';
import { causes, html, type Markup } from './markup.ts';

/** Two values that are wider together become a table of lines, which lays out lists and objects in this width. */
const fieldWidth = 60;
/** A value with more lines is folded. */
const maxOpenLines = 16;

/**
 * Formats one field of a change for the page of a plan: its name, its value or both values, and notes such as the cause. `createdAddresses`
 * are the objects whose ids are still unknown.
 */
export function fieldMarkup(
  field: FieldChange,
  action: ChangeAction,
  createdAddresses: ReadonlySet<string>,
): Markup {
  const name = showName(field.path, 'plain');
  return html`
<div class="field"><dt><code>${name}</code></dt>
<dd>${valueText(field, action, name)}${fieldNotesOf(field, createdAddresses)}</dd></div>`;
}

/** Formats a field whose values differ among the changes of an entry. `text` lists the values. */
export const variedFieldMarkup = (path: string, text: string): Markup => html`
<div class="field"><dt><code>${showName(path, 'plain')}</code></dt>
<dd><code>${text}</code> <span class="note">differs</span></dd></div>`;

/**
 * Formats the notes about a field on the page of a plan: why it differs, such as drift, and facts that a
 * reviewer should have. An edit of the configuration is the usual cause and needs no note.
 * `createdAddresses`: objects that this plan creates, so their ids are unknown.
 */
function fieldNotesOf(
  { cause, notKept, replaces, after }: FieldChange,
  createdAddresses: ReadonlySet<string>,
): Markup[] {
  const { label, means } = causes.find((entry) => entry.cause === cause)!;
  return [
    ...(cause === 'edit' ? [] : [html`<span class="cause ${cause}">${label}</span> ${means}`]),
    ...(notKept ? [html`not kept by the platform at the last apply: sent again`] : []),
    ...(replaces ? [html`cannot be changed in place`] : []),
    ...(isRef(after) && createdAddresses.has(after.$ref) ? [html`known after apply`] : []),
  ].map((note) => html` <span class="note">${note}</span>`);
}

/**
 * Formats the value of a field on the page of a plan, or both values: next to each other if they are short, otherwise as a table of lines.
 * Of a field whose value is secret, only the names of its secrets are shown.
 */
function valueText(field: FieldChange, action: ChangeAction, name: string): Markup {
  const [before, after] = normalizeSides(field.before, field.after);
  if (isHiddenField(field)) return html`<em>${hiddenFieldText(field)}</em>`;
  if (isShownAsOneValue(field, action)) return oneValue(after === undefined ? before : after);
  const [a, b] = [show(before), show(after)];
  if (a === b) return html`<code>${a}</code> <em>(a secret in it changes)</em>`;
  const isText = [before, after].some((value) => typeof value === 'string' && value.includes('\n'));
  if (!isText && displayWidth(a) + displayWidth(b) <= fieldWidth)
    return html`<span class="unseen">before </span><del>${a}</del> <span aria-hidden="true">→</span><span class="unseen"> after </span> <ins>${b}</ins>`;
  return difference(...linesOfBoth(before, after, fieldWidth), name);
}

/**
 * Formats the value of a field that has only one to show, such as in a creation: a scalar as code, a longer
 * value as lines. Many lines are collapsed.
 */
function oneValue(value: unknown): Markup {
  const isText = typeof value === 'string' && value.includes('\n');
  const lines =
    isText || (typeof value === 'object' && value !== null) ? valueLines(value, fieldWidth) : [show(value)];
  if (lines.length === 1) return html`<code>${lines[0]}</code>`;
  const block = html`<pre>${lines.map((line) => html`<span>${line}\n</span>`)}</pre>`;
  if (lines.length <= maxOpenLines) return block;
  return html`<details class="more"><summary>${lines.length} lines</summary>${block}</details>`;
}

/**
 * Formats two values as a table of lines: before on the left, after on the right. On a narrow page they are below each other. `name`: the
 * field, for the caption.
 */
const difference = (before: string[], after: string[], name: string): Markup => html`
<table class="difference">
<caption class="unseen">${name}: before and after</caption>
<colgroup><col class="line"><col><col class="line"><col></colgroup>
<thead class="unseen"><tr><th scope="col">Line before</th><th scope="col">Before</th><th scope="col">Line after</th><th scope="col">After</th></tr></thead>
<tbody>${sideBySide(before, after).map(htmlRowOf)}
</tbody>
</table>`;

/**
 * Formats one row of the table that compares two long values of a field: two lines side by side, or the number of equal lines that are left
 * out.
 */
function htmlRowOf(row: Row): Markup {
  if (row.type === 'skipped')
    return html`
<tr class="skipped"><td colspan="4">${row.lines} equal ${row.lines === 1 ? 'line' : 'lines'}</td></tr>`;
  const isSame = row.type === 'same';
  return html`
<tr${isSame && html` class="same"`}>${sideOf(row.before, isSame ? 'same' : 'old')}${sideOf(row.after, isSame ? 'same' : 'new')}</tr>`;
}

const lineSigns = { old: '−', new: '+', same: ' ' };

/**
 * Formats the left or the right half of a row in the table that compares two long values of a field on a
 * plan's page: the number of the line and its text, or empty cells if the line is absent there.
 */
function sideOf(side: Side | undefined, type: keyof typeof lineSigns): Markup {
  if (!side) return html`<td class="none"></td><td class="none"></td>`;
  const text = side.segments.map((segment) => segmentMarkup(segment, type));
  return html`<td class="line ${type}">${side.line}</td><td class="${type}"><span class="sign">${lineSigns[type]} </span>${text}</td>`;
}

/** Formats a part of a line, marked if the other side differs there. */
function segmentMarkup({ text, differs }: DiffSegment, type: keyof typeof lineSigns): Markup {
  if (!differs) return html`${text}`;
  return type === 'old' ? html`<del>${text}</del>` : html`<ins>${text}</ins>`;
}

/** A part of a line; `differs`: the other side has another text there. */
interface DiffSegment {
  text: string;
  differs: boolean;
}

/** One side of a row: a line and its number, from 1. */
export interface Side {
  line: number;
  segments: DiffSegment[];
}

/** A row of a comparison: equal lines, different lines (one side may be absent), or a number of equal lines that are left out. */
export type Row =
  | { type: 'same'; before: Side; after: Side }
  | { type: 'changed'; before?: Side; after?: Side }
  | { type: 'skipped'; lines: number };

const context = 3;
/** The words of two lines that are longer together are not compared, because that would take too long. */
const maxComparedLength = 4000;

/**
 * Compares the old and the new lines of a field and returns the rows of the table on a plan's page, with the
 * old line on the left and the new one on the right. A run of equal lines far from any difference becomes one
 * row that counts them.
 */
export function sideBySide(before: string[], after: string[]): Row[] {
  const rows: Row[] = [];
  let nextLine = 1;
  for (const { oldStart, newStart, lines } of compareLines(before, after, context)) {
    // The hunk of an empty side starts at 0.
    const start = Math.max(1, oldStart);
    if (start > nextLine) rows.push({ type: 'skipped', lines: start - nextLine });
    rows.push(...diffRowsOf(lines, start, Math.max(1, newStart)));
    nextLine = start + lines.filter((line) => !line.startsWith('+')).length;
  }
  const equalLines = before.length - nextLine + 1;
  return equalLines > 0 ? [...rows, { type: 'skipped', lines: equalLines }] : rows;
}

/**
 * Returns the rows of one hunk (lines marked `-`, `+` or as equal) for the table on a plan's page. The first
 * of several removed lines is next to the first of the added lines that follow, the second next to the
 * second; the shorter side ends with empty cells. The words that differ are marked. `oldStart`, `newStart`:
 * the numbers of the first lines.
 */
function diffRowsOf(lines: string[], oldStart: number, newStart: number): Row[] {
  const rows: Row[] = [];
  let [oldLine, newLine] = [oldStart, newStart];
  let index = 0;
  while (index < lines.length) {
    const removed = runFrom(index, lines, (line) => line.startsWith('-'));
    const added = runFrom(index + removed.length, lines, (line) => line.startsWith('+'));
    if (removed.length + added.length > 0) {
      rows.push(...changedRows(removed, added, { oldLine, newLine }));
      oldLine += removed.length;
      newLine += added.length;
      index += removed.length + added.length;
    } else {
      const segments = [{ text: lines[index]!.slice(1), differs: false }];
      rows.push({
        type: 'same',
        before: { line: oldLine++, segments },
        after: { line: newLine++, segments },
      });
      index++;
    }
  }
  return rows;
}

/**
 * Returns a row for each pair of a removed and an added line (both with their mark). `oldLine`, `newLine`: the numbers of the first ones.
 */
function changedRows(
  removed: string[],
  added: string[],
  { oldLine, newLine }: { oldLine: number; newLine: number },
): Row[] {
  return Array.from({ length: Math.max(removed.length, added.length) }, (_, index): Row => {
    const [oldSegments, newSegments] = compareWords(removed[index]?.slice(1), added[index]?.slice(1));
    return {
      type: 'changed',
      before: oldSegments && { line: oldLine + index, segments: oldSegments },
      after: newSegments && { line: newLine + index, segments: newSegments },
    };
  });
}

/**
 * Compares two lines word by word for the table on a plan's page, and returns the segments of each: parts of
 * the line, with a mark on those that differ. A line differs as a whole if the other one is absent, if both are too
 * long together, or if less than a third of the old one is in both, because single equal words would only confuse.
 */
function compareWords(
  before?: string,
  after?: string,
): [before: DiffSegment[] | undefined, after: DiffSegment[] | undefined] {
  const wholeLine = (text?: string) => (text === undefined ? undefined : [{ text, differs: true }]);
  if (before === undefined || after === undefined || before.length + after.length > maxComparedLength)
    return [wholeLine(before), wholeLine(after)];
  const words = diffWordsWithSpace(before, after);
  const equalWords = words.filter(({ added, removed }) => !added && !removed);
  const equalLength = equalWords.reduce((sum, { value }) => sum + value.trim().length, 0);
  if (equalLength * 3 < before.trim().length) return [wholeLine(before), wholeLine(after)];
  const segmentsWithout = (otherSide: 'added' | 'removed') =>
    words
      .filter((word) => !word[otherSide])
      .map(({ value, added, removed }) => ({ text: value, differs: added || removed }));
  return [segmentsWithout('added'), segmentsWithout('removed')];
}
