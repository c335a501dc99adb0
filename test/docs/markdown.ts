/** Front matter as static site generators read it, and the title once more as a heading. */
export const opened = (title: string, description: string): string =>
  `---\ntitle: ${JSON.stringify(title)}\ndescription: ${JSON.stringify(description)}\n---\n\n${generated}\n\n# ${title}\n`;

const generated = '<!-- Generated from the code by `npm run docs`: do not edit. -->';

/** What a generator could take for HTML, for emphasis or for a link. A link to another page is one. */
const special = /[\\<*]|\[(?![\w ]+\]\([\w./]+\.md\))/g;

/** Text for the middle of a line: what is special outside of backquotes is escaped. */
export const inline = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll(special, '\\$&')))
    .join('');

/** A table; a bar in a cell is escaped, also in code. */
export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export const fenced = (language: string, text: string): string =>
  `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;

/** Sections with their headings, without those that have nothing to say. */
export const sections = (parts: [title: string, text: string][]): string =>
  parts
    .filter(([, text]) => text !== '')
    .map(([title, text]) => `\n## ${title}\n\n${text}\n`)
    .join('');

/** A first letter as at the beginning of a sentence, and a full stop at its end. */
export const sentence = (text: string): string =>
  text === '' ? '' : `${text[0]!.toUpperCase()}${text.slice(1)}${/[.!?:]$/.test(text) ? '' : '.'}`;
