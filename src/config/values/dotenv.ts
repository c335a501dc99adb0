/**
 * Reads and writes `NAME=value` lines (dotenv), and takes single secrets out of a text with several: `${secret.db[password]}`. No message
 * contains a part of the text.
 *
 *   offset   the position of a character in the text
 */
import { type Diagnostic, raise } from '../../model/diagnostic.ts';
import { readJson, type TextProblem, textPlaceAt } from '../../model/read-json.ts';
import { Sealed } from '../../model/sealed.ts';
import { isPlainObject } from '../../model/value.ts';
import { type Origin, originText } from '../sources/verdict.ts';
import type { SecretPick } from './secret-source.ts';

/** A value, or the problem with it. `end`: the offset behind it, where reading goes on. */
type ParsedValue = { end: number } & ({ value: string } | { message: string; hint?: string; offset: number });

const maxProblems = 100;
const nameHint = 'a name has letters, digits, `_`, `.` and `-`; a comment begins with `#`';
const escapeHint = 'use single quotes, where nothing is escaped; in double quotes only `\\n` and `\\r` are';
const quoteHint = 'put the whole value in quotes that it does not contain: single, double or backticks';

/**
 * Parses `NAME=value` lines by the documented rules of the npm package `dotenv`. Where that package drops
 * text, or where programs disagree about the meaning, it reports a problem instead, because the value is sent
 * as a secret. If there is a problem, it returns no values, because any of them could be wrong. No problem
 * quotes the text.
 */
export function parseDotenv(original: string): { values: Map<string, string>; problems: TextProblem[] } {
  const text = `${original.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')}\n`;
  const values = new Map<string, string>();
  const indexByName = new Map<string, number>();
  const problems: TextProblem[] = [];
  const reject = (offset: number, message: string, hint = quoteHint) =>
    problems.push({ ...textPlaceAt(text, offset), message, hint });
  const carriageReturn = text.indexOf('\r');
  if (carriageReturn !== -1)
    reject(carriageReturn, 'there is a carriage return inside the line', 'write `\\r` in double quotes');
  for (let index = 0; index < text.length && problems.length < maxProblems; ) {
    const line = text.slice(index, text.indexOf('\n', index));
    // `NAME=` or `export NAME =`, with the blanks around it.
    const [assignment, name] = /^[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*=[ \t]*/.exec(line) ?? [];
    let end = index;
    if (assignment !== undefined && name !== undefined) {
      const firstIndex = indexByName.get(name);
      if (firstIndex === undefined) indexByName.set(name, index);
      else
        reject(
          index,
          `this name is already on line ${textPlaceAt(text, firstIndex).line}`,
          'keep one of the two',
        );
      const readValueAt = /^["'`]/.test(line.slice(assignment.length)) ? readQuoted : readUnquoted;
      const result = readValueAt(text, index + assignment.length);
      if ('message' in result) reject(result.offset, result.message, result.hint);
      else values.set(name, result.value);
      end = result.end;
    } else if (!/^[ \t]*(?:#|$)/.test(line)) reject(index, 'this is not `NAME=value`', nameHint);
    index = text.indexOf('\n', end) + 1;
  }
  return { values: problems.length > 0 ? new Map() : values, problems };
}

/**
 * Reads a value in quotes, possibly with several lines, of a dotenv file: `NAME="value"`. `start`: the offset
 * of the opening quote. Returns the value and the offset of its end, or the problem if the quote is not
 * closed, has text behind it, or contains a backslash that programs read in different ways.
 */
function readQuoted(text: string, start: number): ParsedValue {
  const quote = text[start]!;
  const afterQuote = text.slice(start + 1);
  // A backslash escapes a quote only inside double quotes.
  const inner =
    quote === '"' ? /^[^"\\]*(?:\\.[^"\\]*)*/s.exec(afterQuote)![0] : afterQuote.split(quote, 1)[0]!;
  const end = Math.min(start + 1 + inner.length, text.length - 1);
  const toProblem = (offset: number, message: string, hint?: string) => ({ end, offset, message, hint });
  // Programs agree about `\n` and `\r` in double quotes, and about a backslash in other quotes, unless the closing quote follows it.
  const backslash = inner.search(quote === '"' ? /\\(?![nr])/ : /\\$/);
  if (backslash !== -1)
    return toProblem(start + 1 + backslash, 'programs disagree about this backslash', escapeHint);
  if (text[end] !== quote) return toProblem(start, 'this quote is never closed');
  if (!/^(?:[ \t]+#[^\n]*|[ \t]*)$/.test(text.slice(end + 1, text.indexOf('\n', end))))
    return toProblem(end + 1, 'there is text after the closing quote');
  return { end, value: quote === '"' ? inner.replaceAll('\\n', '\n').replaceAll('\\r', '\r') : inner };
}

/**
 * Reads a value without quotes of a dotenv file, `NAME=value # comment`, which ends with its line or before a
 * comment. Returns a problem if programs disagree about its end or its quotes. `text`: the whole file, with a line end at its end.
 * `start`: the offset of the first character of the value, behind the `=`.
 */
function readUnquoted(text: string, start: number): ParsedValue {
  const end = text.indexOf('\n', start);
  // From the character before the value, because a comment that begins at `start` needs the blank in front of it.
  const comment = text.slice(start - 1, end).search(/[ \t]#/);
  const value = text.slice(start, comment === -1 ? end : start + comment).replace(/[ \t]+$/, '');
  const toProblem = (message: string, offset = start): ParsedValue => ({ end, offset, message });
  const hash = value.indexOf('#');
  if (hash !== -1) return toProblem('programs disagree whether this `#` begins a comment', start + hash);
  if (value !== value.trim()) return toProblem('the value begins or ends with an invisible space');
  const hasOpenQuote = ['"', "'", '`'].some((quote) => value.split(quote).length % 2 === 0);
  if (comment !== -1 && hasOpenQuote) return toProblem('this comment begins inside a quote', start + comment);
  return { end, value };
}

/**
 * Returns the text of a dotenv file with these values. Used by exports with `--values dotenv FILE`. Throws `Problems`
 * that name the values which no line of such a file can represent.
 */
export function dotenvText(values: ReadonlyMap<string, Sealed>): string {
  const lines = [...values].map(([name, value]) => ({ name, line: dotenvLine(name, value.reveal()) }));
  const unwritable = lines.flatMap(({ name, line }) => (line === undefined ? [name] : []));
  if (unwritable.length > 0)
    raise('export/dotenv', `a dotenv file cannot hold the value of ${unwritable.join(', ')}`, {
      hint: 'a value with all three quote characters has no form there: use `--values sops FILE`, or leave it out with --exclude',
    });
  return lines.map(({ line }) => line).join('\n');
}

/**
 * Returns the simplest line of a dotenv file that is read as this value, for `export --values dotenv FILE`:
 * without quotes if possible, then with each kind of quotes. Undefined if no form can hold the value.
 */
function dotenvLine(name: string, text: string): string | undefined {
  const forms = [text, `'${text}'`, `"${text}"`, `\`${text}\``, `"${text.replaceAll('\r', '\\r')}"`];
  return forms
    .map((form) => `${name}=${form}`)
    .find((line) => {
      const { values } = parseDotenv(line);
      return values.size === 1 && values.get(name) === text;
    });
}

/** Why a text has no secret under a key. */
interface PickFailure extends Pick<Diagnostic, 'related' | 'alike'> {
  code: string;
  message: string;
  hint: string;
}

/**
 * Returns the secret under one key of a text with several secrets (JSON or `NAME=value` lines), or why there
 * is none. Used for `${secret.db[password]}`, after the text was read. A number of JSON counts as text (see `parseMembers`), and so does a
 * boolean. `sealed`: the text, as an object that cannot be printed. `origin`: where it comes from, for the message.
 */
export function pickSecret(
  sealed: Sealed,
  { format, key }: SecretPick,
  origin: Origin,
): Sealed | PickFailure {
  const members = readMembersOnce(sealed, format, origin);
  if ('code' in members) return members;
  const value = members.get(key);
  const code = 'secret/key';
  if (value === undefined) return { code, message: `its source has no key ${key}`, hint: `add ${key} to it` };
  if (typeof value === 'string' || typeof value === 'boolean') return new Sealed(String(value));
  return {
    code,
    message: `its source has ${describeMember(value)} under the key ${key}`,
    hint: 'each key must have a text; write "" for an empty one',
  };
}

/** Returns the JSON type of a member that is no text, for a message. A message never shows the value, because it may contain a secret. */
function describeMember(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : 'an object';
}

/** The values in a text, by key. */
type Members = ReadonlyMap<string, unknown>;

/** The members of each text that was parsed before, by format. */
const membersByText = {
  dotenv: new WeakMap<Sealed, Members | PickFailure>(),
  json: new WeakMap<Sealed, Members | PickFailure>(),
};

/**
 * Returns the secrets in one text by their keys, for `${secret.db[password]}`, or why it cannot be parsed.
 * Several secrets may come from the same text, so only the first call parses it. `sealed`: the text, as an
 * object that cannot be printed.
 */
function readMembersOnce(sealed: Sealed, format: 'dotenv' | 'json', origin: Origin): Members | PickFailure {
  const members = membersByText[format].get(sealed) ?? parseMembers(sealed.reveal(), format, origin);
  membersByText[format].set(sealed, members);
  return members;
}

/**
 * Returns the secrets in the text of a source with several, JSON or `NAME=value` lines, by their keys, for
 * `${secret.db[password]}`; or why it cannot be parsed. Numbers keep their digits as they are written,
 * because each value is sent as text. `origin`: where the text comes from, for messages.
 */
function parseMembers(text: string, format: 'dotenv' | 'json', origin: Origin): Members | PickFailure {
  const code = 'secret/syntax';
  if (format === 'dotenv') {
    const { values, problems } = parseDotenv(text);
    return problems.length > 0 ? { code, ...describeProblems(problems, origin) } : values;
  }
  const { value, problems } = readJson(text, (digits) => digits);
  if (problems.length > 0) return { code, ...describeProblems(problems, origin) };
  if (isPlainObject(value)) return new Map(Object.entries(value));
  const message = `${nameOfOrigin(origin)} is not a JSON object`;
  return { code, message, hint: 'write {"KEY": "value"}', alike: alikeOf(message) };
}

/**
 * Returns the secrets in a text with several, a JSON object or `NAME=value` lines; none for any other text.
 * Used to hide them although it is unknown what the text is used for. `true` and `false` are no secrets here, because
 * hiding such common words would hide too much.
 */
export function listMemberTexts(text: string): string[] {
  const format = text.trimStart().startsWith('{') ? 'json' : 'dotenv';
  const members = parseMembers(text, format, { env: '' });
  if ('code' in members) return [];
  const texts = [...members.values()].filter((value) => typeof value === 'string');
  return texts.filter((value) => !/^(?:true|false)$/i.test(value));
}

/**
 * Returns the failure to read secrets from a text with syntax errors. Its message is about the first error,
 * and the same for all secrets of the text, so that they become one diagnostic (`alike`). The other errors
 * are `related`. `origin`: the file or command that the text comes from.
 */
function describeProblems(problems: readonly TextProblem[], origin: Origin): Omit<PickFailure, 'code'> {
  const file = nameOfOrigin(origin);
  const [first, ...others] = problems as [TextProblem, ...TextProblem[]];
  const message = `${file}:${first.line}:${first.column}: ${first.message}`;
  return {
    message,
    hint: first.hint,
    related: others
      .slice(0, maxRelated)
      .map(({ message, line, column }) => ({ message, at: { file, line, column } })),
    alike: alikeOf(message),
  };
}

/** Returns the path of a file, or the description of another origin, for messages. */
const nameOfOrigin = (origin: Origin): string => ('file' in origin ? origin.file : originText(origin));

/** Returns the mark by which diagnostics with one cause become a single one: all secrets of a text fail together. */
const alikeOf = (message: string): NonNullable<Diagnostic['alike']> => ({
  cause: message,
  are: `secrets are not available, since ${message}`,
});

const maxRelated = 10;
