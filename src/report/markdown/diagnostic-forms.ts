import type { Diagnostic } from '../../model/diagnostic.ts';
import { cleanLine, errorLines } from '../clean.ts';
import { cut, fold } from '../cut.ts';
import { columns } from './diff-lines.ts';
import { fence } from './forms.ts';
import { type Places, placeLink, placeText } from './places.ts';

const longestLine = 400;
const mostLines = 10;

/** A problem with its place and what to do about it, and as one line. Its place is a link below it, where there is one. */
export function diagnosticForms(diagnostic: Diagnostic, places: Places): string[] {
  const { message, hint } = errorLines(diagnostic);
  const { severity, at, address } = diagnostic;
  const sign = severity === 'error' ? '- Error:' : '! Warning:';
  const isLink = at !== undefined && places.url?.(places.locate(at.file), at.line) !== undefined;
  const place = isLink ? undefined : at ? placeText(at, places) : address && cleanLine(address);
  const folded = (all: string[], indent: string) =>
    all.flatMap((line) => fold(cut(line, longestLine), columns, indent));
  const lines = [
    `${sign} ${message[0]}`,
    ...message.slice(1, mostLines).map((line) => `  ${line}`),
    ...(place ? [`  at ${place}`] : []),
  ];
  const next = hint.slice(0, mostLines).map((line, index) => `  ${index === 0 ? `-> ${line}` : line}`);
  const block = fence([...folded(lines, '  '), ...folded(next, '     ')], 'diff');
  return [
    [...(isLink ? [`At ${placeLink(at, places)}:`] : []), block].join('\n\n'),
    fence([cut(lines[0]!, 160)], 'diff'),
  ];
}
