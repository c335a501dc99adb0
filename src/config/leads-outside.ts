import { readlink } from 'node:fs/promises';
import path from 'node:path';
import { isInside } from '../paths.ts';

/** The most links that a path may go through, as on Linux. */
const maxLinksInPath = 40;

/**
 * True if a path leads out of a folder, also if nothing exists there. A message that a file is missing would otherwise tell which files of the machine
 * exist, to people who may only write the repository. So each link in the path is followed, also one that leads nowhere. `top`: a real path.
 */
export async function leadsOutside(file: string, top: string): Promise<boolean> {
  if (!isInside(file, top)) return true;
  let current = top;
  let parts = partsOf(path.relative(top, file));
  for (let links = 0; parts.length > 0; ) {
    const [part, ...rest] = parts as [string, ...string[]];
    const next = path.resolve(current, part);
    const target = await readlink(next).catch(() => undefined);
    if (target === undefined) {
      current = next;
      parts = rest;
    } else {
      if (++links > maxLinksInPath) return true;
      const isAbsolute = path.isAbsolute(target);
      if (isAbsolute && !isInside(path.normalize(target), top)) return true;
      if (isAbsolute) current = top;
      parts = [...partsOf(isAbsolute ? path.relative(top, path.normalize(target)) : target), ...rest];
    }
    if (!isInside(current, top)) return true;
  }
  return false;
}

const partsOf = (relativePath: string): string[] => relativePath.split(/[/\\]/).filter((part) => part !== '');
