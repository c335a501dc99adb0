import { realpath } from 'node:fs/promises';
import { posix } from 'node:path';
import { rememberInRun } from './run-memory.ts';
import { workTreeOf } from './work-tree.ts';

/** Answers which files git tracks. A configuration may read tracked files without permission of the operator. */
export interface Tracking {
  /** Returns the real path of the work tree around a folder; undefined if there is none. */
  workTreeOf(folder: string): Promise<string | undefined>;
  /** Returns those of the files, named by their paths inside the work tree, that git tracks. */
  tracked(workTree: string, files: string[]): Promise<Set<string>>;
  /**
   * Only for the files of another commit, written to a temporary folder: returns the path in the work tree for a path there, and any other
   * path unchanged. Files that git ignores and permissions of a person belong to the work tree.
   */
  toWorkTree?(path: string): string;
}

/** The number of folders in one git command, because the length of a command line is limited. */
const mostFoldersPerCommand = 200;

/** Returns the answers of the git program. No file is tracked if git is missing or fails. A run asks once for each folder. */
export const openTracking = (env: Record<string, string | undefined>): Tracking =>
  rememberInRun(env, 'tracking', () => createTracking(env));

/**
 * Creates the object that answers which files git tracks, and remembers the answers of a run. A configuration may
 * read tracked files without permission of the operator, others not. Asks git about all files of a folder at once,
 * because each process takes time and a configuration mostly names several files of one folder.
 */
function createTracking(env: Record<string, string | undefined>): Tracking {
  /** The tracked files by work tree and folder, because the stacks of a workspace read many files together. */
  const filesByFolder = new Map<string, Promise<ReadonlySet<string>>>();
  const keyOf = (workTree: string, folder: string) => `${workTree}\0${folder}`;
  /** Starts to ask about the folders that are new, many with each git command. */
  const askForNewFolders = (workTree: string, folders: ReadonlySet<string>) => {
    const newFolders = [...folders].filter((folder) => !filesByFolder.has(keyOf(workTree, folder)));
    for (let index = 0; index < newFolders.length; index += mostFoldersPerCommand) {
      const batch = newFolders.slice(index, index + mostFoldersPerCommand);
      // One answer has the files of all folders of the batch.
      const answer = listTrackedFiles(workTree, batch, env);
      for (const folder of batch) filesByFolder.set(keyOf(workTree, folder), answer);
    }
  };
  return {
    workTreeOf: async (folder) => workTreeOf(await realpath(folder).catch(() => folder)),
    async tracked(workTree, files) {
      askForNewFolders(workTree, new Set(files.map((file) => posix.dirname(file))));
      const isTracked = async (file: string) =>
        (await filesByFolder.get(keyOf(workTree, posix.dirname(file))))!.has(byteNameOf(file));
      const answers = await Promise.all(files.map(isTracked));
      return new Set(files.filter((_, index) => answers[index]));
    },
  };
}

/**
 * Returns the names of the files directly in folders of a work tree that git tracks: a configuration may read only such files without
 * permission of the operator. Each name has one character for each of its bytes (`byteNameOf`). Empty if git is missing or fails.
 */
async function listTrackedFiles(
  workTree: string,
  folders: string[],
  env: Record<string, string | undefined>,
): Promise<ReadonlySet<string>> {
  // Loaded only if git is asked: most configurations name no files.
  const { openRepository } = await import('./repository.ts');
  const patterns = folders.map(patternOfFiles);
  const listed = await openRepository(workTree, env)
    .then(({ git }) => git(['--glob-pathspecs', 'ls-files', '-z', '--', ...patterns], undefined, 'latin1'))
    .catch(() => undefined);
  return new Set(listed?.split('\0'));
}

/** Returns a name with one character for each of its bytes, since git names files by bytes that need not be text. */
const byteNameOf = (file: string): string => Buffer.from(file).toString('latin1');

/**
 * Returns git's pattern for the files that lie directly in a folder of the work tree; `.` is its top. Without `./` in front, git takes a
 * folder whose name begins with a colon for an instruction.
 */
const patternOfFiles = (folder: string): string => `./${folder.replace(/[\\*?[\]]/g, '\\$&')}/*`;
