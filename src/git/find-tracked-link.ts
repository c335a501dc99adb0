import { dirname, join, parse, sep } from 'node:path';
import { maxLinksInPath, pathFrom } from '../paths.ts';
import { openTracking } from './tracking.ts';
import { readLink } from './work-tree.ts';

/**
 * Returns a symbolic link on the way to one of these files that git tracks in the repository around the link, as its path in that
 * repository; undefined if there is none. Nothing is written through such a link, because a branch can contain it, and it may lead
 * anywhere. A link that the user made is allowed, such as one for several work trees. git is asked only if there is a link. The working
 * directory does not matter. `files`: absolute paths, which need not exist.
 */
export async function findTrackedLink(
  files: readonly string[],
  env: Record<string, string | undefined>,
): Promise<string | undefined> {
  const links = new Set(files.flatMap(linksOnTheWayTo));
  const tracking = openTracking(env);
  for (const link of links) {
    const workTree = await tracking.workTreeOf(dirname(link));
    if (workTree === undefined) continue;
    const name = pathFrom(workTree, link);
    if ((await tracking.tracked(workTree, [name])).has(name)) return name;
  }
  return undefined;
}

/** Returns the links through which the system gets to a file, each as a path whose folder is a real path, also those that links lead to. */
function linksOnTheWayTo(file: string): string[] {
  const links: string[] = [];
  let { root: folder } = parse(file);
  let names = splitPath(file.slice(folder.length));
  while (names.length > 0 && links.length < maxLinksInPath) {
    const [name, ...furtherNames] = names as [string, ...string[]];
    const path = join(folder, name);
    const target = readLink(path);
    if (target !== undefined) links.push(path);
    // The target of a link is relative to its folder, or absolute.
    const { root } = parse(target ?? '');
    names = target === undefined ? furtherNames : [...splitPath(target.slice(root.length)), ...furtherNames];
    folder = target === undefined ? path : root || folder;
  }
  return links;
}

const splitPath = (path: string): string[] => path.split(sep).filter((name) => name !== '');
