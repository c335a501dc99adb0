import { hash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, realpath, rename, rm, rmdir, stat, unlink } from 'node:fs/promises';
import { hostname, platform } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { Problems, problem } from '../model/diagnostic.ts';
import { systemText } from '../model/system-error.ts';
import {
  Conflict,
  type DocumentName,
  type Documents,
  type HistoryFiles,
  type HistoryUpdate,
  isRecordFileName,
  type StoredDocument,
} from './documents.ts';
import type { Processes } from './lease-record.ts';
import { readLedgersBesideFile } from './other-ledgers.ts';

/**
 * Documents as files beside each other: the ledger under the given path, fit for a diff, and a `.lock` and a `.plan` with its name. A path that is
 * not absolute starts at `cwd`; messages name it as it was given.
 */
export function fileDocuments(
  path: string,
  { cwd, processes }: { cwd: string; processes: Processes },
): Documents {
  const base = path.replace(/\.json$/, '');
  const nameOf = (name: DocumentName) =>
    ({ ledger: path, lease: `${base}.lock`, plan: `${base}.plan` })[name];
  const pathOf = (name: DocumentName) => resolve(cwd, nameOf(name));

  const read = async (name: DocumentName): Promise<StoredDocument | undefined> => {
    try {
      return toStoredDocument(await readFile(pathOf(name), 'utf8'));
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return undefined;
      throw new Problems([
        problem('ledger/unreadable', `the ledger ${nameOf(name)} cannot be read: ${message}`, {
          hint: 'check the file and its permissions; nothing was changed',
        }),
      ]);
    }
  };

  const replace = (name: DocumentName, text: string | undefined, expected: string | undefined) =>
    replaceFile(
      pathOf(name),
      text,
      async () => {
        const storedDocument = await read(name);
        if (storedDocument?.version !== expected) throw new Conflict(storedDocument);
      },
      processes,
    ).catch((error: Error) => {
      if (error instanceof Conflict || error instanceof Problems) throw error;
      throw new Problems([
        problem('ledger/unwritable', `the ledger ${nameOf(name)} cannot be written: ${systemText(error)}`, {
          hint: 'check its folder, the permissions and the free space',
        }),
      ]);
    });

  const folder = `${base}.history`;
  const history = historyIn(resolve(cwd, folder), folder);
  // Before the ledger: a run that is not recorded changes nothing.
  const writeHistory = async (historyUpdate: HistoryUpdate | undefined) => {
    for (const [name, text] of historyUpdate?.records ?? [])
      await replaceFile(join(resolve(cwd, folder), name), text, async () => {}, processes).catch(
        (error: NodeJS.ErrnoException) => {
          if (text === undefined && error.code === 'ENOENT') return;
          throw new Problems([
            problem('history/unwritable', `the history ${folder} cannot be written: ${systemText(error)}`, {
              hint: 'check its folder, the permissions and the free space',
            }),
          ]);
        },
      );
  };

  return {
    place: path,
    leasePath: resolve(cwd, pathOf('lease')),
    journalPath: async () => resolve(cwd, `${base}.journal`),
    read,
    readOtherLedgers: () => readLedgersBesideFile(resolve(cwd, path)),
    history,
    write: async (name, text, { expected, historyUpdate }) => {
      await writeHistory(historyUpdate);
      await replace(name, text, expected);
      return toStoredDocument(text).version;
    },
    remove: async (name, { expected, historyUpdate }) => {
      await writeHistory(historyUpdate);
      await replace(name, undefined, expected);
      await rmdir(resolve(cwd, folder)).catch(() => {});
    },
  };
}

/** The records in a folder. `shown`: its path for people. */
const historyIn = (folder: string, shown: string): HistoryFiles => {
  const unreadable = (error: NodeJS.ErrnoException) =>
    new Problems([
      problem('history/unreadable', `the history ${shown} cannot be read: ${systemText(error)}`, {
        hint: 'check the folder and its permissions; nothing was changed',
      }),
    ]);
  return {
    names: async () => {
      const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return [];
        throw unreadable(error);
      });
      return names.filter(isRecordFileName).sort();
    },
    read: async (names) => {
      const texts = new Map<string, string>();
      for (const name of names.filter(isRecordFileName)) {
        const text = await readFile(join(folder, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return undefined;
          throw unreadable(error);
        });
        if (text !== undefined) texts.set(name, text);
      }
      return texts;
    },
  };
};

/** A text with the version that stands for it. */
export const toStoredDocument = (text: string): StoredDocument => ({
  text,
  version: hash('sha256', text, 'base64url'),
});

/*
 * One process at a time may replace a file: the one whose entry is in the folder `FILE.writing`. An entry has a name that never was
 * and never will be another's, and it is the new content itself.
 *
 * - Taking the folder is one rename of a prepared folder onto it, which succeeds only where there is none or an empty one.
 * - Replacing the file is one rename of the entry onto it. Whoever lost the entry in the meantime (stopped for long, and taken for
 *   gone) fails there, and has changed nothing.
 * - What a process left behind that is gone is removed by the name of its entry: that can hit nobody else, however many do it at once.
 */

/** An unchanged entry seen for this long has lost its owner, if nothing else tells (another machine). */
const patience = 10_000;

/**
 * Replaces a file (text undefined: removes it) while nobody else does. `check` looks at what is there and throws if it is not what
 * was expected: then nothing is changed. Rejects with the error of the file system where that refuses.
 */
export async function replaceFile(
  path: string,
  text: string | undefined,
  check: () => Promise<void>,
  processes: Processes,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  // A link stays a link.
  const target = await realpath(path).catch(() => path);
  const folder = `${target}.writing`;
  for (;;) {
    const entry = `${processes.pid}.${randomBytes(9).toString('hex')}.${machine()}`;
    await takeFolder(folder, entry, text ?? '', processes);
    await removeAbandoned(folder, processes).catch(() => {});
    try {
      await check();
      if (text === undefined) {
        await stat(join(folder, entry));
        await unlink(target);
      } else await rename(join(folder, entry), target);
      return;
    } catch (error) {
      if (!(isMissing(error) && error.path === join(folder, entry))) throw error;
    } finally {
      await unlink(join(folder, entry)).catch(() => {});
      // Fails where the next one is in it already.
      await rmdir(folder).catch(() => {});
    }
  }
}

async function takeFolder(folder: string, entry: string, text: string, processes: Processes): Promise<void> {
  const prepared = `${folder}-${entry}`;
  await mkdir(prepared);
  try {
    const file = await open(join(prepared, entry), 'wx');
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    let seen: { entry: string | undefined; since: number } | undefined;
    while (!(await renamed(prepared, folder))) {
      const [owner] = await readdir(folder).catch(() => []);
      if (seen?.entry !== owner || !seen) seen = { entry: owner, since: performance.now() };
      if (owner !== undefined && (isGone(owner, processes) || performance.now() - seen.since > patience))
        await unlink(join(folder, owner)).catch(() => {});
      else await new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * 5));
    }
  } catch (error) {
    await rm(prepared, { recursive: true, force: true });
    throw error;
  }
}

/** Removes what processes that are gone had prepared and never put in place, for this file or for others beside it. */
async function removeAbandoned(folder: string, processes: Processes): Promise<void> {
  const around = dirname(folder);
  for (const name of await readdir(around)) {
    const [, prepared] = /\.writing-(.+)$/.exec(name) ?? [];
    if (prepared !== undefined && isGone(prepared, processes))
      await rm(join(around, name), { recursive: true, force: true });
    if (!name.endsWith('.writing') || name === basename(folder)) continue;
    const [owner] = await readdir(join(around, name)).catch(() => []);
    if (owner === undefined || !isGone(owner, processes)) continue;
    await unlink(join(around, name, owner)).catch(() => {});
    await rmdir(join(around, name)).catch(() => {});
  }
}

/** Takes `folder` by renaming `prepared` to it; false if another entry is in it. */
async function renamed(prepared: string, folder: string): Promise<boolean> {
  try {
    // Not every system puts a folder over an empty one.
    if (platform() === 'win32') await rmdir(folder).catch(() => {});
    await rename(prepared, folder);
    return true;
  } catch (error) {
    const taken = ['ENOTEMPTY', 'EEXIST', ...(platform() === 'win32' ? ['EPERM', 'EACCES'] : [])];
    if (taken.includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

/** True if the process that made an entry ran on this machine and has ended. */
function isGone(entry: string, { isRunning }: Processes): boolean {
  const [pid, , ...rest] = entry.split('.');
  return rest.join('.') === machine() && /^\d+$/.test(pid!) && !isRunning(Number(pid));
}

const machine = () => hostname().replace(/[^\w.-]/g, '_');

const isMissing = (error: unknown): error is NodeJS.ErrnoException =>
  (error as NodeJS.ErrnoException).code === 'ENOENT';
