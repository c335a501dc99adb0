import { unescapeName } from '../model/address.ts';
import { Sealed } from '../model/sealed.ts';
import {
  type Hole,
  isHole,
  isJoin,
  isLookupRef,
  isPlainObject,
  isRef,
  isSecret,
  isSecretRef,
  type Path,
  type Ref,
  type Result,
} from '../model/value.ts';
import { inside, walk } from '../model/walk.ts';
import { cleanLine, quote } from './clean.ts';

/** `plain`: as in the YAML, text without quotes where it is plainly text. `json`: as it is sent. */
type ValueNotation = 'plain' | 'json';

/**
 * Any value on one line. Everything that reports print of a value comes through here; a sealed secret, and text with a
 * secret in it, never does.
 */
export function show(value: unknown, notation: ValueNotation = 'plain'): string {
  return typeof value === 'string' && notation === 'plain'
    ? showPlainText(value)
    : showMember(value, notation);
}

/** The same inside a list or an object, where more text needs quotes. */
function showMember(value: unknown, notation: ValueNotation): string {
  if (value === undefined) return '(unset)';
  if (value instanceof Sealed)
    return value.secretName === undefined ? '(secret)' : showSecret(value.secretName);
  if (isHole(value)) return showHole(value, notation);
  if (typeof value === 'string')
    return notation === 'plain' && !/[,[\]{}]|: |:$|^[-#&*!|>%@`'?]/.test(value)
      ? showPlainText(value)
      : quote(value);
  if (Array.isArray(value))
    return `[${value.map((item) => showMember(item === undefined ? null : item, notation)).join(', ')}]`;
  if (isPlainObject(value)) {
    const members = shownMembersOf(value).map(
      ([name, item]) => `${showName(name, notation)}: ${showMember(item, notation)}`,
    );
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
  }
  return String(value);
}

const shownMembersOf = (value: Record<string, unknown>): [string, unknown][] =>
  Object.entries(value).filter(([, item]) => item !== undefined);

export const showName = (name: string, notation: ValueNotation): string =>
  notation === 'plain' && /^[\w$./@[\]-]+$/.test(name) ? name : quote(name);

/** A hole as it would be written in the YAML. */
export function showHole(hole: Hole, notation: ValueNotation = 'plain'): string {
  if (isRef(hole)) return `\${${showReference(hole)}}`;
  if (isSecretRef(hole)) return showSecret(hole.$secret);
  if (isLookupRef(hole)) return `\${lookup.${cleanLine(hole.$lookup)}.${cleanLine(hole.attr)}}`;
  if (!isJoin(hole)) return `(${showResult(hole)})`;
  if (isSecret(hole)) return ['(secret)', ...secretNames(hole)].join(' ');
  const text = hole.$join.map((value) =>
    typeof value === 'string' ? quote(value).slice(1, -1) : show(value),
  );
  return notation === 'json' ? `"${text.join('')}"` : text.join('');
}

const showSecret = (name: string): string => `\${secret.${cleanLine(name)}}`;

/** The secrets that a value is made of, by name, and the fields of other objects. */
export function secretNames(value: unknown): string[] {
  const names = new Set<string>();
  walk(value, (part) => {
    const isNamed = isSecretRef(part) || (part instanceof Sealed && part.secretName !== undefined);
    if (isNamed || (isRef(part) && part.attr !== 'id')) names.add(show(part));
    return inside;
  });
  return [...names];
}

/** `projects.web.id`; a name with a dot stands in brackets. */
function showReference({ $ref, attr }: Ref): string {
  const names = $ref.split('/').map((name) => cleanLine(unescapeName(name)));
  return `${names.map((name, index) => (name.includes('.') ? `[${name}]` : index === 0 ? name : `.${name}`)).join('')}.${cleanLine(attr)}`;
}

/** `id from answer 1`: the first request of the operation. */
export const showResult = ({ $result, path }: Result): string =>
  `${showPath(path)} from answer ${$result + 1}`;

const showPath = (path: Path): string =>
  path.map((step) => (typeof step === 'object' ? show(step) : cleanLine(String(step)))).join('.') || 'all';

/** Text without quotes, unless it could be taken for something else. */
function showPlainText(text: string): string {
  const isDoubtful =
    text.trim() !== text ||
    text === '' ||
    !Number.isNaN(Number(text)) ||
    /^(true|false|null|~|yes|no|on|off)$/i.test(text) ||
    /^["([{]|\$\{|→|->|…|^- |^[|]/.test(text) ||
    quote(text).slice(1, -1).replaceAll('\\"', '"').replaceAll('\\\\', '\\') !== text;
  return isDoubtful ? quote(text) : text;
}

/**
 * A value over several lines where one is too narrow: lists and objects that fit stay on one line. `open`: only those
 * that hold nothing but scalars may, so that a small difference between two values stays one between few lines.
 */
export function layOut(value: unknown, width: number, notation: ValueNotation, open = false): string[] {
  const isGroup = Array.isArray(value)
    ? value.length > 0
    : isPlainObject(value) && shownMembersOf(value).length > 0;
  const line = show(value, notation);
  if (!isGroup || (!open && line.length <= width)) return [line];
  return notation === 'plain' ? block(value, width, open) : brackets(value, width);
}

/** The YAML's block style. */
function block(value: unknown, width: number, open: boolean): string[] {
  const inner = (item: unknown) => {
    const line = showMember(item, 'plain');
    const mayStay = !open || shownEntries(item).every(([, member]) => shownEntries(member).length === 0);
    return line.length <= width - 2 && mayStay ? [line] : layOut(item, width - 2, 'plain', open);
  };
  if (Array.isArray(value))
    return value.flatMap((item) =>
      inner(item).map((line, index) => (index === 0 ? `- ${line}` : `  ${line}`)),
    );
  return shownEntries(value).flatMap(([name, item]) => {
    const whole = showMember(item, 'plain');
    const lines = shownEntries(item).length === 0 ? [whole] : inner(item);
    const label = `${showName(name, 'plain')}:`;
    // In block style, a group of one takes one line too, but not this one.
    return lines.length === 1 && lines[0] === whole
      ? [`${label} ${whole}`]
      : [label, ...lines.map((line) => `  ${line}`)];
  });
}

/** JSON with brackets. */
function brackets(value: unknown, width: number): string[] {
  const list = shownEntries(value);
  const lines = list.flatMap(([name, item], index) => {
    const label = Array.isArray(value) ? '' : `${showName(name, 'json')}: `;
    const line = label + showMember(item, 'json');
    const fits = shownEntries(item).length === 0 || line.length <= width - 3;
    const inner = fits ? [line] : brackets(item, width - 2);
    if (!fits) inner[0] = label + inner[0];
    if (index < list.length - 1) inner[inner.length - 1] += ',';
    return inner.map((text) => `  ${text}`);
  });
  return Array.isArray(value) ? ['[', ...lines, ']'] : ['{', ...lines, '}'];
}

function shownEntries(value: unknown): [string, unknown][] {
  if (Array.isArray(value)) return Object.entries(value);
  return isPlainObject(value) ? shownMembersOf(value) : [];
}
