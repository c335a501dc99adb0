import { getScalarValue, SCALAR_STYLE, type ScalarEvent } from 'js-yaml';
import type { Scalar, ScalarNode } from './nodes.ts';
import type { Source, Spot } from './source.ts';

/** Thrown where a file turns out to hold what is not read the quick way. */
export const unusual = Symbol('unusual');

/** A scalar that is written; throws `unusual` for one that is not, and where the parsers differ. */
export function quickScalar(source: Source, event: ScalarEvent): ScalarNode {
  const { valueStart, valueEnd, style } = event;
  if (valueStart < 0) throw unusual;
  const text = getScalarValue(source.text, event);
  if (style === SCALAR_STYLE.PLAIN)
    return {
      type: 'scalar',
      at: { source, start: valueStart, end: valueEnd },
      value: plainValue(text),
      text,
    };
  const isQuoted = style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED;
  if (style === SCALAR_STYLE.DOUBLE_QUOTED && !event.fast)
    checkEscapes(source.text.slice(valueStart, valueEnd));
  const spot = isQuoted ? { source, start: valueStart - 1, end: valueEnd + 1 } : spotOfBlock(source, event);
  return { type: 'scalar', at: spot, value: text, text };
}

// What a backslash at the end of a line does, and what becomes of a code that no character has, is read differently.
function checkEscapes(written: string): void {
  if (written.includes('\\') && (written.includes('\n') || written.includes('\\U'))) throw unusual;
}

/** From the `|` or `>` to the end of the last line with something on it. An event tells neither. */
function spotOfBlock(source: Source, { valueStart, valueEnd }: ScalarEvent): Spot {
  const { text } = source;
  const line = text.slice(text.lastIndexOf('\n', valueStart - 2) + 1, valueStart);
  const header = /[|>]-? *\r?\n$/.exec(line);
  const last = /\S *[\r\n]*$/.exec(text.slice(valueStart, valueEnd));
  // A `#` may begin a comment, with another `|` in it.
  if (!header || !last || line.includes(' #')) throw unusual;
  const end = text.indexOf('\n', valueStart + last.index);
  return {
    source,
    start: valueStart - line.length + header.index,
    end: end === -1 ? text.length : end + 1,
  };
}

const words = new Map<string, Scalar>([
  ...['~', 'null', 'Null', 'NULL'].map((word): [string, null] => [word, null]),
  ...['true', 'True', 'TRUE'].map((word): [string, boolean] => [word, true]),
  ...['false', 'False', 'FALSE'].map((word): [string, boolean] => [word, false]),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map((word): [string, number] => [word, Infinity]),
  ...['-.inf', '-.Inf', '-.INF'].map((word): [string, number] => [word, -Infinity]),
  ...['.nan', '.NaN', '.NAN'].map((word): [string, number] => [word, Number.NaN]),
]);
const integer = /^[-+]?[0-9]+$/;
const fraction = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const octal = /^0o[0-7]+$/;
const hexadecimal = /^0x[0-9a-fA-F]+$/;

/** The value of a scalar without quotes, by the core schema of YAML 1.2. */
function plainValue(text: string): Scalar {
  const first = text.charCodeAt(0);
  // Most begin with a letter that begins no number, and only `true`, `false` and `null` are more than text.
  const isSign = first === 43 || first === 45 || first === 46;
  if (isSign || (first >= 48 && first <= 57)) {
    if (integer.test(text)) return Number.parseInt(text, 10);
    if (fraction.test(text)) return Number.parseFloat(text);
    if (octal.test(text)) return Number.parseInt(text.slice(2), 8);
    if (hexadecimal.test(text)) return Number.parseInt(text.slice(2), 16);
  }
  if (text.length > 5) return text;
  const word = words.get(text);
  return word === undefined ? text : word;
}

const maxKey = 1024;

/** Finds the `:` of a key. It stands on the same line, and not far from the key's start; `unusual` otherwise. */
export function colonBehind(text: string, { start, end }: Pick<Spot, 'start' | 'end'>): number {
  const colon = behindBlanks(text, end);
  if (text[colon] !== ':' || colon - start > maxKey) throw unusual;
  return colon;
}

/** Throws `unusual` if, behind a value that is not in brackets, more than a comment stands on its line. */
export function checkLineEnd(text: string, from: number): void {
  const char = text[behindBlanks(text, from)];
  const isEnd = char === undefined || char === '\n' || char === '\r' || char === '#';
  // A block of lines ends with its last line.
  if (!isEnd && text[from - 1] !== '\n') throw unusual;
}

/** Throws `unusual` if, behind a value in braces, a comment begins a line: the careful way takes that for a mistake. */
export function checkComments(text: string, from: number): void {
  for (let index = from; index < text.length; index++) {
    const char = text[index];
    if (char === ',' || char === '}') return;
    if (char !== '#') continue;
    if (text[index - 1] === '\n') throw unusual;
    index = lineEnd(text, index);
  }
}

/** Behind the bracket that closes a list or map; `from` is behind the last value in it, or behind the bracket that opens it. */
export function behindBracket(text: string, from: number): number {
  for (let index = from; index < text.length; index++) {
    const char = text[index];
    if (char === '}' || char === ']') return index + 1;
    if (char === '#') index = lineEnd(text, index);
  }
  throw unusual;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

function behindBlanks(text: string, from: number): number {
  let index = from;
  while (text.charCodeAt(index) === 32) index++;
  return index;
}
