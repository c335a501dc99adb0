import { realpath } from 'node:fs/promises';
import { rememberInRun } from './run-memory.ts';
import { workTreeOf } from './work-tree.ts';

/** Answers which files git tracks. A configuration may read tracked files without permission of the operator. */
export interface Tracking {
  /** Returns the real path of the work tree around a folder; undefined if there is none. */
  workTreeOf(folder: string): Promise<string | undefined>;
  /** Returns those of the files, named by their paths inside the work tree, that git tracks. */
  tracked(workTree: string, files: string[]): Promise<Set<string>>;
}

/** The number of names in one git command, because the length of a command line is limited. */
const mostNamesPerCommand = 200;

/** Returns the answers of the git program. No file is tracked if git is missing or fails. A run asks once for each file. */
export const openTracking = (env: Record<string, string | undefined>): Tracking =>
  rememberInRun(env, 'tracking', () => createTracking(env));

/**
 * Creates the answers to the question if git tracks a file, with a memory for all files of a run. A
 * configuration may name any file, and the rules for reading it depend on the answer. Asks git about many
 * files at once, because each process takes time.
 */
function createTracking(env: Record<string, string | undefined>): Tracking {
  /** By work tree and file, because the stacks of a workspace read many files together. */
  const answers = new Map<string, Promise<boolean>>();
  const askGit = async (workTree: string, files: string[]): Promise<Set<string>> => {
    // Loaded only if git is asked: most configurations name no files.
    const { openRepository } = await import('./repository.ts');
    const listed = await openRepository(workTree, env)
      .then(({ git }) => git(['--literal-pathspecs', 'ls-files', '-z', '--', ...files]))
      .catch(() => undefined);
    return new Set(listed?.split('\0'));
  };
  return {
    workTreeOf: async (folder) => workTreeOf(await realpath(folder).catch(() => folder)),
    async tracked(workTree, files) {
      const keyOf = (file: string) => `${workTree}\0${file}`;
      const newFiles = files.filter((file) => !answers.has(keyOf(file)));
      for (let index = 0; index < newFiles.length; index += mostNamesPerCommand) {
        const batch = newFiles.slice(index, index + mostNamesPerCommand);
        const answer = askGit(workTree, batch);
        for (const file of batch)
          answers.set(
            keyOf(file),
            answer.then((trackedFiles) => trackedFiles.has(file)),
          );
      }
      const isTracked = await Promise.all(files.map((file) => answers.get(keyOf(file))!));
      return new Set(files.filter((_, index) => isTracked[index]));
    },
  };
}
