/** What there is to say of a code that problems end with. */
export interface Explanation {
  /** As in `ledger/corrupt`; with a `*` at its end it stands for all codes that begin so. */
  code: string;
  /** Markdown: paragraphs, lists and code. */
  text: string;
}

/**
 * The entries of docs/troubleshooting.md, in its order: what stands below each heading of the third level that is one code in backquotes.
 */
export function explanationsIn(markdown: string): Explanation[] {
  return markdown.split(/^(?=#{2,3} )/m).flatMap((section) => {
    const [, code, text] = /^### `([^`\n]+)`\n([\s\S]*)$/.exec(section) ?? [];
    return code === undefined ? [] : [{ code, text: text!.trim() }];
  });
}

/** The entry of a code: its own, or the one that stands for all that begin alike. */
export const explanationOf = (all: Explanation[], code: string): Explanation | undefined =>
  all.find((one) => one.code === code) ??
  all.find((one) => one.code.endsWith('*') && code.startsWith(one.code.slice(0, -1)));

/** What a list shows of an entry: its first sentence, without the marks of Markdown. */
export const gistOf = ({ text }: Explanation): string =>
  text
    .split(/\n\n/, 1)[0]!
    .replaceAll('\n', ' ')
    .replace(/(?<=\.)\s.*$/s, '');
