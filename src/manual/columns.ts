import type { Style } from '../report/style.ts';
import { displayWidth, wrap } from '../report/text.ts';

type PaintCell = (text: string) => string;

/** A text, and the function which colours each of its lines. */
interface Cell {
  text: string;
  paint?: PaintCell;
}

// Longer lines are hard to read, even in a wider terminal.
const pageWidth = 100;

/** Returns the width of a manual page. */
export const widthOf = ({ width }: Style): number => Math.min(pageWidth, width);

/**
 * Formats the sections of a manual page, each with its lines below its title. Leaves out sections without lines.
 */
export const sectionsText = (
  sections: readonly (readonly [title: string, lines: string[]])[],
  style: Style,
): string =>
  sections
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => [style.strong(title), ...lines].join('\n'))
    .join('\n\n');

/** Breaks a text into lines with the same indentation. */
export const indented = (text: string, width: number, by = 2): string[] =>
  wrap(text, width - by).map((line) => ' '.repeat(by) + line);

/** A row of a table. `paint`: the function which colours the label. */
export interface ColumnRow {
  label: string;
  paint: PaintCell;
  cells: Cell[];
}

/**
 * Formats a table as lines: each row has a label, then cells below each other in a second column. Used for manual
 * pages and reports. The first column is as wide as the longest label, but at most `share` of the width.
 */
export function formatLabelledRows(rows: ColumnRow[], width: number, share = 0.4): string[] {
  const longest = Math.max(0, ...rows.map(({ label }) => displayWidth(label)));
  const column = Math.min(longest + 2, Math.max(12, Math.floor(width * share)));
  return rows.flatMap((row) => rowLines(row, column, width));
}

/**
 * Formats pairs of a label and a text as lines in two columns, indented below their title. Used for parts of
 * reports, such as the findings of `trueup doctor`.
 */
export const formatLabelledTexts = (
  lines: readonly (readonly [label: string, text: string])[],
  width: number,
): string[] =>
  formatLabelledRows(
    lines.map(([label, text]) => ({ label: `  ${label}`, paint: (painted) => painted, cells: [{ text }] })),
    width,
  );

/**
 * Formats one row of a table as lines: the label, and its cells below each other in a second column. The cells
 * begin beside the label at `column`, or below the label if this is too long or a word would not fit there. A row with one short cell
 * stays on one line, even behind a long label.
 */
function rowLines({ label, paint, cells }: ColumnRow, column: number, width: number): string[] {
  const filledCells = cells.filter(({ text }) => text !== '');
  const [firstCell, ...otherCells] = filledCells;
  const start = Math.max(column, displayWidth(label) + 2);
  if (firstCell && otherCells.length === 0 && start + displayWidth(firstCell.text) <= width)
    return [paint(label) + ' '.repeat(start - displayWidth(label)) + painted(firstCell, firstCell.text)];
  const hasTooWideWord = filledCells.some(({ text }) =>
    text.split(/ +/).some((word) => displayWidth(word) > width - column),
  );
  const isLabelShort = start === column;
  const startsBeside = !hasTooWideWord && isLabelShort && filledCells.length > 0;
  // Below the label, cells are indented by four columns more than its text.
  const indent = startsBeside ? column : label.search(/\S|$/) + 4;
  const lines = filledCells.flatMap((cell) =>
    wrap(cell.text, width - indent).map((line) => painted(cell, line)),
  );
  const first = startsBeside
    ? paint(label) + ' '.repeat(column - displayWidth(label)) + lines.shift()
    : paint(label);
  return [first, ...lines.map((line) => ' '.repeat(indent) + line)];
}

const painted = ({ paint }: Cell, line: string): string => paint?.(line) ?? line;
