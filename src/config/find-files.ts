import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { workTreeOf } from '../git/work-tree.ts';
import { type Diagnostic, problem } from '../model/diagnostic.ts';
import { byText } from '../model/graph.ts';
import { isInside } from '../programs/find-program.ts';

const configurationNames = ['trueup.yaml', 'trueup.yml', 'trueup.json', 'trueup'];
const isYaml = (name: string) => /\.ya?ml$/i.test(name);

/** A file to read. `path`: its real path. `name`: its path relative to the working directory, with `/`. */
export interface FoundFile {
  path: string;
  name: string;
  /** Its content, if it is no file on disk. */
  text?: string | Buffer;
}

/**
 * Finds the files behind `paths`, sorted by name. Default: `trueup.yaml`, `trueup.yml`, `trueup.json` or the folder `trueup`.
 *
 *   - A folder is searched recursively for `.yaml` and `.yml`. JSON is read only if it is named, since folders contain JSON of other programs.
 *   - Hidden files and `node_modules` are skipped. A file that is found twice is returned once.
 *   - A link that leads out of the repository is not followed. Without a repository, it must not lead out of the folder.
 *
 * `inputs`: the names of the files for the ledger. `folders`: the given folders, of which everything was read.
 */
export async function findFiles(
  cwd: string,
  paths: string[] | undefined,
): Promise<{ files: FoundFile[]; inputs: string[]; folders: string[]; diagnostics: Diagnostic[] }> {
  const files = new Map<string, FoundFile>();
  const folders = new Set<string>();
  const givenFolders: string[] = [];
  const diagnostics: Diagnostic[] = [];
  const nameOf = (file: string) => nameIn(cwd, file);

  async function add(file: string, bounds: string[], isGiven: boolean): Promise<number> {
    const before = files.size;
    try {
      const found = await withinBounds(file, nameOf(file), bounds);
      if (typeof found !== 'string') {
        // A link that leads outside is reported only if its file would have been read.
        const isMeant = isGiven || isYaml(file) || (await stat(file)).isDirectory();
        if (isMeant) diagnostics.push(found);
        return 1;
      }
      const real = found;
      const status = await stat(real);
      if (!status.isDirectory()) {
        if (!isGiven && !isYaml(file)) return 1;
        if (status.isFile()) files.set(real, files.get(real) ?? { path: real, name: nameOf(file) });
        else diagnostics.push(notRegularFileProblem(nameOf(file)));
        return 1;
      }
      if (folders.has(real)) return 1;
      folders.add(real);
      if (isGiven) givenFolders.push(real);
      let count = 0;
      for (const entry of (await readdir(real, { withFileTypes: true })).sort(byFileName))
        if (!isPassedOver(entry)) count += await add(path.join(file, entry.name), bounds, false);
      if (isGiven && files.size === before && count === 0)
        diagnostics.push(
          problem('file/no-yaml', `the folder ${nameOf(file)} contains no .yaml or .yml file`, {
            hint: nameJson(nameOf(file), await readdir(real)),
          }),
        );
      return count;
    } catch (error) {
      diagnostics.push(unreadableFileProblem(nameOf(file), error));
      return 1;
    }
  }

  for (const given of paths ?? (await findDefault(cwd, diagnostics))) {
    const file = path.resolve(cwd, given);
    await add(file, await boundsOf(file), true);
  }
  return {
    files: [...files.values()].sort(byFileName),
    ...splitInputs([...files.keys()], givenFolders),
    diagnostics,
  };
}

/** Returns a hint for a folder without YAML: how to pass a JSON file in it. */
const nameJson = (folder: string, names: string[]): string => {
  const [json] = names.filter((name) => /\.json$/i.test(name)).sort();
  return json === undefined
    ? 'pass a file or folder with -f'
    : `to use JSON, pass it: -f ${path.join(folder, json)}`;
};

/** Finds one file that a flag names, under the same rules as `findFiles`. */
export async function findFile(cwd: string, file: string): Promise<FoundFile | Diagnostic> {
  const name = nameIn(cwd, file);
  try {
    const absolute = path.resolve(cwd, file);
    const real = await withinBounds(absolute, name, await boundsOf(absolute));
    return typeof real === 'string' ? { path: real, name } : real;
  } catch (error) {
    return unreadableFileProblem(name, error);
  }
}

/** Returns the name of a file in messages. */
const nameIn = (cwd: string, file: string): string =>
  path.relative(cwd, path.resolve(cwd, file)).split(path.sep).join('/') || '.';

/**
 * Returns the real folders that a path must not lead out of: all work trees that it passes through as it is written, because the links in
 * them may come from anyone who committed them. Without a work tree, it is the folder of the file.
 */
async function boundsOf(file: string): Promise<string[]> {
  const bounds: string[] = [];
  for (let top = workTreeOf(file); top !== undefined; top = workTreeAbove(top))
    bounds.push(await realpath(top));
  if (bounds.length > 0) return bounds;
  const status = await stat(file).catch(() => undefined);
  return [await realpath(status?.isDirectory() ? file : path.dirname(file)).catch(() => path.dirname(file))];
}

/** Returns the next work tree around one. */
const workTreeAbove = (top: string) =>
  path.dirname(top) === top ? undefined : workTreeOf(path.dirname(top));

/** Returns the real path of a file, or a problem if it is outside of the bounds. Rejects if there is no such file. */
async function withinBounds(file: string, name: string, bounds: string[]): Promise<string | Diagnostic> {
  const real = await realpath(file);
  if (bounds.every((bound) => isInside(real, bound))) return real;
  return problem('file/outside', `${name} leads outside the repository or the given folder`, {
    hint: `links are not followed there; if this is intended, pass it explicitly: -f ${real}`,
  });
}

/** Returns the diagnostic for a path that cannot be a file of the configuration. */
export const notRegularFileProblem = (name: string): Diagnostic =>
  problem('file/special', `${name} is not a regular file; folders, pipes and devices are not read`, {
    hint: 'use a regular file, or `-f -` for standard input',
  });

/** Returns the diagnostic for a file that cannot be read. */
export function unreadableFileProblem(name: string, error: unknown): Diagnostic {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return problem('file/missing', `there is no file or folder ${name}`, {
      hint: 'paths are relative to the working directory',
    });
  if (code === 'ELOOP') return problem('file/unreadable', `${name} is a link to itself`);
  return problem('file/unreadable', `${name} cannot be read (${code ?? 'unknown error'})`);
}

const byFileName = (a: { name: string }, b: { name: string }) => byText(a.name, b.name);
const isPassedOver = (entry: Dirent) =>
  entry.name.startsWith('.') || entry.name === 'node_modules' || (entry.isFile() && !isYaml(entry.name));

const isThere = (cwd: string, name: string) =>
  stat(path.join(cwd, name)).then(
    (found) => found.isDirectory() === (name === 'trueup'),
    () => false,
  );

/** Returns the files and folders that are read by default, if they exist. */
export async function findDefaultPaths(cwd: string): Promise<string[]> {
  const existing: string[] = [];
  for (const name of configurationNames) if (await isThere(cwd, name)) existing.push(name);
  return existing;
}

/** Returns the default configuration of a folder. Reports if there is none, or more than one. */
async function findDefault(cwd: string, diagnostics: Diagnostic[]): Promise<string[]> {
  const defaults = await findDefaultPaths(cwd);
  if (defaults.length === 0)
    diagnostics.push(
      problem('file/missing', 'there is no trueup.yaml or trueup/ in the working directory', {
        hint: (await isThere(cwd, 'trueup.workspace.yaml'))
          ? 'this is a workspace: pass one of its stacks with -f (see `trueup stacks`)'
          : 'pass a file or folder with -f',
      }),
    );
  if (defaults.length > 1)
    diagnostics.push(
      problem('file/ambiguous', `the configuration is ambiguous: ${defaults.join(' or ')}`, {
        hint: `choose one: ${defaults.map((name) => `-f ${name}`).join(' ')}`,
      }),
    );
  return defaults.length > 1 ? [] : defaults;
}

/**
 * Returns the names under which a ledger records what a configuration was read from. They are the same wherever the run is started: `/`
 * and the path from the top of the work tree. Files in no work tree are named relative to the deepest folder that contains all of them.
 *
 * `files`, `folders`: real paths.
 */
function splitInputs(files: string[], folders: string[]): { inputs: string[]; folders: string[] } {
  const trees = new Map<string, string | undefined>();
  const treeOf = (folder: string) => {
    if (!trees.has(folder)) trees.set(folder, workTreeOf(folder));
    return trees.get(folder);
  };
  const nameInTree = (place: string, top: string) => `/${slashed(path.relative(top, place))}`;
  const outsideTrees = [
    ...files.map((file) => path.dirname(file)).filter((folder) => treeOf(folder) === undefined),
    ...folders.filter((folder) => treeOf(folder) === undefined),
  ];
  const base = outsideTrees.length > 0 ? outsideTrees.reduce(sharedFolder) : '';
  const nameOf = (place: string, folder: string) => {
    const top = treeOf(folder);
    return top === undefined ? slashed(path.relative(base, place)) || '.' : nameInTree(place, top);
  };
  return {
    inputs: files.map((file) => nameOf(file, path.dirname(file))).sort(),
    folders: folders.map((folder) => nameOf(folder, folder)).sort(),
  };
}

const slashed = (name: string) => name.split(path.sep).join('/');

/** Returns the deepest folder that contains both. */
function sharedFolder(first: string, second: string): string {
  let shared = first;
  while (path.relative(shared, second).split(path.sep)[0] === '..') shared = path.dirname(shared);
  return shared;
}
