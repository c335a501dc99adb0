import { openRepository } from './repository.ts';

/**
 * The commands that take the commits between two others back, the newest first; of a branch that was merged, the merge. None where there is
 * nothing in between. Undefined where git cannot tell: one of them is not here, or was not made from the other.
 */
export async function revertsOf(
  from: string,
  to: string,
  cwd: string,
  env: Record<string, string | undefined>,
): Promise<string[] | undefined> {
  try {
    const { git } = await openRepository(cwd, env);
    await git(['merge-base', '--is-ancestor', from, to]);
    const listed = await git([
      'rev-list',
      '--first-parent',
      '--parents',
      '--end-of-options',
      `${from}..${to}`,
    ]);
    const commits = listed.split('\n').filter((line) => line !== '');
    return commits.map((line) => {
      const [commit, ...parents] = line.split(' ') as [string, ...string[]];
      return `git revert --no-edit ${parents.length > 1 ? '-m 1 ' : ''}${commit}`;
    });
  } catch {
    return undefined;
  }
}
