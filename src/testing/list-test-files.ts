import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { isTestFileName } from '../config/test-file-name.ts';

/** Returns the test files in and below a folder, without hidden folders and `node_modules`. Links are not followed. */
export async function listTestFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const filesByEntry = await Promise.all(
    entries.map(async (entry) => {
      const file = path.join(folder, entry.name);
      if (entry.name.startsWith('.') || entry.name === 'node_modules') return [];
      if (entry.isDirectory()) return listTestFiles(file);
      return entry.isFile() && isTestFileName(entry.name) ? [file] : [];
    }),
  );
  return filesByEntry.flat();
}
