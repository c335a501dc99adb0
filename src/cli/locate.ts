import { relative, resolve } from 'node:path';
import { workTreeOf } from '../git/work-tree.ts';
import { type Host, inActions } from './host.ts';

/** The path of a file as GitHub knows it: from the top of the repository. What lies outside of that keeps the path that it was given. */
export const locateOn =
  (host: Host) =>
  (file: string): string => {
    const path = relative(topOf(host), resolve(host.cwd, file)).replaceAll('\\', '/');
    return path.startsWith('..') ? file : path;
  };

const topOf = (host: Host): string =>
  (inActions(host) && host.env.GITHUB_WORKSPACE) || workTreeOf(host.cwd) || host.cwd;
