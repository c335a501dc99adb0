import { constants } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import writeFileAtomic from 'write-file-atomic';
import type { ChangedFile } from '../accept/accept.ts';
import { Problems, problem } from '../model/diagnostic.ts';

/** Writes all files or none. Throws `Problems`. */
export async function writeAll(files: ChangedFile[]): Promise<void> {
  const found = await Promise.all(files.map(async (file) => ({ ...file, bytes: await currentBytes(file) })));
  const written: typeof found = [];
  try {
    for (const file of found) {
      written.push(file);
      await writeFileAtomic(file.path, bytesOf(file.after, file.bytes));
    }
  } catch (error) {
    for (const { path, bytes } of written) await writeFileAtomic(path, bytes).catch(() => {});
    throw new Problems([
      problem('accept/unwritable', `${written.at(-1)!.name} cannot be written: ${(error as Error).message}`, {
        hint: 'all files are as they were',
      }),
    ]);
  }
}

/** What is on disk, which has to be what was read. */
async function currentBytes({ path, name, before }: ChangedFile): Promise<Buffer> {
  try {
    await access(path, constants.W_OK);
  } catch (error) {
    throw new Problems([
      problem('accept/unwritable', `${name} cannot be written: ${(error as Error).message}`, {
        hint: 'nothing was written',
      }),
    ]);
  }
  const bytes = await readFile(path);
  if (!bytes.equals(Buffer.from(bytesOf(before, bytes))))
    throw new Problems([
      problem('accept/changed', `${name} has changed while this was decided`, {
        hint: 'run it again; nothing was written',
      }),
    ]);
  return bytes;
}

/** A text with the byte order mark that the file has. */
const bytesOf = (text: string, bytes: Buffer): string =>
  bytes.subarray(0, 3).equals(Buffer.from('\ufeff')) ? `\ufeff${text}` : text;
