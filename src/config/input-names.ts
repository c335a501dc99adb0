import path from 'node:path';
import { workTreeOf } from '../git/work-tree.ts';

/**
 * The names under which a ledger remembers what a configuration was read from, wherever the run was started: `/` and the path from the
 * top of the work tree that a file lies in. What lies in none is named from the deepest folder that all such files and folders share,
 * without the `/`.
 * @param files real paths
 * @param folders real paths; the folder that names start at is `/`, or `.`
 */
export function inputNames(files: string[], folders: string[]): { inputs: string[]; folders: string[] } {
  const trees = new Map<string, string | undefined>();
  const treeOf = (folder: string) => {
    if (!trees.has(folder)) trees.set(folder, workTreeOf(folder));
    return trees.get(folder);
  };
  const rooted = (place: string, top: string) => `/${slashed(path.relative(top, place))}`;
  const loose = [
    ...files.map((file) => path.dirname(file)).filter((folder) => treeOf(folder) === undefined),
    ...folders.filter((folder) => treeOf(folder) === undefined),
  ];
  const base = loose.length > 0 ? loose.reduce(sharedFolder) : '';
  const nameOf = (place: string, folder: string) => {
    const top = treeOf(folder);
    return top === undefined ? slashed(path.relative(base, place)) || '.' : rooted(place, top);
  };
  return {
    inputs: files.map((file) => nameOf(file, path.dirname(file))).sort(),
    folders: folders.map((folder) => nameOf(folder, folder)).sort(),
  };
}

const slashed = (name: string) => name.split(path.sep).join('/');

function sharedFolder(one: string, other: string): string {
  let shared = one;
  while (path.relative(shared, other).split(path.sep)[0] === '..') shared = path.dirname(shared);
  return shared;
}
