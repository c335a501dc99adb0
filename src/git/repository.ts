import { existsSync } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { visibleEnv } from '../model/visible-env.ts';
import { isInside } from '../paths.ts';
import { createGit, type Git, GitError } from './git.ts';
import { rememberInRun } from './run-memory.ts';
import type { ObjectFormat } from './settings.ts';
import { workTreeOf } from './work-tree.ts';

/** The repository whose work tree a folder lies in. */
export interface Repository {
  /** Runs git at the top of the work tree, so that paths mean the same wherever the folder is. */
  git: Git;
  /** The git folder that all work trees of the repository share. */
  commonFolder: string;
  isShallow: boolean;
  /** The hash function of the ids of its objects. */
  objectFormat: ObjectFormat;
  /** The names of its remotes, sorted. */
  remotes: readonly string[];
}

type RepositoryForm = Pick<Repository, 'commonFolder' | 'isShallow' | 'objectFormat'>;

/** The first version of git that can be made to ignore bare repositories in the work tree (`safe.bareRepository`). */
const oldestGit = [2, 38] as const;

/**
 * Opens the repository of the nearest work tree around a folder, and returns its git and its properties. A run
 * opens each repository once. Rejects with a `GitError`.
 *
 * A branch can contain hostile files, so nothing in the checkout is run or believed: git and the programs that it
 * starts come from outside of the checkout, folders that only look like repositories and variables that name
 * another repository are ignored, and git refuses repositories of other users. Git gets no settings of this tool,
 * such as tokens.
 */
export async function openRepository(
  folder: string,
  env: Record<string, string | undefined>,
): Promise<Repository> {
  const top = workTreeOf(await realpath(folder));
  if (top === undefined) throw new GitError('outside', `${folder} is not in a git work tree`);
  const repositories = rememberInRun(env, 'repositories', () => new Map<string, Promise<Repository>>());
  const repository = repositories.get(top) ?? openWorkTree(top, env);
  repositories.set(top, repository);
  // After a failure the next caller tries again.
  repository.catch(() => repositories.delete(top));
  return repository;
}

/**
 * Returns a function to run git in a folder. The git program comes from outside of the folder, and no variable leads it to another
 * repository. Used only for folders that this tool creates itself, the mirrors and checkouts of a fleet. Use `openRepository` for folders
 * of users: it also checks that the work tree belongs to a real repository. Rejects with a `GitError` if git is missing or too old.
 * @param timeout the time in milliseconds after which a command is ended
 */
export async function openGit(
  folder: string,
  env: Record<string, string | undefined>,
  timeout?: number,
): Promise<Git> {
  return (await openProgram(folder, env, timeout)).git;
}

/**
 * Returns functions to run git in a folder and to ask for the settings of the repository there (see `createGit`). They use a git from
 * outside of the folder, and no variable that names another repository. Rejects with a `GitError` if git is missing or too old.
 */
async function openProgram(folder: string, env: Record<string, string | undefined>, timeout?: number) {
  const safeEnv = await toSafeEnv(folder, env);
  const program = createGit(folder, safeEnv, timeout);
  await requireVersion(program.git, safeEnv.PATH ?? '');
  return program;
}

/**
 * Opens the repository of the work tree whose top folder is given, and reads its properties. Rejects if `.git`
 * names a repository elsewhere among the files of the work tree.
 */
async function openWorkTree(top: string, env: Record<string, string | undefined>): Promise<Repository> {
  const { git, settings } = await openProgram(top, env);
  const { remotes, plainObjectFormat } = await settings();
  const form = (await readPlainForm(top, plainObjectFormat)) ?? (await askForForm(top, git));
  return { git, remotes, ...form };
}

/**
 * Returns the properties of a plain repository, as most clones are, without another git process. Undefined if it may have another form, so
 * that git has to be asked: if its settings are not those of a plain one (then `plainObjectFormat`, its hash function, is undefined), if
 * `.git` is a link, because that could lead to files of a branch, or if it lies inside another work tree. There, an incomplete `.git` would
 * make git read the settings of the outer repository.
 */
async function readPlainForm(
  top: string,
  plainObjectFormat: ObjectFormat | undefined,
): Promise<RepositoryForm | undefined> {
  const dotGit = path.join(top, '.git');
  if (plainObjectFormat === undefined || workTreeOf(path.dirname(top)) !== undefined) return undefined;
  if ((await lstat(dotGit)).isSymbolicLink()) return undefined;
  return {
    commonFolder: dotGit,
    isShallow: existsSync(path.join(dotGit, 'shallow')),
    objectFormat: plainObjectFormat,
  };
}

/**
 * Returns the properties of a repository of any form. Rejects if `.git` names a repository elsewhere among the files
 * of the work tree, because a pull request could bring along such a repository, with settings that run programs.
 */
async function askForForm(top: string, git: Git): Promise<RepositoryForm> {
  const output = await git([
    'rev-parse',
    '--path-format=absolute',
    '--is-inside-work-tree',
    '--is-shallow-repository',
    '--show-object-format',
    '--git-dir',
    '--git-common-dir',
  ]);
  // One line for each question, in the order above.
  const [isWorkTree, isShallow, objectFormat, gitFolder, commonFolder] = output.split('\n');
  if (isWorkTree !== 'true') throw new GitError('outside', `${top} is not a work tree of its repository`);
  const dotGit = path.join(top, '.git');
  for (const realFolder of await Promise.all([realpath(gitFolder!), realpath(commonFolder!)]))
    if (isInside(realFolder, top) && !isInside(realFolder, dotGit))
      throw new GitError('embedded', `${dotGit} names ${realFolder}`);
  return {
    commonFolder: commonFolder!,
    isShallow: isShallow === 'true',
    objectFormat: objectFormat as ObjectFormat,
  };
}

/** The values of PATH whose git is new enough. A process does not ask for the version again for these. */
const checkedPaths = new Set<string>();

/**
 * Rejects if git is too old to ignore bare repositories (`safe.bareRepository`). A branch could contain such a
 * repository, whose settings would run programs. Asks only once for each PATH (`searchPath`) whose git is new enough.
 */
async function requireVersion(git: Git, searchPath: string): Promise<void> {
  if (checkedPaths.has(searchPath)) return;
  const output = await git(['--version']);
  const [major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(output)?.slice(1) ?? []).map(Number);
  if (major > oldestGit[0] || (major === oldestGit[0] && minor >= oldestGit[1])) {
    checkedPaths.add(searchPath);
    return;
  }
  throw new GitError('old', `this is ${output.trim() || 'a git without a version'}`);
}

/**
 * The variables that lead git to another repository or to other objects, that hide the settings which it uses from
 * `git config` (`GIT_CONFIG`), or that change the meaning of the file patterns in its commands. Variables for other
 * settings and for credentials are kept.
 */
const misleadingVariables = new Set(
  [
    'CONFIG DIR WORK_TREE INDEX_FILE COMMON_DIR OBJECT_DIRECTORY ALTERNATE_OBJECT_DIRECTORIES NAMESPACE PREFIX',
    'IMPLICIT_WORK_TREE INTERNAL_SUPER_PREFIX GRAFT_FILE SHALLOW_FILE REPLACE_REF_BASE QUARANTINE_PATH',
    'LITERAL_PATHSPECS GLOB_PATHSPECS NOGLOB_PATHSPECS ICASE_PATHSPECS',
  ].flatMap((names) => names.split(' ').map((name) => `GIT_${name}`)),
);

/**
 * Returns the environment for git processes: without our own settings and variables that name another repository, and with a PATH that
 * leaves out folders which files of the work tree `top` could fill. Otherwise a hostile pull request could make git
 * run its programs.
 */
async function toSafeEnv(top: string, env: Record<string, string | undefined>) {
  const safeEnv: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(visibleEnv(env))) {
    const upperName = name.toUpperCase(); // Windows writes `Path`.
    if (upperName === 'PATH' && value !== undefined) safeEnv[name] = await pathOutside(value, top);
    else if (!misleadingVariables.has(upperName)) safeEnv[name] = value;
  }
  return safeEnv;
}

/**
 * Returns the folders of a PATH that a checkout cannot fill with programs, so that git and its helpers never come from a pull request. npm
 * puts `node_modules/.bin` in front, and empty or relative folders depend on the current folder.
 */
async function pathOutside(searchPath: string, top: string): Promise<string> {
  const folders = searchPath.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const outsideFolders: string[] = [];
  for (const folder of folders) {
    const real = await realpath(folder).catch(() => undefined);
    const isPackages = folder.split(path.sep).includes('node_modules');
    if (real !== undefined && !isPackages && !isInside(real, top)) outsideFolders.push(folder);
  }
  // An empty PATH would mean the current folder.
  if (outsideFolders.length === 0) throw new GitError('missing', 'PATH has no folder outside the repository');
  return outsideFolders.join(path.delimiter);
}

/** Returns the full id of the commit that a name stands for, such as a branch or a short id. Rejects with a `GitError` if there is none. */
export const readCommitId = async (git: Git, name: string): Promise<string> =>
  (await git(['rev-parse', '--verify', '--end-of-options', `${name}^{commit}`])).trim();

/**
 * True if a git command succeeds. Used for questions that git answers by its exit code, such as whether a commit
 * exists.
 */
export const doesSucceed = (command: Promise<unknown>): Promise<boolean> =>
  command.then(
    () => true,
    () => false,
  );
