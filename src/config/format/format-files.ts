import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import writeFileAtomic from 'write-file-atomic';
import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import { describeSystemError } from '../../model/system-error.ts';
import type { FoundFile } from '../find-files.ts';
import { readBytes, sourceOf } from '../yaml/read-documents.ts';
import { Source } from '../yaml/source.ts';
import { formatYaml } from './format-yaml.ts';

/** The result of formatting one text. `isChanged`: the formatted text differs. With `diagnostics` the text has errors and stays as it is. */
type FormatResult =
  | { before: string; after: string; isChanged: boolean; diagnostics?: undefined }
  | { diagnostics: Diagnostic[] };

/** Formats the YAML text in `bytes`. Its result is compared by bytes, so that a byte order mark counts as a difference. */
export function formatBytes(name: string, bytes: Buffer): FormatResult {
  const source = sourceOf(name, bytes);
  if (!(source instanceof Source)) return { diagnostics: [source] };
  const { text, diagnostics } = formatYaml(source);
  if (diagnostics) return { diagnostics };
  return { before: bytes.toString('utf8'), after: text, isChanged: !bytes.equals(Buffer.from(text)) };
}

/**
 * Formats a file for `trueup fmt`, and writes it if it changes. With `isCheck` (`fmt --check`) nothing is written. An unreadable or
 * unwritable file is a diagnostic, so that the other files are still formatted.
 */
export async function formatFile({ path, name }: FoundFile, isCheck: boolean): Promise<FormatResult> {
  const bytes = await readBytes({ path, name });
  if (!Buffer.isBuffer(bytes)) return { diagnostics: [bytes] };
  const result = formatBytes(name, bytes);
  if (result.diagnostics || !result.isChanged || isCheck) return result;
  try {
    // Replacing a file needs only a writable folder, so a write-protected file has to be checked.
    await access(path, constants.W_OK);
    await writeFileAtomic(path, result.after);
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
