import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Diagnostic, problem } from '../model/diagnostic.ts';
import { inputNames } from './input-names.ts';

const defaults = ['trueup.yaml', 'trueup.yml', 'trueup'];
const isYaml = (name: string) => /\.ya?ml$/i.test(name);

/** A file to read; `name` is its path relative to the working directory, with `/`: what people are told. */
export interface FoundFile {
  path: string;
  name: string;
  /** What is in it, where it is no file on disk. */
  text?: string;
}

/**
 * The files behind `paths` (default: `trueup.yaml`, `trueup.yml` or the folder `trueup`), by name. Folders are searched
 * recursively for `.yaml` and `.yml`; what is hidden, and `node_modules`, is passed over; a file met twice is read once.
 * `inputs` are the same files, and `folders` those that were given, so that all in them was read, as a ledger remembers them.
 */
export async function findFiles(
  cwd: string,
  paths: string[] | undefined,
): Promise<{ files: FoundFile[]; inputs: string[]; folders: string[]; diagnostics: Diagnostic[] }> {
  const files = new Map<string, FoundFile>();
  const folders = new Set<string>();
  const whole: string[] = [];
  const diagnostics: Diagnostic[] = [];
  const nameOf = (file: string) => fileAt(cwd, file).name;

  async function add(file: string, isGiven: boolean): Promise<number> {
    const before = files.size;
    try {
      const real = await realpath(file);
      const isFolder = (await stat(real)).isDirectory();
      if (!isFolder) {
        if (isGiven || isYaml(file)) files.set(real, files.get(real) ?? { path: file, name: nameOf(file) });
        return 1;
      }
      if (folders.has(real)) return 1;
      folders.add(real);
      if (isGiven) whole.push(real);
      let found = 0;
      for (const entry of (await readdir(file, { withFileTypes: true })).sort(byName))
        if (!isPassedOver(entry)) found += await add(path.join(file, entry.name), false);
      if (isGiven && files.size === before && found === 0)
        diagnostics.push(
          problem('file/no-yaml', `the folder ${nameOf(file)} holds no .yaml or .yml file`, {
            hint: 'name a file or a folder with -f',
          }),
        );
      return found;
    } catch (error) {
      diagnostics.push(unreadable(nameOf(file), error));
      return 1;
    }
  }

  for (const file of paths ?? (await findDefault(cwd, diagnostics))) await add(path.resolve(cwd, file), true);
  const byPath = (a: FoundFile, b: FoundFile) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
  return { files: [...files.values()].sort(byPath), ...inputNames([...files.keys()], whole), diagnostics };
}

/** A file as it is called in messages. */
export function fileAt(cwd: string, file: string): FoundFile {
  const absolute = path.resolve(cwd, file);
  return { path: absolute, name: path.relative(cwd, absolute).split(path.sep).join('/') || '.' };
}

/** A diagnostic for a file that cannot be read. */
export function unreadable(name: string, error: unknown): Diagnostic {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return problem('file/missing', `there is no file or folder ${name}`, {
      hint: 'paths start at the working directory',
    });
  if (code === 'ELOOP') return problem('file/unreadable', `${name} is a link that leads back to itself`);
  return problem('file/unreadable', `${name} cannot be read (${code ?? 'unknown error'})`);
}

const byName = (a: Dirent, b: Dirent) => (a.name < b.name ? -1 : 1);
const isPassedOver = (entry: Dirent) =>
  entry.name.startsWith('.') || entry.name === 'node_modules' || (entry.isFile() && !isYaml(entry.name));

async function findDefault(cwd: string, diagnostics: Diagnostic[]): Promise<string[]> {
  const exists = (name: string) =>
    stat(path.join(cwd, name)).then(
      (found) => found.isDirectory() === (name === 'trueup'),
      () => false,
    );
  const found: string[] = [];
  for (const name of defaults) if (await exists(name)) found.push(name);
  if (found.length === 0)
    diagnostics.push(
      problem('file/missing', 'there is no trueup.yaml, and no folder trueup, in the working directory', {
        hint: 'name a file or a folder with -f',
      }),
    );
  if (found.length > 1)
    diagnostics.push(
      problem('file/ambiguous', `the configuration could be ${found.join(' or ')}`, {
        hint: `name what is meant: ${found.map((name) => `-f ${name}`).join(' ')}`,
      }),
    );
  return found.length > 1 ? [] : found;
}
