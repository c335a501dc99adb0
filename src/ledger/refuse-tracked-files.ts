import { access, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { openTracking } from '../git/tracking.ts';
import { Problems } from '../model/diagnostic.ts';
import { pathFrom } from '../paths.ts';

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
  const exists = await Promise.all(
    paths.map((path) =>
      access(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  const existingPaths = paths.filter((_, index) => exists[index]);
  if (existingPaths.length === 0) return;
  const tracking = openTracking(env);
  const workTree = await tracking.workTreeOf(cwd);
  if (workTree === undefined) return;
  const pathsInTree = await Promise.all(
    existingPaths.map(async (path) =>
      pathFrom(workTree, join(await realpath(dirname(path)), basename(path))),
    ),
  );
  // With one path outside the work tree, git would refuse to answer for all.
  const inside = pathsInTree.filter((path) => !path.startsWith('..') && !isAbsolute(path));
  const tracked = [...(await tracking.tracked(workTree, inside))];
  if (tracked.length === 0) return;
  const names = tracked.join(', ');
  throw new Problems('ledger/tracked', `git tracks ${names}, which must not be in the repository`, {
    hint: `\`git rm --cached ${names}\`, add it to .gitignore and commit; a key that was pushed is compromised: create a new one with \`trueup ledger key\`, sign the ledger with it and without TRUEUP_LEDGER_KEY_PREVIOUS (\`trueup ledger sign\`)`,
  });
}
