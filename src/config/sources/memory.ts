import { hash } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { isInside } from '../../programs/find-program.ts';
import { readRegularFile } from './regular-file.ts';

/** Remembers what the operator allowed: outside of every repository, by repository, stack and source. */
export interface Memory {
  allowed(repository: string, stack: string): Promise<ReadonlySet<string>>;
  /** Resolves to the file that keeps it; undefined where there is no place for it. */
  remember(repository: string, stack: string, sources: string[]): Promise<string | undefined>;
}

interface RememberedSources {
  repository: string;
  stacks: Record<string, string[]>;
}

const maxBytes = 4 * 1024 * 1024;

/** The memory of the person whose environment it is: in the XDG state folder, else in `~/.local/state`. */
export function memoryIn(env: Record<string, string | undefined>): Memory {
  const folder = stateFolder(env);
  const fileOf = async (repository: string) => {
    if (folder === undefined) return undefined;
    const real = await realFolder(folder);
    // In there it would be a file like any other that a pull request may bring.
    if (isInside(real, repository)) return undefined;
    return path.join(real, `${hash('sha256', repository).slice(0, 24)}.json`);
  };
  return {
    async allowed(repository, stack) {
      const file = await fileOf(repository);
      const kept = file === undefined ? undefined : await readMemory(file, repository);
      return new Set(kept && Object.hasOwn(kept.stacks, stack) ? kept.stacks[stack] : []);
    },
    async remember(repository, stack, sources) {
      const file = await fileOf(repository);
      if (file === undefined) return undefined;
      const kept = (await readMemory(file, repository)) ?? { repository, stacks: {} };
      const before = Object.hasOwn(kept.stacks, stack) ? kept.stacks[stack]! : [];
      const stacks = new Map(Object.entries(kept.stacks)).set(
        stack,
        [...new Set([...before, ...sources])].sort(),
      );
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      const next: RememberedSources = { repository, stacks: Object.fromEntries(stacks) };
      const { default: writeFileAtomic } = await import('write-file-atomic');
      await writeFileAtomic(file, `${JSON.stringify(next, null, 2)}\n`, { mode: 0o600 });
      return file;
    },
  };
}

function stateFolder(env: Record<string, string | undefined>): string | undefined {
  const { XDG_STATE_HOME: xdg, LOCALAPPDATA: local, HOME: home } = env;
  const base =
    xdg && path.isAbsolute(xdg)
      ? xdg
      : path.sep === '\\'
        ? local
        : home && path.isAbsolute(home) && path.join(home, '.local', 'state');
  return base ? path.join(base, 'trueup', 'sources') : undefined;
}

/** The real path that a folder has, or would have. */
async function realFolder(folder: string): Promise<string> {
  const parent = path.dirname(folder);
  return realpath(folder).catch(async () =>
    parent === folder ? folder : path.join(await realFolder(parent), path.basename(folder)),
  );
}

/** Reads what is remembered; a file that cannot be read allows nothing. */
async function readMemory(file: string, repository: string): Promise<RememberedSources | undefined> {
  try {
    const bytes = await readRegularFile(file, maxBytes);
    const kept = JSON.parse(bytes.toString()) as RememberedSources;
    const isWhole =
      kept.repository === repository &&
      Object.values(kept.stacks).every(
        (sources) => Array.isArray(sources) && sources.every((source) => typeof source === 'string'),
      );
    return isWhole ? kept : undefined;
  } catch {
    return undefined;
  }
}
