import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { Problems, problem } from '../model/diagnostic.ts';
import { systemText } from '../model/system-error.ts';
import { type Host, pathOn } from './host.ts';

/** Writes a file that a flag names, whole or not at all. Throws `Problems` as `outputFile` does. */
export async function writeOutput(host: Host, path: string, text: string): Promise<void> {
  const file = await outputFile(host, path);
  await writeFileAtomic(file, text).catch(refuseUnwritable(path));
}

/**
 * The whole path of a file that a flag names, in a folder that is there from now on. Throws `Problems` where none can be made, and for
 * what is there and no file: replacing a device or a pipe would break it for others.
 */
export async function outputFile(host: Host, path: string): Promise<string> {
  const file = pathOn(host, path);
  const found = await stat(file).catch(() => undefined);
  if (found && !found.isFile())
    throw new Problems([
      problem('output/no-file', `${path} is ${sortOf(found)} and is not overwritten`, {
        hint: 'name a regular file, or drop the flag and redirect the output: `> PATH`',
      }),
    ]);
  await mkdir(dirname(file), { recursive: true }).catch(refuseUnwritable(path));
  return file;
}

/** Says of an error of the file system what to do. */
export const refuseUnwritable =
  (path: string) =>
  (error: Error): never => {
    if (!('syscall' in error)) throw error;
    throw new Problems([
      problem('output/unwritable', `${path} cannot be written: ${systemText(error)}`, {
        hint: 'choose a file in a writable folder',
      }),
    ]);
  };

const sortOf = (found: Awaited<ReturnType<typeof stat>>): string =>
  found.isDirectory() ? 'a folder' : found.isFIFO() ? 'a pipe' : found.isSocket() ? 'a socket' : 'a device';
