import { randomBytes } from 'node:crypto';
import {
  access,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  unlink,
} from 'node:fs/promises';
import { hostname, platform } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { openTracking } from '../git/tracking.ts';
import { describeSystemError } from '../model/describe-errors.ts';
import { type Diagnostic, Problems, problem, raise } from '../model/diagnostic.ts';
import { isInside, pathFrom } from '../paths.ts';
import { toChunks, versionOfFile, versionOfText } from './document-version.ts';
import {
  Conflict,
  type DocumentName,
  type Documents,
  type HistoryFiles,
  type HistoryUpdate,
  isRecordFileName,
  recordNamesIn,
  type StoredDocument,
} from './documents.ts';
import { fileOwnership } from './file-ownership.ts';
import type { Processes } from './lease-record.ts';
import { readLedgersBesideFile } from './other-ledgers.ts';
import { syncFolder } from './sync-folder.ts';

/**
 * Returns access to the documents of a stack that are files in one folder: the ledger at `path`, beside it `.lock`
 * (the lease), `.plan` and `.journal`, a `.history` folder, and the ownership index of all ledgers there. Used for
 * ledgers on one machine and for ledgers that a team commits to its repository. Messages show `path` as the user wrote it.
 * @param cwd the folder that a relative path starts at
 * @param processes tells which processes of this machine are alive, because a dead one may have left a lock
 */
export function fileDocuments(
  path: string,
  { cwd, processes }: { cwd: string; processes: Processes },
): Documents {
  const base = path.replace(/\.json$/, '');
  const shownPaths = { ledger: path, lease: `${base}.lock`, plan: `${base}.plan` };
  const placeOf = (name: DocumentName): FilePlace => ({
    path: resolve(cwd, shownPaths[name]),
    shown: shownPaths[name],
  });
  const folder: FilePlace = { path: resolve(cwd, `${base}.history`), shown: `${base}.history` };
  const replace = async (
    name: DocumentName,
    text: string | undefined,
    { expected, historyUpdate }: { expected: string | undefined; historyUpdate?: HistoryUpdate | undefined },
  ) => {
    // Before the ledger, so that no change of the ledger is missing in the history.
    await writeHistoryRecords(folder, historyUpdate, processes);
    await replaceDocument(placeOf(name), { text, expected }, processes);
  };

  return {
    place: path,
    leasePath: placeOf('lease').path,
    journalPath: async () => resolve(cwd, `${base}.journal`),
    read: (name) => readDocument(placeOf(name)),
    readOtherLedgers: () => readLedgersBesideFile(resolve(cwd, path)),
    ownership: fileOwnership(resolve(cwd, path), {
      read: (shardPath) => readDocument({ path: shardPath, shown: shardPath }),
      replace: (shardPath, text, expected) =>
        replaceDocument({ path: shardPath, shown: shardPath }, { text, expected }, processes),
    }),
    history: openHistoryFolder(folder),
    write: async (name, text, options) => {
      await replace(name, text, options);
      return toStoredDocument(text).version;
    },
    remove: async (name, options) => {
      await replace(name, undefined, options);
      // The folder of the history, if the last record is gone.
      await rmdir(folder.path).catch(() => {});
    },
  };
}

/** A file or folder: its absolute path, and the path in messages. */
interface FilePlace {
  path: string;
  shown: string;
}

/** Reads a document of a stack (ledger, lease or plan) or a part of the ownership index from its file; undefined if there is none. */
async function readDocument({ path, shown }: FilePlace): Promise<StoredDocument | undefined> {
  const text = await readIfExists(path, ({ message }) =>
    problem('ledger/unreadable', `the ledger ${shown} cannot be read: ${message}`, {
      hint: 'check the file and its permissions; nothing was changed',
    }),
  );
  return text === undefined ? undefined : toStoredDocument(text);
}

/**
 * Replaces the file of a document (ledger, lease or plan), or removes it if `text` is undefined. Throws `Conflict` if the file does not
 * have the expected version (undefined: if there is a file), because another run has written it meanwhile.
 */
async function replaceDocument(
  place: FilePlace,
  { text, expected }: { text: string | undefined; expected: string | undefined },
  processes: Processes,
): Promise<void> {
  const checkVersion = async () => {
    // The digest of a large file is computed without keeping its text.
    if (expected !== undefined && (await versionOfFile(place.path)) === expected) return;
    const storedDocument = await readDocument(place);
    if (storedDocument?.version !== expected) throw new Conflict(storedDocument);
  };
  await replaceLockedFile(place.path, text, checkVersion, processes).catch((error: Error) => {
    if (error instanceof Conflict || error instanceof Problems) throw error;
    raise(unwritableProblem(`the ledger ${place.shown}`, error));
  });
}

/** Writes the changed records of a history into its folder, and removes those without a text. */
async function writeHistoryRecords(
  folder: FilePlace,
  historyUpdate: HistoryUpdate | undefined,
  processes: Processes,
): Promise<void> {
  const write = async (name: string, text: string | undefined) => {
    await mkdir(folder.path, { recursive: true });
    // Follows no link: a branch could commit one at the name of the next record, to have the file that it names overwritten.
    await replaceLockedTarget(join(folder.path, name), text, async () => {}, processes);
  };
  for (const [name, text] of historyUpdate?.records ?? [])
    await write(name, text).catch((error: NodeJS.ErrnoException) => {
      const isAlreadyRemoved = text === undefined && error.code === 'ENOENT';
      if (!isAlreadyRemoved) raise(unwritableProblem(`the history ${folder.shown}`, error));
    });
}

/**
 * Returns access to the history (a record for each run) in a folder beside a ledger file, for `trueup log` and
 * `undo`: the file names of its records, and their texts. A missing folder is an empty history; one that cannot be
 * read throws `Problems`.
 */
const openHistoryFolder = ({ path: folder, shown }: FilePlace): HistoryFiles => {
  const unreadable = (error: NodeJS.ErrnoException) =>
    problem('ledger/unreadable', `the history ${shown} cannot be read: ${describeSystemError(error)}`, {
      hint: 'check the folder and its permissions; nothing was changed',
    });
  return {
    names: async () => {
      const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return [];
        raise(unreadable(error));
      });
      return recordNamesIn(names);
    },
    read: async (names) => {
      const texts = new Map<string, string>();
      for (const name of names.filter(isRecordFileName)) {
        const text = await readIfExists(join(folder, name), unreadable);
        if (text !== undefined) texts.set(name, text);
      }
      return texts;
    },
  };
};

/**
 * Reads a text file of this machine, such as a ledger or a key; undefined if it does not exist. Any other error is thrown as `toProblem`
 * converts it, because an unreadable file must never be taken for a missing one.
 */
export const readIfExists = (
  path: string,
  toProblem: (error: NodeJS.ErrnoException) => Diagnostic,
): Promise<string | undefined> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    raise(toProblem(error));
  });

/** Returns the problem that the file system refused to write a file. `subject` names the file: `the ledger trueup/shop.json`. */
export const unwritableProblem = (subject: string, error: Error): Diagnostic =>
  problem('ledger/unwritable', `${subject} cannot be written: ${describeSystemError(error)}`, {
    hint: 'check its folder, the permissions and the free space',
  });

/** Returns a text as a document whose version is a digest of the text. Used by stores without versions of their own. */
export const toStoredDocument = (text: string): StoredDocument => ({ text, version: versionOfText(text) });

/*
 * How several processes replace one file safely (`replaceLockedFile`)
 *
 * Terms: an entry is a file with the new content and a unique name, `PID.RANDOM.MACHINE`. The lock is the folder `FILE.writing`. A process
 * holds the lock of FILE while its entry is in that folder.
 *
 * 1. A process writes its entry into a prepared folder of its own and renames this folder to `FILE.writing`. That fails while another
 *    entry is there, because a rename replaces only missing and empty folders.
 * 2. With the lock, it checks that FILE still has the expected content.
 * 3. It renames its entry to FILE. If the process was stopped for so long that others took it for dead and removed its entry, this
 *    rename fails, and FILE is unchanged.
 * 4. It flushes the folder of FILE, because a power loss could undo the rename. A run empties its journal right after it wrote the ledger.
 *
 * A process that dies leaves its entry behind. The next process removes it by name. Names are unique, so this can never remove the
 * entry of a living process, even if several processes clean up at once.
 */

/**
 * Milliseconds after which any entry counts as abandoned: whether a process of another machine runs is unknown, and ids
 * of processes are used again.
 */
const abandonedAfter = 10_000;

/**
 * Replaces or removes (`text` undefined) a file under its lock, so that two runs never overwrite each other's ledger or lease. Calls
 * `check` while the lock is held: if it throws, the file stays as it is. Creates the folder of the file if it is missing. Rejects with the
 * file system's error.
 */
export async function replaceLockedFile(
  path: string,
  text: string | undefined,
  check: () => Promise<void>,
  processes: Processes,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  // The target of a symbolic link is replaced, and the link stays.
  await replaceLockedTarget(await realpath(path).catch(() => path), text, check, processes);
}

/**
 * Like `replaceLockedFile`, for a file in an existing folder. A symbolic link at its path is replaced itself. The lock is the folder
 * `FILE.writing`, and contains the new text as a file, the entry. Starts again if another process took this one for dead and removed its
 * entry.
 */
async function replaceLockedTarget(
  target: string,
  text: string | undefined,
  check: () => Promise<void>,
  processes: Processes,
): Promise<void> {
  const folder = `${target}.writing`;
  for (;;) {
    const entry = `${processes.pid}.${randomBytes(9).toString('hex')}.${machineName()}`;
    await takeLock(folder, entry, text ?? '', processes);
    await removeAbandoned(folder, processes).catch(() => {});
    try {
      await check();
      if (text === undefined) {
        // Fails if another process has removed the entry, as the rename below would.
        await stat(join(folder, entry));
        await unlink(target);
      } else await rename(join(folder, entry), target);
      await syncFolder(dirname(target));
      return;
    } catch (error) {
      const isEntryMissing = isMissing(error) && error.path === join(folder, entry);
      if (!isEntryMissing) throw error;
    } finally {
      await unlink(join(folder, entry)).catch(() => {});
      // Fails if the next process has taken the lock already.
      await rmdir(folder).catch(() => {});
    }
  }
}

/**
 * Takes the lock of a file: prepares a folder with `entry`, a file with the new content (`text`), and renames it to `folder`. That works if
 * `folder` is missing or empty, and fails while another process has its own entry there. Waits while another process holds the lock, and
 * removes its entry if the process ran on this machine and has ended, or after `abandonedAfter`. Rejects with the file system's error.
 */
async function takeLock(folder: string, entry: string, text: string, processes: Processes): Promise<void> {
  const preparedFolder = `${folder}-${entry}`;
  await mkdir(preparedFolder);
  try {
    await createFile(join(preparedFolder, entry), text);
    // The entry of the process that holds the lock, and since when this process has seen it there.
    let holder: string | undefined;
    let since = performance.now();
    while (!(await tryMoveFolder(preparedFolder, folder))) {
      const [currentHolder] = await readdir(folder).catch(() => []);
      if (currentHolder !== holder) since = performance.now();
      holder = currentHolder;
      const waited = performance.now() - since;
      if (holder !== undefined && (isAbandoned(holder, processes) || waited > abandonedAfter))
        await unlink(join(folder, holder)).catch(() => {});
      else await new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * 5));
    }
  } catch (error) {
    await rm(preparedFolder, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Creates a file with a text, and waits until it is on the disk. A long text is written in pieces, since its bytes would take as much
 * memory again.
 */
async function createFile(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx');
  try {
    for (const chunk of toChunks(text)) await file.writeFile(chunk);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Removes what processes that died while they wrote left beside the lock folder `folder` of a file
 * (`FILE.writing`): folders that they had prepared to become a lock, and locks of other files in the same parent
 * folder. Otherwise they would pile up next to the ledger.
 */
async function removeAbandoned(folder: string, processes: Processes): Promise<void> {
  const parentFolder = dirname(folder);
  for (const name of await readdir(parentFolder)) {
    const [, preparedEntry] = /\.writing-(.+)$/.exec(name) ?? [];
    if (preparedEntry !== undefined && isAbandoned(preparedEntry, processes))
      await rm(join(parentFolder, name), { recursive: true, force: true });
    const isOtherLock = name.endsWith('.writing') && name !== basename(folder);
    if (isOtherLock) await releaseAbandonedLock(join(parentFolder, name), processes);
  }
}

/** Removes the lock folder of a file if the process that holds the lock ran on this machine and has ended. */
async function releaseAbandonedLock(folder: string, processes: Processes): Promise<void> {
  const [holder] = await readdir(folder).catch(() => []);
  if (holder === undefined || !isAbandoned(holder, processes)) return;
  await unlink(join(folder, holder)).catch(() => {});
  await rmdir(folder).catch(() => {});
}

/**
 * Tries to take the lock of a file by renaming a prepared folder to `lock`, which the file system does in a single
 * step. Returns false if another process holds the lock, because the folder is not empty then.
 */
async function tryMoveFolder(preparedFolder: string, lock: string): Promise<boolean> {
  try {
    // Windows does not replace an empty folder by a rename.
    if (platform() === 'win32') await rmdir(lock).catch(() => {});
    await rename(preparedFolder, lock);
    return true;
  } catch (error) {
    const heldCodes = ['ENOTEMPTY', 'EEXIST', ...(platform() === 'win32' ? ['EPERM', 'EACCES'] : [])];
    if (heldCodes.includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

/** True if the process that made an entry ran on this machine and has ended. */
function isAbandoned(entry: string, { isRunning }: Processes): boolean {
  const [pid, , ...machineParts] = entry.split('.');
  return machineParts.join('.') === machineName() && /^\d+$/.test(pid!) && !isRunning(Number(pid));
}

const machineName = () => hostname().replace(/[^\w.-]/g, '_');

const isMissing = (error: unknown): error is NodeJS.ErrnoException =>
  (error as NodeJS.ErrnoException).code === 'ENOENT';

/**
 * Throws `Problems` if git tracks one of these files (a key, a journal, a lease). Called before a run uses them,
 * because everyone with access to the repository could read or change them. git is asked only if one of the files
 * exists. Without git or a repository, nothing is tracked.
 */
export async function refuseTrackedFiles(
  paths: string[],
  cwd: string,
  env: Record<string, string | undefined>,
): Promise<void> {
  const existingPaths = await findExisting(paths);
  if (existingPaths.length === 0) return;
  const tracking = openTracking(env);
  const workTree = await tracking.workTreeOf(cwd);
  if (workTree === undefined) return;
  // The folder may be reached through a symbolic link.
  const realPaths = await Promise.all(
    existingPaths.map(async (path) => join(await realpath(dirname(path)), basename(path))),
  );
  // With one path outside the work tree, git would refuse to answer for all.
  const pathsInside = realPaths.filter((path) => isInside(path, workTree));
  const relativePaths = pathsInside.map((path) => pathFrom(workTree, path));
  const tracked = await tracking.tracked(workTree, relativePaths);
  const names = [...tracked].join(', ');
  if (names === '') return;
  raise('ledger/tracked', `git tracks ${names}, which must not be in the repository`, {
    hint: `\`git rm --cached ${names}\`, add it to .gitignore and commit; a key that was pushed is compromised: create a new one with \`trueup ledger key\`, sign the ledger with it and without TRUEUP_LEDGER_KEY_PREVIOUS (\`trueup ledger sign\`)`,
  });
}

/** Returns those of these files that exist. */
async function findExisting(paths: readonly string[]): Promise<string[]> {
  const existingPaths = await Promise.all(
    paths.map((path) =>
      access(path).then(
        () => [path],
        () => [],
      ),
    ),
  );
  return existingPaths.flat();
}
