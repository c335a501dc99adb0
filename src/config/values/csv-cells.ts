/*
 * Finds the cells in the text of a CSV row, and writes a cell, by the rules of RFC 4180.
 *
 *   cell     the text between two commas, with its quotes, but without the spaces around it
 *   quoted   a cell in double quotes. It may contain commas and line ends, and a quote in it is written twice
 */

/** The place of a cell in the text of its file, by offsets, and the value that it stands for. */
export interface CsvCell {
  start: number;
  end: number;
  value: string;
}

/** Matches one cell with the spaces around it: in quotes, or up to the next comma. */
const cellPattern = /[ \t]*(?:"((?:[^"]|"")*)"|([^",\r\n]*?))[ \t]*(?=,|$)/y;

/**
 * Returns the cells of the row between two offsets of a text, so that `accept` can change one of them. Returns undefined if the
 * row is written in a way that this function does not know; then no cell of it is changed.
 */
export function findCells(text: string, start: number, end: number): CsvCell[] | undefined {
  const row = text.slice(start, end).trimEnd();
  const cells: CsvCell[] = [];
  for (let index = 0; index <= row.length; ) {
    cellPattern.lastIndex = index;
    const match = cellPattern.exec(row);
    if (!match) return undefined;
    // `whole`: the cell with the blanks around it, up to the comma. `quoted`: the text between its quotes, if it has some.
    const [whole, quoted, plain] = match;
    const cellStart = start + index + /^[ \t]*/.exec(whole)![0].length;
    const length = quoted === undefined ? plain!.length : quoted.length + 2;
    const value = quoted?.replaceAll('""', '"') ?? plain!;
    cells.push({ start: cellStart, end: cellStart + length, value });
    // Behind the comma.
    index += whole.length + 1;
  }
  return cells;
}

/**
 * Returns the text of a cell with a new value. It is quoted if the old text (`before`) was quoted, or if the value needs quotes, so that
 * the style of the file stays.
 */
export function formatCsvCell(value: string, before: string): string {
  const needsQuotes = /[",\r\n]|^\s|\s$/.test(value);
  return before.startsWith('"') || needsQuotes ? `"${value.replaceAll('"', '""')}"` : value;
}
