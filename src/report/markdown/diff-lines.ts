import { type Change, type FieldChange, isHiddenField } from '../../model/change.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { cleanLine, errorLines } from '../clean.ts';
import { breakUp, cut, cutPair, displayWidth, fold, wrap } from '../cut.ts';
import { fieldNoteOf, layOutFieldValue, reportedFieldsOf } from '../field-text.ts';
import type { PlanContext } from '../plan-context.ts';
import { show, showName } from '../show.ts';
import { normalizeSides, valueDiff } from '../value-diff.ts';
import { fence, type Places, placeLink, placeText } from './forms.ts';

/** Columns of a line in a comment: more has to be scrolled sideways. */
export const columns = 80;

/** In a block of the language `diff` the first column colours a line; `!` is for what is neither new nor gone. */
export type Sign = '+' | '-' | '!' | '#' | ' ';

/** A text behind a sign: in several lines where it is too wide, each of them with the sign. */
export function signed(sign: Sign, text: string): string[] {
  // A line that begins with a blank must not go on with what a CI system obeys.
  const safe = sign === ' ' && /^\s*::/.test(text) ? `| ${text}` : text;
  return breakUp(safe, columns - 2, '  ').map((line) => `${sign} ${line}`.trimEnd());
}

/** A sentence as a comment: broken between words, and where a word is too long, in it. */
export const commented = (text: string): string[] =>
  wrap(cleanLine(text), columns - 2).flatMap((line) => signed('#', line));

/** The fields of a change that are told apart, as lines of a diff: what is there before with `-`, what comes with `+`. */
function fieldDiff(field: FieldChange, action: Change['action'], context: PlanContext): string[] {
  const whole = action === 'create' ? '+' : action === 'delete' ? '-' : undefined;
  const { before, after, cause } = field;
  const label = `${showName(field.path, 'plain')}:`;
  const note = fieldNoteOf(field, context);
  const isOne =
    isHiddenField(field) ||
    cause === 'recorded' ||
    cause === 'released' ||
    before === undefined ||
    after === undefined;
  if (!isOne) return changedFieldLines(label, before, after, note);
  const isShown = !isHiddenField(field) && cause !== 'recorded' && cause !== 'released';
  const sign = whole ?? (isShown ? (after === undefined ? '-' : '+') : '!');
  const room = Math.max(20, columns - 2 - displayWidth(label) - 1);
  const { inline, below } = layOutFieldValue(field, isShown, context, {
    widthBeside: room,
    width: columns - 2,
  });
  return noted(
    [
      ...signed(sign, inline ? `${label} ${inline.text}` : label),
      ...below.flatMap(({ text }) => signed(sign, text)),
    ],
    note,
  );
}

/** A remark behind lines about a field, or below them where there is no room. */
function noted(lines: string[], note: string | undefined): string[] {
  if (note === undefined) return lines;
  const last = `${lines.at(-1)}  # ${note}`;
  return displayWidth(last) <= columns ? [...lines.slice(0, -1), last] : [...lines, ...commented(note)];
}

/** Both sides of a value: on a line each where they are short, else only what differs in them, with a little around it. */
function changedFieldLines(
  label: string,
  before: FieldChange['before'],
  after: FieldChange['after'],
  note: string | undefined,
): string[] {
  const sides = normalizeSides(before, after);
  const [a, b] = [show(sides[0]), show(sides[1])];
  if (a === b) return noted(signed('!', `${label} ${a} (a secret in it changes)`), note);
  const isText = [before, after].some((value) => typeof value === 'string' && value.includes('\n'));
  const room = columns - 2 - displayWidth(label) - 1;
  const isShort = [a, b].every((text) => displayWidth(text) <= room);
  const isScalar = sides.every((value) => typeof value !== 'object' || value === null);
  if (!isText && (isShort || isScalar)) {
    const pair = cutPair(a, b, Math.max(20, room));
    return noted([...signed('-', `${label} ${pair[0]}`), ...signed('+', `${label} ${pair[1]}`)], note);
  }
  const lines = valueDiff(sides[0], sides[1], columns - 4);
  return [
    ...noted(signed('!', label), note),
    ...lines.flatMap(({ mark, text }) => signed(mark === '|' || mark === '~' ? ' ' : mark, text)),
  ];
}

/** So many fields of one change are told. */
const mostDiffLines = 40;

/** The changed fields, but for those that are told elsewhere. */
export function fieldsDiff(change: Change, but: ReadonlySet<string>, context: PlanContext): string[] {
  const fields = reportedFieldsOf(change).filter(({ path }) => !but.has(path));
  const more = fields.length - mostDiffLines;
  return [
    ...fields.slice(0, mostDiffLines).flatMap((field) => fieldDiff(field, change.action, context)),
    ...(more > 0 ? [`# ... ${more} more ${more === 1 ? 'field' : 'fields'}`] : []),
  ];
}

const longestDiffLine = 400;
const mostLines = 10;

/** A problem with its place and what to do about it, and as one line. Its place is a link below it, where there is one. */
export function diagnosticForms(diagnostic: Diagnostic, places: Places): string[] {
  const { message, hint } = errorLines(diagnostic);
  const { severity, at, address } = diagnostic;
  const sign = severity === 'error' ? '- Error:' : '! Warning:';
  const isLink = at !== undefined && places.url?.(places.locate(at.file), at.line) !== undefined;
  const place = isLink ? undefined : at ? placeText(at, places) : address && cleanLine(address);
  const folded = (all: string[], indent: string) =>
    all.flatMap((line) => fold(cut(line, longestDiffLine), columns, indent));
  const lines = [
    `${sign} ${message[0]}`,
    ...message.slice(1, mostLines).map((line) => `  ${line}`),
    ...(place ? [`  at ${place}`] : []),
  ];
  const next = hint.slice(0, mostLines).map((line, index) => `  ${index === 0 ? `-> ${line}` : line}`);
  const block = fence([...folded(lines, '  '), ...folded(next, '     ')], 'diff');
  return [
    [...(isLink ? [`At ${placeLink(at, places)}:`] : []), block].join('\n\n'),
    fence([cut(lines[0]!, 160)], 'diff'),
  ];
}
