import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Git, GitError } from './git.ts';
import { openRepository } from './repository.ts';
import type { Tracking } from './tracking.ts';
import { workTreeOf } from './work-tree.ts';

/** An object as git names it, and its length in bytes. */
interface FoundObject {
  id: string;
  size: number;
}

/** Resolves names such as `COMMIT:FILE` in one process; unknown ones are left out. */
export async function findObjects(names: string[], git: Git): Promise<Map<string, FoundObject>> {
  if (names.length === 0) return new Map();
  const said = await git(['cat-file', '--batch-check'], `${names.join('\n')}\n`);
  const lines = said.split('\n');
  return new Map(
    names.flatMap((name, index) => {
      const [, id, size] = /^([0-9a-f]+) [a-z]+ (\d+)$/.exec(lines[index] ?? '') ?? [];
      return id === undefined ? [] : [[name, { id, size: Number(size) }] as const];
    }),
  );
}

/** An object with its content. */
interface StoredObject {
  id: string;
  type: string;
  content: Buffer;
}

/**
 * Reads the objects that these names stand for (an id, `COMMIT:FILE`, `COMMIT^{tree}`) with one git process. Returns them by name, without those
 * that the repository does not have. Rejects with a `GitError`.
 */
export async function readObjects(names: string[], git: Git): Promise<Map<string, StoredObject>> {
  const objects = new Map<string, StoredObject>();
  if (names.length === 0) return objects;
  const output = await git(['cat-file', '--batch'], `${names.join('\n')}\n`, 'latin1');
  const bytes = Buffer.from(output, 'latin1');
  let index = 0;
  // For each name git prints a line with the id, type and length, then the content and a line break; or `NAME missing`.
  for (const name of names) {
    const lineEnd = bytes.indexOf(10, index);
    const [, id, type, length] =
      /^([0-9a-f]+) ([a-z]+) (\d+)$/.exec(bytes.toString('latin1', index, lineEnd)) ?? [];
    index = lineEnd + 1;
    if (id === undefined) continue;
    const content = bytes.subarray(index, index + Number(length));
    objects.set(name, { id, type: type!, content });
    index += content.length + 1;
  }
  return objects;
}

/** Reads blobs with one git process, and returns their contents by id. Rejects with a `GitError` if one is missing. */
export async function readBlobs(ids: string[], git: Git): Promise<Map<string, Buffer>> {
  const blobs = await readObjects(ids, git);
  const missing = ids.find((id) => blobs.get(id)?.type !== 'blob');
  if (missing !== undefined) throw new GitError('failed', `git has no object ${missing}`);
  return new Map([...blobs].map(([id, { content }]) => [id, content]));
}

/** Data, configuration and pictures, by their endings: nothing else is read from another commit. */
export const configurationEndings = ['yaml', 'yml', 'json', 'csv', 'png', 'jpg', 'jpeg', 'svg'];

const ending = new RegExp(`\\.(${configurationEndings.join('|')})$`, 'i');

/** True for a path with a part that is no plain name. */
const leadsOut = (name: string): boolean =>
  name.split(/[/\\]/).some((part) => part === '' || part === '.' || part === '..' || /^\.git$/i.test(part));

/** The files of a commit in a folder of their own, which `remove` takes away. */
export interface ExtractedFiles {
  /** The path of `cwd` in that commit. */
  cwd: string;
  /** git tracks all of them. */
  tracking: Tracking;
  remove(): Promise<void>;
}

/**
 * Writes the YAML, JSON and CSV files and the pictures of a commit to a temporary folder, as they are in the repository: no filter and no hook runs.
 * Rejects with a `GitError` where there is no such commit.
 */
export async function extractFiles(
  ref: string,
  cwd: string,
  env: Record<string, string | undefined>,
): Promise<ExtractedFiles> {
  const { git } = await openRepository(cwd, env);
  const commit = (await git(['rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`])).trim();
  const listed = await git(['ls-tree', '-r', '-z', '--full-tree', commit]);
  const top = await mkdtemp(path.join(tmpdir(), 'trueup-'));
  const names = new Set<string>();
  try {
    const blobs = listed.split('\0').flatMap((line) => {
      const [, mode, object, name] = /^(\d+) blob ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
      // A link would lead out of the folder, and so may a name: git checks names only where it writes files itself.
      if (name === undefined || !mode!.startsWith('100') || !ending.test(name) || leadsOut(name)) return [];
      return [{ object: object!, name }];
    });
    const contents = await readBlobs(
      blobs.map(({ object }) => object),
      git,
    );
    for (const { object, name } of blobs) {
      const file = path.join(top, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, contents.get(object)!);
      names.add(name);
    }
  } catch (error) {
    await rm(top, { recursive: true, force: true });
    throw error;
  }
  const here = path.relative(workTreeOf(cwd)!, cwd);
  const inside = path.join(top, here);
  await mkdir(inside, { recursive: true });
  return {
    cwd: inside,
    tracking: {
      workTreeOf: async () => top,
      tracked: async (_, files) => new Set(files.filter((file) => names.has(file))),
    },
    remove: () => rm(top, { recursive: true, force: true }),
  };
}

/** The files that differ from where a branch left another one. */
export interface ChangedFiles {
  /** Absolute paths, those of deleted files too. */
  files: ReadonlySet<string>;
  /** The text of a file where the branch began; undefined where it was not there. */
  before(file: string): Promise<string | undefined>;
}

/**
 * The files that changed since the merge base of `ref` and HEAD: committed, or in the work tree, or there and not known to git (but for what it
 * ignores). Undefined where the history is cut off, so that nobody can tell. Rejects with a `GitError` where there is no such commit.
 */
export async function findChangedFiles(
  ref: string,
  cwd: string,
  env: Record<string, string | undefined>,
): Promise<ChangedFiles | undefined> {
  const { git, isShallow } = await openRepository(cwd, env);
  const top = workTreeOf(await realpath(cwd))!;
  let base: string;
  try {
    const commit = await git(['rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`]);
    base = (await git(['merge-base', commit.trim(), 'HEAD'])).trim();
  } catch (error) {
    if (isShallow && error instanceof GitError && error.reason === 'failed') return undefined;
    throw error;
  }
  const diff = ['diff', '--name-only', '-z', '--no-renames', '--no-ext-diff', '--no-textconv'];
  const changed = await git([...diff, '--ignore-submodules=dirty', base, '--']);
  const unknown = await git(['ls-files', '-z', '--others', '--exclude-standard']);
  const names = `${changed}${unknown}`.split('\0').filter((name) => name !== '');
  return {
    files: new Set(names.map((name) => path.join(top, name))),
    before: (file) => {
      const name = path.relative(top, file).split(path.sep).join('/');
      return git(['cat-file', 'blob', `${base}:${name}`]).catch(() => undefined);
    },
  };
}
