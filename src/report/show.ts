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
import { visitDeep, visitMembers } from '../model/walk.ts';
import { cleanLine, escapeHidden, quote } from './text.ts';

/*
 * Formats values for people. A value may contain holes, places for values that are still unknown: references to fields and ids, secrets,
 * lookups and results of requests. A hole is printed as an expression of the YAML, such as `${projects.web.id}`, or a result as `(id from
 * answer 1)`.
 */

/** The notation in which values are printed. `plain`: as in YAML, so that most text has no quotes. `json`: as in the body of a request. */
type ValueNotation = 'plain' | 'json';

/**
 * Formats any value on one line. Reports for people print values with it (JSON documents: `jsonValue`), so that no secret is ever printed:
 * a secret, and a text that contains one, is shown by name or as `(secret)`.
 */
export function show(value: unknown, notation: ValueNotation = 'plain'): string {
  return typeof value === 'string' && notation === 'plain'
    ? showPlainText(value)
    : showMember(value, notation);
}

/**
 * Formats a value inside a list or an object of a field, for reports of a plan. The notation `plain` reads
 * like YAML, `{ name: web, tags: [a, "b, c"] }`, where texts with commas, brackets and similar signs need
 * quotes; `json` has all texts in quotes.
 */
function showMember(value: unknown, notation: ValueNotation): string {
  if (value === undefined) return '(unset)';
  if (value instanceof Sealed)
    return value.secretName === undefined ? '(secret)' : showSecret(value.secretName);
  if (isHole(value)) return showHole(value, notation);
  if (typeof value === 'string') {
    // Text with a comma, a bracket or `: `, or one that begins with a sign of YAML, such as `- a` or `*a`.
    const needsQuotes = notation === 'json' || /[,[\]{}]|: |:$|^[-#&*!|>%@`'?]/.test(value);
    return needsQuotes ? quote(value) : showPlainText(value);
  }
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

/** Returns the members of an object that are set. */
const shownMembersOf = (value: Record<string, unknown>): [string, unknown][] =>
  Object.entries(value).filter(([, item]) => item !== undefined);

/** Formats the name of a field, in quotes if it has unusual characters; in JSON always. */
export const showName = (name: string, notation: ValueNotation): string =>
  notation === 'plain' && /^[\w$./@[\]-]+$/.test(name) ? name : quote(name);

/**
 * Formats a hole (a place for a value that is still unknown) for reports of a plan as an expression of the
 * YAML: `${projects.web.id}`. A text that contains a secret is `(secret)` and the names of its secrets.
 */
export function showHole(hole: Hole, notation: ValueNotation = 'plain'): string {
  if (isRef(hole)) return `\${${showReference(hole)}}`;
  if (isSecretRef(hole)) return showSecret(hole.$secret);
  if (isLookupRef(hole)) return `\${lookup.${cleanLine(hole.$lookup)}.${cleanLine(hole.attr)}}`;
  if (!isJoin(hole)) return `(${showResult(hole)})`;
  if (isSecret(hole)) return ['(secret)', ...secretNames(hole)].join(' ');
  // A text with holes in it: `https://${projects.web.name}.example.com`.
  const text = hole.$join.map((value) =>
    typeof value === 'string' ? quote(value).slice(1, -1) : show(value),
  );
  return notation === 'json' ? `"${text.join('')}"` : text.join('');
}

const showSecret = (name: string): string => `\${secret.${cleanLine(name)}}`;

/**
 * Lists the names of the secrets in a value, so that a report can describe a hidden value without showing it: `${secret.db}` for a named
 * secret, as a reference to it or as its text (`Sealed`, which prints as `(secret)`). A reference to a field of another object, such as
 * `${webhooks.ci.secret}`, is listed too, because that field may be a secret. One to its `id` is not listed.
 */
export function secretNames(value: unknown): string[] {
  const names = new Set<string>();
  visitDeep(value, (node) => {
    const isNamed = isSecretRef(node) || (node instanceof Sealed && node.secretName !== undefined);
    const mayReferToSecret = isRef(node) && node.attr !== 'id';
    if (isNamed || mayReferToSecret) names.add(show(node));
    return visitMembers;
  });
  return [...names];
}

/**
 * Formats a reference to an attribute of another object as the YAML of the configuration has it: `projects.web.id`. A name with a dot is
 * in brackets: `domains[example.com].id`.
 */
function showReference({ $ref, attr }: Ref): string {
  const steps = $ref.split('/').map((escapedName, index) => {
    const name = cleanLine(unescapeName(escapedName));
    if (name.includes('.')) return `[${name}]`;
    return index === 0 ? name : `.${name}`;
  });
  return `${steps.join('')}.${cleanLine(attr)}`;
}

/** Formats a value that a request will return: `id from answer 1` for the first request of its operation. */
export const showResult = ({ $result, path }: Result): string =>
  `${showPath(path)} from answer ${$result + 1}`;

const showPath = (path: Path): string =>
  path.map((step) => (typeof step === 'object' ? show(step) : cleanLine(String(step)))).join('.') || 'all';

/**
 * Formats a text value for reports without quotes, unless a reader could mistake it for another value: `abc`,
 * but `"1.10"`, `"yes"`, `"[a]"`, and texts with spaces at an end, escapes or signs that reports use
 * themselves.
 */
function showPlainText(text: string): string {
  const hasOuterSpace = text.trim() !== text;
  const looksLikeOtherValue =
    text === '' || !Number.isNaN(Number(text)) || /^(true|false|null|~|yes|no|on|off)$/i.test(text);
  const looksLikeReport = /^["([{]|\$\{|→|->|…|^- |^[|]/.test(text); // `(secret)`, `a -> b`, `- item`
  // Apart from quotes and backslashes, because these are readable as they are.
  const hasEscapes = quote(text).slice(1, -1).replaceAll('\\"', '"').replaceAll('\\\\', '\\') !== text;
  const isDoubtful = hasOuterSpace || looksLikeOtherValue || looksLikeReport || hasEscapes;
  return isDoubtful ? quote(text) : text;
}

/**
 * Formats a value in lines of about `width` columns. Lists and objects that fit stay on one line. With `isSpread` (for YAML), the value is
 * spread over several lines in any case, and so are its members that contain lists or objects: then a small difference between two values
 * changes few lines of a diff.
 */
export function layOut(
  value: unknown,
  width: number,
  notation: ValueNotation,
  { isSpread = false } = {},
): string[] {
  const isGroup = Array.isArray(value)
    ? value.length > 0
    : isPlainObject(value) && shownMembersOf(value).length > 0;
  const line = show(value, notation);
  if (!isGroup || (!isSpread && line.length <= width)) return [line];
  return notation === 'plain' ? yamlBlockLines(value, width, isSpread) : jsonBlockLines(value, width);
}

/**
 * Formats a list or an object in the block style of YAML, as `layOut` needs for a value too wide for one
 * line. With `isSpread`, only members without nested lists and objects may stay in one line, so that a small
 * difference between two values changes few lines of a diff.
 */
function yamlBlockLines(value: unknown, width: number, isSpread: boolean): string[] {
  const innerLines = (item: unknown) => {
    const line = showMember(item, 'plain');
    const mayStay = !isSpread || shownEntries(item).every(([, member]) => shownEntries(member).length === 0);
    return line.length <= width - 2 && mayStay ? [line] : layOut(item, width - 2, 'plain', { isSpread });
  };
  if (Array.isArray(value))
    return value.flatMap((item) =>
      innerLines(item).map((line, index) => (index === 0 ? `- ${line}` : `  ${line}`)),
    );
  return shownEntries(value).flatMap(([name, item]) => {
    const oneLine = showMember(item, 'plain');
    const lines = shownEntries(item).length === 0 ? [oneLine] : innerLines(item);
    const label = `${showName(name, 'plain')}:`;
    // A group with one member also has one line in block style, but that line must be below the label.
    return lines.length === 1 && lines[0] === oneLine
      ? [`${label} ${oneLine}`]
      : [label, ...lines.map((line) => `  ${line}`)];
  });
}

/**
 * Formats a list or an object as indented JSON, for the bodies of requests in a plan. A member that fits into
 * `width` columns stays in one line, so that a body takes few lines; longer ones are broken up in the same
 * way.
 */
function jsonBlockLines(value: unknown, width: number): string[] {
  const isList = Array.isArray(value);
  const members = shownEntries(value);
  const lines = members.flatMap(([name, item], index) => {
    const label = isList ? '' : `${showName(name, 'json')}: `;
    const comma = index < members.length - 1 ? ',' : '';
    const line = label + showMember(item, 'json');
    const isEmptyOrScalar = shownEntries(item).length === 0;
    if (isEmptyOrScalar || line.length <= width - 3) return [`  ${line}${comma}`];
    const [bracket, ...innerLines] = jsonBlockLines(item, width - 2);
    const closingBracket = innerLines.pop();
    return [label + bracket, ...innerLines, closingBracket + comma].map((text) => `  ${text}`);
  });
  return isList ? ['[', ...lines, ']'] : ['{', ...lines, '}'];
}

/** Returns the items of a list or the set members of an object; none for a scalar. */
function shownEntries(value: unknown): [string, unknown][] {
  if (Array.isArray(value)) return Object.entries(value);
  return isPlainObject(value) ? shownMembersOf(value) : [];
}

/**
 * Converts a value for a JSON document: members in a fixed order, holes as `$` objects, secrets by name or as `(secret)`. Every JSON report
 * converts values with it, so that no secret is printed.
 */
export function jsonValue(value: unknown): unknown {
  if (value instanceof Sealed)
    return value.secretName === undefined ? '(secret)' : { $secret: value.secretName };
  if (isHole(value)) {
    if (isRef(value)) return { $ref: value.$ref, attr: value.attr };
    if (isLookupRef(value)) return { $lookup: value.$lookup, attr: value.attr };
    if (isSecretRef(value)) return { $secret: value.$secret };
    if (!isJoin(value)) return { $result: value.$result, path: value.path };
    return isSecret(value) ? '(secret)' : { $join: value.$join.map(jsonValue) };
  }
  if (Array.isArray(value)) return value.map(jsonValue);
  if (!isPlainObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, jsonValue(value[name])]));
}

/** Formats a document as JSON. The escapes of hidden characters are JSON escapes, so nothing is lost. */
export const jsonText = (document: unknown): string => escapeHidden(JSON.stringify(document, null, 2));

/** Formats a document as JSON on one line. */
export const jsonLine = (document: unknown): string => escapeHidden(JSON.stringify(document));
