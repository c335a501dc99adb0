import type { Change, FieldChange } from '../model/change.ts';
import { isRef } from '../model/value.ts';
import { displayWidth } from './cut.ts';
import { fieldValue } from './field-value.ts';
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
    const { beside, below } = fieldValue(field, isWhole, context, {
      room: width - displayWidth(label),
      width,
    });
    const first = beside ? label + beside.text : name;
    const lines = [beside ? label + beside.painted : name, ...below.map(({ painted }) => painted)];
    const note = noteOf(field, context);
    if (note === undefined) return lines;
    const painted = paintOf(field, context)(`(${note})`);
    if (displayWidth(`${first}  (${note})`) <= width) return [`${lines[0]}  ${painted}`, ...lines.slice(1)];
    return [...lines, `  ${painted}`];
  });
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
