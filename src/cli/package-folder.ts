import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** The folder that npm takes the tool from: the nearest one upwards with a lockfile, else the top; and whether that has trueup. */
export async function packageFolder(
  from: string,
  top: string,
): Promise<{ folder: string; hasTrueup: boolean }> {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const text = await readFile(path.join(folder, 'package-lock.json'), 'utf8').catch(() => undefined);
    if (text !== undefined) return { folder, hasTrueup: hasTrueup(text) };
    if (folder === top || folder === path.dirname(folder)) return { folder: top, hasTrueup: false };
  }
}

function hasTrueup(lockfile: string): boolean {
  try {
    const { packages = {} } = JSON.parse(lockfile) as { packages?: Record<string, unknown> };
    return Object.hasOwn(packages, 'node_modules/trueup');
  } catch {
    return false;
  }
}
