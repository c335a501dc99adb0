import { lstat, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { refuseUnwritable } from '../files/output-file.ts';
import { Reporter, raiseErrors } from '../model/diagnostic.ts';
import type { CiFile } from './repository.ts';

/**
 * Returns the paths of the files below `top` that do not exist yet, before `init` writes them. Throws `Problems` for files that exist with another
 * text, and for paths with a symbolic link, because it could lead out of the folder.
 */
export async function findUnwrittenFiles(files: CiFile[], top: string): Promise<Set<string>> {
  const missing = new Set<string>();
  const report = new Reporter();
  for (const { path, text } of files) {
    const link = await findLinkIn(path, top);
    if (link !== undefined) {
      report.error('init/ci-exists', `${path} would be written through the symbolic link ${link}`, {
        hint: 'remove the link and run this again; nothing was written',
      });
      continue;
    }
    const currentText = await readFile(join(top, path), 'utf8').catch((error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' ? undefined : '',
    );
    if (currentText === undefined) missing.add(path);
    else if (currentText !== text)
      report.error('init/ci-exists', `${path} already exists; nothing was written`, {
        hint: 'commit it, delete it and run this again: `git diff` then shows your changes next to the new version',
      });
  }
  raiseErrors(report.diagnostics);
  return missing;
}

/**
 * Returns the first part of a path that is a symbolic link; undefined if there is none. `init --ci` does not write a workflow through a link, because
 * the link may lead out of the repository.
 */
async function findLinkIn(path: string, top: string): Promise<string | undefined> {
  const names = path.split('/');
  for (const index of names.keys()) {
    const parentPath = names.slice(0, index + 1).join('/');
    const status = await lstat(join(top, parentPath)).catch(() => undefined);
    if (status?.isSymbolicLink()) return parentPath;
  }
  return undefined;
}

/** Writes the files of `init`, which must not exist yet, and creates their folders. Throws `Problems` if one cannot be written, or exists by now. */
export async function writeNewFiles(files: CiFile[], top: string): Promise<void> {
  for (const { path, text } of files) {
    const file = join(top, path);
    await mkdir(dirname(file), { recursive: true }).catch(refuseUnwritable(path));
    await writeFile(file, text, { flag: 'wx' }).catch(refuseUnwritable(path));
  }
}
