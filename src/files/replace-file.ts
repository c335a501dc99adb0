import { randomUUID } from 'node:crypto';
import { mkdir, open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';

/**
 * Replaces the content of a file, or creates it, completely or not at all: another program never reads half of it, and a full disk leaves the
 * file as it was. `content`: the text, or its parts, so that a large text is never in memory as a whole. `mode`: the permissions of the file;
 * without it, an existing file keeps its own. A link is kept, and the file that it names is replaced. Rejects with the file system's error.
 *
 * The content goes to a temporary file first, and this is renamed then. Its name is random, and it must not exist (`wx`): at a name that can be
 * foreseen, a hostile branch could commit a link, through which the content would be written anywhere. The package write-file-atomic has such
 * names, and writes with one call of the system, which a full disk ends early without an error.
 */
export async function replaceFile(
  path: string,
  content: string | Buffer | Iterable<string | Buffer>,
  mode?: number,
): Promise<void> {
  const target = await realpath(path).catch(() => path);
  await writeThroughTemporary(`${target}.${randomUUID()}`, target, content, mode);
}

/**
 * Replaces the content of a file with a secret, or creates it, like `replaceFile`, so that only its owner can read it. A process that is
 * killed before it renames the temporary file leaves it behind. A rule of git that ignores `NAME` does not ignore `NAME.<uuid>`, so the
 * temporary file is in a folder with its own `.gitignore`, and no `git add` finds the secret.
 */
export async function replaceSecretFile(path: string, content: string): Promise<void> {
  // Next to the file, because a file can be renamed only within one file system.
  const folder = `${path}.${randomUUID()}`;
  try {
    await mkdir(folder, { mode: 0o700 });
    await writeFile(`${folder}/.gitignore`, '*\n');
    await writeThroughTemporary(`${folder}/content`, path, content, 0o600);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes the content to a new temporary file, and renames this to `target`. Removes the temporary file if that fails. */
async function writeThroughTemporary(
  temporaryPath: string,
  target: string,
  content: string | Buffer | Iterable<string | Buffer>,
  mode: number | undefined,
): Promise<void> {
  const existing = await stat(target).catch(() => undefined);
  try {
    const file = await open(temporaryPath, 'wx', mode ?? existing?.mode);
    try {
      await writeFile(file, content);
      if (existing) {
        // Only a privileged user can give a file to its former owner.
        await file.chown(existing.uid, existing.gid).catch(() => {});
        // `open` would take away the permissions of the umask.
        await file.chmod(mode ?? existing.mode);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporaryPath, target);
  } catch (error) {
    await rm(temporaryPath, { force: true });
    throw error;
  }
}
