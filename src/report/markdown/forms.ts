import { cleanLine } from '../clean.ts';

/** The longest run of backticks: what stands around the text has to be longer. */
const longestRun = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

/** Lines as a block in which nothing means anything; of the language `diff`, `+`, `-`, `!` and `#` in front of a line colour it. */
export function fence(lines: string[], language: string): string {
  const text = lines.join('\n');
  const ticks = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${ticks}${language}\n${text}\n${ticks}`;
}

/** Text by users or servers within a line: no mention, link, HTML or emphasis in it counts. */
export function code(text: string): string {
  const line = cleanLine(text).trim() || ' ';
  const ticks = '`'.repeat(longestRun(line) + 1);
  const space = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return ticks + space + line + space + ticks;
}

/** Text within a line of HTML, where Markdown does not count. */
export const htmlText = (text: string): string =>
  cleanLine(text).replace(/[&<>"'`@#]/g, (char) => `&#${char.charCodeAt(0)};`);

/** A name within a line of HTML. */
export const htmlCode = (text: string): string => `<code>${htmlText(text)}</code>`;

const start = '<!-- trueup:plan:';

/** The first line of a report, which nobody sees: by it the comment of a stack is found again. */
export const stackMarker = (stack: string): string =>
  `${start}${stack.replace(/[^\w.-]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)} -->`;

/** The marker that a text begins with, if it does. */
export function markerIn(text: string): string | undefined {
  const [line = ''] = text.split('\n', 1);
  return line.startsWith(start) && line.trimEnd().endsWith(' -->') ? line.trimEnd() : undefined;
}

/** The size limit of a comment on GitHub, in characters; a text of so many bytes never has more. */
export const commentLimit = 65_536;
