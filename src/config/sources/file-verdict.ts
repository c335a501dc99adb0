/** Decides which files a configuration may read: those that git tracks, and those that the operator allows. */
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Tracking } from '../../git/tracking.ts';
import { shellWord } from '../../model/diagnostic.ts';
import { compileGlob, splitGlob } from '../../model/glob.ts';
import { addTo } from '../../model/graph.ts';
import { isInside, pathFrom } from '../../paths.ts';
import { leadsOutside } from '../leads-outside.ts';
import type { SourceVerdict } from './verdict.ts';

/** The rules by which files are judged. */
interface FileRules {
  cwd: string;
  tracking: Required<Tracking>;
  /** The globs that the operator allows. Relative ones start at `cwd`. */
  globs: string[];
  /** Called with each glob that allows a file. */
  noteMatch?(glob: string): void;
  /** The paths of trueup's own files. Files whose names begin with one of these and a dot are reserved as well. */
  reserved: string[];
}

/**
 * Decides which of the files that a configuration names may be read, in order: those that git tracks, and
 * those that `--allow-files` names. A pull request could name any file, but git tracks no secrets of the
 * operator. Asks git once for all files of one work tree. `folder`: that of the configuration file that names
 * the file.
 */
export async function judgeFiles(
  files: { file: string; folder: string }[],
  rules: FileRules,
): Promise<SourceVerdict[]> {
  const locatedFiles = await Promise.all(files.map((file) => locateFile(file, rules)));
  const namesByRoot = new Map<string, string[]>();
  for (const located of locatedFiles)
    if (located.root !== undefined && located.pathInRoot !== undefined)
      addTo(namesByRoot, located.root, located.pathInRoot);
  const tracked = new Map<string, Set<string>>();
  for (const [root, names] of namesByRoot)
    tracked.set(root, await rules.tracking.tracked(root, [...new Set(names)]));
  return Promise.all(locatedFiles.map((located) => judgeFile(located, tracked, rules)));
}

/** A file with everything on which its verdict depends. */
interface LocatedFile {
  /** The absolute path as the configuration names it. */
  lexical: string;
  /** The path without links; undefined if there is no such file. */
  real?: string;
  /** The top of the work tree that contains the file; undefined if none does. */
  root?: string;
  /** The path from `root`, as git names it. */
  pathInRoot?: string;
  /**
   * True if the file is in the repository of the configuration, or without a repository in its folder. Only such a file may be reported as
   * missing, because the report tells which files exist.
   */
  isNear: boolean;
}

/**
 * Returns the real path of a file that a configuration names, and its path in the work tree. A link may lead anywhere, so the decision
 * depends on the real path. `folder`: that of the configuration file. This may be a temporary folder with the files of another commit (for
 * `undo`, for example): `toWorkTree` turns the path of a file there into its path in the user's work tree.
 */
async function locateFile(
  { file, folder }: { file: string; folder: string },
  rules: FileRules,
): Promise<LocatedFile> {
  const lexical = path.resolve(folder, file);
  const root = await rules.tracking.workTreeOf(folder);
  const realFolder = await realpath(folder).catch(() => folder);
  const bound = root ?? realFolder;
  const real = await realpath(lexical).catch(() => undefined);
  // The same path from the real folder, so that only links behind the folder count.
  const fromRealFolder = path.resolve(realFolder, path.relative(folder, lexical));
  const isNear = !leadsOutside(fromRealFolder, bound) && (real === undefined || isInside(real, bound));
  if (real !== undefined) {
    const isTrackable = root !== undefined && isInside(real, root);
    return { lexical, real, isNear, ...(isTrackable ? { root, pathInRoot: pathFrom(root, real) } : {}) };
  }
  // A file that another commit lacks may be one that git ignores. Then it is in the work tree, and needs permission. So it has no `root`.
  const inWorkTree = rules.tracking.toWorkTree(lexical);
  if (inWorkTree === lexical) return { lexical, isNear };
  const realInWorkTree = await realpath(inWorkTree).catch(() => undefined);
  return { lexical: inWorkTree, real: realInWorkTree, isNear };
}

/**
 * Decides on one file that a configuration names. It may be read if it is near and git tracks it, or if a glob of `--allow-files` matches
 * it, but never if it belongs to trueup, git or the system. A refusal that a flag can lift contains the flag. `located`: the file as named
 * (`lexical`), its real path, and whether both are in the repository, or without one in the folder of the configuration (`isNear`); see
 * `LocatedFile`. `tracked`: the tracked paths in each work tree.
 */
async function judgeFile(
  located: LocatedFile,
  tracked: Map<string, Set<string>>,
  rules: FileRules,
): Promise<SourceVerdict> {
  const { lexical, real, root, pathInRoot, isNear } = located;
  const knownPath = real ?? lexical;
  if ((await isReserved(lexical, rules)) || (real !== undefined && (await isReserved(real, rules))))
    return { allowed: false, never: true, message: 'its file belongs to trueup or git and is never read' };
  const missing = { allowed: false, isMissing: true, message: 'there is no such file' } as const;
  if (real === undefined && isNear) return missing;
  const isTracked = isNear && root !== undefined && tracked.get(root)?.has(pathInRoot!);
  if (isTracked) return { allowed: true, path: real!, isTracked: true };
  if (await isAllowedByGlob(knownPath, rules))
    return real === undefined ? missing : { allowed: true, path: real };
  return {
    allowed: false,
    // Permission is remembered for the real file, because links to it can change.
    key: knownPath,
    message: isNear
      ? `git does not track its file${root === undefined ? ', since there is no repository' : ''}`
      : 'its file is outside the repository',
    flag: `--allow-files ${shellWord(exactGlobOf(shortPathOf(knownPath, rules)))}`,
    path: real,
    // `git add` would help only for a file in the repository.
    untracked: isNear && root !== undefined ? shortPathOf(knownPath, rules) : undefined,
  };
}

/** Returns the path of a file as the flag in a refusal has it: relative if the file is below the working directory. */
function shortPathOf(file: string, { cwd, tracking }: FileRules): string {
  const folder = tracking.toWorkTree(cwd);
  return isInside(file, folder) ? path.relative(folder, file) : file;
}

/**
 * Returns a glob that matches one file alone, for a flag `--allow-files` that the operator can copy: characters with a meaning in globs are
 * escaped.
 */
export const exactGlobOf = (file: string): string =>
  file.replace(/[*?[\]{}()!+@\\]/g, (sign) => (sign === '\\' && path.sep === '\\' ? '/' : `\\${sign}`));

/**
 * True if a glob of `--allow-files`, such as `secrets/**`, matches a file, given by its real path. The plain
 * folder in front of the first pattern may contain links, so its real path is taken too. `noteMatch`: called
 * with the glob that matches, so that unused flags can be reported.
 */
async function isAllowedByGlob(
  file: string,
  { cwd, tracking, globs, noteMatch }: FileRules,
): Promise<boolean> {
  for (const glob of globs) {
    // The glob begins with a plain path that may contain links. It means files of the user's work tree, even if `cwd` is that of another
    // commit.
    const { folder, below } = splitGlob(glob);
    const start = tracking.toWorkTree(path.resolve(cwd, folder));
    const real = await realpath(start).catch(() => start);
    if (below === '' ? file === real : matchesBelow(file, real, below)) {
      noteMatch?.(glob);
      return true;
    }
  }
  return false;
}

/** True if a file is inside a folder, and its path from there matches a glob. */
const matchesBelow = (file: string, folder: string, glob: string) =>
  file !== folder &&
  isInside(file, folder) &&
  compileGlob(glob, { matchesHidden: false }).matches(pathFrom(folder, file));

/**
 * True if a file belongs to trueup, git or the system, so that it is never read, even with a flag, and no secret is written to it.
 * `reserved`: files such as the ledger. Compares names without case, because many file systems ignore it, and
 * then the identity of the files, because a file may have several names.
 */
export async function isReserved(
  file: string,
  { cwd, reserved }: Pick<FileRules, 'cwd' | 'reserved'>,
): Promise<boolean> {
  if (hasReservedName(file, cwd)) return true;
  const fileStats = await stat(file, { bigint: true }).catch(() => undefined);
  for (const reservedPath of reserved) {
    const reservedFile = path.resolve(cwd, reservedPath);
    if (await isNamedLike(file, reservedFile)) return true;
    // Another name for the same file.
    const reservedStats = await stat(reservedFile, { bigint: true }).catch(() => undefined);
    const isSameFile = fileStats?.dev === reservedStats?.dev && fileStats?.ino === reservedStats?.ino;
    if (fileStats && reservedStats?.isFile() && isSameFile) return true;
  }
  return false;
}

/** True if the path of a file alone shows that it belongs to git, trueup or the system. */
function hasReservedName(file: string, cwd: string): boolean {
  const lower = file.toLowerCase();
  // Windows ignores dots and blanks at the end of a name, and `git~1` is its short name for `.git`.
  const parts = lower.split(/[/\\]/).map((part) => part.replace(/[ .]+$/, '') || part);
  if (parts.some((part) => /^(\.git|\.trueup|git~\d+)$/.test(part))) return true;
  // The environment of a process, and what it has open. A checkout in memory lies below /dev/shm, where files are plain.
  const inMemory = '/dev/shm/';
  const isCheckoutInMemory = file.startsWith(inMemory) && cwd.startsWith(inMemory);
  return /^\/(proc|dev|sys)\//.test(lower) && !isCheckoutInMemory;
}

/** True if a file is a reserved one by its path, has a name that continues its name (`shop.json.lock`), or is in a reserved folder. */
async function isNamedLike(file: string, reservedFile: string): Promise<boolean> {
  const lower = file.toLowerCase();
  const real = await realpath(reservedFile).catch(() => reservedFile);
  return [reservedFile, real]
    .map((name) => name.toLowerCase())
    .some((name) => lower === name || lower.startsWith(`${name}.`) || isInside(lower, name));
}
