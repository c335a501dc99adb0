import type { Position } from '../model/diagnostic.ts';
import { clean } from './clean.ts';
import { cutAround } from './cut.ts';
import type { Style } from './style.ts';

/** The line in question with a caret under the column; of a long line the part around it. */
export function snippet({ line, column, text, caret = column - 1 }: Position, style: Style): string[] {
  if (text === undefined) return [];
  const shown = (part: string) => clean(part).replace(/\n/g, ' ').replaceAll('\t', '  ');
  const gutter = String(line).padStart(5);
  const before = shown(text.slice(0, caret));
  const around = cutAround(before + shown(text.slice(caret)), before.length, style.width - gutter.length - 4);
  return [
    `${style.quiet(`${gutter} |`)} ${around.text}`.trimEnd(),
    `${style.quiet(`${' '.repeat(gutter.length)} |`)} ${' '.repeat(around.column)}${style.alarm('^')}`,
  ];
}
