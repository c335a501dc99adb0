/*
 * Prepares texts for reports:
 *
 *   - makes text from outside (the account, the configuration, error answers) safe to print: it cannot control a terminal, forge a line of
 *     a log, or hide characters,
 *   - formats numbers, lists and durations,
 *   - fits text into terminal columns. A character takes no column (accents that combine, format characters), two (East Asian characters
 *     and emoji) or one.
 */
import { computeOnce } from '../model/graph.ts';

/**
 * Matches hidden characters: those that a terminal obeys or that a reader cannot see. They are control and format characters (which reverse
 * text, have no width, or end a line invisibly), halves of characters, and invisible fillers. Line feed and tab are not hidden.
 */
const hiddenPattern = String.raw`[^\P{C}\p{Co}\p{Cn}\n\t]|[\p{Zl}\p{Zp}]|\u034f|\u115f|\u1160|\u3164|\uffa0`;

/** Compiles `hiddenPattern` when the first text needs it: V8 takes 2 % of the time of `--help` for these classes. */
const hiddenCharacters = computeOnce(() => new RegExp(hiddenPattern, 'gu'));

/**
 * Returns a hidden character (one that a reader cannot see) as JSON escapes it: `\u202e`, so that it is visible in every output. A
 * character above U+FFFF becomes two escapes.
 */
const escapeCharacter = (char: string) =>
  Array.from(
    { length: char.length },
    (_, index) => `\\u${char.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');

/**
 * Matches text without hidden characters. Tested first because nearly all text is like this, and the search for hidden characters is slow.
 */
const plainCharacters = /^[\n\t -~]*$/;

/**
 * Returns a text with its hidden characters escaped, so that no character is invisible or controls a terminal. Used by every output.
 * `spell`: writes one hidden character.
 */
export const escapeHidden = (text: string, spell = escapeCharacter): string =>
  plainCharacters.test(text) ? text : text.replace(hiddenCharacters(), (char) => spell(char));

/** True if `escapeHidden` would change a text, because it has hidden characters. */
export const hasHidden = (text: string): boolean =>
  !plainCharacters.test(text) && text.search(hiddenCharacters()) >= 0;

/**
 * Returns a text from outside (the account, the configuration, an error), ready to print: hidden characters escaped, and only line feeds as
 * line ends.
 */
export const clean = (text: string): string => escapeHidden(text.replace(/\r\n?/g, '\n'));

/**
 * Returns a text from outside as one line, ready to print. Joins its lines with spaces, one by one, because a regular expression with
 * spaces on both sides of a line end takes quadratic time.
 */
export function cleanLine(text: string): string {
  const [first = '', ...lines] = clean(text).split('\n');
  const last = lines.pop();
  if (last === undefined) return first;
  const between = lines.map((line) => line.trim()).filter((line) => line !== '');
  return [first.trimEnd(), ...between, last.trimStart()].join(' ');
}

/** Formats a text as a JSON string without hidden characters. */
export const quote = (text: string): string => escapeHidden(JSON.stringify(text));

/**
 * Returns the message and the hint of an error as lines, without its stack trace. Lines after the first begin with a bar, because CI
 * systems obey lines that begin with commands such as `::add-mask::`, and an answer of a server could contain one.
 */
export function errorLines(error: unknown): { message: string[]; hint: string[] } {
  const { message, hint } =
    typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : {};
  const messageText = typeof message === 'string' ? message : '';
  const text = typeof error === 'string' ? error : messageText;
  return {
    message: barred(text.trim() === '' ? 'unknown error' : text),
    hint: typeof hint === 'string' ? barred(hint) : [],
  };
}

/** Splits a text into lines. Those after the first begin with a bar, see `errorLines`. */
function barred(text: string): string[] {
  const lines = clean(text).trim().split('\n');
  return lines.map((line, index) => (index === 0 ? line : `| ${line}`).trimEnd());
}

/** Formats a number with its noun: `1 request`, `3 requests`. */
export const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;

/**
 * Returns the first `limit` lines of a list and, if there are more, the line `... and 4 more`, so that a report stays readable. `format`
 * can indent or colour that line.
 */
export const firstLines = (
  lines: readonly string[],
  limit: number,
  format = (text: string): string => text,
): string[] =>
  lines.length > limit
    ? [...lines.slice(0, limit), format(`... and ${lines.length - limit} more`)]
    : [...lines];

/** Returns a text with a capital at its beginning. */
export const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Replaces links of the documentation by their words, because they lead from one of its pages to another and break elsewhere. */
export const withoutLinks = (text: string): string => text.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1');

/** Joins items as in a sentence: `a`, `a and b`, `a, b and c`. */
export const joinAsSentence = (items: string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;

/** Formats a wait, from milliseconds: `90 s`, `43 min`, `5 h`. Rounded up, so that people do not come back too early. */
export function durationText(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}

/** Formats how long something took, from milliseconds, for the summary of an apply: `0.4s`, `4.1s`, `47s`, `3m 5s`, `1h 2m`. */
export function tookText(milliseconds: number): string {
  const tenths = Math.round(Math.max(0, milliseconds) / 100);
  if (tenths < 100) return `${(tenths / 10).toFixed(1)}s`;
  const seconds = Math.round(tenths / 10);
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${seconds % 60}s`;
  return `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const isAscii = (text: string) => /^[ -~]*$/.test(text);
/**
 * Returns the width of a character in terminal columns: 2 for most East Asian characters and emoji, and 0 for accents on the character
 * before.
 */
function characterWidthOf(char: string): 0 | 1 | 2 {
  if (isAscii(char)) return 1;
  // Marks and format characters, such as the accent in `e\u0301`, take no column of their own.
  if (/[\p{Mn}\p{Me}\p{Cf}]/u.test(char)) return 0;
  return wide.test(char) ? 2 : 1;
}

/**
 * Returns the width of a text in terminal columns. It may differ from the length, because some characters take two columns or none. Used to
 * fit text into lines.
 */
export function displayWidth(text: string): number {
  if (isAscii(text)) return text.length;
  let width = 0;
  for (const char of text) width += characterWidthOf(char);
  return width;
}

/** Pads a text with spaces to `width` columns. Used to align the columns of tables. */
export const padded = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - displayWidth(text)));

/** Cuts a text to `width` columns. A cut text ends with an ellipsis. Used for values and names that would break a line. */
export function cut(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let beginning = '';
  let room = width - 1;
  for (const char of text) {
    room -= characterWidthOf(char);
    if (room < 0) break;
    beginning += char;
  }
  return `${beginning}…`;
}

/**
 * Cuts a text like `cut` and adds its full length, so that a cut value is not taken for the whole value: `abc… (120 characters)`. Always
 * keeps the beginning of the text, so the result may be wider than a small `width`.
 */
export function cutCounted(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  const total = ` (${[...text].length} characters)`;
  return cut(text, Math.max(10, width - total.length)) + total;
}

/**
 * Cuts a long line to `width` columns around the character at `column` (from 0). Returns the cut line and the column of that character in
 * it. Used to print a line of a file with a caret below the mistake.
 */
export function cutAround(text: string, column: number, width: number): { text: string; column: number } {
  if (displayWidth(text) <= width) return { text, column: displayWidth(text.slice(0, column)) };
  const before = [...text.slice(0, column)];
  let room = Math.floor(width / 2) - 1;
  let from = before.length;
  while (from > 0 && room >= characterWidthOf(before[from - 1]!)) {
    from--;
    room -= characterWidthOf(before[from]!);
  }
  const start = `${from > 0 ? '…' : ''}${before.slice(from).join('')}`;
  return { text: cut(start + text.slice(column), width), column: displayWidth(start) };
}

/**
 * Cuts the equal characters at both ends of two lines that differ, so that the difference stays visible in about `width` columns. A long
 * difference takes more, and is cut to `width` or 240 columns. Used to print the value of a field before and after a change.
 */
export function cutPair(before: string, after: string, width: number): [string, string] {
  if (displayWidth(before) <= width && displayWidth(after) <= width) return [before, after];
  const [a, b] = [[...before], [...after]];
  const { front, back } = equalEndsOf(a, b);
  const differenceWidth = Math.max(a.length, b.length) - front - back;
  // The equal characters that stay on each side of the difference.
  const contextWidth = Math.max(8, Math.floor((width - differenceWidth) / 2) - 1);
  const cutToDifference = (line: string[]) => {
    const from = Math.max(0, front - contextWidth);
    const to = Math.min(line.length, line.length - back + contextWidth);
    const lead = `${from > 0 ? '…' : ''}${line.slice(from, front).join('')}`;
    const middle = cutCounted(line.slice(front, line.length - back).join(''), Math.max(240, width));
    const trail = `${line.slice(line.length - back, to).join('')}${to < line.length ? '…' : ''}`;
    return lead + middle + trail;
  };
  return [cutToDifference(a), cutToDifference(b)];
}

/**
 * Returns how many characters two texts share at their beginning and at their end, so that only the characters in
 * between differ. `a`, `b`: the texts as lists of characters.
 */
export function equalEndsOf(a: readonly string[], b: readonly string[]): { front: number; back: number } {
  const shorterLength = Math.min(a.length, b.length);
  let front = 0;
  while (front < shorterLength && a[front] === b[front]) front++;
  let back = 0;
  while (back < shorterLength - front && a.at(-1 - back) === b.at(-1 - back)) back++;
  return { front, back };
}

/**
 * Joins texts, such as the names in a list or the words of a paragraph, into as few lines as possible, in order. A line is at most `width`
 * columns wide, unless a single text is wider.
 */
export function flow(texts: string[], separator: string, width: number): string[] {
  const lines: string[] = [];
  for (const text of texts) {
    const longer = lines.length > 0 ? `${lines.at(-1)}${separator}${text}` : text;
    if (lines.length > 0 && displayWidth(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(text);
  }
  return lines;
}

/**
 * Breaks a text between words into lines of at most `width` columns. Words such as `::add-mask::` stay on the line of the word before,
 * because CI systems obey lines that begin with them.
 */
export const wrap = (text: string, width: number): string[] => flow(text.split(/ +(?! |::|##)/), ' ', width);

/**
 * Breaks a summary such as `Plan: 3 to create, 1 to adopt.` into lines that end after a comma, colon or full stop. In a log (`prose` is
 * infinite) it stays one line.
 */
export const sumLines = (text: string, { prose }: { prose: number }): string[] =>
  flow(text.split(/(?<=[,.:]) /), ' ', prose);

/**
 * Breaks a line between words into lines of at most `width` columns. Keeps the spaces at its beginning; all
 * lines after the first begin with `indent`. Used for messages. Never breaks before `::` or `##`, because CI
 * systems take a line that begins with them for a command.
 */
export function fold(text: string, width: number, indent = ''): string[] {
  if (displayWidth(text) <= width) return [text];
  const lead = /^ */.exec(text)![0];
  // The blank after `?!` keeps ` +` from matching only some of the spaces before `::`.
  const [first = '', ...words] = text.slice(lead.length).split(/ +(?! |::|##)/);
  const lines = [lead + first];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`;
    if (displayWidth(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(indent + word);
  }
  return lines;
}

/**
 * Breaks the line of a value at any character into lines of at most `width` columns, so that nothing of the value is lost. All lines after
 * the first begin with `indent`.
 */
export function breakUp(text: string, width: number, indent: string): string[] {
  const lines = [''];
  let room = width;
  for (const char of text) {
    room -= characterWidthOf(char);
    if (room < 0) {
      lines.push(indent);
      room = width - indent.length - characterWidthOf(char);
    }
    lines[lines.length - 1] += char;
  }
  return lines;
}
