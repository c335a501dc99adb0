import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { isTestFileName } from '../config/test-file-name.ts';

/**
 * Returns the test files in and below a folder, without hidden folders and `node_modules`. Links are not followed. Folders below it that cannot be read are
 * left out, such as the data of a database that runs in a container: nothing of the repository is in them. Rejects if the folder itself cannot be read.
 */
export async function listTestFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const filesByEntry = await Promise.all(
    entries.map(async (entry) => {
      const file = path.join(folder, entry.name);
      if (entry.name.startsWith('.') || entry.name === 'node_modules') return [];
      if (entry.isDirectory()) return listTestFiles(file).catch(ignoreDenial);
      return entry.isFile() && isTestFileName(entry.name) ? [file] : [];
    }),
  );
  return filesByEntry.flat();
}

/** Returns no files for a folder that may not be read. Throws every other error. */
function ignoreDenial(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'EACCES' || error.code === 'EPERM') return [];
  throw error;
}
