import { realpath } from 'node:fs/promises';
import { GitError } from '../git/git.ts';
import { openRepository } from '../git/repository.ts';
import { rememberInRun } from '../git/run-memory.ts';
import { workTreeOf } from '../git/work-tree.ts';
import { ownershipRef, refOfStack } from './git-ref.ts';

/**
 * The ledgers in a git remote. `has`: true if there is one of that stack. `isEmpty`: true if there is none of any stack. `failure`: why the
 * remote could not be asked.
 */
export type GitLedgers = { has(stack: string): boolean; isEmpty: boolean } | { failure: string };

/**
 * Asks the remote `origin` of the checkout around a folder for ledgers (`refs/trueup/*`), so that a clone without any setting finds the
 * ledger that its colleagues use. Undefined if there is no checkout, or if it has no such remote. Asks once in a run, for all of its
 * stacks.
 */
export async function listGitLedgers(
  cwd: string,
  env: Record<string, string | undefined>,
): Promise<GitLedgers | undefined> {
  const top = workTreeOf(await realpath(cwd));
  if (top === undefined) return undefined;
  const listings = rememberInRun(env, 'ledgers', () => new Map<string, Promise<GitLedgers | undefined>>());
  const listing = listings.get(top) ?? askOrigin(top, env);
  listings.set(top, listing);
  return listing;
}

/**
 * Asks the git remote `origin` of a checkout (`top`: its top folder) which stacks have a ledger in its refs, so that a run without any
 * setting finds them. Undefined if there is no such remote. If it cannot be asked, the result has the reason as `failure`.
 */
async function askOrigin(
  top: string,
  env: Record<string, string | undefined>,
): Promise<GitLedgers | undefined> {
  try {
    const { git, remotes } = await openRepository(top, env);
    if (!remotes.includes('origin')) return undefined;
    const listed = await git(['ls-remote', 'origin', refOfStack('*')]);
    const refs = new Set(listed.split('\n').flatMap((line) => line.split('\t')[1] ?? []));
    // The ownership index has a ref of the same form, but is no ledger.
    refs.delete(ownershipRef);
    return { has: (stack) => refs.has(refOfStack(stack)), isEmpty: refs.size === 0 };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    // The first line names the address; later ones are advice.
    const [cause = error.reason] = error.lines;
    return { failure: cause.replace(/^fatal: /, '').replace(/\.$/, '') };
  }
}
