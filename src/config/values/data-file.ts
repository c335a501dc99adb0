import { parse } from 'csv-parse/sync';
import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import { isOwnDocument } from '../sources/regular-file.ts';
import type { Asked, Verdict } from '../sources/verdict.ts';
import { quoted } from '../suggest.ts';
import type { Entry, MapNode, Node, ScalarNode } from '../yaml/nodes.ts';
import { parseYaml, readBytes, sourceOf } from '../yaml/read-documents.ts';
import { positionOf, Source } from '../yaml/source.ts';

/** A data file as a value with places, or what is wrong with it. */
interface DataFile {
  value?: Node;
  source?: Source;
  diagnostics: Diagnostic[];
}

/** Reads the data file of a variable: CSV, JSON or YAML, as its ending says. `texts`: by path, in place of what is on disk. */
export async function readDataFile(
  asked: Pick<Asked, 'at'> & { shownAs: string },
  { path, isTracked }: Extract<Verdict, { allowed: true }>,
  texts?: ReadonlyMap<string, string>,
): Promise<DataFile> {
  const name = asked.shownAs;
  const text = texts?.get(path!);
  const bytes = text === undefined ? await readBytes({ path: path!, name }) : Buffer.from(text);
  if (Buffer.isBuffer(bytes) && isOwnDocument(bytes))
    return {
      diagnostics: [
        problem('source/file', `${quoted(name)} is a trueup ledger or plan, which is never read`, {
          at: asked.at,
        }),
      ],
    };
  const source = Buffer.isBuffer(bytes) ? sourceOf(name, bytes) : bytes;
  if (!(source instanceof Source)) return { diagnostics: [{ ...source, at: asked.at }] };
  source.isOutside = isTracked !== true;
  source.isQuoted = false;
  if (/\.csv$/i.test(source.file)) return { source, ...readCsv(source) };
  if (!/\.(json|ya?ml)$/i.test(source.file))
    return {
      diagnostics: [
        problem('data/format', `${quoted(source.file)} is not a data file`, {
          at: asked.at,
          hint: 'its name must end in .csv, .json, .yaml or .yml',
        }),
      ],
    };
  const { documents, diagnostics } = await parseYaml(source);
  const [value, more] = documents;
  if (source.broken || (value && !more))
    return { source, diagnostics, ...(value && !source.broken ? { value } : {}) };
  return {
    source,
    diagnostics: [
      ...diagnostics,
      problem('data/empty', more ? 'a data file can have only one document' : 'the data file is empty', {
        at: more ? positionOf(more.at) : source.position(0),
        ...(more ? { hint: 'remove what follows `---`, or split it into two files' } : {}),
      }),
    ],
  };
}

/** A CSV as a map by its first column. All cells are text; an empty one is absent. */
function readCsv(source: Source): Omit<DataFile, 'source'> {
  const records = recordsOf(source);
  if (!Array.isArray(records)) return { diagnostics: [records] };
  const diagnostics: Diagnostic[] = [];
  const say = (message: string, record: CsvRecord, hint?: string) =>
    diagnostics.push(problem('data/csv', message, { at: positionOf(record.at), hint }));
  const [header, ...rows] = records;
  if (!header) {
    diagnostics.push(problem('data/csv', 'the file has no header', { at: source.position(0) }));
    return { diagnostics };
  }
  const columns = header.cells;
  for (const [i, column] of columns.entries())
    if (column === '' || columns.indexOf(column) < i)
      say(column === '' ? 'a column has no name' : `duplicate column ${quoted(column)}`, header);
  if (rows.length === 0)
    say('the file has a header, but no rows', header, 'each row becomes one `$each` member');
  const first = new Map<string, CsvRecord>();
  const entries: Entry[] = [];
  for (const row of rows) {
    const key = row.cells[0] ?? '';
    const twin = first.get(key);
    if (row.cells.length !== columns.length)
      say(
        `the row has ${row.cells.length} cells, but the header has ${columns.length}`,
        row,
        'quote cells that contain a comma',
      );
    else if (key === '')
      say(`the row has no ${quoted(columns[0]!)}`, row, 'the first column identifies the row');
    else if (twin) say(`${quoted(key)} appears in two rows`, row, 'the first column identifies the row');
    else entries.push({ key: text(key, row), value: rowOf(columns, row) });
    first.set(key, twin ?? row);
  }
  if (diagnostics.length > 0) return { diagnostics };
  return { diagnostics, value: { type: 'map', at: header.at, entries } };
}

const rowOf = (columns: string[], row: CsvRecord): MapNode => ({
  type: 'map',
  at: row.at,
  entries: columns.flatMap((column, i) =>
    row.cells[i] === '' ? [] : [{ key: text(column, row), value: text(row.cells[i]!, row) }],
  ),
});

const text = (value: string, { at }: CsvRecord): ScalarNode => ({ type: 'scalar', at, text: value, value });

interface CsvRecord {
  cells: string[];
  at: ScalarNode['at'];
}

function recordsOf(source: Source): CsvRecord[] | Diagnostic {
  try {
    const found = parse(source.text, {
      info: true,
      trim: true,
      skipEmptyLines: true,
      relaxColumnCount: true,
    }) as unknown as { record: string[]; info: { bytes: number } }[];
    const bytes = Buffer.from(source.text);
    let end = 0;
    let read = 0;
    return found.map(({ record, info }) => {
      const start = end;
      end += bytes.subarray(read, info.bytes).toString().length;
      read = info.bytes;
      // The line end before a record belongs to the last one, or to blank lines between them.
      const lead = /^\s*/.exec(source.text.slice(start, end))![0].length;
      return { cells: record, at: { source, start: start + lead, end: Math.max(start + lead, end) } };
    });
  } catch (error) {
    const { lines, code } = error as { lines?: number; code?: string };
    return problem(
      'data/csv',
      `this is not CSV${code === undefined ? '' : `: ${code.replace(/^CSV_/, '').replaceAll('_', ' ').toLowerCase()}`}`,
      {
        at: { file: source.file, line: lines ?? 1, column: 1 },
        hint: 'put cells with commas or quotes in double quotes, and double the quotes inside',
      },
    );
  }
}
