import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { isTestFileName } from '../config/test-file-name.ts';

/**
 * Returns the test files in a folder and below it. Leaves out hidden folders, `node_modules`, and links. Also leaves out folders below it
 * that may not be read, because they contain nothing of the repository: the data of a database in a container, for example. Rejects if the
 * folder itself cannot be read.
 */
export async function listTestFiles(folder: string): Promise<string[]> {
  const children = await readdir(folder, { withFileTypes: true });
  const filesByChild = await Promise.all(
    children.map(async (child) => {
      const childPath = path.join(folder, child.name);
      if (child.name.startsWith('.') || child.name === 'node_modules') return [];
      if (child.isDirectory()) return listTestFiles(childPath).catch(ignoreDenial);
      return child.isFile() && isTestFileName(child.name) ? [childPath] : [];
    }),
  );
  return filesByChild.flat();
}

/** Returns no files for a folder that may not be read. Throws every other error. */
function ignoreDenial(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'EACCES' || error.code === 'EPERM') return [];
  throw error;
}
