/*
 * Fits text into terminal columns. A character takes no column (accents that combine, format characters), two (East Asian characters and
 * emoji) or one.
 */

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const isAscii = (text: string) => /^[ -~]*$/.test(text);
const characterWidthOf = (char: string) =>
  isAscii(char) ? 1 : /[\p{Mn}\p{Me}\p{Cf}]/u.test(char) ? 0 : wide.test(char) ? 2 : 1;

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

/** Cuts a text like `cut` and adds its full length, so that a cut value is not taken for the whole value: `abc… (120 characters)`. */
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
  while (from > 0 && room >= characterWidthOf(before[from - 1]!)) room -= characterWidthOf(before[--from]!);
  const start = `${from > 0 ? '…' : ''}${before.slice(from).join('')}`;
  return { text: cut(start + text.slice(column), width), column: displayWidth(start) };
}

/**
 * Cuts two lines that differ to `width` columns each. Cuts the equal characters at both ends first, so that the difference stays visible.
 * Used to print the value of a field before and after a change.
 */
export function cutPair(before: string, after: string, width: number): [string, string] {
  if (displayWidth(before) <= width && displayWidth(after) <= width) return [before, after];
  const [a, b] = [[...before], [...after]];
  let front = 0;
  while (front < a.length && front < b.length && a[front] === b[front]) front++;
  let back = 0;
  while (back < Math.min(a.length, b.length) - front && a[a.length - 1 - back] === b[b.length - 1 - back])
    back++;
  const differenceWidth = Math.max(a.length, b.length) - front - back;
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
 * Joins pieces into as few lines as possible, in order. A line is at most `width` columns wide, unless a single piece is wider. Used for
 * lists of names and for words.
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

/** Breaks a summary such as `Plan: 3 to create, 1 to adopt.` into lines that end after a count. In a log (`prose` is infinite) it stays one line. */
export const sumLines = (text: string, { prose }: { prose: number }): string[] =>
  flow(text.split(/(?<=[,.:]) /), ' ', prose);

/**
 * Breaks a line between words into lines of at most `width` columns. Keeps the spaces at its beginning; all lines after the first begin
 * with `indent`. Used for messages.
 */
export function fold(text: string, width: number, indent = ''): string[] {
  if (displayWidth(text) <= width) return [text];
  const lead = /^ */.exec(text)![0];
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
