import { parse } from 'csv-parse/sync';
import { type Diagnostic, problem, Reporter } from '../../model/diagnostic.ts';
import { quoted } from '../suggest.ts';
import { type Entry, type MapNode, mapNode, type ScalarNode, textNode } from '../yaml/nodes.ts';
import type { Source, Spot } from '../yaml/source.ts';
import { findCells } from './csv-cells.ts';

/**
 * Reads a CSV file of a variable as a map with the first column as keys, so that `$each` can create one resource for each row. All cells
 * are text, but a field may read them as numbers or booleans; empty cells are left out of the rows. If the file has problems, there is no
 * value, because the other rows alone would be misleading.
 */
export function readCsv(source: Source): { value?: MapNode; diagnostics: Diagnostic[] } {
  const records = parseRecords(source);
  if (!Array.isArray(records)) return { diagnostics: [records] };
  const report = new Reporter();
  const { diagnostics } = report;
  const [header, ...rows] = records;
  if (!header) {
    report.error('data/csv', 'the file has no header', { at: source.position(0) });
    return { diagnostics };
  }
  checkColumns(header, report);
  if (rows.length === 0)
    report.error('data/csv', 'the file has a header, but no rows', {
      at: header,
      hint: 'each row becomes one `$each` member',
    });
  const entries = readRows(rows, header.cells, report);
  if (diagnostics.length > 0) return { diagnostics };
  return { diagnostics, value: mapNode(entries, header.at) };
}

/** Reports columns without a name and columns with equal names, because `${each.value.NAME}` could not name their cells. */
function checkColumns(header: CsvRecord, report: Reporter): void {
  const columns = header.cells;
  for (const [i, column] of columns.entries())
    if (column === '') report.error('data/csv', 'a column has no name', { at: header });
    else if (columns.indexOf(column) < i)
      report.error('data/csv', `duplicate column ${quoted(column)}`, { at: header });
}

/**
 * Returns the rows of a CSV file as entries of a map, by their first cell. `$each` then creates one resource for
 * each row. Reports rows that have no key, the key of another row, or too few or too many cells.
 */
function readRows(rows: CsvRecord[], columns: string[], report: Reporter): Entry[] {
  const firstRows = new Map<string, CsvRecord>();
  const entries: Entry[] = [];
  for (const row of rows) {
    const key = row.cells[0] ?? '';
    const firstRow = firstRows.get(key);
    if (row.cells.length !== columns.length)
      report.error(
        'data/csv',
        `the row has ${row.cells.length} cells, but the header has ${columns.length}`,
        { at: row, hint: 'quote cells that contain a comma' },
      );
    else if (key === '')
      report.error('data/csv', `the row has no ${quoted(columns[0]!)}`, {
        at: row,
        hint: 'the first column identifies the row',
      });
    else if (firstRow)
      report.error('data/csv', `${quoted(key)} appears in two rows`, {
        at: row,
        hint: 'the first column identifies the row',
      });
    else entries.push({ key: toTextNode(0, row), value: toRowNode(columns, row) });
    firstRows.set(key, firstRow ?? row);
  }
  return entries;
}

/**
 * Returns a row of a CSV file as a map from columns to cells, so that `${each.value.column}` finds a cell. Leaves out empty cells. A column
 * is `isUntyped` like a cell, because `$each` over a row makes its name a value (`${each.key}`).
 */
const toRowNode = (columns: string[], row: CsvRecord): MapNode =>
  mapNode(
    columns.flatMap((column, i) =>
      row.cells[i] === ''
        ? []
        : { key: { ...textNode(column, row.at), isUntyped: true }, value: toTextNode(i, row) },
    ),
    row.at,
  );

/** Returns a cell of a row as a node. A field may read it as a number or a boolean, because CSV has no types. */
const toTextNode = (index: number, { cells, at, places }: CsvRecord): ScalarNode => ({
  ...textNode(cells[index]!, { ...at, cell: places?.[index] }),
  isUntyped: true,
});

/** The cells of a row, and the place of the row. */
interface CsvRecord {
  cells: string[];
  at: Spot;
  /** The places of the cells; undefined if they are not known. */
  places: Spot['cell'][] | undefined;
}

/**
 * Returns the places of the cells of a row, which `accept` needs to change one of them. Undefined if they do not have the values that
 * the parser of the file has read.
 */
function findPlaces(cells: string[], { source, start, end }: Spot): Spot['cell'][] | undefined {
  const foundCells = findCells(source.text, start, end);
  const isSame =
    foundCells?.length === cells.length && foundCells.every(({ value }, i) => value === cells[i]);
  return isSame ? foundCells.map((cell) => ({ start: cell.start, end: cell.end })) : undefined;
}

/**
 * Parses the CSV file of a variable into rows (`cells`), so that `$each` can create a resource for each row;
 * or returns the syntax error. Each row also has its place in the file, for messages. The parser counts
 * bytes, places count characters.
 */
function parseRecords(source: Source): CsvRecord[] | Diagnostic {
  try {
    const records = parse(source.text, {
      info: true,
      trim: true,
      skipEmptyLines: true,
      relaxColumnCount: true,
    }) as unknown as { record: string[]; info: { bytes: number } }[];
    const bytes = Buffer.from(source.text);
    let end = 0;
    let endInBytes = 0;
    return records.map(({ record: cells, info }) => {
      const previousEnd = end;
      end += bytes.subarray(endInBytes, info.bytes).toString().length;
      endInBytes = info.bytes;
      // Skip the line end of the previous row, and blank lines.
      const start = previousEnd + /^\s*/.exec(source.text.slice(previousEnd, end))![0].length;
      const row = { source, start, end: Math.max(start, end) };
      return { cells, at: row, places: findPlaces(cells, row) };
    });
  } catch (error) {
    const { lines, code } = error as { lines?: number; code?: string };
    const reason =
      code === undefined ? '' : `: ${code.replace(/^CSV_/, '').replaceAll('_', ' ').toLowerCase()}`;
    return problem('data/csv', `this is not CSV${reason}`, {
      at: { file: source.file, line: lines ?? 1, column: 1 },
      hint: 'put cells with commas or quotes in double quotes, and double the quotes inside',
    });
  }
}
