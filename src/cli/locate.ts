import { dirname, relative, resolve, sep } from 'node:path';
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
  const tree = workTreeOf(folder);
  const workspace = inActions(host) ? host.env.GITHUB_WORKSPACE : undefined;
  if (!workspace) return tree ?? host.cwd;
  // The workspace first: a submodule's file has its path from there. A checkout in a workspace that is none has paths of its own.
  const isBeside =
    tree?.startsWith(`${resolve(workspace)}${sep}`) && workTreeOf(workspace) !== resolve(workspace);
  return isBeside ? tree! : workspace;
}
