import { lstat, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { CiFile } from '../ci/repository.ts';
import { type Diagnostic, Problems, problem, throwIfAny } from '../model/diagnostic.ts';
import { describeSystemError } from '../model/system-error.ts';
import { type Host, pathOn } from './host.ts';

/** Writes a file that a flag names, completely or not at all. Throws `Problems` as `prepareOutputFile` does. */
export async function writeOutputFile(host: Host, path: string, text: string): Promise<void> {
  const file = await prepareOutputFile(host, path);
  const { default: writeFileAtomic } = await import('write-file-atomic');
  await writeFileAtomic(file, text).catch(refuseUnwritable(path));
}

/**
 * Returns the absolute path of a file that a flag names, after creating its folder. Throws `Problems` if the folder cannot be created, or if the path
 * is a folder, a device or a pipe: to replace a device or a pipe would break it for other programs.
 */
export async function prepareOutputFile(host: Host, path: string): Promise<string> {
  const file = pathOn(host, path);
  const status = await stat(file).catch(() => undefined);
  if (status && !status.isFile())
    throw new Problems('output/no-file', `${path} is ${fileTypeOf(status)} and is not overwritten`, {
      hint: 'name a regular file, or drop the flag and redirect the output: `> PATH`',
    });
  await mkdir(dirname(file), { recursive: true }).catch(refuseUnwritable(path));
  return file;
}

/** Returns a handler that throws a file system error as `Problems` about a path, with a hint. Other errors are thrown unchanged. */
export const refuseUnwritable =
  (path: string) =>
  (error: Error): never => {
    if (!('syscall' in error)) throw error;
    throw new Problems('output/unwritable', `${path} cannot be written: ${describeSystemError(error)}`, {
      hint: 'choose a file in a writable folder',
    });
  };

/** Returns what a path is that is not a regular file, for messages. */
function fileTypeOf(status: Awaited<ReturnType<typeof stat>>): string {
  if (status.isDirectory()) return 'a folder';
  if (status.isFIFO()) return 'a pipe';
  return status.isSocket() ? 'a socket' : 'a device';
}

/**
 * Returns the paths of the files below `top` that do not exist yet, before `init` writes them. Throws `Problems` for files that exist with another
 * text, and for paths with a symbolic link, because it could lead out of the folder.
 */
export async function findUnwrittenFiles(files: CiFile[], top: string): Promise<Set<string>> {
  const missing = new Set<string>();
  const problems: Diagnostic[] = [];
  for (const { path, text } of files) {
    const link = await findLinkIn(path, top);
    if (link !== undefined) {
      problems.push(
        problem('init/ci-exists', `${path} would be written through the symbolic link ${link}`, {
          hint: 'remove the link and run this again; nothing was written',
        }),
      );
      continue;
    }
    const currentText = await readFile(join(top, path), 'utf8').catch((error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' ? undefined : '',
    );
    if (currentText === undefined) missing.add(path);
    else if (currentText !== text)
      problems.push(
        problem('init/ci-exists', `${path} already exists; nothing was written`, {
          hint: 'commit it, delete it and run this again: `git diff` then shows your changes next to the new version',
        }),
      );
  }
  throwIfAny(problems);
  return missing;
}

/** Returns the first part of a path that is a symbolic link; undefined if there is none. */
async function findLinkIn(path: string, top: string): Promise<string | undefined> {
  const names = path.split('/');
  for (const index of names.keys()) {
    const parentPath = names.slice(0, index + 1).join('/');
    const status = await lstat(join(top, parentPath)).catch(() => undefined);
    if (status?.isSymbolicLink()) return parentPath;
  }
  return undefined;
}

/** Writes files that do not exist yet, and creates their folders. Throws `Problems` if one cannot be written, or exists by now. */
export async function writeNewFiles(files: CiFile[], top: string): Promise<void> {
  for (const { path, text } of files) {
    const file = join(top, path);
    await mkdir(dirname(file), { recursive: true }).catch(refuseUnwritable(path));
    await writeFile(file, text, { flag: 'wx' }).catch(refuseUnwritable(path));
  }
}
