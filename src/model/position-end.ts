import type { Position } from './diagnostic.ts';

/** A key or a value as it stands in YAML, up to where it ends. */
const word = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s,:[\]{}#]+)/;
/** Stands in a quoted line for a part that is hidden: nobody can tell from it where that part ends in the file. */
const hidden = /^["']?\(secret\)/;

/**
 * The column behind what stands at a position, from 1, in its line: as it was found while reading, else as far as the quoted line tells.
 * Undefined where neither does.
 */
export function endColumnOf({ column, endColumn, text, caret }: Position): number | undefined {
  if (endColumn !== undefined) return endColumn;
  const rest = caret === undefined ? undefined : text?.slice(caret);
  if (rest === undefined || hidden.test(rest)) return undefined;
  const [found = ''] = word.exec(rest) ?? [];
  const isWhole = found !== '' && !found.includes('…') && !found.includes('(secret)');
  return isWhole ? column + found.length : undefined;
}
