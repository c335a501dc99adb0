import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { visibleEnv } from '../model/visible-env.ts';
import type { ObjectFormat } from './create-objects.ts';
import { createGit, type Git, GitError } from './git.ts';
import { rememberInRun } from './run-memory.ts';
import { workTreeOf } from './work-tree.ts';

/** The repository whose work tree a folder lies in. */
export interface Repository {
  /** git at the top of the work tree, wherever below it the folder is: paths mean the same from everywhere. */
  git: Git;
  /** The folder that all work trees of the repository share. */
  commonFolder: string;
  isShallow: boolean;
  objectFormat: ObjectFormat;
}

/** The first git that can be told to leave bare repositories alone (`safe.bareRepository`). */
const oldestGit = [2, 38] as const;

/**
 * Opens the repository of a folder: the `.git` of the nearest work tree above it, or in it, and no other. A folder that only looks like
 * a repository is none, the environment names none, and git itself refuses what belongs to another user. Nothing that a checkout brings
 * is run: git, and what git starts, come from outside of it, and get none of our own settings. Rejects with a `GitError`.
 */
export async function openRepository(
  folder: string,
  env: Record<string, string | undefined>,
): Promise<Repository> {
  const top = workTreeOf(await realpath(folder));
  if (top === undefined) throw new GitError('outside', `${folder} is not in a git work tree`);
  const opened = rememberInRun(env, 'repositories', () => new Map<string, Promise<Repository>>());
  const known = opened.get(top) ?? openWorkTree(top, env);
  opened.set(top, known);
  // What did not work is tried again when somebody asks again.
  known.catch(() => opened.delete(top));
  return known;
}

/**
 * git in a folder, with an environment that leads it nowhere else, and from outside of that folder. `longest`: after so many milliseconds it
 * is ended. Rejects with a `GitError` for a git that is too old.
 */
export async function openGit(
  folder: string,
  env: Record<string, string | undefined>,
  longest?: number,
): Promise<Git> {
  const own = await envFor(folder, env);
  const git = createGit(folder, own, longest);
  await requireVersion(git, own.PATH ?? '');
  return git;
}

async function openWorkTree(top: string, env: Record<string, string | undefined>): Promise<Repository> {
  const git = await openGit(top, env);
  const found = await git([
    'rev-parse',
    '--path-format=absolute',
    '--is-inside-work-tree',
    '--is-shallow-repository',
    '--show-object-format',
    '--git-dir',
    '--git-common-dir',
  ]);
  const [isInside, isShallow, objectFormat, ownFolder, commonFolder] = found.split('\n') as [
    string,
    ...string[],
  ];
  if (isInside !== 'true') throw new GitError('outside', `${top} is not a work tree of its repository`);
  for (const place of await Promise.all([ownFolder!, commonFolder!].map((one) => realpath(one))))
    if (isPathIn(place, top) && !isPathIn(place, path.join(top, '.git')))
      throw new GitError('embedded', `${path.join(top, '.git')} names ${place}`);
  return {
    git,
    commonFolder: commonFolder!,
    isShallow: isShallow === 'true',
    objectFormat: objectFormat as ObjectFormat,
  };
}

/** The PATHs whose git is known to be new enough: a process asks each once. */
const newEnough = new Set<string>();

async function requireVersion(git: Git, searched: string): Promise<void> {
  if (newEnough.has(searched)) return;
  const said = await git(['--version']);
  const [major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(said)?.slice(1) ?? []).map(Number);
  if (major > oldestGit[0] || (major === oldestGit[0] && minor >= oldestGit[1])) {
    newEnough.add(searched);
    return;
  }
  throw new GitError('old', `this is ${said.trim() || 'a git without a version'}`);
}

/** Variables that lead git to another repository, or to other objects in it, than the folder does. Settings and credentials stay. */
const misleading = new Set(
  [
    'DIR WORK_TREE INDEX_FILE COMMON_DIR OBJECT_DIRECTORY ALTERNATE_OBJECT_DIRECTORIES NAMESPACE PREFIX',
    'IMPLICIT_WORK_TREE INTERNAL_SUPER_PREFIX GRAFT_FILE SHALLOW_FILE REPLACE_REF_BASE QUARANTINE_PATH',
  ].flatMap((names) => names.split(' ').map((name) => `GIT_${name}`)),
);

async function envFor(top: string, env: Record<string, string | undefined>) {
  const entries = Object.entries(visibleEnv(env)).filter(([name]) => !misleading.has(name.toUpperCase()));
  return Object.fromEntries(
    await Promise.all(
      entries.map(
        async ([name, value]): Promise<[string, string | undefined]> =>
          name.toUpperCase() === 'PATH' && value !== undefined
            ? [name, await pathOutside(value, top)]
            : [name, value],
      ),
    ),
  );
}

/** The folders of PATH that no checkout can fill: npm puts its own in front, and an empty or relative one is where git stands. */
async function pathOutside(given: string, top: string): Promise<string> {
  const folders = given.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const kept: string[] = [];
  for (const folder of folders) {
    const real = await realpath(folder).catch(() => undefined);
    const isPackages = folder.split(path.sep).includes('node_modules');
    if (real !== undefined && !isPackages && !isPathIn(real, top)) kept.push(folder);
  }
  // An empty PATH is one with the current folder in it.
  if (kept.length === 0) throw new GitError('missing', 'PATH has no folder outside the repository');
  return kept.join(path.delimiter);
}

const isPathIn = (place: string, folder: string): boolean =>
  place === folder || place.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
