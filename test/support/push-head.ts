import { existsSync, linkSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { headOf } from './ledger-places.ts';

/**
 * Leaves in a bare repository, and in a checkout of it, what `git push --force` of the checked-out commit to a branch does. Returns the
 * commit. For preparations: a push starts eight processes, and a link is enough for an object, because objects never change.
 */
export function pushHead(checkout: string, bare: string, branch: string): string {
  const [from, to] = [join(checkout, '.git/objects'), join(bare, 'objects')];
  for (const folder of readdirSync(from)) {
    mkdirSync(join(to, folder), { recursive: true });
    for (const name of readdirSync(join(from, folder)))
      if (!existsSync(join(to, folder, name))) linkSync(join(from, folder, name), join(to, folder, name));
  }
  const commit = headOf(checkout);
  writeRef(bare, `refs/heads/${branch}`, commit);
  writeRef(join(checkout, '.git'), `refs/remotes/origin/${branch}`, commit);
  return commit;
}

/** Lets a ref of a repository, whose git folder is given, point to a commit, as `git update-ref` does. */
export function writeRef(gitFolder: string, ref: string, commit: string): void {
  mkdirSync(dirname(join(gitFolder, ref)), { recursive: true });
  writeFileSync(join(gitFolder, ref), `${commit}\n`);
}
