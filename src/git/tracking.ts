import { realpath } from 'node:fs/promises';
import type { Repository } from './repository.ts';
import { rememberInRun } from './run-memory.ts';
import { workTreeOf } from './work-tree.ts';

/** Tells which files of a configuration git tracks. */
export interface Tracking {
  /** The real path of the work tree that a folder lies in; undefined where there is none. */
  workTreeOf(folder: string): Promise<string | undefined>;
  /** Those of the files, by their paths inside the work tree, that git tracks. */
  tracked(workTree: string, files: string[]): Promise<Set<string>>;
}

/** So many names go to git at once: a command line has its limits. */
const mostNamesPerCommand = 200;

/** Asks the git program. Where it is not there or will not answer, nothing is tracked. */
export const openTracking = (env: Record<string, string | undefined>): Tracking =>
  rememberInRun(env, 'tracking', () => askingGit(env));

function askingGit(env: Record<string, string | undefined>): Tracking {
  // Opened once for each: what a run reads lies in one repository, or two.
  const repositories = new Map<string, Promise<Repository | undefined>>();
  const repositoryOf = (workTree: string) => {
    const repository = repositories.get(workTree) ?? openIfPossible(workTree, env);
    repositories.set(workTree, repository);
    return repository;
  };
  /** By work tree and file: the stacks of a workspace read many files together. */
  const answers = new Map<string, Promise<boolean>>();
  const ask = async (workTree: string, some: string[]): Promise<Set<string>> => {
    const repository = await repositoryOf(workTree);
    const said = await repository
      ?.git(['--literal-pathspecs', 'ls-files', '-z', '--', ...some])
      .catch(() => undefined);
    return new Set(said?.split('\0'));
  };
  return {
    workTreeOf: async (folder) => workTreeOf(await realpath(folder).catch(() => folder)),
    async tracked(workTree, files) {
      const keyOf = (file: string) => `${workTree}\0${file}`;
      const isNew = files.filter((file) => !answers.has(keyOf(file)));
      for (let index = 0; index < isNew.length; index += mostNamesPerCommand) {
        const some = isNew.slice(index, index + mostNamesPerCommand);
        const said = ask(workTree, some);
        for (const file of some)
          answers.set(
            keyOf(file),
            said.then((tracked) => tracked.has(file)),
          );
      }
      const isTracked = await Promise.all(files.map((file) => answers.get(keyOf(file))!));
      return new Set(files.filter((_, position) => isTracked[position]));
    },
  };
}

/** Loaded where something is asked: most configurations name no file that git could track. */
const openIfPossible = async (workTree: string, env: Record<string, string | undefined>) =>
  (await import('./repository.ts')).openRepository(workTree, env).catch(() => undefined);
