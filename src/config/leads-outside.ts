import path from 'node:path';
import { readLink } from '../git/work-tree.ts';
import { isInside, maxLinksInPath } from '../paths.ts';

/**
 * True if a path leads out of the folder `top` (a real path) at any point, also if it comes back, and even if nothing exists there. The
 * caller refuses such a path. Follows each link, also one that leads nowhere: otherwise people who may only write the repository could find
 * out which files and folders of the machine exist.
 */
export function leadsOutside(file: string, top: string): boolean {
  if (!isInside(file, top)) return true;
  let current = top;
  let parts = partsOf(path.relative(top, file));
  for (let links = 0; parts.length > 0; ) {
    const [part, ...rest] = parts as [string, ...string[]];
    const next = path.resolve(current, part);
    if (!isInside(next, top)) return true;
    const target = readLink(next);
    if (target === undefined) {
      current = next;
      parts = rest;
    } else {
      if (++links > maxLinksInPath) return true;
      // Continue with the target of the link. It is relative to the folder of the link, or absolute. The loop follows a `..` in a relative
      // target; an absolute one must lead into `top` without any.
      const isAbsolute = path.isAbsolute(target);
      if (isAbsolute && !isPlainlyInside(target, top)) return true;
      if (isAbsolute) current = top;
      parts = [...partsOf(isAbsolute ? path.relative(top, target) : target), ...rest];
    }
  }
  return false;
}

/**
 * True if an absolute path is inside a folder without any `..`: after a link, that is another folder than the one before it in the path.
 */
const isPlainlyInside = (target: string, top: string): boolean =>
  !partsOf(target).includes('..') && isInside(path.normalize(target), top);

const partsOf = (relativePath: string): string[] => relativePath.split(/[/\\]/).filter((part) => part !== '');
