import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Host, resolvePath } from '../host.ts';
import { raise } from '../model/diagnostic.ts';
import { describeSystemError } from '../model/problems-of.ts';

/**
 * Writes a file that a flag names, such as `apply --report` or `schema --out`, completely or not at all, so that no other program reads half of
 * it. Throws `Problems` as `prepareOutputFile` does.
 */
export async function writeOutputFile(host: Host, path: string, text: string): Promise<void> {
  const file = await prepareOutputFile(host, path);
  const { default: writeFileAtomic } = await import('write-file-atomic');
  await writeFileAtomic(file, text).catch(refuseUnwritable(path));
}

/**
 * Returns the absolute path of a file that a flag names, such as `plan --out`, after creating its folder. `apply --report` and `api --output`
 * also call it before their work, so that a wrong path fails early. Throws `Problems` if the folder cannot be created, or if the path is a
 * folder, a device or a pipe: to replace a device or a pipe would break it for other programs.
 */
export async function prepareOutputFile(host: Host, path: string): Promise<string> {
  const file = resolvePath(host, path);
  const status = await stat(file).catch(() => undefined);
  if (status && !status.isFile())
    raise('output/no-file', `${path} is ${fileTypeOf(status)} and is not overwritten`, {
      hint: 'name a regular file, or drop the flag and redirect the output: `> PATH`',
    });
  await mkdir(dirname(file), { recursive: true }).catch(refuseUnwritable(path));
  return file;
}

/**
 * Returns a handler for a failed write to a path that a user or `init --ci` chose. It throws a file system error as `Problems` about the path,
 * with a hint. Other errors are thrown unchanged.
 */
export const refuseUnwritable =
  (path: string) =>
  (error: Error): never => {
    if (!('syscall' in error)) throw error;
    raise('file/unwritable', `${path} cannot be written: ${describeSystemError(error)}`, {
      hint: 'choose a file in a writable folder',
    });
  };

/** Returns what a path is that is not a regular file, for messages. */
function fileTypeOf(status: Awaited<ReturnType<typeof stat>>): string {
  if (status.isDirectory()) return 'a folder';
  if (status.isFIFO()) return 'a pipe';
  return status.isSocket() ? 'a socket' : 'a device';
}
