import type { Scalar } from './nodes.ts';

const plainWords = new Map<string, Scalar>([
  ...['', '~', 'null', 'Null', 'NULL'].map((word): [string, null] => [word, null]),
  ...['true', 'True', 'TRUE'].map((word): [string, boolean] => [word, true]),
  ...['false', 'False', 'FALSE'].map((word): [string, boolean] => [word, false]),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map((word): [string, number] => [word, Infinity]),
  ...['-.inf', '-.Inf', '-.INF'].map((word): [string, number] => [word, -Infinity]),
  ...['.nan', '.NaN', '.NAN'].map((word): [string, number] => [word, Number.NaN]),
]);
const maxWordLength = 5;
const numberStart = /^[-+.0-9]/;
const integer = /^[-+]?[0-9]+$/;
const fraction = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const octal = /^0o[0-7]+$/;
const hexadecimal = /^0x[0-9a-fA-F]+$/;

/**
 * Returns the value of a YAML scalar without quotes, by the core schema of YAML 1.2: a number, boolean, null
 * or text. Runs for every such scalar of a configuration, so the cheap tests come first.
 */
export function plainValue(text: string): Scalar {
  if (numberStart.test(text)) {
    if (integer.test(text)) return Number.parseInt(text, 10);
    if (fraction.test(text)) return Number.parseFloat(text);
    if (octal.test(text)) return Number.parseInt(text.slice(2), 8);
    if (hexadecimal.test(text)) return Number.parseInt(text.slice(2), 16);
  }
  if (text.length > maxWordLength) return text;
  const word = plainWords.get(text);
  return word === undefined ? text : word;
}
