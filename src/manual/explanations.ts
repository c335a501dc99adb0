import type { Style } from '../report/style.ts';
import { cut, withoutLinks } from '../report/text.ts';
import { indented, widthOf } from './columns.ts';

/**
 * Formats the explanation of a problem for `trueup explain CODE`: its code, and below it the text in indented
 * lines. Code blocks (between ``` lines) stay as they are, so that they can be copied.
 */
export function explanationText({ code, text }: Explanation, { style }: { style: Style }): string {
  const width = widthOf(style);
  const blocks = text.split(/^(```[\s\S]*?^```)$/m).flatMap((part, index) => {
    // Splitting by a group puts the code blocks at the odd positions.
    if (index % 2 === 1) {
      const lines = part.split('\n').slice(1, -1);
      return [lines.map((line) => `    ${line}`.trimEnd()).join('\n')];
    }
    return part
      .trim()
      .split(/\n\n/)
      .filter(Boolean)
      .map((paragraph) => paragraphLines(paragraph, width).join('\n'));
  });
  return [style.strong(code), ...blocks].join('\n\n');
}

/**
 * Formats one paragraph of an explanation for `trueup explain CODE`, indented and broken into lines. If the
 * paragraph is a list, each item stands behind its own dash.
 */
function paragraphLines(paragraph: string, width: number): string[] {
  const isList = paragraph.startsWith('- ');
  if (!isList) return indented(withoutLinks(paragraph.replaceAll('\n', ' ')), width);
  return paragraph.split(/\n(?=- )/).flatMap((item) => {
    const [first, ...more] = indented(withoutLinks(item.slice(2).replace(/\n\s*/g, ' ')), width, 4);
    return [`  - ${first!.trimStart()}`, ...more];
  });
}

/**
 * Formats the list of `trueup explain`: all codes of problems, one for each line, with as much of their first
 * sentence as fits. An empty line separates codes with different beginnings (`lease/`, `ledger/`).
 */
export function explanationListText(explanations: Explanation[], { style }: { style: Style }): string {
  const longest = Math.max(...explanations.map(({ code }) => code.length)) + 2;
  const room = Math.max(20, style.width - longest);
  const lines = explanations.flatMap((explanation, index) => {
    const before = explanations[index - 1];
    const isNew = before !== undefined && familyOf(before) !== familyOf(explanation);
    const gist = style.quiet(cut(withoutLinks(gistOf(explanation)), room));
    return [
      ...(isNew ? [''] : []),
      `${style.strong(explanation.code)}${' '.repeat(longest - explanation.code.length)}${gist}`,
    ];
  });
  return [...lines, '', '`trueup explain CODE` explains one of them.'].join('\n');
}

const familyOf = ({ code }: Explanation): string => code.split('/')[0]!;

/** The entry of a code. */
interface Explanation {
  /** As in `ledger/corrupt`; with a `*` at its end it stands for all codes that begin so. */
  code: string;
  /** Markdown: paragraphs, lists and code. */
  text: string;
}

/**
 * Reads the explanations of problems from the text of docs/troubleshooting.md, in order, for `trueup explain`. An
 * explanation is the text below a heading such as ### `lease/held`.
 */
export function explanationsIn(markdown: string): Explanation[] {
  return markdown.split(/^(?=#{2,3} )/m).flatMap((section) => {
    const [, code, text] = /^### `([^`\n]+)`\n([\s\S]*)$/.exec(section) ?? [];
    return code === undefined ? [] : [{ code, text: text!.trim() }];
  });
}

/** True if an entry is also about a code of an earlier version: "Formerly `var/cycle`, `input/cycle`." */
const hasFormerCode = ({ text }: Explanation, code: string): boolean =>
  /^Formerly .*$/m.exec(text)?.[0].includes(`\`${code}\``) ?? false;

/**
 * Returns the explanation for `trueup explain CODE`: that of the code, of the code that it was merged into, or of
 * all codes with the same beginning (a code such as `http/` with a star); undefined if there is none.
 */
export const explanationOf = (explanations: Explanation[], code: string): Explanation | undefined =>
  explanations.find((explanation) => explanation.code === code) ??
  explanations.find((explanation) => hasFormerCode(explanation, code)) ??
  explanations.find(
    (explanation) => explanation.code.endsWith('*') && code.startsWith(explanation.code.slice(0, -1)),
  );

/**
 * Returns the first sentence of the explanation of a problem, which the list of `trueup explain` shows beside the
 * problem's code.
 */
const gistOf = ({ text }: Explanation): string =>
  text
    .split(/\n\n/, 1)[0]!
    .replaceAll('\n', ' ')
    .replace(/(?<=\.)\s.*$/s, '');
