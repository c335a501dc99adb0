import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { gitIn } from './git.ts';

/** What git says of the files of a configuration. */
export interface Repository {
  /** The real path of the work tree that a folder lies in; undefined where there is none, or no git. */
  workTreeOf(folder: string): Promise<string | undefined>;
  /** Those of the files, by their paths inside the work tree, that git tracks. */
  tracked(workTree: string, files: string[]): Promise<Set<string>>;
}

/** So many names go to git at once: a command line has its limits. */
const atOnce = 200;

/** Asks the git program. Where it is not there or will not answer, there is no work tree, and nothing is tracked. */
export function repositoryOf(env: Record<string, string | undefined>): Repository {
  const safely = ['-c', 'safe.bareRepository=explicit'];
  return {
    async workTreeOf(folder) {
      try {
        const said = await gitIn(folder, env)([...safely, 'rev-parse', '--show-toplevel']);
        const [root, real] = await Promise.all([realpath(said.replace(/\r?\n$/, '')), realpath(folder)]);
        return real === root || real.startsWith(root.endsWith(path.sep) ? root : root + path.sep)
          ? root
          : undefined;
      } catch {
        return undefined;
      }
    },
    async tracked(workTree, files) {
      const found = new Set<string>();
      for (let at = 0; at < files.length; at += atOnce) {
        const some = files.slice(at, at + atOnce);
        const list = [...safely, '--literal-pathspecs', 'ls-files', '-z', '--', ...some];
        const said = await gitIn(workTree, env)(list).catch(() => '');
        for (const name of said.split('\0')) if (some.includes(name)) found.add(name);
      }
      return found;
    },
  };
}
