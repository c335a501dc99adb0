import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { isInside, pathFrom } from '../paths.ts';
import { type Git, GitError } from './git.ts';
import { openRepository, type Repository, readCommitId } from './repository.ts';
import { workTreeOf } from './work-tree.ts';

/** The number of paths in one git command, because the length of a command line is limited. */
const mostPathsPerCommand = 200;

/** Lists changed, untracked and ignored files with one command that does not write the index. */
const statusCommand = [
  ...[
    '--literal-pathspecs',
    '--no-optional-locks',
    'status',
    '--porcelain=v2',
    '--branch',
    '-z',
    '--no-renames',
  ],
  // For the content of a submodule git would start another git, which obeys the settings of the submodule.
  ...['--untracked-files=all', '--ignored=matching', '--no-ahead-behind', '--ignore-submodules=dirty'],
];

/** True if a file is an entry of git's status, or is inside of one that is a folder, such as `data/`. */
const isInEntry = (file: string, entry: string) =>
  file === entry || (entry.endsWith('/') && file.startsWith(entry));

/**
 * Returns the commit that is checked out around a folder, so that the record of a run can say which configuration
 * was applied. Undefined if there is no commit, or if git is missing or fails: no run depends on it.
 *
 * No filter (a program that git runs on files) runs. So a file with a filter is clean if its size and time are as
 * in git's index, and dirty once it was written again. Line endings are converted as git's attributes and settings
 * say.
 * @returns `dirty`: true if one of the files differs from the commit, if a tracked file in one of the folders was
 * changed or removed, or if one of the files or folders is outside the work tree
 * @param files absolute paths of the files that the run has read
 * @param folders absolute paths
 */
export async function readCheckoutCommit(
  folder: string,
  { files, folders }: { files: readonly string[]; folders: readonly string[] },
  env: Record<string, string | undefined>,
): Promise<{ id: string; dirty: boolean } | undefined> {
  const top = workTreeOf(await realpath(folder).catch(() => folder));
  if (top === undefined) return undefined;
  try {
    const { git } = await openRepository(folder, env);
    const filesInTree = await findPathsInTree(files, top);
    const paths = [...filesInTree, ...(await findPathsInTree(folders, top))];
    const isOutsideTree = paths.length < files.length + folders.length;
    // Without paths `git status` would list the whole tree.
    if (paths.length === 0) return { id: await readCommitId(git, 'HEAD'), dirty: isOutsideTree };
    const lines = await readStatus(paths, git);
    const idLine = lines.findLast((line) => line.startsWith(commitLine));
    const id = idLine?.slice(commitLine.length);
    if (id === undefined || id === '(initial)') return undefined;
    // A tracked file that was changed (`1`), renamed (`2`) or not merged (`u`).
    const hasChange = lines.some((line) => /^[12u] /.test(line));
    const unknownEntries = lines.filter((line) => /^[?!] /.test(line)).map((line) => line.slice(2));
    // A file that the run has read, and that is untracked (`?`) or ignored (`!`).
    const hasUnknown = filesInTree.some((file) => unknownEntries.some((entry) => isInEntry(file, entry)));
    return { id, dirty: isOutsideTree || hasChange || hasUnknown };
  } catch {
    return undefined;
  }
}

/** Returns the paths of files and folders from the top of the work tree, with links followed. Leaves out those that are outside of it. */
async function findPathsInTree(files: readonly string[], top: string): Promise<string[]> {
  const realFiles = await Promise.all(files.map((file) => realpath(file).catch(() => file)));
  return realFiles.filter((file) => isInside(file, top)).map((file) => pathFrom(top, file) || '.');
}

/** The beginning of the line of `git status` with the id of the commit. */
const commitLine = '# branch.oid ';

/**
 * Returns the lines of `git status` for these paths in the work tree (at least one), also untracked and ignored files, with the line of the
 * commit. Asks for some paths at a time, because a command line has a limit, so the line of the commit comes once for each command.
 */
async function readStatus(paths: readonly string[], git: Git): Promise<string[]> {
  const outputs: string[] = [];
  for (let index = 0; index < paths.length; index += mostPathsPerCommand)
    outputs.push(await git([...statusCommand, '--', ...paths.slice(index, index + mostPathsPerCommand)]));
  return outputs.flatMap((output) => output.split('\0'));
}

/** The command that lists the files which differ from a commit. It runs no program that the checkout could name. */
const listChanges = [
  'diff',
  '--name-only',
  '--no-renames',
  '--no-ext-diff',
  '--no-textconv',
  '--ignore-submodules=dirty',
];

/** The files that changed since a branch left another one. */
export interface ChangedFiles {
  /** Absolute paths, including those of deleted files. */
  files: ReadonlySet<string>;
  /** Returns the text of a file before the changes; undefined if it did not exist. */
  before(file: string): Promise<string | undefined>;
}

/**
 * Finds the files that changed since this branch left `ref` (their merge base), so that only the stacks that use
 * them need a plan. Includes uncommitted changes and new files, except ignored ones. `before` of the result reads a
 * file as it was then. If there is no such commit or no merge base, rejects with a `GitError`, but returns undefined
 * in a shallow clone, because the clone may only lack it.
 */
export async function findChangedFiles(
  ref: string,
  cwd: string,
  env: Record<string, string | undefined>,
): Promise<ChangedFiles | undefined> {
  const repository = await openRepository(cwd, env);
  const { git } = repository;
  const top = workTreeOf(await realpath(cwd))!;
  const base = await findMergeBase(ref, repository);
  if (base === undefined) return undefined;
  const changed = await git([...listChanges, '-z', base, '--']);
  const untracked = await git(['ls-files', '-z', '--others', '--exclude-standard']);
  const names = `${changed}${untracked}`.split('\0').filter((name) => name !== '');
  return {
    files: new Set(names.map((name) => path.join(top, name))),
    before: (file) => git(['cat-file', 'blob', `${base}:${pathFrom(top, file)}`]).catch(() => undefined),
  };
}

/**
 * Returns the commit at which this branch left `ref`; undefined if a shallow clone lacks it or `ref`. Otherwise rejects with a `GitError`
 * if there is none.
 */
async function findMergeBase(ref: string, { git, isShallow }: Repository): Promise<string | undefined> {
  try {
    return (await git(['merge-base', await readCommitId(git, ref), 'HEAD'])).trim();
  } catch (error) {
    if (isShallow && error instanceof GitError && error.reason === 'failed') return undefined;
    throw error;
  }
}

/**
 * Finds the default branch of the repository around a folder, for the workflows that `trueup init --ci` writes: the one that `origin`
 * names, else `main` or `master`, else the only branch, else the branch that the first commit will create. Undefined if several branches
 * are possible. Rejects with a `GitError`.
 */
export async function findDefaultBranch(
  folder: string,
  env: Record<string, string | undefined>,
): Promise<string | undefined> {
  const { git } = await openRepository(folder, env);
  const outputOf = (...args: string[]) => readOutput(git, args);
  const originHead = await outputOf('symbolic-ref', '--quiet', 'refs/remotes/origin/HEAD');
  if (originHead !== '') return originHead.slice('refs/remotes/origin/'.length);
  const refList = await outputOf('for-each-ref', '--format=%(refname)', 'refs/remotes/origin', 'refs/heads/');
  const refs = refList.split('\n');
  const branchesIn = (prefix: string) =>
    refs.filter((ref) => ref.startsWith(prefix)).map((ref) => ref.slice(prefix.length));
  const remoteBranches = branchesIn('refs/remotes/origin/');
  const branches = remoteBranches.length > 0 ? remoteBranches : branchesIn('refs/heads/');
  if (branches.length === 1) return branches[0];
  if (branches.length > 1) {
    const usualBranches = branches.filter((name) => name === 'main' || name === 'master');
    return usualBranches.length === 1 ? usualBranches[0] : undefined;
  }
  const futureBranch = await outputOf('symbolic-ref', '--quiet', 'HEAD');
  return futureBranch === '' ? undefined : futureBranch.slice('refs/heads/'.length);
}

/**
 * Returns the path of the repository on the server of the git remote `origin`, such as `acme/site`. A fleet uses it
 * as the name of the repository unless it has another one, and `init --ci` to find the repository on its code host. Undefined if
 * there is no such remote, or if no path can be read from its address. Rejects with a `GitError`.
 */
export async function findOriginPath(
  folder: string,
  env: Record<string, string | undefined>,
): Promise<string | undefined> {
  const { git } = await openRepository(folder, env);
  return repositoryPathOf(await readOutput(git, ['remote', 'get-url', 'origin']));
}

/** True if the repository around a folder has the git remote `origin`, where ledgers can be. Rejects with a `GitError`. */
export async function hasOrigin(folder: string, env: Record<string, string | undefined>): Promise<boolean> {
  const { remotes } = await openRepository(folder, env);
  return remotes.includes('origin');
}

/**
 * Returns the name of the server of the git remote `origin`, such as `github.com`; undefined without one. Used to decide if a token may be
 * sent to a code host about this repository. Rejects with a `GitError`.
 */
export async function findOriginServer(
  folder: string,
  env: Record<string, string | undefined>,
): Promise<string | undefined> {
  const { git } = await openRepository(folder, env);
  const url = await readOutput(git, ['remote', 'get-url', 'origin']);
  // As in `https://github.com/acme/site` or `git@github.com:acme/site`.
  return /^(?:(?:https?|ssh|git):\/\/)?(?:[^/@]*@)?([\w.-]+)[:/]/.exec(url)?.[1];
}

/**
 * Returns those paths whose files are not on a branch as they are here: as `origin` had it at the last fetch, or else the branch of this
 * clone. Paths start at the top of the work tree. Used by `init --ci --check` to tell if the workflows are committed and pushed. Rejects
 * with a `GitError` if there is no such branch yet.
 */
export async function findUncommitted(
  top: string,
  env: Record<string, string | undefined>,
  { branch, paths }: { branch: string; paths: readonly string[] },
): Promise<string[]> {
  const { git } = await openRepository(top, env);
  const remoteRef = `refs/remotes/origin/${branch}`;
  const remoteBranch = await readOutput(git, ['rev-parse', '--verify', '--quiet', remoteRef]);
  const base = remoteBranch || (await readCommitId(git, `refs/heads/${branch}`));
  const changed = await git([...listChanges, '-z', base, '--', ...paths]);
  const untracked = await git(['ls-files', '-z', '--others', '--', ...paths]);
  return `${changed}${untracked}`.split('\0').filter((name) => name !== '');
}

/** Returns the trimmed output of a git command; empty if it fails. Used for facts that a checkout may lack, such as the remote `origin`. */
const readOutput = (git: Git, args: string[]): Promise<string> =>
  git(args).then(
    (output) => output.trim(),
    () => '',
  );

/**
 * Returns `acme/site` for `https://gitlab.example/acme/site.git`, `ssh://git@gitlab.example:22/acme/site.git` and
 * `git@gitlab.example:acme/site.git`.
 */
function repositoryPathOf(url: string): string | undefined {
  const [, path] = /^(?:(?:https?|ssh|git):\/\/[^/]+\/|[^/:]+:)(.+)$/.exec(url) ?? [];
  return path?.replace(/^\/+|(?:\.git)?\/*$/g, '') || undefined;
}
