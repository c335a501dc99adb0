import type { Diagnostic } from '../../model/diagnostic.ts';
import { cleanLine } from '../clean.ts';
import { cut } from '../cut.ts';
import { errorLines } from '../error-text.ts';
import { fence } from './fence.ts';

const width = 400;
const most = 10;

/** A problem with its place and what to do about it, and as one line. */
export function diagnosticForms(diagnostic: Diagnostic): string[] {
  const { message, hint } = errorLines(diagnostic);
  const { severity, at, address } = diagnostic;
  const sign = severity === 'error' ? '- Error:' : '! Warning:';
  const place = at ? `${cleanLine(at.file)}:${at.line}:${at.column}` : address && cleanLine(address);
  const lines = [
    `${sign} ${message[0]}`,
    ...message.slice(1, most).map((line) => `  ${line}`),
    ...(place ? [`  at ${place}`] : []),
    ...hint.slice(0, most).map((line, at) => `  ${at === 0 ? `-> ${line}` : line}`),
  ];
  return [
    fence(
      lines.map((line) => cut(line, width)),
      'diff',
    ),
    fence([cut(lines[0]!, 160)], 'diff'),
  ];
}
