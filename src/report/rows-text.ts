import { cleanLine } from './clean.ts';
import { cut, displayWidth, fold } from './cut.ts';
import { show } from './show.ts';
import { plainly, type Style } from './style.ts';

/** A value in a cell. */
const cell = (value: unknown): string => (value === undefined ? '' : cleanLine(show(value)));

/** So wide a column is at most, but for the last one. */
const widest = 44;

/** Objects as a table with a line for each, under the names of the fields. */
export function tableText(
  rows: readonly Record<string, unknown>[],
  columns: readonly string[],
  style: Style,
): string {
  const shown = columns.filter((name) => rows.some((row) => row[name] !== undefined));
  const cells = [
    shown.map((name) => name.toUpperCase()),
    ...rows.map((row) => shown.map((name) => cell(row[name]))),
  ];
  const widths = shown.map((_, at) =>
    Math.min(widest, Math.max(...cells.map((line) => displayWidth(line[at]!)))),
  );
  const lines = cells.map((line) =>
    line
      .map((text, at) => (at === line.length - 1 ? text : padded(cut(text, widths[at]!), widths[at]!)))
      .join('  ')
      .trimEnd(),
  );
  const [head = '', ...rest] = lines.map((line) => cut(line, style.width));
  return plainly([style.quiet(head), ...rest].join('\n'), style);
}

/** One object, with a line for each field. */
export function fieldsText(row: Record<string, unknown>, style: Style): string {
  const entries = Object.entries(row).filter(([, value]) => value !== undefined);
  const width = Math.max(0, ...entries.map(([name]) => displayWidth(name)));
  const lines = entries.flatMap(([name, value]) => {
    const [first = '', ...rest] = fold(cell(value), Math.max(20, style.prose - width - 2));
    return [
      `${style.strong(padded(name, width))}  ${first}`,
      ...rest.map((line) => ' '.repeat(width + 2) + line),
    ];
  });
  return plainly(lines.join('\n'), style);
}

const padded = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - displayWidth(text)));
