/** Remembers the sources that a person has allowed at the terminal, so that they are not asked again for the same stack. */

import { hash } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { isInside } from '../../paths.ts';
import { readRegularFile } from './regular-file.ts';

/**
 * The sources that a person has allowed, by repository and stack. Kept outside of every repository, because a pull request could change a
 * file in it.
 */
export interface PermissionMemory {
  /** Returns the keys of the allowed sources. */
  allowedSources(repository: string, stack: string): Promise<ReadonlySet<string>>;
  /**
   * Adds allowed sources by their keys. Returns the file in which they are kept; undefined if they are not kept, because the environment
   * names no folder for it, or one inside the repository.
   */
  remember(repository: string, stack: string, sources: string[]): Promise<string | undefined>;
}

/** The content of the file for one repository: the allowed sources of each stack. */
interface RememberedSources {
  repository: string;
  stacks: Record<string, string[]>;
}

const maxMemoryBytes = 4 * 1024 * 1024;

/**
 * Opens the memory of sources (environment variables, files, commands, secrets of live objects) that a person
 * has allowed at the terminal for a stack, so that later runs of it do not ask again. It has one file for each
 * repository, in the user's state folder (`stateFolder`). Without such a folder, or if it is inside the
 * repository, nothing is remembered: a file there could come from a pull request.
 */
export function openPermissionMemory(env: Record<string, string | undefined>): PermissionMemory {
  const folder = stateFolder(env);
  const fileOf = async (repository: string) => {
    if (folder === undefined) return undefined;
    const real = await realFolderOf(folder);
    // A file inside the repository could come from a pull request.
    if (isInside(real, repository)) return undefined;
    return path.join(real, `${hash('sha256', repository).slice(0, 24)}.json`);
  };
  return {
    async allowedSources(repository, stack) {
      const file = await fileOf(repository);
      const remembered = file === undefined ? undefined : await readMemory(file, repository);
      return new Set(remembered && sourcesOf(remembered, stack));
    },
    async remember(repository, stack, sources) {
      const file = await fileOf(repository);
      if (file === undefined) return undefined;
      const remembered = (await readMemory(file, repository)) ?? { repository, stacks: {} };
      const allSources = [...new Set([...sourcesOf(remembered, stack), ...sources])].sort();
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      const stacks = { ...remembered.stacks, [stack]: allSources };
      const content: RememberedSources = { repository, stacks };
      const { replaceFile } = await import('../../files/replace-file.ts');
      await replaceFile(file, `${JSON.stringify(content, null, 2)}\n`, 0o600);
      return file;
    },
  };
}

/** Returns the sources that are remembered for a stack. */
const sourcesOf = ({ stacks }: RememberedSources, stack: string): string[] =>
  Object.hasOwn(stacks, stack) ? stacks[stack]! : [];

/**
 * Returns the folder in which trueup remembers the sources that a person allowed at the terminal: in
 * `XDG_STATE_HOME`, else in `~/.local/state`, or on Windows in `LOCALAPPDATA`. Undefined if the environment has
 * none of them, as in some CI systems. The caller checks that the folder is outside of the repository.
 */
function stateFolder(env: Record<string, string | undefined>): string | undefined {
  const base = baseOfState(env);
  return base ? path.join(base, 'trueup', 'sources') : undefined;
}

/** Returns the folder in which programs keep their state, by the rules of the system; undefined if the environment names none. */
function baseOfState({
  XDG_STATE_HOME: xdg,
  LOCALAPPDATA: local,
  HOME: home,
}: Record<string, string | undefined>): string | undefined {
  if (xdg && path.isAbsolute(xdg)) return xdg;
  const isWindows = path.sep === '\\';
  if (isWindows) return local;
  return home && path.isAbsolute(home) ? path.join(home, '.local', 'state') : undefined;
}

/**
 * Returns the real path of a folder, without links, or the one that it would have after it is created. Used
 * to check that the memory of permissions lies outside of the repository before it is written.
 */
export async function realFolderOf(folder: string): Promise<string> {
  const parent = path.dirname(folder);
  return realpath(folder).catch(async () =>
    parent === folder ? folder : path.join(await realFolderOf(parent), path.basename(folder)),
  );
}

/**
 * Reads the remembered permissions of a repository from their file. Returns undefined if there are none or
 * the file is invalid, so that an edited or damaged file allows nothing.
 */
async function readMemory(file: string, repository: string): Promise<RememberedSources | undefined> {
  try {
    const bytes = await readRegularFile(file, maxMemoryBytes);
    const remembered = JSON.parse(bytes.toString()) as RememberedSources;
    const isValid =
      remembered.repository === repository &&
      Object.values(remembered.stacks).every(
        (sources) => Array.isArray(sources) && sources.every((source) => typeof source === 'string'),
      );
    return isValid ? remembered : undefined;
  } catch {
    return undefined;
  }
}
