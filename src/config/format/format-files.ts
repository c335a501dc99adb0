import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { replaceFile } from '../../files/replace-file.ts';
import { describeSystemError } from '../../model/describe-errors.ts';
import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import type { FoundFile } from '../find-files.ts';
import { readBytes, sourceOf } from '../yaml/read-documents.ts';
import { lineWithoutValues, Source } from '../yaml/source.ts';
import { formatYaml } from './format-yaml.ts';

/**
 * The result of formatting one text. `isChanged`: the formatted text differs. With `diagnostics` the text has errors and stays as it is.
 */
type FormatResult =
  | { before: string; after: string; isChanged: boolean; diagnostics?: undefined }
  | { diagnostics: Diagnostic[] };

/**
 * Formats the YAML text in the bytes of a file, for `trueup fmt`. Returns the text before and after, or
 * problems. A file that is JSON by its name is only checked and stays as it is, because other programs would
 * not understand YAML there. The two are compared as bytes, so that a byte order mark, which decoding
 * removes, counts as a difference.
 */
export function formatBytes(name: string, bytes: Buffer): FormatResult {
  const source = sourceOf(name, bytes);
  if (!(source instanceof Source)) return { diagnostics: [source] };
  const { text, diagnostics } = formatYaml(source);
  if (diagnostics) return { diagnostics };
  const before = bytes.toString('utf8');
  if (/\.json$/i.test(name)) return { before, after: before, isChanged: false };
  return { before, after: text, isChanged: !bytes.equals(Buffer.from(text)) };
}

/**
 * Formats a file for `trueup fmt`, and writes it if that changes it; with `isCheck` (`fmt --check`) nothing
 * is written. Returns the text before and after. A file that cannot be read, parsed or written gives problems
 * instead, so that the other files are still formatted.
 */
export async function formatFile({ path, name }: FoundFile, isCheck: boolean): Promise<FormatResult> {
  const bytes = await readBytes({ path, name });
  if (!Buffer.isBuffer(bytes)) return { diagnostics: [bytes] };
  const result = formatBytes(name, bytes);
  if (result.diagnostics || !result.isChanged || isCheck) return result;
  try {
    // Replacing a file needs only a writable folder, so a write-protected file has to be checked.
    await access(path, constants.W_OK);
    await replaceFile(path, result.after);
    return result;
  } catch (error) {
    return {
      diagnostics: [
        problem('file/unwritable', `${name} cannot be written: ${describeSystemError(error as Error)}`, {
          hint: 'check the permissions of the file and its folder; the file is unchanged',
        }),
      ],
    };
  }
}

/** The number of unchanged lines above the change. */
const linesAbove = 1;
/** The most lines of each text that are shown. */
const maxShownLines = 3;
/** How many lines the search for the end of the change looks at, in both texts together. */
const searchedLines = 40;

/**
 * Returns lines that describe the first difference between two texts, for `fmt --check`: the line number,
 * then a few lines of each text. Shows only the shape of each line, because a file may contain secrets, and
 * formatting does not change values.
 */
export function describeFirstChange(before: string, after: string): string[] {
  const beforeLines = splitLines(before);
  const afterLines = splitLines(after);
  const firstDifference = beforeLines.findIndex((line, index) => line !== afterLines[index]);
  const start = firstDifference < 0 ? beforeLines.length : firstDifference;
  const [removed, added] = differingLines(beforeLines.slice(start), afterLines.slice(start));
  const context = beforeLines.slice(Math.max(0, start - linesAbove), start);
  return [
    `  @@ line ${start + 1} @@`,
    ...context.map((line) => `    ${formatLineShape(line)}`),
    ...markedLines('-', removed),
    ...markedLines('+', added),
  ];
}

/** Splits a text into lines that keep their line ends, because two texts may differ only in a line end. */
const splitLines = (text: string): string[] => text.split(/(?<=\n)/);

/**
 * Returns the first lines of two texts, up to the line that both have in common again, so that `fmt --check`
 * shows only the change. Searches pairs of lines from the beginning, the nearest first. Returns all lines if
 * no common line comes soon.
 */
function differingLines(a: string[], b: string[]): [string[], string[]] {
  // `sum`: the number of lines in front of the compared pair, in both texts together; `i` of them are in `a`.
  for (let sum = 1; sum <= searchedLines; sum++)
    for (let i = 0; i <= sum; i++) {
      // Blank lines are equal by chance.
      const isBlank = !a[i]?.trim();
      if (!isBlank && a[i] === b[sum - i]) return [a.slice(0, i), b.slice(0, sum - i)];
    }
  return [a, b];
}

/**
 * Formats the first few lines of a change behind `-` or `+`, and the number of the others. `trueup fmt --check` shows
 * them, so that the user sees why a file counts as not formatted.
 */
function markedLines(mark: '-' | '+', lines: string[]): string[] {
  const shown = lines.slice(0, maxShownLines).map((line) => `  ${mark} ${formatLineShape(line)}`.trimEnd());
  const hiddenCount = lines.length - shown.length;
  return hiddenCount > 0 ? [...shown, `  ${mark} ... ${hiddenCount} more lines`] : shown;
}

/**
 * Returns a line without its values, such as `key: …`, and with marks for invisible differences: byte order
 * marks, tabs, blanks at its end and line ends. The file may contain secrets, so `trueup fmt --check` must
 * not print its values.
 */
function formatLineShape(line: string): string {
  const [, byteOrderMark, text, trailing, lineEnd] = /^(\ufeff?)(.*?)([ \t]*)(\r?\n)?$/s.exec(line)!;
  return [
    byteOrderMark && '(BOM)',
    lineWithoutValues(text!.replaceAll('\t', '→')),
    trailing!.replaceAll(' ', '·').replaceAll('\t', '→'),
    formatLineEnd(lineEnd),
  ].join('');
}

/** Returns a visible form of a line end that differs from `\n`; empty for `\n` itself. */
function formatLineEnd(lineEnd: string | undefined): string {
  if (lineEnd === undefined) return ' (no newline at end of file)';
  return lineEnd === '\n' ? '' : '␍';
}
