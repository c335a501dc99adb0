import { realpath } from 'node:fs/promises';
import { openRepository } from './repository.ts';
import { workTreeOf } from './work-tree.ts';

/** What git says of the files of a configuration. */
export interface Tracking {
  /** The real path of the work tree that a folder lies in; undefined where there is none. */
  workTreeOf(folder: string): Promise<string | undefined>;
  /** Those of the files, by their paths inside the work tree, that git tracks. */
  tracked(workTree: string, files: string[]): Promise<Set<string>>;
}

/** So many names go to git at once: a command line has its limits. */
const atOnce = 200;

/** Asks the git program. Where it is not there or will not answer, nothing is tracked. */
export const trackingBy = (env: Record<string, string | undefined>): Tracking => ({
  workTreeOf: async (folder) => workTreeOf(await realpath(folder).catch(() => folder)),
  async tracked(workTree, files) {
    const found = new Set<string>();
    const repository = await openRepository(workTree, env).catch(() => undefined);
    for (let at = 0; repository && at < files.length; at += atOnce) {
      const some = files.slice(at, at + atOnce);
      const said = await repository
        .git(['--literal-pathspecs', 'ls-files', '-z', '--', ...some])
        .catch(() => '');
      for (const name of said.split('\0')) if (some.includes(name)) found.add(name);
    }
    return found;
  },
});
