import { constants } from 'node:fs';
import { access, mkdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { findTrackedLink } from '../git/find-tracked-link.ts';
import { type Host, resolvePath } from '../host.ts';
import { describeSystemError } from '../model/describe-errors.ts';
import { type Diagnostic, problem, raise } from '../model/diagnostic.ts';
import { isInside } from '../paths.ts';
import { replaceFile } from './replace-file.ts';

/**
 * Writes a file that a flag names, such as `apply --report` or `schema --out`, completely or not at all, so that no other program reads
 * half of it. `mode`: the permissions of the file. Throws `Problems` as `prepareOutputFile` does, and if the file cannot be written.
 */
export async function writeOutputFile(
  host: Host,
  path: string,
  content: string | Buffer,
  mode?: number,
): Promise<void> {
  const file = await prepareOutputFile(host, path);
  await replaceFile(file, content, mode).catch(refuseUnwritable(path));
}

/**
 * Returns the absolute path of a file that a flag names, such as `plan --out`, after creating its folder. Some commands call it before
 * their work, so that a wrong path fails early. Throws `Problems` if the folder cannot be created, if the path leads through a link that git
 * tracks, or out of the working directory through any link, or if it is a folder, a device or a pipe: to replace a device or a pipe would
 * break it for other programs.
 */
export async function prepareOutputFile(host: Host, path: string): Promise<string> {
  const file = resolvePath(host, path);
  await refuseLinkOutside(host, path, file);
  await refuseTrackedLink(host, path, file);
  const status = await stat(file).catch(() => undefined);
  if (status && !status.isFile())
    raise('output/no-file', `${path} is ${fileTypeOf(status)} and is not overwritten`, {
      hint: 'name a regular file, or drop the flag and redirect the output: `> PATH`',
    });
  await mkdir(dirname(file), { recursive: true }).catch(refuseUnwritable(path));
  return file;
}

/**
 * Throws `Problems` if a file in the working directory is a link to a file outside, or lies behind a link to a folder outside: a branch
 * with such a link could otherwise have any file overwritten. Needed beside `refuseTrackedLink` for links that git does not track, such as
 * those in an unpacked archive, and for machines without git. A path outside of the working directory is not checked, because the operator
 * chose it. `path`: as the operator wrote it; `file`: its absolute form. A link to nothing is no danger: it is replaced, or its folder
 * cannot be created.
 */
async function refuseLinkOutside({ cwd }: Host, path: string, file: string): Promise<void> {
  if (!isInside(file, cwd)) return;
  // The file and its folders need not exist yet.
  let existing = file;
  while (!(await stat(existing).catch(() => undefined))) existing = dirname(existing);
  if (isInside(await realpath(existing), await realpath(cwd))) return;
  raise('output/no-file', `${path} leads out of the working directory through a link and is not written`, {
    hint: 'name the file that the link leads to, or remove the link',
  });
}

/** Throws `Problems` if a file lies behind a link that git tracks, or is one, wherever it is: a branch can contain that link. */
async function refuseTrackedLink({ env }: Host, path: string, file: string): Promise<void> {
  const link = await findTrackedLink([file], env);
  if (link === undefined) return;
  raise(
    'output/no-file',
    `${path} leads through the symbolic link ${link}, which git tracks, and is not written`,
    {
      hint: 'name another path, or remove the link from the repository',
    },
  );
}

/**
 * Returns a handler for a failed write to a path that the user chose, such as the file of `plan --out`. It throws
 * an error of the file system as `Problems` about the path, with a hint. Other errors are thrown unchanged.
 */
export const refuseUnwritable =
  (path: string) =>
  (error: Error): never => {
    if (!('syscall' in error)) throw error;
    raise('file/unwritable', `${path} cannot be written: ${describeSystemError(error)}`, {
      hint: 'choose a file in a writable folder',
    });
  };

/**
 * Returns what a path is that is not a regular file, for the message that it cannot be overwritten: `a folder`, `a
 * pipe`.
 */
function fileTypeOf(status: Awaited<ReturnType<typeof stat>>): string {
  if (status.isDirectory()) return 'a folder';
  if (status.isFIFO()) return 'a pipe';
  return status.isSocket() ? 'a socket' : 'a device';
}

/** A file whose text changes. `name`: its path for messages. */
interface TextChange {
  path: string;
  name: string;
  before: string;
  after: string;
}

/**
 * Writes all files that a command edits (`trueup accept` or `remove`, for example), or none: if one cannot be written, the others are
 * restored. Throws `Problems` that name the files that could not be restored either, and if a file is read-only or has changed since it was
 * read.
 */
export async function writeAllOrNone(
  files: TextChange[],
  write: (path: string, content: string | Buffer) => Promise<void> = replaceFile,
): Promise<void> {
  const filesWithBytes = await Promise.all(
    files.map(async (file) => ({ ...file, bytes: await readUnchanged(file) })),
  );
  const written: typeof filesWithBytes = [];
  for (const file of filesWithBytes)
    try {
      await write(file.path, withByteOrderMark(file.after, file.bytes));
      written.push(file);
    } catch (error) {
      const notRestored: string[] = [];
      for (const { path, name, bytes } of written)
        await write(path, bytes).catch(() => notRestored.push(name));
      raise('file/unwritable', `${file.name} cannot be written: ${describeSystemError(error as Error)}`, {
        hint:
          notRestored.length === 0
            ? 'all files are as they were'
            : `${notRestored.join(', ')} was already written and cannot be restored: \`git checkout\` it, or keep it`,
      });
    }
}

/**
 * Reads a file that `writeAllOrNone` is about to replace, so that it can be restored if another file cannot be written. Throws `Problems`
 * if it is read-only, or differs from the text that was read before, because an edit of the user would be lost.
 */
async function readUnchanged({ path, name, before }: TextChange): Promise<Buffer> {
  try {
    await access(path, constants.W_OK);
  } catch (error) {
    raise(unwritableFileProblem(name, (error as Error).message));
  }
  // A privileged user may write a read-only file, but a new file would replace it and lose that protection.
  if (((await stat(path)).mode & 0o222) === 0) raise(unwritableFileProblem(name, 'it is read-only'));
  const bytes = await readFile(path);
  if (!bytes.equals(Buffer.from(withByteOrderMark(before, bytes))))
    raise('accept/changed', `${name} changed in the meantime`, {
      hint: 'run it again; nothing was written',
    });
  return bytes;
}

const unwritableFileProblem = (name: string, reason: string): Diagnostic =>
  problem('file/unwritable', `${name} cannot be written: ${reason}`, { hint: 'nothing was written' });

/** Returns a text with a byte order mark if the current content of its file (`bytes`) has one. */
const withByteOrderMark = (text: string, bytes: Buffer): string =>
  bytes.subarray(0, 3).equals(Buffer.from('\ufeff')) ? `\ufeff${text}` : text;
