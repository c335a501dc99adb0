import { access, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { trackingBy } from '../git/tracking.ts';
import { Problems, problem } from '../model/diagnostic.ts';

/**
 * Throws `Problems` if git tracks one of these files: what is in a repository is everybody's who can read it, and belongs to whoever can
 * push. git is asked only if one of them is there; where there is no git, or no repository, nothing is tracked.
 */
export async function refuseTrackedFiles(
  paths: string[],
  cwd: string,
  env: Record<string, string | undefined>,
): Promise<void> {
  const isThere = await Promise.all(
    paths.map((path) =>
      access(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  const there = paths.filter((_, index) => isThere[index]);
  if (there.length === 0) return;
  const tracking = trackingBy(env);
  const workTree = await tracking.workTreeOf(cwd);
  if (workTree === undefined) return;
  const places = await Promise.all(
    there.map(async (path) =>
      relative(workTree, join(await realpath(dirname(path)), basename(path)))
        .split(sep)
        .join('/'),
    ),
  );
  // git refuses the whole question for a path outside of the work tree.
  const inside = places.filter((place) => !place.startsWith('..') && !isAbsolute(place));
  const tracked = [...(await tracking.tracked(workTree, inside))];
  if (tracked.length === 0) return;
  const names = tracked.join(', ');
  throw new Problems([
    problem('ledger/tracked', `git tracks ${names}, which must not be in the repository`, {
      hint: `\`git rm --cached ${names}\`, add it to .gitignore and commit; a key that was pushed is compromised: create a new one with \`trueup ledger key\`, sign the ledger with it and without TRUEUP_LEDGER_KEY_PREVIOUS (\`trueup ledger sign\`)`,
    }),
  ]);
}
