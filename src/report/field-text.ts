import { unescapeName } from '../model/address.ts';
import { type Change, type ChangeAction, type FieldChange, isHiddenField } from '../model/change.ts';
import { isHole, isRef } from '../model/value.ts';
import type { PlanContext } from './plan-context.ts';
import { layOut, secretNames, show, showName } from './show.ts';
import type { Style } from './style.ts';
import { breakUp, cutCounted, displayWidth, wrap } from './text.ts';
import { type DiffLine, normalizeSides, textLines, valueDiff } from './value-diff.ts';

/*
 * Prints the fields of a change for a terminal: a label, then the value or values.
 *
 *     framework: nextjs → astro  (changed outside: reverts)
 *     routes:
 *       - src: /old
 *       + src: /new
 *
 * A value that fits stands beside its label, all others below it. A note in brackets follows. A hidden field is one whose value is secret:
 * only its name and `(secret)` are printed.
 */

/** The parts of a plan's context that its fields need. A comparison of two sides prints fields without a plan. */
type FieldTextContext = Pick<PlanContext, 'style' | 'verbose' | 'createdAddresses'>;

const maxLabelWidth = 24;

/**
 * Formats the fields of a change for the text of a plan, in lines of at most `width` columns: `framework:
 * nextjs → astro (changed outside: reverts)`. The values stand in one column. A value that is too wide goes
 * below its name. A note stands behind the first line or, without room, below all lines. A verbose report cuts nothing.
 */
export function fieldLines(
  { action, fields }: Pick<Change, 'action' | 'fields'>,
  context: FieldTextContext,
  width: number,
): string[] {
  const longestName = Math.max(0, ...fields.map(({ path }) => displayWidth(showName(path, 'plain'))));
  const labelWidth = Math.min(maxLabelWidth, longestName) + 1;
  return fields.flatMap((field) => {
    const name = `${showName(field.path, 'plain')}:`;
    const label = `${name.padEnd(labelWidth)} `;
    const space = { widthBeside: width - displayWidth(label), width };
    const value = layOutFieldValue(field, { isOneValue: isShownAsOneValue(field, action) }, context, space);
    const { inline, below } = context.verbose ? value : withinLabelLine(value, label, width);
    const lines = [
      inline ? label + inline.painted : name,
      ...below.flatMap((line) => (context.verbose ? line.painted : breakPaintedLine(line, width))),
    ];
    const note = fieldNoteOf(field, context);
    if (note === undefined) return lines;
    const firstLine = inline ? label + inline.text : name;
    return withNote(lines, firstLine, { note, paint: notePaintOf(field, context) }, width);
  });
}

/** Moves a single value below the name of its field if it does not fit beside the label. */
const withinLabelLine = (value: FieldValueLines, label: string, width: number): FieldValueLines =>
  value.inline && displayWidth(label + value.inline.text) > width
    ? { below: [indentPainted(value.inline)] }
    : value;

/**
 * Adds a note in brackets to the lines of a field in a plan: at the end of the first line, or below all lines if
 * there is no room. `firstLine`: the first line without colours, for measuring.
 */
function withNote(
  lines: string[],
  firstLine: string,
  { note, paint }: { note: string; paint: (text: string) => string },
  width: number,
): string[] {
  const text = `(${note})`;
  if (displayWidth(`${firstLine}  ${text}`) <= width)
    return [`${lines[0]}  ${paint(text)}`, ...lines.slice(1)];
  return [...lines, ...wrap(text, width - 2).map((line) => `  ${paint(line)}`)];
}

/** Indents a line, with and without its colours. */
const indentPainted = ({ text, painted }: PaintedLine): PaintedLine => ({
  text: `  ${text}`,
  painted: `  ${painted}`,
});

/**
 * Breaks a line of a plan that is too wide into several, aligned behind the sign at its beginning (`+`, `-`),
 * so that no character is lost. `painted`: the same text with colour codes around it, so each new line gets
 * the same colours.
 */
function breakPaintedLine({ text, painted }: PaintedLine, width: number): string[] {
  if (displayWidth(text) <= width) return [painted];
  const indent = ' '.repeat(/^ *\S* /.exec(text)?.[0].length ?? 0);
  return breakUp(text, width, indent).map((line) => painted.replace(text, () => line));
}

/**
 * Returns the note that follows the values of a field in a plan, so that a reviewer knows why it changes; undefined for most fields,
 * because an edit of the configuration is the usual reason. `createdAddresses`: the objects that the plan creates, whose ids are still
 * unknown.
 */
export function fieldNoteOf(
  { cause, notKept, replaces, after }: FieldChange,
  { createdAddresses }: Pick<FieldTextContext, 'createdAddresses'>,
): string | undefined {
  const notes = [
    cause === 'drift' && 'changed outside: reverts',
    cause === 'conflict' && 'conflict: changed outside and here',
    notKept && 'not kept by the platform at the last apply: sent again',
    cause === 'released' && 'no longer managed',
    cause === 'recorded' && 'already set',
    replaces && 'cannot be changed in place',
    isRef(after) && createdAddresses.has(after.$ref) && 'known after apply',
  ];
  return notes.filter(Boolean).join('; ') || undefined;
}

/**
 * Returns the colour of the note about a field in the text of a plan: red for conflicts and replacements, yellow for drift (changes
 * outside) and values that were not kept.
 */
function notePaintOf({ cause, notKept, replaces }: FieldChange, { style }: FieldTextContext) {
  if (cause === 'conflict' || replaces) return style.alarm;
  return cause === 'drift' || notKept ? style.warn : style.quiet;
}

/** A line without colours, for measuring, and the same line with colours, for printing. */
interface PaintedLine {
  text: string;
  painted: string;
}

/** The value of a field: the text on the line of its label, if it fits there, and the lines below the label. */
interface FieldValueLines {
  inline?: PaintedLine;
  below: PaintedLine[];
}

/** The number of lines of one value that are shown. */
const maxBlockLines = 12;
const unpainted = (text: string): PaintedLine => ({ text, painted: text });
const inlineValue = (text: string): FieldValueLines => ({ inline: unpainted(text), below: [] });

/** The columns for a value beside its label, and for lines below it. */
interface FieldSpace {
  widthBeside: number;
  width: number;
}

/**
 * Lays out the value of a field for the text of a plan and, if it is one value, for the comment on a pull request. `isOneValue`:
 * only the new value is shown, or the old one if there is no new one; otherwise both are compared. `space`:
 * the columns beside the field's name, and below it.
 */
export function layOutFieldValue(
  field: FieldChange,
  { isOneValue }: { isOneValue: boolean },
  context: FieldTextContext,
  space: FieldSpace,
): FieldValueLines {
  const { before, after } = field;
  if (isHiddenField(field)) return inlineValue(hiddenFieldText(field));
  return isOneValue
    ? layOutOneValue(after === undefined ? before : after, context, space)
    : layOutTwoValues(...normalizeSides(before, after), context, space);
}

/**
 * True if only one value of a field is shown: its object is created or deleted, or only the ledger changes, so that nothing is compared.
 */
export function isShownAsOneValue({ before, after, cause }: FieldChange, action: ChangeAction): boolean {
  const changesLedgerOnly = cause === 'recorded' || cause === 'released';
  const hasOneSide = before === undefined || after === undefined;
  return changesLedgerOnly || (hasOneSide && (action === 'create' || action === 'delete'));
}

/**
 * Lays out a single value of a field in a plan: next to the label if it fits in one line, otherwise as a block below it, cut after a few
 * lines. A long scalar is cut to one line.
 */
function layOutOneValue(
  value: unknown,
  { style, verbose }: FieldTextContext,
  { widthBeside, width }: FieldSpace,
): FieldValueLines {
  const isMultilineText = typeof value === 'string' && value.includes('\n');
  const line = show(value);
  if (!isMultilineText && displayWidth(line) <= widthBeside) return inlineValue(line);
  if (!isMultilineText && (typeof value !== 'object' || value === null || isHole(value)))
    return cutScalarLine(line, verbose, { widthBeside, width });
  const lines = isMultilineText
    ? textLines(value).map((text) => `| ${text}`)
    : layOut(value, width - 2, 'plain');
  const shownLines = verbose
    ? lines
    : lines.slice(0, maxBlockLines).map((text) => cutCounted(text, width - 2));
  const below = shownLines.map((text) => unpainted(`  ${text}`));
  const more = lines.length - shownLines.length;
  const moreText = `  ... ${more} more ${more === 1 ? 'line' : 'lines'}`;
  return { below: more > 0 ? [...below, { text: moreText, painted: style.quiet(moreText) }] : below };
}

/**
 * Cuts a long number or text of one line in a plan to the room next to its label, or to the wider line below it if almost nothing would be
 * left. A verbose report cuts nothing.
 */
function cutScalarLine(line: string, verbose: boolean, { widthBeside, width }: FieldSpace): FieldValueLines {
  if (verbose) return inlineValue(line);
  const cutLine = cutCounted(line, widthBeside);
  // `cutCounted` always keeps some characters of the value, so its result may still be too wide.
  const fitsBeside = displayWidth(cutLine) <= widthBeside;
  return fitsBeside ? inlineValue(cutLine) : { below: [unpainted(`  ${cutCounted(line, width - 2)}`)] };
}

/**
 * Lays out the values of a field before and after a change in a plan: `before → after` next to the label if
 * that fits in `widthBeside` columns, otherwise a small diff below it, in which signs or words mark old, new
 * and equal lines. Values that read the same differ in a secret, and are shown once.
 */
function layOutTwoValues(
  before: unknown,
  after: unknown,
  context: FieldTextContext,
  { widthBeside, width }: FieldSpace,
): FieldValueLines {
  const { style, verbose } = context;
  const [beforeText, afterText] = [show(before), show(after)];
  if (beforeText === afterText) return inlineValue(`${beforeText} (a secret in it changes)`);
  const isMultilineText = [before, after].some((value) => typeof value === 'string' && value.includes('\n'));
  const text = `${beforeText} → ${afterText}`;
  if (!isMultilineText && displayWidth(text) <= widthBeside) {
    const painted = `${style.remove(beforeText)} ${style.quiet('→')} ${style.add(afterText)}`;
    return { inline: { text, painted }, below: [] };
  }
  // The longest sign and the spaces around it.
  const signWidth = style.unicode ? 4 : 8;
  const diff = valueDiff(before, after, width - signWidth, verbose);
  return { below: diff.map((line) => paintDiffLine(line, style)) };
}

/**
 * The signs of the lines of a diff, and the words instead of them in reports without Unicode. `~` marks a line that stands for left-out
 * lines.
 */
const markSigns = { '+': '+', '-': '-', '|': '|', '~': ' ' };
const markWords = { '+': 'new:', '-': 'old:', '|': 'same:', '~': '' };

/** Formats a line of the diff of two values (see `DiffLine` for the marks), behind a sign or a word, in the colour of its mark. */
function paintDiffLine({ mark, text }: DiffLine, style: Style): PaintedLine {
  const paints = { '+': style.add, '-': style.remove, '|': style.quiet, '~': style.quiet };
  const sign = style.unicode ? markSigns[mark] : markWords[mark];
  const line = `  ${sign} ${text}`.trimEnd();
  return { text: line, painted: paints[mark](line) };
}

/**
 * Formats a secret field without its value, for every report: `(secret)`, `(secret, changed)` or `(secret, not verified)`, followed by the
 * names of the secrets in its desired value.
 */
export function hiddenFieldText({ before, after, cause }: FieldChange): string {
  const names = secretNames(after).map((name) => ` ${name}`);
  if (cause === 'unverified') return `(secret, not verified)${names.join('')}`;
  const isChanged = before !== undefined && after !== undefined && cause !== 'recorded';
  return `${isChanged ? '(secret, changed)' : '(secret)'}${names.join('')}`;
}

/**
 * Returns the fields of a change that reports and records of runs print. A deletion has no differing fields, so these are the fields of the
 * deleted object: they help people recognize it. Empty ones, and values that its address already contains, are left out.
 */
export function reportedFieldsOf(change: Change): FieldChange[] {
  if (change.action !== 'delete' || change.fields.length > 0) return change.fields;
  const addressNames: unknown[] = ownNamesIn(change);
  return Object.entries(change.before?.fields ?? {})
    .filter(([, value]) => !isWithoutContent(value) && !addressNames.includes(value))
    .map(([path, before]) => ({ path, before, cause: 'edit' }));
}

/** True for a value that says nothing about a deleted object: null, and an empty text, list or object. */
const isWithoutContent = (value: unknown): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

/**
 * Returns the names in the address of a deleted object after its parent and its section: `OLD` and `preview` in
 * `projects/web/env/OLD@preview`. Reports do not print fields with these values, because the address already shows them.
 */
function ownNamesIn({ address, parent }: Change): string[] {
  const ownAddress = parent === undefined ? address : address.slice(parent.length + 1);
  return ownAddress
    .split(/[/@]/)
    .slice(1)
    .filter((name) => name !== '')
    .map(unescapeName);
}
