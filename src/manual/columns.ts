import { displayWidth, wrap } from '../report/cut.ts';
import type { Style } from '../report/style.ts';

type PaintCell = (text: string) => string;

/** A text, and how it is painted once it is in lines. */
interface Cell {
  text: string;
  paint?: PaintCell;
}

// Longer lines are hard to read, whatever the terminal's width.
const widestTable = 100;

export const widthOf = ({ width }: Style): number => Math.min(widestTable, width);

/** A text in lines, each with the same indentation. */
export const indented = (text: string, width: number, by = 2): string[] =>
  wrap(text, width - by).map((line) => ' '.repeat(by) + line);

interface ColumnRow {
  label: string;
  paint: PaintCell;
  cells: Cell[];
}

/**
 * Rows with a label in front of one or more cells, which stand below each other. Where a label is too long for its column, or a
 * word for the rest of the line, the cells begin on the next line, with little indentation; unless it all fits on one line.
 * `share`: the part of the width that labels have at most.
 */
export function labelled(rows: ColumnRow[], width: number, share = 0.4): string[] {
  const longest = Math.max(0, ...rows.map(({ label }) => displayWidth(label)));
  const column = Math.min(longest + 2, Math.max(12, Math.floor(width * share)));
  return rows.flatMap((row) => rowLines(row, column, width));
}

function rowLines({ label, paint, cells }: ColumnRow, column: number, width: number): string[] {
  const told = cells.filter(({ text }) => text !== '');
  const [only, ...more] = told;
  const start = Math.max(column, displayWidth(label) + 2);
  if (only && more.length === 0 && start + displayWidth(only.text) <= width)
    return [paint(label) + ' '.repeat(start - displayWidth(label)) + painted(only, only.text)];
  const isTight = told.some(({ text }) =>
    text.split(/ +/).some((word) => displayWidth(word) > width - column),
  );
  const isBeside = !isTight && start === column && told.length > 0;
  const indent = isBeside ? column : label.search(/\S|$/) + 4;
  const lines = told.flatMap((cell) => wrap(cell.text, width - indent).map((line) => painted(cell, line)));
  const first = isBeside
    ? paint(label) + ' '.repeat(column - displayWidth(label)) + lines.shift()
    : paint(label);
  return [first, ...lines.map((line) => ' '.repeat(indent) + line)];
}

const painted = ({ paint }: Cell, line: string): string => paint?.(line) ?? line;
