import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Tracking } from '../../git/tracking.ts';
import { compileGlob, splitGlob } from '../../model/glob.ts';
import { addTo } from '../../model/graph.ts';
import { shellWord } from '../../model/shell-word.ts';
import { isInside } from '../../programs/find-program.ts';
import type { Verdict } from './verdict.ts';

interface FileRules {
  cwd: string;
  tracking: Tracking;
  /** Globs of the operator; relative ones start at `cwd`. */
  globs: string[];
  /** Called with each glob that opens a file. */
  noteMatch?(glob: string): void;
  /** Files of trueup, by their paths: what is beside one of them under its name and an ending of its own goes with it. */
  reserved: string[];
}

/** Judges files that secrets are read from, one question to git for all that lie in one work tree. */
export async function judgeFiles(
  files: { file: string; folder: string }[],
  rules: FileRules,
): Promise<Verdict[]> {
  const places = await Promise.all(files.map((file) => locateFile(file, rules)));
  const roots = new Map<string, string[]>();
  for (const place of places)
    if (place.root !== undefined && place.inside !== undefined) addTo(roots, place.root, place.inside);
  const tracked = new Map<string, Set<string>>();
  for (const [root, names] of roots)
    tracked.set(root, await rules.tracking.tracked(root, [...new Set(names)]));
  return Promise.all(places.map((place) => judgeFile(place, tracked, rules)));
}

interface LocatedFile {
  /** As the configuration names it, from the folder of its file. */
  lexical: string;
  /** Without links; undefined where there is nothing. */
  real?: string;
  root?: string;
  /** Inside the work tree, as git names it. */
  inside?: string;
  /** It lies in the repository, or in the folder: there a file may be reported as missing. */
  isNear: boolean;
}

async function locateFile(
  { file, folder }: { file: string; folder: string },
  rules: FileRules,
): Promise<LocatedFile> {
  const lexical = path.resolve(folder, file);
  const root = await rules.tracking.workTreeOf(folder);
  const home = root ?? (await realpath(folder).catch(() => folder));
  const real = await realpath(lexical).catch(() => undefined);
  const isNear = isInside(real ?? path.resolve(home, path.relative(folder, lexical)), home);
  if (real === undefined) return { lexical, isNear };
  return {
    lexical,
    real,
    isNear,
    ...(root !== undefined && isInside(real, root)
      ? { root, inside: path.relative(root, real).split(path.sep).join('/') }
      : {}),
  };
}

async function judgeFile(
  place: LocatedFile,
  tracked: Map<string, Set<string>>,
  rules: FileRules,
): Promise<Verdict> {
  const { lexical, real, root, inside, isNear } = place;
  if ((await isReserved(lexical, rules)) || (real !== undefined && (await isReserved(real, rules))))
    return { allowed: false, never: true, message: 'its file belongs to trueup or git and is never read' };
  const missing = { allowed: false, isGone: true, message: 'there is no such file' } as const;
  if (real === undefined && isNear) return missing;
  if (root !== undefined && tracked.get(root)?.has(inside!))
    return { allowed: true, path: real!, isTracked: true };
  if (await isAllowedByGlob(real ?? lexical, rules))
    return real === undefined ? missing : { allowed: true, path: real };
  return {
    allowed: false,
    // What it is made of decides, wherever links to it stand.
    key: real ?? lexical,
    message: isNear
      ? `git does not track its file${root === undefined ? ', since there is no repository' : ''}`
      : 'its file is outside the repository',
    flag: `--allow-files ${shellWord(toExactGlob(real ?? lexical, rules.cwd))}`,
    ...(real === undefined ? {} : { path: real }),
  };
}

/** A path as a glob that means it alone. */
function toExactGlob(file: string, cwd: string): string {
  const named = isInside(file, cwd) ? path.relative(cwd, file) : file;
  return named.replace(/[*?[\]{}()!+@\\]/g, (sign) =>
    sign === '\\' && path.sep === '\\' ? '/' : `\\${sign}`,
  );
}

async function isAllowedByGlob(file: string, { cwd, globs, noteMatch }: FileRules): Promise<boolean> {
  for (const glob of globs) {
    // Up to where it becomes a pattern it is a path, and may lead over links.
    const { folder, below } = splitGlob(glob);
    const start = path.resolve(cwd, folder);
    const real = await realpath(start).catch(() => start);
    if (below === '' ? file === real : matchesBelow(file, real, below)) {
      noteMatch?.(glob);
      return true;
    }
  }
  return false;
}

const matchesBelow = (file: string, folder: string, glob: string) =>
  file !== folder &&
  isInside(file, folder) &&
  compileGlob(glob, { matchesHidden: false }).matches(path.relative(folder, file).split(path.sep).join('/'));

/** The file systems of many people do not tell upper case from lower case, and a file may have several names. */
async function isReserved(file: string, { cwd, reserved }: FileRules): Promise<boolean> {
  const lower = file.toLowerCase();
  const parts = lower.split(/[/\\]/).map((part) => part.replace(/[ .]+$/, '') || part);
  if (parts.some((part) => /^(\.git|\.trueup|git~\d+)$/.test(part))) return true;
  // The environment of a process, and what it has open. A checkout in memory lies below /dev/shm, where files are plain.
  const inMemory = '/dev/shm/';
  if (/^\/(proc|dev|sys)\//.test(lower) && !(file.startsWith(inMemory) && cwd.startsWith(inMemory)))
    return true;
  const found = await stat(file, { bigint: true }).catch(() => undefined);
  for (const one of reserved) {
    const own = path.resolve(cwd, one);
    const names = [own, await realpath(own).catch(() => own)].map((name) => name.toLowerCase());
    if (names.some((name) => lower === name || lower.startsWith(`${name}.`) || isInside(lower, name)))
      return true;
    // Another name for the same file.
    const ours = await stat(own, { bigint: true }).catch(() => undefined);
    if (found && ours?.isFile() && found.dev === ours.dev && found.ino === ours.ino) return true;
  }
  return false;
}
