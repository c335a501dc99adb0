import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { Problems, problem } from '../model/diagnostic.ts';
import { type Host, pathOn } from './host.ts';

/**
 * Writes a file that a flag names, whole or not at all, with the folders above it. Throws `Problems` for what is there and no file:
 * replacing a device or a pipe would break it for others.
 */
export async function writeOutput(host: Host, path: string, text: string): Promise<void> {
  const file = pathOn(host, path);
  await refuseNoFile(host, path);
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFileAtomic(file, text);
  } catch (error) {
    throw new Problems([
      problem('output/unwritable', `${path} cannot be written: ${(error as Error).message}`, {
        hint: 'name a file in a folder that you may write to; nothing was changed',
      }),
    ]);
  }
}

/** Throws `Problems` for what is there and no file. */
export async function refuseNoFile(host: Host, path: string): Promise<void> {
  const found = await stat(pathOn(host, path)).catch(() => undefined);
  if (found && !found.isFile())
    throw new Problems([
      problem('output/no-file', `${path} is ${sortOf(found)}, and is not written over`, {
        hint: 'name a file; without the flag it is printed, and the shell can send it anywhere: `> PATH`',
      }),
    ]);
}

const sortOf = (found: Awaited<ReturnType<typeof stat>>): string =>
  found.isDirectory() ? 'a folder' : found.isFIFO() ? 'a pipe' : found.isSocket() ? 'a socket' : 'a device';
