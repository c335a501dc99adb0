import { formatYaml } from '../config/format/format-yaml.ts';
import { Source } from '../config/yaml/source.ts';
import { problem, raise } from '../model/diagnostic.ts';
import type { ExportedFile } from './export-files.ts';
/** Formats the files of an export as `trueup fmt` would, so that a later `fmt` changes nothing. */
export const formatExportedFiles = (files: ExportedFile[]): ExportedFile[] =>
  files.map(({ name, text }) => ({ name, text: formatYaml(new Source(name, text)).text ?? text }));

/** Throws `Problems` if a file of `--by` has the name of an area's file, because one of the two would be lost. */
export function refuseDuplicateFiles(files: ExportedFile[]): void {
  const names = files.map(({ name }) => name);
  const duplicates = names.filter((name, index) => names.indexOf(name) !== index);
  if (duplicates.length > 0)
    raise(
      duplicates.map((name) =>
        problem('export/by', `${name} is already the file of an area`, {
          hint: 'choose another name for --by, or use --out instead of --out-dir',
        }),
      ),
    );
}
