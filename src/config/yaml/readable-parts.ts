/**
 * Finds the parts of a line that a message may quote although nothing in the file tells secrets from other values, because the file has a
 * syntax error: keys, and values that are one expression.
 *
 *   block     a line outside of brackets. It has one key; everything behind it is its value.
 *   brackets  `{` and `[` open them where a value begins. In them, a comma ends a value, and each value may have a key.
 *   quotes    a text in quotes is no key. Without a closing quote it goes to the end of the line.
 */
import { holdsCredential } from '../../model/credentials.ts';

/** A part of a line, as offsets. */
type Range = [start: number, end: number];

/** The key at the beginning of a line, with the dashes of lists before it. */
const blockKey = /^\s*(?:- +)*(?:[\w.$-]+:(?=\s|$))?/;
/** A key in brackets, with its colon. */
const keyInBrackets = /[\w.$-]{1,60}:(?=\s|$)/y;
/** A value that is one expression. Another text with `${` may be a password. */
const expression = /\$\{(?:stage|(?:var|secret|input|each|lookup)\.[\w .?|[\]-]+)\}(?=\s*(?:[,\]}]|$))/y;
const quotedText = /"(?:[^"\\]|\\.)*(?:"|$)|'(?:[^']|'')*(?:'|$)/y;
const plainText = /[^,[\]{}]+/y;

/** A longer line was not written by hand, and may have thousands of problems that each quote it. */
const longestLine = 5_000;

/**
 * Returns the parts of a line that the message about a syntax error may quote, because they are no secrets: keys, except those in brackets
 * that look like credentials, and values that are one expression. They are in order and do not overlap. Of `  env: { A: s3cret, B: ${var.b}
 * }`, they are `  env:`, `A:`, `B:` and `${var.b}`. Of a very long line, only the key at its start. Reads the line from left to right.
 */
export function readablePartsOf(line: string): Range[] {
  const start = blockKey.exec(line)?.[0].length ?? 0;
  const parts: Range[] = start > 0 ? [[0, start]] : [];
  if (line.length > longestLine) return parts;
  /** The number of open brackets. */
  let depth = 0;
  /** True where a value may begin: behind a key, a bracket or a comma. In brackets, a key may also begin there. */
  let isValueStart = true;
  let index = start;
  const matchAt = (pattern: RegExp): number => {
    pattern.lastIndex = index;
    return pattern.exec(line)?.[0].length ?? 0;
  };
  while (index < line.length) {
    const character = line[index]!;
    let length = 1;
    if (/\s/.test(character)) {
      index++;
      continue;
    }
    const expressionLength: number = isValueStart ? matchAt(expression) : 0;
    if (isValueStart && (character === '{' || character === '[')) depth++;
    else if (expressionLength > 0) {
      length = expressionLength;
      parts.push([index, index + length]);
      isValueStart = false;
    }
    // Outside of brackets, everything up to the end of the line belongs to the value.
    else if (depth === 0) return parts;
    else if (character === '}' || character === ']') {
      depth--;
      isValueStart = false;
    } else if (character === ',') isValueStart = true;
    else {
      const keyLength: number = isValueStart ? matchAt(keyInBrackets) : 0;
      const isKey = keyLength > 0 && !holdsCredential(line.slice(index, index + keyLength - 1));
      length = keyLength || matchAt(quotedText) || matchAt(plainText) || 1;
      if (isKey) parts.push([index, index + length]);
      isValueStart = keyLength > 0;
    }
    index += length;
  }
  return parts;
}
