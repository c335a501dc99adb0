import type { Change, FieldChange } from '../model/change.ts';
import { isRef } from '../model/value.ts';
import { breakUp, displayWidth, wrap } from './cut.ts';
import { fieldValue, type Painted } from './field-value.ts';
import type { PlanContext } from './plan-context.ts';
import { showName } from './show.ts';

const widestLabel = 24;

/** The fields of one change, `path: before → after`, the values under each other. */
export function fieldLines(
  { action, fields }: Pick<Change, 'action' | 'fields'>,
  context: PlanContext,
  width: number,
): string[] {
  const longest = Math.max(0, ...fields.map(({ path }) => displayWidth(showName(path, 'plain'))));
  const column = Math.min(widestLabel, longest) + 1;
  const isWhole = action === 'create' || action === 'delete';
  return fields.flatMap((field) => {
    const name = `${showName(field.path, 'plain')}:`;
    const label = `${name.padEnd(column)} `;
    const value = fieldValue(field, isWhole, context, { room: width - displayWidth(label), width });
    const isTooWide = value.beside && !context.verbose && displayWidth(label + value.beside.text) > width;
    const { beside, below } = isTooWide ? { beside: undefined, below: [indented(value.beside!)] } : value;
    const first = beside ? label + beside.text : name;
    const lines = [
      beside ? label + beside.painted : name,
      ...below.flatMap((line) => (context.verbose ? line.painted : brokenUp(line, width))),
    ];
    const note = noteOf(field, context);
    if (note === undefined) return lines;
    const paint = paintOf(field, context);
    if (displayWidth(`${first}  (${note})`) <= width)
      return [`${lines[0]}  ${paint(`(${note})`)}`, ...lines.slice(1)];
    return [...lines, ...wrap(`(${note})`, width - 2).map((line) => `  ${paint(line)}`)];
  });
}

const indented = ({ text, painted }: Painted): Painted => ({ text: `  ${text}`, painted: `  ${painted}` });

/** What differs is not cut, and may take more than a line; its sign stands in front of the first. */
function brokenUp({ text, painted }: Painted, width: number): string[] {
  const indent = ' '.repeat(/^ *\S* /.exec(text)?.[0].length ?? 0);
  return displayWidth(text) <= width
    ? [painted]
    : breakUp(text, width, indent).map((part) => painted.replace(text, () => part));
}

/** What is to be known of a field beside its values. */
export function noteOf({ cause, replaces, after }: FieldChange, { notYet }: PlanContext): string | undefined {
  const notes = [
    cause === 'drift' && 'changed outside: reverts',
    cause === 'conflict' && 'conflict: changed outside and here',
    cause === 'released' && 'no longer managed',
    cause === 'recorded' && 'already so',
    replaces && 'cannot be changed in place',
    isRef(after) && notYet.has(after.$ref) && 'known after apply',
  ];
  return notes.filter(Boolean).join('; ') || undefined;
}

const paintOf = ({ cause, replaces }: FieldChange, { style }: PlanContext) =>
  cause === 'conflict' || replaces ? style.alarm : cause === 'drift' ? style.warn : style.quiet;
