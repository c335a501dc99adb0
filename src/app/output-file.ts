import { lstat, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { CiFile } from '../ci/repository.ts';
import { type Diagnostic, Problems, problem } from '../model/diagnostic.ts';
import { describeSystemError } from '../model/system-error.ts';
import { type Host, pathOn } from './host.ts';

/** Writes a file that a flag names, whole or not at all. Throws `Problems` as `outputFile` does. */
export async function writeOutputFile(host: Host, path: string, text: string): Promise<void> {
  const file = await prepareOutputFile(host, path);
  const { default: writeFileAtomic } = await import('write-file-atomic');
  await writeFileAtomic(file, text).catch(refuseUnwritable(path));
}

/**
 * The whole path of a file that a flag names, in a folder that is there from now on. Throws `Problems` where none can be made, and for
 * what is there and no file: replacing a device or a pipe would break it for others.
 */
export async function prepareOutputFile(host: Host, path: string): Promise<string> {
  const file = pathOn(host, path);
  const found = await stat(file).catch(() => undefined);
  if (found && !found.isFile())
    throw new Problems('output/no-file', `${path} is ${sortOf(found)} and is not overwritten`, {
      hint: 'name a regular file, or drop the flag and redirect the output: `> PATH`',
    });
  await mkdir(dirname(file), { recursive: true }).catch(refuseUnwritable(path));
  return file;
}

/** Says of an error of the file system what to do. */
export const refuseUnwritable =
  (path: string) =>
  (error: Error): never => {
    if (!('syscall' in error)) throw error;
    throw new Problems('output/unwritable', `${path} cannot be written: ${describeSystemError(error)}`, {
      hint: 'choose a file in a writable folder',
    });
  };

const sortOf = (found: Awaited<ReturnType<typeof stat>>): string =>
  found.isDirectory() ? 'a folder' : found.isFIFO() ? 'a pipe' : found.isSocket() ? 'a socket' : 'a device';

/**
 * The paths of those files below a folder that are not there yet. Throws `Problems` for each that is there with another text, or behind
 * a link, which may lead anywhere.
 */
export async function findUnwrittenFiles(files: CiFile[], top: string): Promise<Set<string>> {
  const missing = new Set<string>();
  const wrong: Diagnostic[] = [];
  for (const { path, text } of files) {
    const link = await linkOn(path, top);
    if (link !== undefined) {
      wrong.push(
        problem('init/ci-exists', `${path} would be written through the symbolic link ${link}`, {
          hint: 'remove the link and run this again; nothing was written',
        }),
      );
      continue;
    }
    const there = await readFile(join(top, path), 'utf8').catch((error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' ? undefined : '',
    );
    if (there === undefined) missing.add(path);
    else if (there !== text)
      wrong.push(
        problem('init/ci-exists', `${path} already exists; nothing was written`, {
          hint: 'commit it, delete it and run this again: `git diff` then shows your changes next to the new version',
        }),
      );
  }
  if (wrong.length > 0) throw new Problems(wrong);
  return missing;
}

/** The first part of a path that is a link; undefined where none is. */
async function linkOn(path: string, top: string): Promise<string | undefined> {
  const names = path.split('/');
  for (const key of names.keys()) {
    const part = names.slice(0, key + 1).join('/');
    const status = await lstat(join(top, part)).catch(() => undefined);
    if (status?.isSymbolicLink()) return part;
  }
  return undefined;
}

/** Writes files that are not there, with the folders that they are in. Throws `Problems` where that cannot be done. */
export async function writeNewFiles(files: CiFile[], top: string): Promise<void> {
  for (const { path, text } of files) {
    const file = join(top, path);
    await mkdir(dirname(file), { recursive: true }).catch(refuseUnwritable(path));
    await writeFile(file, text, { flag: 'wx' }).catch(refuseUnwritable(path));
  }
}
