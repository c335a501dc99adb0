const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const isAscii = (text: string) => /^[ -~]*$/.test(text);
const characterWidthOf = (char: string) =>
  isAscii(char) ? 1 : /[\p{Mn}\p{Me}\p{Cf}]/u.test(char) ? 0 : wide.test(char) ? 2 : 1;

/** The width of a text in terminal columns. */
export function displayWidth(text: string): number {
  if (isAscii(text)) return text.length;
  let width = 0;
  for (const char of text) width += characterWidthOf(char);
  return width;
}

/** The text, or as much of it as fits, and an ellipsis. */
export function cut(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  let room = width - 1;
  for (const char of text) {
    room -= characterWidthOf(char);
    if (room < 0) break;
    kept += char;
  }
  return `${kept}…`;
}

/** The text, or what fits of it with its full length, so that nobody takes it for the whole. */
export function cutCounted(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  const total = ` (${[...text].length} characters)`;
  return cut(text, Math.max(10, width - total.length)) + total;
}

/** The part of a long line around `column` (from 0), and where that column is in it. */
export function cutAround(text: string, column: number, width: number): { text: string; column: number } {
  if (displayWidth(text) <= width) return { text, column: displayWidth(text.slice(0, column)) };
  const before = [...text.slice(0, column)];
  let room = Math.floor(width / 2) - 1;
  let from = before.length;
  while (from > 0 && room >= characterWidthOf(before[from - 1]!)) room -= characterWidthOf(before[--from]!);
  const start = `${from > 0 ? '…' : ''}${before.slice(from).join('')}`;
  return { text: cut(start + text.slice(column), width), column: displayWidth(start) };
}

/** Two differing lines: what they share in front and behind is cut before what differs is. */
export function cutPair(before: string, after: string, width: number): [string, string] {
  if (displayWidth(before) <= width && displayWidth(after) <= width) return [before, after];
  const [a, b] = [[...before], [...after]];
  let front = 0;
  while (front < a.length && front < b.length && a[front] === b[front]) front++;
  let back = 0;
  while (back < Math.min(a.length, b.length) - front && a[a.length - 1 - back] === b[b.length - 1 - back])
    back++;
  const differing = Math.max(a.length, b.length) - front - back;
  const around = Math.max(8, Math.floor((width - differing) / 2) - 1);
  const part = (line: string[]) => {
    const from = Math.max(0, front - around);
    const to = Math.min(line.length, line.length - back + around);
    const lead = `${from > 0 ? '…' : ''}${line.slice(from, front).join('')}`;
    const middle = cutCounted(line.slice(front, line.length - back).join(''), Math.max(240, width));
    const trail = `${line.slice(line.length - back, to).join('')}${to < line.length ? '…' : ''}`;
    return lead + middle + trail;
  };
  return [part(a), part(b)];
}

/** Pieces in lines, none wider than `width` unless a piece is. */
export function flow(pieces: string[], separator: string, width: number): string[] {
  const lines: string[] = [];
  for (const piece of pieces) {
    const longer = lines.length > 0 ? `${lines.at(-1)}${separator}${piece}` : piece;
    if (lines.length > 0 && displayWidth(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(piece);
  }
  return lines;
}

/** The same with the words of a text. No line begins with what a CI system obeys, such as `::add-mask::`. */
export const wrap = (text: string, width: number): string[] => flow(text.split(/ +(?! |::|##)/), ' ', width);

/** A sum such as `Plan: 3 to create, 1 to adopt.`: where it is too wide, in lines that end behind a count. In a log it stays one. */
export const sumLines = (text: string, { prose }: { prose: number }): string[] =>
  flow(text.split(/(?<=[,.:]) /), ' ', prose);

/** A line, in several where it is too wide: those after the first begin with `indent`, too. */
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

/** A line of a value, in several where it is too wide, each but the first begun with `indent`: it may break anywhere. */
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
