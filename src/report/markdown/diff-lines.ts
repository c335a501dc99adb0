import { type Change, type FieldChange, isHiddenField } from '../../model/change.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { fieldNoteOf, layOutFieldValue, reportedFieldsOf } from '../field-text.ts';
import type { PlanContext } from '../plan-context.ts';
import { show, showName } from '../show.ts';
import {
  breakUp,
  cleanLine,
  cut,
  cutPair,
  displayWidth,
  errorLines,
  firstLines,
  fold,
  wrap,
} from '../text.ts';
import { normalizeSides, valueDiff } from '../value-diff.ts';
import { fence, type Places, placeLink, placeText } from './forms.ts';

/** The columns of a line in a comment. A reader would have to scroll sideways for more. */
export const columns = 80;

/** The first character of a line in a `diff` block, which colours the line: added, removed, changed (`!`), comment (`#`) or equal. */
export type Sign = '+' | '-' | '!' | '#' | ' ';

/**
 * Formats a text behind a sign for a `diff` block in a comment, which Markdown colours by the sign. If it is too wide, it becomes several
 * lines, each with the sign.
 */
export function signedLines(sign: Sign, text: string): string[] {
  // CI systems also obey a command such as `::add-mask::` after spaces at the beginning of a line.
  const safe = sign === ' ' && /^\s*::/.test(text) ? `| ${text}` : text;
  return breakUp(safe, columns - 2, '  ').map((line) => `${sign} ${line}`.trimEnd());
}

/** Formats a sentence as comment lines, broken between words, or within a word that is too long. */
export const commentLines = (text: string): string[] =>
  wrap(cleanLine(text), columns - 2).flatMap((line) => signedLines('#', line));

/**
 * Formats one field of a change as lines of a diff in a comment, which Markdown colours by their first sign:
 * the old value behind `-`, the new value behind `+`. If only one value is shown, it has one sign: that of its
 * object if this is created or deleted, otherwise `!` if the value is hidden, already set or no longer managed.
 */
function fieldDiff(field: FieldChange, action: Change['action'], context: PlanContext): string[] {
  const { before, after, cause } = field;
  const label = `${showName(field.path, 'plain')}:`;
  const note = fieldNoteOf(field, context);
  const isUnchangedOrHidden = isHiddenField(field) || cause === 'recorded' || cause === 'released';
  if (!isUnchangedOrHidden && before !== undefined && after !== undefined)
    return changedFieldLines(label, before, after, note);
  const signOfField: Sign = after === undefined ? '-' : '+';
  const sign = objectSigns[action] ?? (isUnchangedOrHidden ? '!' : signOfField);
  const room = Math.max(20, columns - 2 - displayWidth(label) - 1);
  const { inline, below } = layOutFieldValue(field, { isOneValue: true }, context, {
    widthBeside: room,
    width: columns - 2,
  });
  return noted(
    [
      ...signedLines(sign, inline ? `${label} ${inline.text}` : label),
      ...below.flatMap(({ text }) => signedLines(sign, text)),
    ],
    note,
  );
}

/** The signs of fields whose whole object is created or deleted. */
const objectSigns: Partial<Record<Change['action'], Sign>> = { create: '+', delete: '-' };

/**
 * Adds a note, such as `changed outside: reverts`, to the lines of a field in a comment: at the end of the last line, or below it if there
 * is no room.
 */
function noted(lines: string[], note: string | undefined): string[] {
  if (note === undefined) return lines;
  const lastLine = `${lines.at(-1)}  # ${note}`;
  return displayWidth(lastLine) <= columns
    ? [...lines.slice(0, -1), lastLine]
    : [...lines, ...commentLines(note)];
}

/**
 * Formats both values of a field for the comment on a pull request: one line each if they are short or scalars (cut to the difference),
 * otherwise a diff of their lines.
 */
function changedFieldLines(
  label: string,
  before: FieldChange['before'],
  after: FieldChange['after'],
  note: string | undefined,
): string[] {
  const sides = normalizeSides(before, after);
  const [a, b] = [show(sides[0]), show(sides[1])];
  // Secrets are shown by name only, so equal texts of different values differ in a secret.
  if (a === b) return noted(signedLines('!', `${label} ${a} (a secret in it changes)`), note);
  const isText = [before, after].some((value) => typeof value === 'string' && value.includes('\n'));
  const room = columns - 2 - displayWidth(label) - 1;
  const isShort = [a, b].every((text) => displayWidth(text) <= room);
  const isScalar = sides.every((value) => typeof value !== 'object' || value === null);
  if (!isText && (isShort || isScalar)) {
    const [oldText, newText] = cutPair(a, b, Math.max(20, room));
    const pairLines = [
      ...signedLines('-', `${label} ${oldText}`),
      ...signedLines('+', `${label} ${newText}`),
    ];
    return noted(pairLines, note);
  }
  // In the diff, only the differing lines get a sign that Markdown colours.
  const lines = valueDiff(sides[0], sides[1], columns - 4);
  return [
    ...noted(signedLines('!', label), note),
    ...lines.flatMap(({ mark, text }) => signedLines(mark === '|' || mark === '~' ? ' ' : mark, text)),
  ];
}

/** The most fields of one change that are shown. */
const maxDiffFields = 40;

/**
 * Formats the fields of a change, at most 40, as lines of a `diff` block in the comment on a pull request. The comment shows changes that
 * read alike as one entry. `exceptPaths`: the fields whose values differ between the changes of such an entry; the caller formats these
 * itself.
 */
export function fieldsDiff(change: Change, exceptPaths: ReadonlySet<string>, context: PlanContext): string[] {
  const fields = reportedFieldsOf(change).filter(({ path }) => !exceptPaths.has(path));
  const more = fields.length - maxDiffFields;
  return [
    ...fields.slice(0, maxDiffFields).flatMap((field) => fieldDiff(field, change.action, context)),
    ...(more > 0 ? [`# ... ${more} more ${more === 1 ? 'field' : 'fields'}`] : []),
  ];
}

const maxDiffLineLength = 400;
const maxMessageLines = 10;
/** The most lines of a hint that are for a file or a shell. */
const maxPasteLines = 30;

/**
 * Formats a problem for the comment on a pull request in two lengths: with its place and its hint, and as one line. If the web address of
 * its place is available, the place is a link above the block.
 */
export function diagnosticForms(diagnostic: Diagnostic, places: Places): string[] {
  const { message, hint } = errorLines(diagnostic);
  const { severity, at, address, code, finding } = diagnostic;
  // The code of a finding is for the setting `findings`, and for `trueup explain`.
  const codeText = finding ? ` [${cleanLine(code)}]` : '';
  const sign = { error: '- Error:', warning: '! Warning:', note: '# Note:' }[severity];
  const firstLine = `${sign} ${message[0]}${codeText}`;
  const isLink = at !== undefined && places.url?.(places.locate(at.file), at.line) !== undefined;
  const location = at ? placeText(at, places) : address && cleanLine(address);
  const lines = [
    firstLine,
    ...message.slice(1, maxMessageLines).map((line) => `  ${line}`),
    ...(location && !isLink ? [`  at ${location}`] : []),
  ];
  const block = fence([...lines.flatMap((line) => foldDiffLine(line, '  ')), ...hintLinesOf(hint)], 'diff');
  return [isLink ? `At ${placeLink(at, places)}:\n\n${block}` : block, fence([cut(firstLine, 160)], 'diff')];
}

/** Breaks a line of a problem into lines that fit into a comment. `indent` stands before all but the first. */
const foldDiffLine = (line: string, indent: string): string[] =>
  fold(cut(line, maxDiffLineLength), columns, indent);

/**
 * Formats a hint below a problem in a comment. Its lines after the first are for a file or a shell, so they are not folded: half a line
 * that is pasted means something else. Very long ones are cut, and only the first few are shown.
 */
function hintLinesOf([advice, ...pasteLines]: string[]): string[] {
  return [
    ...(advice === undefined ? [] : foldDiffLine(`  -> ${advice}`, '     ')),
    ...firstLines(pasteLines, maxPasteLines).map((line) => cut(`  ${line}`, maxDiffLineLength)),
  ];
}
