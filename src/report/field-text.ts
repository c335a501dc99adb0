import { unescapeName } from '../model/address.ts';
import { type Change, type FieldChange, isHiddenField } from '../model/change.ts';
import { isHole, isRef } from '../model/value.ts';
import { breakUp, cutCounted, displayWidth, wrap } from './cut.ts';
import type { PlanContext } from './plan-context.ts';
import { layOut, secretNames, show, showName } from './show.ts';
import { normalizeSides, textLines, valueDiff } from './value-diff.ts';

const maxLabelWidth = 24;

/** The fields of one change, `path: before → after`, the values under each other. */
export function fieldLines(
  { action, fields }: Pick<Change, 'action' | 'fields'>,
  context: PlanContext,
  width: number,
): string[] {
  const longest = Math.max(0, ...fields.map(({ path }) => displayWidth(showName(path, 'plain'))));
  const column = Math.min(maxLabelWidth, longest) + 1;
  const isWhole = action === 'create' || action === 'delete';
  return fields.flatMap((field) => {
    const name = `${showName(field.path, 'plain')}:`;
    const label = `${name.padEnd(column)} `;
    const value = layOutFieldValue(field, isWhole, context, { room: width - displayWidth(label), width });
    const isTooWide = value.beside && !context.verbose && displayWidth(label + value.beside.text) > width;
    const { beside, below } = isTooWide
      ? { beside: undefined, below: [indentPainted(value.beside!)] }
      : value;
    const first = beside ? label + beside.text : name;
    const lines = [
      beside ? label + beside.painted : name,
      ...below.flatMap((line) => (context.verbose ? line.painted : breakPaintedLine(line, width))),
    ];
    const note = fieldNoteOf(field, context);
    if (note === undefined) return lines;
    const paint = notePaintOf(field, context);
    if (displayWidth(`${first}  (${note})`) <= width)
      return [`${lines[0]}  ${paint(`(${note})`)}`, ...lines.slice(1)];
    return [...lines, ...wrap(`(${note})`, width - 2).map((line) => `  ${paint(line)}`)];
  });
}

const indentPainted = ({ text, painted }: PaintedLine): PaintedLine => ({
  text: `  ${text}`,
  painted: `  ${painted}`,
});

/** Breaks a value into lines: what differs is not cut. The sign stands in front of the first. */
function breakPaintedLine({ text, painted }: PaintedLine, width: number): string[] {
  const indent = ' '.repeat(/^ *\S* /.exec(text)?.[0].length ?? 0);
  return displayWidth(text) <= width
    ? [painted]
    : breakUp(text, width, indent).map((part) => painted.replace(text, () => part));
}

/** The remark beside the values of a field. */
export function fieldNoteOf(
  { cause, notKept, replaces, after }: FieldChange,
  { createdAddresses }: PlanContext,
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

const notePaintOf = ({ cause, notKept, replaces }: FieldChange, { style }: PlanContext) =>
  cause === 'conflict' || replaces ? style.alarm : cause === 'drift' || notKept ? style.warn : style.quiet;

/** A line, and the same with colours. */
interface PaintedLine {
  text: string;
  painted: string;
}

/** The text beside the label of a field, if any, and the lines below it. */
interface FieldValueLines {
  beside?: PaintedLine;
  below: PaintedLine[];
}

const maxBlockLines = 12;
const unpainted = (text: string): PaintedLine => ({ text, painted: text });

/** Room beside the label, and the width of what stands below it. */
interface FieldSpace {
  room: number;
  width: number;
}

/**
 * The value or values of a field, beside its label if they fit there. `isWhole`: the object as a whole comes or goes, so
 * there is nothing to compare with.
 */
export function layOutFieldValue(
  field: FieldChange,
  isWhole: boolean,
  context: PlanContext,
  space: FieldSpace,
): FieldValueLines {
  const { before, after, cause } = field;
  if (isHiddenField(field)) return { beside: unpainted(hiddenFieldText(field)), below: [] };
  const isOne = isWhole && (before === undefined || after === undefined);
  if (isOne || cause === 'recorded' || cause === 'released')
    return layOutOneValue(after === undefined ? before : after, context, space);
  return layOutTwoValues(...normalizeSides(before, after), context, space);
}

/** A value that is new, or goes, or stays. */
function layOutOneValue(
  value: unknown,
  { style, verbose }: PlanContext,
  { room, width }: FieldSpace,
): FieldValueLines {
  const isText = typeof value === 'string' && value.includes('\n');
  const line = show(value);
  if (!isText && displayWidth(line) <= room) return { beside: unpainted(line), below: [] };
  if (!isText && (typeof value !== 'object' || value === null || isHole(value)))
    return cutScalarLine(line, verbose, { room, width });
  const lines = isText ? textLines(value).map((text) => `| ${text}`) : layOut(value, width - 2, 'plain');
  const shown = verbose ? lines : lines.slice(0, maxBlockLines).map((text) => cutCounted(text, width - 2));
  const more = lines.length - shown.length;
  const below = shown.map((text) => unpainted(`  ${text}`));
  const rest = `  ... ${more} more ${more === 1 ? 'line' : 'lines'}`;
  return { below: more > 0 ? [...below, { text: rest, painted: style.quiet(rest) }] : below };
}

/** A value of one line, cut: below its label where it would have to be cut to nothing beside it. */
function cutScalarLine(line: string, verbose: boolean, { room, width }: FieldSpace): FieldValueLines {
  if (verbose) return { beside: unpainted(line), below: [] };
  const beside = cutCounted(line, room);
  return displayWidth(beside) <= room
    ? { beside: unpainted(beside), below: [] }
    : { below: [unpainted(`  ${cutCounted(line, width - 2)}`)] };
}

function layOutTwoValues(
  before: unknown,
  after: unknown,
  context: PlanContext,
  { room, width }: FieldSpace,
): FieldValueLines {
  const { style, verbose } = context;
  const [a, b] = [show(before), show(after)];
  if (a === b) return { beside: unpainted(`${a} (a secret in it changes)`), below: [] };
  const isText = [before, after].some((value) => typeof value === 'string' && value.includes('\n'));
  const text = `${a} → ${b}`;
  if (!isText && displayWidth(text) <= room)
    return {
      beside: { text, painted: `${style.remove(a)} ${style.quiet('→')} ${style.add(b)}` },
      below: [],
    };
  const words = { '+': 'new:', '-': 'old:', '|': 'same:', '~': '' };
  const paint = { '+': style.add, '-': style.remove, '|': style.quiet, '~': style.quiet };
  return {
    // Room for the longest sign, and the blanks around it.
    below: valueDiff(before, after, width - (style.unicode ? 4 : 8), verbose).map(({ mark, text }) => {
      const sign = style.unicode ? (mark === '~' ? ' ' : mark) : words[mark];
      const line = `  ${sign} ${text}`.trimEnd();
      return { text: line, painted: paint[mark](line) };
    }),
  };
}

/** Says of a secret all that may be said: that it changes, and its name. */
export function hiddenFieldText({ before, after, cause }: FieldChange): string {
  const names = secretNames(after).map((name) => ` ${name}`);
  if (cause === 'unverified') return `(secret, not verified)${names.join('')}`;
  const isChanged = before !== undefined && after !== undefined && cause !== 'recorded';
  return `${isChanged ? '(secret, changed)' : '(secret)'}${names.join('')}`;
}

/** The differing fields; of a deletion without any, those that go, but for what its address says already. */
export function reportedFieldsOf(change: Change): FieldChange[] {
  if (change.action !== 'delete' || change.fields.length > 0) return change.fields;
  const entries = Object.entries(change.before?.fields ?? {});
  const names: unknown[] = ownNamesIn(change);
  const telling = entries.filter(
    ([, value]) => value !== null && value !== '' && String(value) !== '' && !names.includes(value),
  );
  return telling.map(([path, before]) => ({ path, before, cause: 'edit' }));
}

/** The names in an address, after parent and section: `OLD` and `preview` in `projects/web/env/OLD@preview`. */
function ownNamesIn({ address, parent }: Change): string[] {
  const own = parent === undefined ? address : address.slice(parent.length + 1);
  return own
    .split(/[/@]/)
    .slice(1)
    .filter((name) => name !== '')
    .map(unescapeName);
}
