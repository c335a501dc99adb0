import { writeFile } from 'node:fs/promises';
import writeFileAtomic from 'write-file-atomic';

/**
 * Replaces the content of a file, or creates it, completely or not at all: another program never reads half of it, and a full disk leaves
 * the file as it was. `content`: the text, or its parts, so that a large text is never in memory as a whole. `mode`: the permissions of the
 * file; without it, an existing file keeps its own.
 */
export async function replaceFile(
  path: string,
  content: string | Buffer | Iterable<string | Buffer>,
  mode?: number,
): Promise<void> {
  // The content is in the temporary file before `writeFileAtomic` adds its own, empty text and renames the file. It would write a text with
  // one call of the system, which a full disk ends early without an error, so that the file would be cut.
  const tmpfileCreated = (temporaryPath: string) => writeFile(temporaryPath, content);
  await writeFileAtomic(path, '', { mode, tmpfileCreated });
}
