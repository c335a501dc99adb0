import { isPlainObject } from '../model/value.ts';
import { membersOf, type Notation, show, showMember, showName } from './show.ts';

/**
 * A value over several lines where one is too narrow: lists and objects that fit stay on one line. `open`: only those
 * that hold nothing but scalars may, so that a small difference between two values stays one between few lines.
 */
export function layOut(value: unknown, width: number, notation: Notation, open = false): string[] {
  const isGroup = Array.isArray(value)
    ? value.length > 0
    : isPlainObject(value) && membersOf(value).length > 0;
  const line = show(value, notation);
  if (!isGroup || (!open && line.length <= width)) return [line];
  return notation === 'plain' ? block(value, width, open) : brackets(value, width);
}

/** The YAML's block style. */
function block(value: unknown, width: number, open: boolean): string[] {
  const inner = (item: unknown) => {
    const line = showMember(item, 'plain');
    const mayStay = !open || members(item).every(([, member]) => members(member).length === 0);
    return line.length <= width - 2 && mayStay ? [line] : layOut(item, width - 2, 'plain', open);
  };
  if (Array.isArray(value))
    return value.flatMap((item) => inner(item).map((line, at) => (at === 0 ? `- ${line}` : `  ${line}`)));
  return members(value).flatMap(([name, item]) => {
    const whole = showMember(item, 'plain');
    const lines = members(item).length === 0 ? [whole] : inner(item);
    const label = `${showName(name, 'plain')}:`;
    // In block style, a group of one takes one line too, but not this one.
    return lines.length === 1 && lines[0] === whole
      ? [`${label} ${whole}`]
      : [label, ...lines.map((line) => `  ${line}`)];
  });
}

/** JSON with brackets. */
function brackets(value: unknown, width: number): string[] {
  const list = members(value);
  const lines = list.flatMap(([name, item], at) => {
    const label = Array.isArray(value) ? '' : `${showName(name, 'json')}: `;
    const line = label + showMember(item, 'json');
    const fits = members(item).length === 0 || line.length <= width - 3;
    const inner = fits ? [line] : brackets(item, width - 2);
    if (!fits) inner[0] = label + inner[0];
    if (at < list.length - 1) inner[inner.length - 1] += ',';
    return inner.map((text) => `  ${text}`);
  });
  return Array.isArray(value) ? ['[', ...lines, ']'] : ['{', ...lines, '}'];
}

function members(value: unknown): [string, unknown][] {
  if (Array.isArray(value)) return Object.entries(value);
  return isPlainObject(value) ? membersOf(value) : [];
}
