import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { openRepository, workTreeOf } from './repository.ts';

/** How to take commits back by hand. */
interface Reverts {
  commits: { id: string; isMerge: boolean }[];
  /** One of them changed something in the folder that is to stay as it is. */
  touchesKept: boolean;
}

/**
 * The commits between two others, the newest first; of a branch that was merged, the merge. `kept`: a folder (an absolute path). Undefined where git
 * cannot tell: one of them is not here, or was not made from the other.
 */
export async function revertsOf(
  from: string,
  to: string,
  kept: string | undefined,
  cwd: string,
  env: Record<string, string | undefined>,
): Promise<Reverts | undefined> {
  try {
    const { git } = await openRepository(cwd, env);
    await git(['merge-base', '--is-ancestor', from, to]);
    const range = `${from}..${to}`;
    const listed = await git(['rev-list', '--first-parent', '--parents', '--end-of-options', range]);
    const lines = listed.split('\n').filter((line) => line !== '');
    const commits = lines.map((line) => {
      const [id, ...parents] = line.split(' ') as [string, ...string[]];
      return { id, isMerge: parents.length > 1 };
    });
    if (kept === undefined) return { commits, touchesKept: false };
    const top = workTreeOf(await realpath(cwd))!;
    const folder = path
      .relative(top, await realpath(kept))
      .split(path.sep)
      .join('/');
    const inside = [
      '--literal-pathspecs',
      'diff',
      '--name-only',
      '--no-ext-diff',
      '--no-textconv',
      from,
      to,
      '--',
      folder,
    ];
    return { commits, touchesKept: (await git(inside)).trim() !== '' };
  } catch {
    return undefined;
  }
}
