import { escapeHidden, quote } from './text.ts';

/** A list or an object with more members is split. Anything else is one part. */
const mostMembers = 100;

/** The least length of a part, so that writing a part costs little compared with making it. */
const leastLength = 64 * 1024;

/**
 * Yields the JSON text of a document in parts, because the whole text of a large plan would take hundreds of megabytes. Together they are
 * the text of `jsonText` (`space` is 2) or `jsonLine` (0), and a final line break. No part ends inside the name of a member or inside a
 * text, so the caller can escape hidden characters in each part alone.
 */
export function* jsonParts(document: object, space: 0 | 2 = 2): Generator<string> {
  let pendingText = '';
  for (const text of valueParts(document, space, '')) {
    pendingText += text;
    if (pendingText.length < leastLength) continue;
    yield pendingText;
    pendingText = '';
  }
  yield `${pendingText}\n`;
}

/** Yields a value as JSON in parts of any length. `margin`: the indentation of the line with its closing bracket. */
function* valueParts(value: unknown, space: 0 | 2, margin: string): Generator<string> {
  if (!isLarge(value)) {
    yield escapeHidden(JSON.stringify(value ?? null, null, space)).replaceAll('\n', `\n${margin}`);
    return;
  }
  const isList = Array.isArray(value);
  const innerMargin = margin + ' '.repeat(space);
  const lineBreak = space === 0 ? '' : '\n';
  let separator = `${isList ? '[' : '{'}${lineBreak}${innerMargin}`;
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined && !isList) continue;
    yield isList ? separator : `${separator}${quote(name)}:${' '.repeat(space / 2)}`;
    yield* valueParts(member, space, innerMargin);
    separator = `,${lineBreak}${innerMargin}`;
  }
  yield `${lineBreak}${margin}${isList ? ']' : '}'}`;
}

/**
 * True if a value is too large to be written as JSON in one piece, so that its members are written one by one: it is a long list or a large
 * object, or contains one.
 */
function isLarge(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const members = Object.values(value).filter((member) => member !== undefined);
  return members.length > mostMembers || members.some(isLarge);
}
