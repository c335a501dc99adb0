import { exactGlobOf } from '../config/sources/file-verdict.ts';
import { shellWord } from '../model/diagnostic.ts';
import { cleanLine, count } from '../report/text.ts';
import type { ExportResult } from './export-live.ts';
import { exportedSecretEnv } from './secret-names.ts';
import type { ValuesOutput } from './write-export.ts';

/**
 * Formats the summary that `trueup export` prints: the number of objects, how a plan gets the values that are not in the YAML, and what to
 * check before a commit. `suspicious`: fields that could hold a secret although nothing declares them secret. `written`: the names of the
 * secrets whose values are in the file of `place` (`--values`). `planFiles`: the paths for `-f` of a plan that reads all files of the
 * export; none if a plan reads them without.
 */
export function exportSummary(
  { objectCount, secrets, secretUsers, notes, valueCounts }: ExportResult,
  suspicious: string[],
  {
    place,
    written,
    planFiles = [],
  }: { place: ValuesOutput; written: ReadonlySet<string>; planFiles?: readonly string[] },
): string {
  const { file } = place;
  const planCommand = ['trueup plan', ...planFiles.map((path) => `-f ${shellWord(path)}`)].join(' ');
  const hasValues = file !== undefined && written.size > 0;
  const missing = [...secrets.keys()].filter((name) => !written.has(name));
  return [
    `${count(objectCount, 'object')} exported.`,
    ...(place.to === 'plain' ? [valuesLine(valueCounts)] : []),
    ...(hasValues ? planCommandLines(file, written.size, planCommand) : []),
    ...(missing.length > 0 ? missingValueLines(missing, secretUsers, file) : []),
    ...writtenAsFound(suspicious),
    ...(notes.length > 0 ? ['Not included:', ...notes.map((note) => `  ${note}`)] : []),
    ...(!hasValues && planFiles.length > 0 ? [`To plan with all files: ${planCommand}`] : []),
  ].join('\n');
}

/** Says of how many variables the values are in the YAML, and of how many they are secret and stay in the account. */
const valuesLine = ({ written, kept }: ExportResult['valueCounts']): string =>
  `Values of ${count(written + kept, 'variable')}: ${written} in the YAML, ${kept} secret and left in the account.`;

/**
 * Formats the table in the summary of `trueup export` with the values that a person has to add before an apply, each with the objects that
 * use it.
 */
function missingValueLines(
  names: string[],
  users: ExportResult['secretUsers'],
  file: ValuesOutput['file'],
): string[] {
  const title = file ? `key in ${file.path}` : 'environment variable';
  const rows = names.map((name) => {
    const [firstUser = '', ...otherUsers] = users.get(name) ?? [];
    const use = otherUsers.length === 0 ? firstUser : `${firstUser} and ${otherUsers.length} more`;
    return { key: file ? name : exportedSecretEnv(name), use };
  });
  const width = Math.max(title.length, ...rows.map(({ key }) => key.length)) + 2;
  return [
    file
      ? `The account does not show ${count(names.length, 'value')}. Before you apply, add:`
      : `Secrets and values that may be secrets are not written. Before you apply, set ${count(names.length, 'environment variable')}:`,
    '',
    `  ${title.padEnd(width)}for`,
    ...rows.map(({ key, use }) => `  ${key.padEnd(width)}${use}`),
    '',
  ];
}

/**
 * Returns the lines in the summary of `trueup export` about the file that `--values` wrote: its path, and the command that plans
 * with it: `planCommand` with a flag. The flag is a glob or a list of words, so the path is escaped for it.
 */
const planCommandLines = (
  { format, path }: NonNullable<ValuesOutput['file']>,
  valueCount: number,
  planCommand: string,
): string[] =>
  format === 'dotenv'
    ? [
        `Wrote ${count(valueCount, 'value')} to ${path}, in the clear: keep it out of git. To plan with them:`,
        `  ${planCommand} --allow-files ${shellWord(exactGlobOf(path))}`,
      ]
    : [
        `Wrote ${count(valueCount, 'value')} to ${path}, encrypted. To plan with them:`,
        `  ${planCommand} --allow-command ${shellWord(`sops --decrypt --output-type json ${shellWord(path)}`)}`,
      ];

const maxSuspiciousFields = 10;

/**
 * Returns the lines with which `trueup export` and `accept` ask a person to check fields that were written in the clear and could hold a
 * secret; none for no fields.
 */
export const writtenAsFound = (fields: readonly string[]): string[] =>
  fields.length === 0
    ? []
    : [
        'Written as found: check them for secrets before you commit.',
        ...fields.slice(0, maxSuspiciousFields).map((field) => `  ${cleanLine(field)}`),
        ...(fields.length > maxSuspiciousFields ? [`  and ${fields.length - maxSuspiciousFields} more`] : []),
      ];
