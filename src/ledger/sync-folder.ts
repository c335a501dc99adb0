import { open } from 'node:fs/promises';

/** The errors of systems and file systems that cannot flush a folder, and of a folder that is gone, so that there is nothing to flush. */
const ignoredCodes: ReadonlySet<string | undefined> = new Set([
  'EACCES',
  'EBADF',
  'EINVAL',
  'EISDIR',
  'ENOENT',
  'ENOSYS',
  'ENOTSUP',
  'EPERM',
]);

/**
 * Flushes the entries of a folder to the disk, so that a power loss does not undo that a file in it was created, renamed or removed. Called
 * before a run relies on the change, for example before it empties the journal because the ledger was replaced. Does nothing on systems
 * that cannot flush a folder, such as Windows. Rejects with the file system's error otherwise.
 */
export async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path);
    await folder.sync().finally(() => folder.close());
  } catch (error) {
    if (!ignoredCodes.has((error as NodeJS.ErrnoException).code)) throw error;
  }
}
