import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import writeFileAtomic from 'write-file-atomic';
import type { ChangedFile } from '../accept/accept.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { systemText } from '../model/system-error.ts';

/** Puts a text or bytes in the place of a file, whole or not at all. */
type Write = (path: string, content: string | Buffer) => Promise<void>;

const atomically: Write = (path, content) => writeFileAtomic(path, content);

/** Writes all files or none; where one cannot be brought back either, it is named. Throws `Problems`. */
export async function writeAll(files: ChangedFile[], write: Write = atomically): Promise<void> {
  const found = await Promise.all(files.map(async (file) => ({ ...file, bytes: await currentBytes(file) })));
  const written: typeof found = [];
  for (const file of found)
    try {
      await write(file.path, bytesOf(file.after, file.bytes));
      written.push(file);
    } catch (error) {
      const stuck: string[] = [];
      for (const { path, name, bytes } of written) await write(path, bytes).catch(() => stuck.push(name));
      throw new Problems([
        problem('accept/unwritable', `${file.name} cannot be written: ${systemText(error as Error)}`, {
          hint:
            stuck.length === 0
              ? 'all files are as they were'
              : `${stuck.join(', ')} was already written and cannot be restored: \`git checkout\` it, or keep it`,
        }),
      ]);
    }
}

/** The content on disk, which must be the one that was read. */
async function currentBytes({ path, name, before }: ChangedFile): Promise<Buffer> {
  try {
    await access(path, constants.W_OK);
  } catch (error) {
    throw unwritable(name, (error as Error).message);
  }
  // Whoever may do anything is asked not to, too: another file would take its place.
  if (((await stat(path)).mode & 0o222) === 0) throw unwritable(name, 'it is read-only');
  const bytes = await readFile(path);
  if (!bytes.equals(Buffer.from(bytesOf(before, bytes))))
    throw new Problems([
      problem('accept/changed', `${name} changed in the meantime`, {
        hint: 'run it again; nothing was written',
      }),
    ]);
  return bytes;
}

const unwritable = (name: string, why: string): Problems =>
  new Problems([
    problem('accept/unwritable', `${name} cannot be written: ${why}`, { hint: 'nothing was written' }),
  ]);

/** A text with the byte order mark that the file has. */
const bytesOf = (text: string, bytes: Buffer): string =>
  bytes.subarray(0, 3).equals(Buffer.from('\ufeff')) ? `\ufeff${text}` : text;
