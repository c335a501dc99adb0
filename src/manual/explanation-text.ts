import { cut } from '../report/cut.ts';
import type { Style } from '../report/style.ts';
import { indented, widthOf } from './columns.ts';
import { type Explanation, gistOf } from './explanations.ts';

/** One entry for a terminal: its code, and below it the text in lines; code stays as it is, so that it can be copied. */
export function explanationText({ code, text }: Explanation, { style }: { style: Style }): string {
  const width = widthOf(style);
  const blocks = text.split(/^(```[\s\S]*?^```)$/m).flatMap((part, at) => {
    if (at % 2 === 1) {
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

/** A paragraph, or the items of a list, each behind its dash. */
function paragraphLines(paragraph: string, width: number): string[] {
  const isList = paragraph.startsWith('- ');
  if (!isList) return indented(plain(paragraph.replaceAll('\n', ' ')), width);
  return paragraph.split(/\n(?=- )/).flatMap((item) => {
    const [first, ...more] = indented(plain(item.slice(2).replace(/\n\s*/g, ' ')), width, 4);
    return [`  - ${first!.trimStart()}`, ...more];
  });
}

/** Links lead somewhere in a browser only: here their words are enough. */
const plain = (text: string): string => text.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1');

/** All codes, one for each line, with as much of what they mean as fits. */
export function explanationListText(all: Explanation[], { style }: { style: Style }): string {
  const longest = Math.max(...all.map(({ code }) => code.length)) + 2;
  const room = Math.max(20, style.width - longest);
  const lines = all.flatMap((one, at) => {
    const before = all[at - 1];
    const isNew = before !== undefined && family(before) !== family(one);
    const gist = style.quiet(cut(plain(gistOf(one)), room));
    return [
      ...(isNew ? [''] : []),
      `${style.strong(one.code)}${' '.repeat(longest - one.code.length)}${gist}`,
    ];
  });
  return [...lines, '', '`trueup explain CODE` explains one of them.'].join('\n');
}

const family = ({ code }: Explanation): string => code.split('/')[0]!;
