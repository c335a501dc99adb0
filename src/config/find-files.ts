/**
 * Finds the files of a configuration.
 *
 *   bounds   the folders that a path must not lead out of through links: a link in a repository may come from anyone who can commit to it
 */

import { type Dirent, realpathSync, statSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { workTreeOf } from '../git/work-tree.ts';
import { type Diagnostic, problem, Reporter } from '../model/diagnostic.ts';
import { byText } from '../model/graph.ts';
import { isInside, pathFrom } from '../paths.ts';
import { leadsOutside } from './leads-outside.ts';
import { isTestFileName } from './test-file-name.ts';

const configurationNames = ['trueup.yaml', 'trueup.yml', 'trueup.json', 'trueup'];

/** True if a file has the name of a YAML file, so that it may be a part of a configuration. */
export const isYaml = (name: string): boolean => /\.ya?ml$/i.test(name);

/** A file to read. */
export interface FoundFile {
  /** Its real path, without links. */
  path: string;
  /** Its path relative to the working directory, with `/`, for messages. */
  name: string;
  /** Its content, if it is not read from disk: standard input, or a text that replaces the file. */
  text?: string | Buffer;
  /** The name under which a ledger records it; see `inputs` of `findFiles`. */
  inputName?: string;
}

/**
 * Finds the files of a configuration at `paths`, sorted by name. Default: `trueup.yaml`, `trueup.yml`,
 * `trueup.json` or the folder `trueup`.
 *
 * - A folder is searched with its subfolders for `.yaml` and `.yml`. JSON is read only if it is named, since
 *   folders contain JSON of other programs.
 * - Hidden files and `node_modules` are skipped. A file that is found twice is returned once.
 * - A link that leads out of the repository (outside of one: out of the folder) is not followed, and is reported.
 * - Test files in a folder are left out, unless `withTests` asks for them: `trueup fmt` formats them too.
 *
 * In the result, `inputs` and `folders` are the names under which a ledger records the files and the folders
 * in `paths`.
 */
export async function findFiles(
  cwd: string,
  paths: string[] | undefined,
  { withTests = false }: { withTests?: boolean } = {},
): Promise<{ files: FoundFile[]; inputs: string[]; folders: string[]; diagnostics: Diagnostic[] }> {
  const search = new FileSearch(cwd, withTests);
  for (const requestedPath of paths ?? findDefault(cwd, search.report)) {
    const file = path.resolve(cwd, requestedPath);
    await search.add(file, { bounds: boundsOf(file), isRequested: true });
  }
  const { files, requestedFolders, report } = search;
  const nameInput = createInputNamer([...files.keys()], requestedFolders);
  const namedFiles = [...files.values()].map((file) => ({
    ...file,
    inputName: nameInput(file.path, path.dirname(file.path)),
  }));
  return {
    files: namedFiles.sort(byFileName),
    inputs: namedFiles.map(({ inputName }) => inputName).sort(),
    folders: requestedFolders.map((folder) => nameInput(folder, folder)).sort(),
    diagnostics: report.diagnostics,
  };
}

/** A folder that links must not leave: as the requested path names it, and its real path. */
interface Bound {
  top: string;
  realTop: string;
}

/**
 * `isRequested`: the path itself was named, so that it is read under any name, and every problem with it is
 * reported.
 */
interface SearchOptions {
  bounds: Bound[];
  isRequested: boolean;
}

/** Collects files, and the problems with finding them, from one path after the other. */
class FileSearch {
  /** The files by their real paths. */
  readonly files = new Map<string, FoundFile>();
  readonly requestedFolders: string[] = [];
  readonly report = new Reporter();
  readonly #searchedFolders = new Set<string>();
  readonly #cwd: string;
  readonly #withTests: boolean;

  constructor(cwd: string, withTests: boolean) {
    this.#cwd = cwd;
    this.#withTests = withTests;
  }

  /**
   * Adds the file at a path to the result, or the YAML files in and below the folder there. Called for each path of `-f`, `include:` or a
   * stage, for the default path, and for each entry of a folder. Returns false if there is nothing to read: for a folder without YAML, and
   * for an entry of a folder, such as a link, that has no YAML name and leads to no folder inside the bounds. `bounds`: folders that links
   * must not leave. `isRequested`: the path itself was named (not found in a folder), so that a file of any name is read.
   */
  async add(file: string, options: SearchOptions): Promise<boolean> {
    const name = nameIn(this.#cwd, file);
    try {
      const real = withinBounds(file, name, options.bounds);
      const mayBeRead = options.isRequested || isYaml(file);
      if (typeof real !== 'string') {
        // Reported under any name: a report of folders alone would tell which folders exist outside.
        this.report.add(real);
        return mayBeRead;
      }
      const status = statSync(real);
      if (status.isDirectory()) return await this.#addFolder(file, real, options);
      if (!mayBeRead) return false;
      if (status.isFile()) this.files.set(real, this.files.get(real) ?? { path: real, name });
      else this.report.add(notRegularFileProblem(name));
      return true;
    } catch (error) {
      this.report.add(unreadableFileProblem(name, error));
      return true;
    }
  }

  /**
   * Adds the YAML files in and below a folder to the result, for `-f FOLDER` or the folder `trueup`. Returns true if there are any, and for
   * a folder that was searched before; reports a folder of `-f` without any. Leaves out test files (`x.test.yaml`), unless `trueup fmt`
   * asks for them. `real`: the real path of `folder`. `bounds`: folders that links must not leave.
   */
  async #addFolder(folder: string, real: string, { bounds, isRequested }: SearchOptions): Promise<boolean> {
    if (this.#searchedFolders.has(real)) return true;
    this.#searchedFolders.add(real);
    if (isRequested) this.requestedFolders.push(real);
    let hasContent = false;
    for (const entry of (await readdir(real, { withFileTypes: true })).sort(byFileName)) {
      if (isSkipped(entry)) continue;
      if (isTestFileName(entry.name) && !this.#withTests) {
        await this.#refuseUnlessTestFile(path.join(real, entry.name));
        continue;
      }
      if (await this.add(path.join(folder, entry.name), { bounds, isRequested: false })) hasContent = true;
    }
    const name = nameIn(this.#cwd, folder);
    if (isRequested && !hasContent)
      this.report.error('file/no-yaml', `the folder ${name} contains no .yaml or .yml file`, {
        hint: hintWithoutYaml(name, await readdir(real)),
      });
    return hasContent;
  }

  /**
   * Reports a file with the name of a test file and other content. A test file is no part of a configuration, so folders are read without
   * it, but a part of the configuration must never be left out silently.
   */
  async #refuseUnlessTestFile(file: string): Promise<void> {
    const keys = await readTopLevelKeys(file);
    const isTestFile = keys.includes('tests') || keys.includes('given');
    if (isTestFile || keys.length === 0) return;
    const name = nameIn(this.#cwd, file);
    this.report.error('file/test-name', `${name} has the name of a test file, and no \`tests\``, {
      at: { file: name, line: 1, column: 1 },
      hint: 'if it is a part of the configuration, rename it: files that end in `.test.yaml` are not read',
    });
  }
}

/**
 * Returns the hint for a folder without YAML: how to pass the JSON file in it, because JSON is read only if
 * the user names it. `names`: the names of its files.
 */
const hintWithoutYaml = (folder: string, names: string[]): string => {
  const [json] = names.filter((name) => /\.json$/i.test(name)).sort();
  return json === undefined
    ? 'pass a file or folder with -f'
    : `to use JSON, pass it: -f ${path.join(folder, json)}`;
};

/**
 * Finds one file that a flag or the YAML names, such as a variable file. Returns its real path, or a problem
 * if it does not exist, or if a link in its path leads out of the repository: a pull request may have written
 * the name or the link.
 */
export async function findFile(cwd: string, file: string): Promise<FoundFile | Diagnostic> {
  const name = nameIn(cwd, file);
  try {
    const absolute = path.resolve(cwd, file);
    const real = withinBounds(absolute, name, boundsOf(absolute));
    return typeof real === 'string' ? { path: real, name } : real;
  } catch (error) {
    return unreadableFileProblem(name, error);
  }
}

/**
 * Returns the name of a file for messages: its path relative to the working directory, with `/` on all systems, so that output is the same
 * everywhere.
 */
const nameIn = (cwd: string, file: string): string => pathFrom(cwd, path.resolve(cwd, file)) || '.';

/**
 * Returns the folders that links in a path must not leave, because a link could make trueup read any file of the machine. They are the git
 * work tree around the path, before links are followed, and each work tree around that one: a link in a submodule must leave neither.
 * Without a work tree, it is the folder at the path, or the folder of the file.
 */
function boundsOf(file: string): Bound[] {
  const bounds: Bound[] = [];
  for (let top = workTreeOf(file); top !== undefined; top = workTreeAbove(top))
    bounds.push({ top, realTop: realpathSync.native(top) });
  if (bounds.length > 0) return bounds;
  const top = isFolder(file) ? file : path.dirname(file);
  try {
    return [{ top, realTop: realpathSync.native(top) }];
  } catch {
    // The folder does not exist or cannot be read, which the caller reports.
    return [{ top, realTop: top }];
  }
}

/**
 * Returns the work tree that contains another one, as with git submodules, because a link inside a submodule must not make trueup read
 * files outside of either of them.
 */
const workTreeAbove = (top: string) =>
  path.dirname(top) === top ? undefined : workTreeOf(path.dirname(top));

/**
 * Returns the real path of a file, with all links followed; a problem if a link leads out of one of the
 * folders `bounds`. Called before any file is read: a link could make trueup read any file of the machine.
 * `name`: the file for the message, which is the same whether there is a file outside or not. Throws the error of
 * the system if there is no such file.
 */
function withinBounds(file: string, name: string, bounds: readonly Bound[]): string | Diagnostic {
  // Also follows the links one by one, because a path can leave a folder and come back.
  const isWithin = bounds.every(({ top, realTop }) => {
    const fileFromRealTop = path.resolve(realTop, path.relative(top, file));
    return !leadsOutside(fileFromRealTop, realTop);
  });
  try {
    const real = realpathSync.native(file);
    if (isWithin && bounds.every(({ realTop }) => isInside(real, realTop))) return real;
  } catch (error) {
    // Outside, the result must be the same for a missing file and for an existing one, so the error of the system is not passed on.
    const isCircle = (error as NodeJS.ErrnoException).code === 'ELOOP';
    if (isWithin || isCircle) throw error;
  }
  return problem('file/outside', `${name} leads outside the repository or the given folder`, {
    hint: 'links are not followed there; if this is intended, pass the file or folder itself with -f',
  });
}

/** Returns the problem with a path that is a pipe, a device or the like. Reading these could block or do harm. */
export const notRegularFileProblem = (name: string): Diagnostic =>
  problem('file/special', `${name} is not a regular file; folders, pipes and devices are not read`, {
    hint: 'use a regular file, or `-f -` for standard input',
  });

/**
 * Returns the problem for an error of the system about a file: it does not exist, is a link to itself, or cannot be
 * read. Used by everything that reads files of a configuration. `name`: its name in the message.
 */
export function unreadableFileProblem(name: string, error: unknown): Diagnostic {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return problem('file/missing', `there is no file or folder ${name}`, {
      hint: 'paths are relative to the working directory',
    });
  if (code === 'ELOOP') return problem('file/unreadable', `${name} is a link to itself`);
  return problem('file/unreadable', `${name} cannot be read (${code ?? 'unknown error'})`);
}

/** True for a folder, false for anything else, and undefined if nothing is there or it cannot be read. */
function isFolder(file: string): boolean | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false })?.isDirectory();
  } catch {
    return undefined;
  }
}

const byFileName = (a: { name: string }, b: { name: string }) => byText(a.name, b.name);
const isSkipped = (entry: Dirent) =>
  entry.name.startsWith('.') || entry.name === 'node_modules' || (entry.isFile() && !isYaml(entry.name));

/**
 * True if a default path such as `trueup.yaml` exists in a folder. `trueup` must be a folder, so that a
 * program of that name is not read as YAML; all others must not be folders.
 */
const isDefaultPath = (cwd: string, name: string) => isFolder(path.join(cwd, name)) === (name === 'trueup');

/**
 * Returns the files and folders in `cwd` that are read if the user passes no path, such as `trueup.yaml`. The
 * caller reports more than one, because the configuration is then ambiguous. `trueup init` uses it too: it
 * must not overwrite them.
 */
export const findDefaultPaths = (cwd: string): string[] =>
  configurationNames.filter((name) => isDefaultPath(cwd, name));

/**
 * Returns the default configuration of a folder as a list of one path, for commands without `-f`. It must be
 * unambiguous, because a plan for the wrong file could delete objects. Returns none after a report, if there is no
 * default configuration or more than one.
 */
function findDefault(cwd: string, report: Reporter): string[] {
  const defaults = findDefaultPaths(cwd);
  if (defaults.length === 0)
    report.error('file/missing', 'there is no trueup.yaml or trueup/ in the working directory', {
      hint: isDefaultPath(cwd, 'trueup.workspace.yaml')
        ? 'this is a workspace: pass one of its stacks with -f (see `trueup stacks`)'
        : hintWithoutDefault(cwd),
    });
  if (defaults.length > 1)
    report.error('file/ambiguous', `the configuration is ambiguous: ${defaults.join(' or ')}`, {
      hint: `choose one: ${defaults.map((name) => `-f ${name}`).join(' ')}`,
    });
  return defaults.length > 1 ? [] : defaults;
}

/**
 * Returns the hint for a folder without a default configuration: that of the nearest folder above in the repository, because the command
 * may have been started too far below, or how to write a first one. Only the folder above is examined outside of a repository.
 */
function hintWithoutDefault(cwd: string): string {
  const top = workTreeOf(cwd) ?? path.dirname(cwd);
  for (let folder = cwd; folder !== top && folder !== path.dirname(folder); ) {
    folder = path.dirname(folder);
    const [found] = findDefaultPaths(folder);
    if (found !== undefined)
      return `pass a file or folder with -f, such as -f ${nameIn(cwd, path.join(folder, found))}`;
  }
  return 'pass a file or folder with -f, or write a first trueup.yaml with `trueup init`';
}

/**
 * Creates a function to name the files and folders of a configuration as a ledger records them. A later plan
 * compares the names, so that it deletes nothing if one of the files was not passed. In a git work tree, the name
 * is `/` and the path from its top, in every working directory. Outside, it is relative to the deepest folder
 * that contains all such files. `files` and `folders` are real paths; the function takes one, with the folder that it is in.
 */
function createInputNamer(
  files: string[],
  folders: string[],
): (fileOrFolder: string, folder: string) => string {
  const workTrees = new Map<string, string | undefined>();
  const workTreeIn = (folder: string) => {
    if (!workTrees.has(folder)) workTrees.set(folder, workTreeOf(folder));
    return workTrees.get(folder);
  };
  const allFolders = [...files.map((file) => path.dirname(file)), ...folders];
  const outsideWorkTrees = allFolders.filter((folder) => workTreeIn(folder) === undefined);
  const base = outsideWorkTrees.length > 0 ? outsideWorkTrees.reduce(deepestSharedFolder) : '';
  return (fileOrFolder, folder) => {
    const top = workTreeIn(folder);
    const name = pathFrom(top ?? base, fileOrFolder);
    return top === undefined ? name || '.' : `/${name}`;
  };
}

/**
 * Returns the deepest folder that contains both folders. Files outside of repositories are named relative to
 * it in the ledger.
 */
function deepestSharedFolder(first: string, second: string): string {
  let shared = first;
  while (path.relative(shared, second).split(path.sep)[0] === '..') shared = path.dirname(shared);
  return shared;
}

/** How much of a file is read, because its first lines show what it contains. */
const examinedBytes = 64 * 1024;

/** Returns the keys at the left margin of a YAML file, as far as its first lines have them; none if it cannot be read. */
export const readTopLevelKeys = async (file: string): Promise<string[]> =>
  [...(await startOf(file)).matchAll(/^["']?([A-Za-z]\w*)["']?:(?=\s|$)/gm)].map(([, key]) => key!);

/**
 * Returns the first bytes of a file as text, in which the keys of a configuration are looked for without reading all of it; empty if it
 * cannot be read.
 */
async function startOf(file: string): Promise<string> {
  const handle = await open(file).catch(() => undefined);
  try {
    const { buffer, bytesRead } = (await handle?.read({ buffer: Buffer.alloc(examinedBytes) })) ?? {};
    return buffer?.toString('utf8', 0, bytesRead) ?? '';
  } catch {
    return '';
  } finally {
    await handle?.close();
  }
}
