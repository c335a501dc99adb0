import { relative, resolve } from 'node:path';
import { workTreeOf } from '../git/work-tree.ts';
import { inActions } from './in-actions.ts';

/** The path of a file as GitHub knows it: from the top of the repository. What lies outside of that keeps the path that it was given. */
export function locate(file: string): string {
  const path = relative(top(), resolve(file)).replaceAll('\\', '/');
  return path.startsWith('..') ? file : path;
}

const top = (): string =>
  (inActions() && process.env.GITHUB_WORKSPACE) || workTreeOf(process.cwd()) || process.cwd();
