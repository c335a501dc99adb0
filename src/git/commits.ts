import { mkdir, mkdtemp, realpath, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { raise } from '../model/diagnostic.ts';
import { isInside, pathFrom } from '../paths.ts';
import { type Git, GitError } from './git.ts';
import { findObjects, readBlobs } from './objects.ts';
import { doesSucceed, openRepository, readCommitId } from './repository.ts';
import type { Tracking } from './tracking.ts';
import { workTreeOf } from './work-tree.ts';

/** The endings of files that can belong to a configuration. No other file of another commit is read. */
const configurationEndings = ['yaml', 'yml', 'json', 'csv', 'png', 'jpg', 'jpeg', 'svg'];

const configurationPattern = new RegExp(`\\.(${configurationEndings.join('|')})$`, 'i');

/** True for a path with a part such as `..` or `.git`. Git checks names only where it writes the files itself. */
const isUnsafePath = (name: string): boolean =>
  name.split(/[/\\]/).some((part) => part === '' || part === '.' || part === '..' || /^\.git$/i.test(part));

/** The files of a commit in a temporary folder. */
export interface ExtractedFiles {
  /** The folder that stands for the caller's `cwd`. */
  cwd: string;
  /** Says that git tracks each of the files. */
  tracking: Tracking;
  /**
   * Returns the absolute path at which a file of this commit was extracted, with the commit's symbolic links followed, because those of the
   * work tree may lead elsewhere. Nothing is there if the commit lacks the file, or if a link leads out of the repository. `path` is
   * relative to `cwd`; undefined if it is outside of the repository.
   */
  locate(path: string): string | undefined;
  /** Returns the path in the work tree for the path of an extracted file or folder. Any other path is returned unchanged. */
  toWorkTree(path: string): string;
  /** Removes the temporary folder. */
  remove(): Promise<void>;
}

/**
 * Writes the files of a commit that can belong to a configuration to a temporary folder, so that `undo` and
 * `render --diff` can read that configuration. They are as in the repository: no filter and no hook runs. Returns the folder in it
 * that corresponds to `cwd`, and functions that translate paths and remove all. Rejects with a `GitError` if there is no such commit.
 */
export async function extractFiles(
  ref: string,
  cwd: string,
  env: Record<string, string | undefined>,
): Promise<ExtractedFiles> {
  const { git } = await openRepository(cwd, env);
  const commit = await readCommitId(git, ref);
  const listing = await git(['ls-tree', '-r', '-z', '--full-tree', commit]);
  const top = await realpath(await mkdtemp(path.join(tmpdir(), 'trueup-')));
  const realCwd = await realpath(cwd);
  // A repository was opened there, so there is a work tree.
  const workTree = workTreeOf(realCwd)!;
  const extractedCwd = path.join(top, path.relative(workTree, realCwd));
  // A name that is a file in the commit may be the folder of the working directory today. That folder is made below, so the file cannot be
  // written. Links are never written, only followed.
  const files = configurationFilesIn(listing).filter(
    ({ isLink, name }) => isLink || !isInside(extractedCwd, path.join(top, name)),
  );
  try {
    const written = await writeFiles(files, top, git);
    await mkdir(extractedCwd, { recursive: true });
    return describeExtracted(written, { top, cwd: extractedCwd, workTree });
  } catch (error) {
    await rm(top, { recursive: true, force: true });
    throw error;
  }
}

/** The folders of a commit that was extracted. All are absolute paths. */
interface ExtractedFolders {
  /** The temporary folder with the files of the commit. */
  top: string;
  /** The folder in `top` that stands for the caller's `cwd`. */
  cwd: string;
  /** The top of the work tree that `top` stands for. */
  workTree: string;
}

/**
 * Returns the files that `extractFiles` has written, with the functions that translate paths. `tracking` says that git tracks all of these
 * files, so that the configuration of the commit may read them like tracked files.
 */
function describeExtracted(
  { names, links }: WrittenFiles,
  { top, cwd, workTree }: ExtractedFolders,
): ExtractedFiles {
  const toWorkTree = (file: string) =>
    isInside(file, top) ? path.join(workTree, path.relative(top, file)) : file;
  return {
    cwd,
    locate(name) {
      const file = path.resolve(cwd, name);
      return isInside(file, top) ? path.join(top, followLinks(pathFrom(top, file), links)) : undefined;
    },
    toWorkTree,
    tracking: {
      workTreeOf: async () => top,
      tracked: async (_, paths) => new Set(paths.filter((file) => names.has(file))),
      toWorkTree,
    },
    remove: () => rm(top, { recursive: true, force: true }),
  };
}

/** The files and links of a commit, by their paths in it. */
interface WrittenFiles {
  names: ReadonlySet<string>;
  /** The targets of the symbolic links. */
  links: ReadonlyMap<string, string>;
}

/**
 * Returns the files of a commit that can belong to a configuration, and all symbolic links, from the output of `git ls-tree -r -z`. A line
 * is `100644 blob ID`, a tab, and the path. Paths that could lead out of the folder (`..`) or into `.git` are left out.
 */
function configurationFilesIn(listing: string): CommitFile[] {
  return listing.split('\0').flatMap((line) => {
    const [, mode = '', object = '', name] = /^(\d+) blob ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
    if (name === undefined || isUnsafePath(name)) return [];
    const isLink = mode === '120000';
    const isConfiguration = mode.startsWith('100') && configurationPattern.test(name);
    return isLink || isConfiguration ? [{ object, name, isLink }] : [];
  });
}

/**
 * Writes files of a commit into the folder `top`, for `extractFiles`. Returns their paths in it, and the targets of the symbolic links.
 * Links are not written, because they could lead out of the folder.
 */
async function writeFiles(files: readonly CommitFile[], top: string, git: Git): Promise<WrittenFiles> {
  const names = new Set<string>();
  const links = new Map<string, string>();
  for await (const { name, isLink, size, content } of readCommitFiles(files, git))
    if (isLink) {
      if (content) links.set(name, content.toString());
    } else {
      const file = path.join(top, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, content ?? '');
      // A file that is too large was not read. An empty file of its size takes no space, and the reader of the configuration reports it.
      if (!content) await truncate(file, size);
      names.add(name);
    }
  return { names, links };
}

/** The size in bytes above which a file of a commit is not read. No file of a configuration may be larger. */
const mostFileBytes = 32 * 1024 * 1024;

/** The total size of the files that are read at once, because git's output is one text of limited length. */
const mostBytesAtOnce = 64 * 1024 * 1024;

/** A file or link in a commit. */
interface CommitFile {
  object: string;
  name: string;
  isLink: boolean;
}

/**
 * Reads these files of a commit in parts, because a repository can contain gigabytes of pictures and JSON. `content` is undefined for a
 * file that is too large for a configuration. Rejects with a `GitError` if git lacks one of them.
 */
async function* readCommitFiles(
  files: readonly CommitFile[],
  git: Git,
): AsyncGenerator<SizedFile & { content: Buffer | undefined }> {
  const objectIds = files.map(({ object }) => object);
  const objects = await findObjects(objectIds, git);
  const sizedFiles = files.map((file) => ({ ...file, size: objects.get(file.object)?.size ?? 0 }));
  for (const partOfFiles of splitBySize(sizedFiles)) {
    const idsToRead = partOfFiles.filter(isSmallEnough).map(({ object }) => object);
    const contents = await readBlobs(idsToRead, git);
    for (const file of partOfFiles) yield { ...file, content: contents.get(file.object) };
  }
}

/** A file of a commit with its size in bytes. */
type SizedFile = CommitFile & { size: number };

/** True if a file is not too large for a configuration, so that its content is read. */
const isSmallEnough = ({ size }: SizedFile): boolean => size <= mostFileBytes;

/** Splits files into parts that are read at once. A part ends with the file with which its contents exceed `mostBytesAtOnce`. */
function splitBySize(files: readonly SizedFile[]): SizedFile[][] {
  const parts: SizedFile[][] = [];
  let currentPart: SizedFile[] = [];
  let partBytes = 0;
  for (const file of files) {
    currentPart.push(file);
    partBytes += isSmallEnough(file) ? file.size : 0;
    if (partBytes > mostBytesAtOnce) {
      parts.push(currentPart);
      currentPart = [];
      partBytes = 0;
    }
  }
  return currentPart.length > 0 ? [...parts, currentPart] : parts;
}

/** The number of symbolic links in one path after which it counts as a circle. Linux has the same limit. */
const mostLinks = 40;

/**
 * Returns the path of a file in a commit with all symbolic links followed. If one leads out of the repository or in a circle, returns the
 * path unchanged: no file was extracted there. `links`: the targets of the commit's links by their paths.
 */
function followLinks(name: string, links: ReadonlyMap<string, string>): string {
  let followed = name;
  for (let count = 0; count <= mostLinks; count++) {
    const parts = followed.split('/');
    const prefixes = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    const link = prefixes.find((prefix) => links.has(prefix));
    if (link === undefined) return followed;
    const target = links.get(link)!;
    followed = path.posix.join(path.posix.dirname(link), target, followed.slice(link.length));
    const leadsOut = path.posix.isAbsolute(target) || /^\.\.(\/|$)/.test(followed);
    if (leadsOut) return name;
  }
  return name;
}

export type GitEnv = Record<string, string | undefined>;

/**
 * A commit on the main line of a branch. The main line follows only the first parents. A merge commit there stands for the branch that it
 * merged.
 */
export interface MainlineCommit {
  id: string;
  /** The first parent. Absent for a root commit. */
  parent?: string;
  isMerge: boolean;
  /** The number of newer commits on the main line. */
  distance: number;
  /** True if a file that can belong to a configuration differs from the first parent. */
  changesFiles: boolean;
}

/**
 * Returns the first of these commits that is not in the history of HEAD; undefined if all are. An undo stops then:
 * the clone is too shallow, or a rebase replaced the commit.
 */
export async function findMissingCommit(
  ids: string[],
  cwd: string,
  env: GitEnv,
): Promise<string | undefined> {
  for (const id of ids) if (!(await isAncestor(id, 'HEAD', cwd, env))) return id;
  return undefined;
}

/**
 * True if a commit is the same as its descendant or is in its history. `trueup undo` uses it to find the commits that a run could have
 * applied.
 */
export async function isAncestor(
  commit: string,
  descendant: string,
  cwd: string,
  env: GitEnv,
): Promise<boolean> {
  const { git } = await openRepository(cwd, env);
  return doesSucceed(git(['merge-base', '--is-ancestor', commit, descendant]));
}

/**
 * Returns a commit and those of its descendants that are in the history of HEAD. Empty if HEAD does not contain the
 * commit. Used by `trueup undo` to find the runs that applied a commit: they ran at one of these.
 */
export async function listCommitsSince(id: string, cwd: string, env: GitEnv): Promise<Set<string>> {
  if (!(await isAncestor(id, 'HEAD', cwd, env))) return new Set();
  const { git } = await openRepository(cwd, env);
  return new Set([id, ...outputLines(await git(['rev-list', '--ancestry-path', `${id}..HEAD`]))]);
}

/** Returns the full id of a commit that a user named by a branch, tag or short id; undefined if there is none. */
export async function resolveCommit(name: string, cwd: string, env: GitEnv): Promise<string | undefined> {
  const { git } = await openRepository(cwd, env);
  return readCommitId(git, name).catch(() => undefined);
}

/**
 * Lists the commits on the main line (always the first parent) from `to` back to `from`, newest first, without
 * `from`. Without `from` the list ends with the root commit. Used by an undo to find the commit before a change.
 * Rejects with a `GitError`.
 * @returns `cutAt`: without `from`, the parent of the last commit if the clone is too shallow to contain it; else undefined
 */
export async function listFirstParents(
  from: string | undefined,
  to: string,
  cwd: string,
  env: GitEnv,
): Promise<{ commits: MainlineCommit[]; cutAt: string | undefined }> {
  const { git, isShallow } = await openRepository(cwd, env);
  const range = [to, ...(from === undefined ? [] : [`^${from}`])];
  const lines = outputLines(await git(['rev-list', '--first-parent', '--parents', ...range]));
  // Patterns of git for files with these endings anywhere in the repository, in upper or lower case.
  const patterns = configurationEndings.map((ending) => `:(top,icase)*.${ending}`);
  const changingList = await git(['rev-list', '--first-parent', ...range, '--', ...patterns]);
  const changingIds = new Set(outputLines(changingList));
  const commits = lines.map((line, distance): MainlineCommit => {
    const [id, parent, ...otherParents] = line.split(' ') as [string, ...string[]];
    const isMerge = otherParents.length > 0;
    return { id, parent, isMerge, distance, changesFiles: changingIds.has(id) };
  });
  const last = commits.at(-1);
  const mayBeCut = from === undefined && isShallow;
  return { commits, cutAt: mayBeCut && last ? await readWrittenParent(last.id, git) : undefined };
}

/**
 * Returns the first parent that a commit itself names; undefined for a root commit. `git rev-list` hides the parents of the commits at
 * which a shallow clone ends.
 */
async function readWrittenParent(id: string, git: Git): Promise<string | undefined> {
  const [, parent] = /^parent ([0-9a-f]+)$/m.exec(await git(['cat-file', 'commit', id])) ?? [];
  return parent;
}

const outputLines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/**
 * Extracts the files of a commit into a temporary folder, which the caller removes, for example so that `trueup undo` can load the
 * configuration of that commit. Throws `Problems` if git cannot read the commit.
 */
export const extractCommit = (
  ref: string,
  host: { cwd: string; env: Record<string, string | undefined> },
): Promise<ExtractedFiles> =>
  extractFiles(ref, host.cwd, host.env).catch((error: unknown) => {
    if (!(error instanceof GitError)) throw error;
    raise('git/ref', `cannot read the files at ${JSON.stringify(ref)} from git`, {
      hint: 'name a commit, branch or tag that exists here; a shallow checkout has only the latest commits: git fetch --unshallow',
    });
  });
