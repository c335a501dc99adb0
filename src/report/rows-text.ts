import { clean, cleanLine } from './clean.ts';
import { count, listed } from './count.ts';
import { cut, displayWidth, fold } from './cut.ts';
import { show } from './show.ts';
import { plainly, type Style } from './style.ts';

/** A value in a cell. */
const cell = (value: unknown): string => (value === undefined ? '' : cleanLine(show(value)));

/** So wide a column is at most, but for the last one. */
const widestCell = 44;

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
  const widths = shown.map((_, index) =>
    Math.min(widestCell, Math.max(...cells.map((line) => displayWidth(line[index]!)))),
  );
  const lines = cells.map((line) =>
    line
      .map((text, index) =>
        index === line.length - 1 ? text : padded(cut(text, widths[index]!), widths[index]!),
      )
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

/** A secret of a configuration, without its value. */
export interface SecretLine {
  /** `database`; a member of a family is `db[at]`. Of a reference: `field secret of ADDRESS`. */
  name: string;
  /** `env NAME`, `file PATH`, `command WORDS`; of a reference `account`, or `configuration` if that states the value. */
  source: string;
  /** Addresses, by name. */
  neededBy: string[];
  state: 'there' | 'missing' | 'not checked' | 'not needed';
  /** Why it is missing, and what to do. */
  why?: string;
  hint?: string;
}

const fewUsers = 10;

/** The secrets of a stack, or of the one called `of`: what is missing stands out, and the last line counts. */
export function secretsText(secrets: SecretLine[], { style, of }: { style: Style; of?: string }): string {
  const widest = Math.min(40, Math.max(0, ...secrets.map(({ name }) => cleanLine(name).length)));
  const lines = secrets.flatMap((secret) => {
    const { name, source, neededBy, state, why, hint } = secret;
    const shown =
      state === 'missing' ? style.alarm(state) : state === 'there' ? 'available' : style.quiet(state);
    const more = neededBy.length - fewUsers;
    const users = neededBy.slice(0, fewUsers).map(cleanLine);
    const needed = more > 0 ? `${users.join(', ')} and ${more} more` : listed(users);
    return [
      `${style.strong(cleanLine(name).padEnd(widest))}  ${shown}  ${cleanLine(source)}`,
      ...(needed === '' ? [] : fold(`  needed by ${needed}`, style.width, '    ').map(style.quiet)),
      ...(why === undefined
        ? []
        : clean(why)
            .split('\n')
            .flatMap((line, index) => fold(index === 0 ? `  ${line}` : `  | ${line}`, style.prose, '    '))),
      ...(hint === undefined ? [] : fold(`  -> ${cleanLine(hint)}`, style.prose, '     ')),
    ];
  });
  const number = (state: SecretLine['state']) => secrets.filter((secret) => secret.state === state).length;
  const [missing, unchecked] = [number('missing'), number('not checked')];
  const total = [
    `${of === undefined ? '' : `${cleanLine(of)}: `}${count(secrets.length, 'secret')}`,
    ...(secrets.length === 0 ? [] : [missing === 0 ? 'none missing' : `${missing} missing`]),
    ...(unchecked > 0 ? [`${unchecked} not checked`] : []),
  ].join(', ');
  return plainly([...lines, ...(lines.length > 0 ? [''] : []), style.strong(`${total}.`)].join('\n'), style);
}
