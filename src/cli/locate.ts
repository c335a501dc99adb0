import { dirname, relative, resolve } from 'node:path';
import { workTreeOf } from '../git/work-tree.ts';
import { type Host, inActions } from './host.ts';

/**
 * The path of a file as GitHub knows it: from the top of the repository, which a workflow may have checked out beside the one that it
 * runs in. What lies outside of that keeps the path that it was given.
 */
export const locateOn =
  (host: Host) =>
  (file: string): string => {
    const absolute = resolve(host.cwd, file);
    const path = relative(topOf(host, dirname(absolute)), absolute).replaceAll('\\', '/');
    return path.startsWith('..') ? file : path;
  };

function topOf(host: Host, folder: string): string {
  const workspace = inActions(host) && host.env.GITHUB_WORKSPACE;
  // The workspace first: a submodule's file has its path from there.
  if (workspace && (workTreeOf(workspace) === workspace || !workTreeOf(folder))) return workspace;
  return workTreeOf(folder) ?? host.cwd;
}
