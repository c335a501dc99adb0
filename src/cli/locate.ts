import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { type Host, inActions } from './host.ts';

/** The path of a file as GitHub knows it: from the top of the repository. What lies outside of that keeps the path that it was given. */
export const locateOn =
  (host: Host) =>
  (file: string): string => {
    const path = relative(topOf(host), resolve(host.cwd, file)).replaceAll('\\', '/');
    return path.startsWith('..') ? file : path;
  };

const topOf = (host: Host): string =>
  (inActions(host) && host.env.GITHUB_WORKSPACE) || workTree(host.cwd) || host.cwd;

/** The nearest folder, from this one upwards, that git has under its care: one with `.git`, which in a linked work tree is a file. */
function workTree(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : workTree(above);
}
