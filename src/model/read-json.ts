import { type Node, type ParseError, parseTree, printParseErrorCode, visit } from 'jsonc-parser';
import { containsValue, visitMembers } from './walk.ts';

/** The value of a JSON text, or the problems with the text. */
interface JsonReading {
  value: unknown;
  problems: TextProblem[];
}

/**
 * Reads JSON that other programs or people wrote, such as a file with secrets or a value on the command line.
 * Unlike `JSON.parse` it loses nothing: a repeated key is a problem, and `readNumber` gets each number as it
 * is written. By default a number that would be rounded becomes an `InexactNumber`.
 */
export function readJson(written: string, readNumber: (text: string) => unknown = exactNumber): JsonReading {
  const text = written.replace(/^\uFEFF/, '');
  const problems: TextProblem[] = [];
  try {
    const tree = parseStrictly(text, problems);
    if (!tree) return { value: undefined, problems };
    const value = toValue(tree, { text, readNumber, problems });
    return { value: problems.length > 0 ? undefined : value, problems };
  } catch (error) {
    // Each step of the way from text to value calls itself for inner values, so the one that needs most of the call stack decides how deep
    // a text may be.
    if (!(error instanceof RangeError)) throw error;
    return { value: undefined, problems: [nestedTooDeeply(text)] };
  }
}

/**
 * Returns the first problem with a text of valid JSON that `JSON.parse` does not see: an object with the same key twice, or deeper nesting
 * than can be checked. Unlike `readJson` it keeps no values, only the keys of the objects around the current one, so that it can check plan
 * files of many megabytes.
 */
export function findRepeatedKey(text: string): TextProblem | undefined {
  let problem: TextProblem | undefined;
  /** For each object around the current position: the offset of each key so far. The innermost object is last. */
  const openObjects: Map<string, number>[] = [];
  const addKey = (key: string, offset: number) => {
    const offsets = openObjects.at(-1)!;
    const firstOffset = offsets.get(key);
    if (firstOffset === undefined) offsets.set(key, offset);
    else problem ??= repeatedKey(text, offset, firstOffset);
  };
  try {
    visit(text, {
      onObjectBegin: () => void openObjects.push(new Map()),
      onObjectProperty: addKey,
      onObjectEnd: () => void openObjects.pop(),
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    problem ??= nestedTooDeeply(text);
  }
  return problem;
}

/**
 * Returns the syntax tree of a JSON text. Returns undefined after it added the first mistake to `problems`; later ones
 * are often consequences of it. Throws `RangeError` if the text is nested too deeply.
 */
function parseStrictly(text: string, problems: TextProblem[]): Node | undefined {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [first] = errors;
  if (first) {
    const message = syntaxMessages[printParseErrorCode(first.error)] ?? 'this is not JSON';
    problems.push(problemAt(text, first.offset, message));
    return undefined;
  }
  try {
    // The strict parser checks the text as well, because that of the tree is lenient.
    JSON.parse(text);
    return tree;
  } catch (error) {
    if (error instanceof RangeError) throw error;
    problems.push(problemAt(text, 0, 'this is not JSON'));
    return undefined;
  }
}

/** Returns the problem that a text is not JSON, with the line and the column of an offset in it. */
const problemAt = (text: string, offset: number, message: string): TextProblem => ({
  ...textPlaceAt(text, offset),
  message,
  hint: 'check it with a JSON formatter, or create it again',
});

const nestedTooDeeply = (text: string): TextProblem => problemAt(text, 0, 'this JSON is nested too deeply');

/**
 * Returns the problem that an object of JSON has a key twice, with both places. Readers disagree which value counts, so the text is
 * refused.
 */
const repeatedKey = (text: string, offset: number, firstOffset: number): TextProblem => ({
  ...textPlaceAt(text, offset),
  message: `this key is already on line ${textPlaceAt(text, firstOffset).line}`,
  hint: 'keep one of the two',
});

const syntaxMessages: Partial<Record<string, string>> = {
  InvalidSymbol: 'text in JSON needs double quotes',
  PropertyNameExpected: 'a name in double quotes is missing here',
  ValueExpected: 'a value is missing here',
  ColonExpected: 'a `:` is missing here',
  CommaExpected: 'a `,` is missing here',
  CloseBraceExpected: 'a `}` is missing here',
  CloseBracketExpected: 'a `]` is missing here',
  EndOfFileExpected: 'the JSON ends before this text',
  InvalidCommentToken: 'JSON has no comments',
  UnexpectedEndOfString: 'this string is never closed',
  InvalidUnicode: 'this `\\u` escape needs four hexadecimal digits',
  InvalidEscapeCharacter: 'JSON has no such escape',
  InvalidCharacter: 'a control character in a string must be written as an escape',
};

const maxJsonProblems = 100;

/** The context in which a syntax tree becomes a value. */
interface Building {
  text: string;
  readNumber(text: string): unknown;
  problems: TextProblem[];
}

/**
 * Converts a syntax tree to its value. `JSON.parse` cannot be used, because it would round numbers and drop repeated
 * keys.
 */
function toValue(node: Node, building: Building): unknown {
  const { text, readNumber } = building;
  if (node.type === 'array') return (node.children ?? []).map((item) => toValue(item, building));
  if (node.type === 'number') return readNumber(text.slice(node.offset, node.offset + node.length));
  return node.type === 'object' ? toObject(node, building) : node.value;
}

/**
 * Converts the syntax tree of an object in JSON that somebody else wrote to its value, and reports repeated keys, up to 100 problems. Each
 * member becomes an own property, also one named `__proto__`.
 */
function toObject({ children = [] }: Node, building: Building): Record<string, unknown> {
  const { text, problems } = building;
  const offsets = new Map<string, number>();
  const members = children.map(({ children: [key, value] = [] }) => {
    const name = String(key!.value);
    const firstOffset = offsets.get(name);
    if (firstOffset === undefined) offsets.set(name, key!.offset);
    else if (problems.length < maxJsonProblems) problems.push(repeatedKey(text, key!.offset, firstOffset));
    return [name, toValue(value!, building)] as const;
  });
  return Object.fromEntries(members);
}

/**
 * Parses a text as JSON; returns undefined if it is none. For JSON whose form the caller checks, such as a
 * ledger: of two equal keys the last one counts, and long numbers are rounded.
 */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the value of a text on the command line that may be JSON (`trueup api`, input of `trueup run`), otherwise the text itself.
 * `loss`: what parsing would lose (a repeated key, digits of a long number); then the value is the text.
 */
export function parseJsonOrText(text: string): { value: unknown; loss?: string } {
  if (tryParseJson(text) === undefined) return { value: text };
  const { value, problems } = readJson(text);
  const [duplicate] = problems;
  if (duplicate) return { value: text, loss: `line ${duplicate.line}: ${duplicate.message}` };
  const isInexact = containsValue(value, (inner) => inner instanceof InexactNumber || visitMembers);
  return isInexact ? { value: text, loss: 'a number in it has more digits than can be sent' } : { value };
}

/** A place in a text; line and column count from 1. */
export interface TextPlace {
  line: number;
  column: number;
}

/** A mistake in a text that may hold secrets: its position, a description, and what to do. It quotes nothing of the text. */
export interface TextProblem extends TextPlace {
  message: string;
  hint: string;
}

/** Returns the place of an offset in a text whose lines end with `\n`. */
export function textPlaceAt(text: string, offset: number): TextPlace {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: before.length - before.lastIndexOf('\n') };
}

/**
 * A number in a text that JavaScript would round: `123456789012345678`. It keeps its digits, and is printed with them.
 */
export class InexactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** Reads a number of a JSON text: as a number if that has the same value, otherwise with its digits. */
function exactNumber(text: string): number | InexactNumber {
  const value = Number(text);
  return isExact(text, value) ? value : new InexactNumber(text);
}

/**
 * True if a number that is written as `text` is sent as the same number, digit by digit. Used to report numbers in the
 * configuration that JSON would change.
 */
export function isExact(text: string, value: number): boolean {
  if (!Number.isFinite(value)) return false;
  if (/^0[ox]/.test(text)) return Number.isSafeInteger(value);
  const writtenDecimal = normalDecimal(text);
  // A number with a text that is no decimal came from elsewhere, so the text says nothing about it.
  return writtenDecimal === undefined || writtenDecimal === normalDecimal(String(value));
}

/**
 * Returns a decimal as its significant digits and the power of ten of the last one, so that equal numbers have equal
 * texts. Returns undefined for a text that is no decimal, such as `.5.`.
 */
function normalDecimal(text: string): string | undefined {
  const [, sign = '', integer = '', fraction = '', power = '0'] =
    /^([-+]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([-+]?[0-9]+))?$/.exec(text) ?? [];
  if (integer + fraction === '') return undefined;
  const digits = (integer + fraction).replace(/^0+/, '');
  const significantDigits = digits.replace(/0+$/, '');
  if (significantDigits === '') return '0';
  const trailingZeros = digits.length - significantDigits.length;
  const exponent = BigInt(power) - BigInt(fraction.length) + BigInt(trailingZeros);
  return `${sign === '-' ? '-' : ''}${significantDigits}e${exponent}`;
}
