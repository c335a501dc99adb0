import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { workTreeOf } from '../git/work-tree.ts';
import { type Diagnostic, problem } from '../model/diagnostic.ts';
import { byText } from '../model/graph.ts';
import { isInside } from '../programs/find-program.ts';

const defaults = ['trueup.yaml', 'trueup.yml', 'trueup.json', 'trueup'];
const isYaml = (name: string) => /\.ya?ml$/i.test(name);

/** A file to read; `name` is its path relative to the working directory, with `/`, and `path` the real one. */
export interface FoundFile {
  path: string;
  name: string;
  /** Its content, where it is no file on disk. */
  text?: string | Buffer;
}

/**
 * The files behind `paths` (default: `trueup.yaml`, `trueup.yml`, `trueup.json` or the folder `trueup`), by name. JSON is YAML, and is read
 * where it is named; folders are searched recursively for `.yaml` and `.yml` only, since JSON of others lies there, too; what is hidden, and `node_modules`, is passed over; a file met twice is read once. A link that
 * leads out of the repository (without one, out of the folder) is not followed. `inputs` are the same files, and `folders` those that
 * were given, so that all in them was read, as a ledger remembers them.
 */
export async function findFiles(
  cwd: string,
  paths: string[] | undefined,
): Promise<{ files: FoundFile[]; inputs: string[]; folders: string[]; diagnostics: Diagnostic[] }> {
  const files = new Map<string, FoundFile>();
  const folders = new Set<string>();
  const whole: string[] = [];
  const diagnostics: Diagnostic[] = [];
  const nameOf = (file: string) => nameIn(cwd, file);

  async function add(file: string, bounds: string[], isGiven: boolean): Promise<number> {
    const before = files.size;
    try {
      const found = await withinBounds(file, nameOf(file), bounds);
      if (typeof found !== 'string') {
        // A link to a file that nobody would have read is nobody's business.
        const isMeant = isGiven || isYaml(file) || (await stat(file)).isDirectory();
        if (isMeant) diagnostics.push(found);
        return 1;
      }
      const real = found;
      const status = await stat(real);
      if (!status.isDirectory()) {
        if (!isGiven && !isYaml(file)) return 1;
        if (status.isFile()) files.set(real, files.get(real) ?? { path: real, name: nameOf(file) });
        else diagnostics.push(noRegularFile(nameOf(file)));
        return 1;
      }
      if (folders.has(real)) return 1;
      folders.add(real);
      if (isGiven) whole.push(real);
      let count = 0;
      for (const entry of (await readdir(real, { withFileTypes: true })).sort(byName))
        if (!isPassedOver(entry)) count += await add(path.join(file, entry.name), bounds, false);
      if (isGiven && files.size === before && count === 0)
        diagnostics.push(
          problem('file/no-yaml', `the folder ${nameOf(file)} contains no .yaml or .yml file`, {
            hint: nameJson(nameOf(file), await readdir(real)),
          }),
        );
      return count;
    } catch (error) {
      diagnostics.push(unreadable(nameOf(file), error));
      return 1;
    }
  }

  for (const given of paths ?? (await findDefault(cwd, diagnostics))) {
    const file = path.resolve(cwd, given);
    await add(file, await boundsOf(file), true);
  }
  return { files: [...files.values()].sort(byName), ...inputNames([...files.keys()], whole), diagnostics };
}

const nameJson = (folder: string, names: string[]): string => {
  const [json] = names.filter((name) => /\.json$/i.test(name)).sort();
  return json === undefined
    ? 'pass a file or folder with -f'
    : `to use JSON, pass it: -f ${path.join(folder, json)}`;
};

/** One file that a flag names, as `findFiles` would find it. */
export async function findFile(cwd: string, file: string): Promise<FoundFile | Diagnostic> {
  const name = nameIn(cwd, file);
  try {
    const absolute = path.resolve(cwd, file);
    const real = await withinBounds(absolute, name, await boundsOf(absolute));
    return typeof real === 'string' ? { path: real, name } : real;
  } catch (error) {
    return unreadable(name, error);
  }
}

/** A file as it is called in messages. */
const nameIn = (cwd: string, file: string): string =>
  path.relative(cwd, path.resolve(cwd, file)).split(path.sep).join('/') || '.';

/**
 * The folders, without links, that a path must not lead out of: the work trees that it passes through as it is written, since
 * whatever links are in them came with what somebody committed; without any, its own folder.
 */
async function boundsOf(file: string): Promise<string[]> {
  const bounds: string[] = [];
  for (let top = workTreeOf(file); top !== undefined; top = above(top)) bounds.push(await realpath(top));
  if (bounds.length > 0) return bounds;
  const status = await stat(file).catch(() => undefined);
  return [await realpath(status?.isDirectory() ? file : path.dirname(file)).catch(() => path.dirname(file))];
}

const above = (top: string) => (path.dirname(top) === top ? undefined : workTreeOf(path.dirname(top)));

/** The real path, or a problem if that lies elsewhere. Rejects where there is nothing. */
async function withinBounds(file: string, name: string, bounds: string[]): Promise<string | Diagnostic> {
  const real = await realpath(file);
  if (bounds.every((bound) => isInside(real, bound))) return real;
  return problem('file/outside', `${name} leads outside the repository or the given folder`, {
    hint: `links are not followed there; if this is intended, pass it explicitly: -f ${real}`,
  });
}

/** A diagnostic for what cannot be a file of the configuration. */
export const noRegularFile = (name: string): Diagnostic =>
  problem('file/special', `${name} is not a regular file; folders, pipes and devices are not read`, {
    hint: 'use a regular file, or `-f -` for standard input',
  });

/** A diagnostic for a file that cannot be read. */
export function unreadable(name: string, error: unknown): Diagnostic {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return problem('file/missing', `there is no file or folder ${name}`, {
      hint: 'paths are relative to the working directory',
    });
  if (code === 'ELOOP') return problem('file/unreadable', `${name} is a link to itself`);
  return problem('file/unreadable', `${name} cannot be read (${code ?? 'unknown error'})`);
}

const byName = (a: { name: string }, b: { name: string }) => byText(a.name, b.name);
const isPassedOver = (entry: Dirent) =>
  entry.name.startsWith('.') || entry.name === 'node_modules' || (entry.isFile() && !isYaml(entry.name));

const isThere = (cwd: string, name: string) =>
  stat(path.join(cwd, name)).then(
    (found) => found.isDirectory() === (name === 'trueup'),
    () => false,
  );

/** The files of a folder that are read by default. */
export async function defaultsIn(cwd: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of defaults) if (await isThere(cwd, name)) found.push(name);
  return found;
}

async function findDefault(cwd: string, diagnostics: Diagnostic[]): Promise<string[]> {
  const defaults = await defaultsIn(cwd);
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
 * The names under which a ledger remembers what a configuration was read from, wherever the run was started: `/` and the path from the
 * top of the work tree that a file lies in. What lies in none is named from the deepest folder that all such files and folders share,
 * without the `/`.
 * @param files real paths
 * @param folders real paths; the folder that names start at is `/`, or `.`
 */
function inputNames(files: string[], folders: string[]): { inputs: string[]; folders: string[] } {
  const trees = new Map<string, string | undefined>();
  const treeOf = (folder: string) => {
    if (!trees.has(folder)) trees.set(folder, workTreeOf(folder));
    return trees.get(folder);
  };
  const rooted = (place: string, top: string) => `/${slashed(path.relative(top, place))}`;
  const loose = [
    ...files.map((file) => path.dirname(file)).filter((folder) => treeOf(folder) === undefined),
    ...folders.filter((folder) => treeOf(folder) === undefined),
  ];
  const base = loose.length > 0 ? loose.reduce(sharedFolder) : '';
  const nameOf = (place: string, folder: string) => {
    const top = treeOf(folder);
    return top === undefined ? slashed(path.relative(base, place)) || '.' : rooted(place, top);
  };
  return {
    inputs: files.map((file) => nameOf(file, path.dirname(file))).sort(),
    folders: folders.map((folder) => nameOf(folder, folder)).sort(),
  };
}

const slashed = (name: string) => name.split(path.sep).join('/');

function sharedFolder(one: string, other: string): string {
  let shared = one;
  while (path.relative(shared, other).split(path.sep)[0] === '..') shared = path.dirname(shared);
  return shared;
}
