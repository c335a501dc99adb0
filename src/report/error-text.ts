import { clean } from './clean.ts';

/**
 * What an error has to say, line by line: its message and its hint, never its stack. Lines after the first begin with
 * a bar, so that no text from outside can begin a line of a log (CI systems obey lines such as `::add-mask::`).
 */
export function errorLines(error: unknown): { message: string[]; hint: string[] } {
  const { message, hint } =
    typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : {};
  const text = typeof error === 'string' ? error : typeof message === 'string' ? message : '';
  return {
    message: barred(text.trim() === '' ? 'unknown error' : text),
    hint: typeof hint === 'string' ? barred(hint) : [],
  };
}

function barred(text: string): string[] {
  const lines = clean(text).trim().split('\n');
  return lines.map((line, at) => (at === 0 ? line : `| ${line}`).trimEnd());
}
