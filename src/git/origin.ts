import type { Git } from './git.ts';
import { openRepository } from './repository.ts';

/**
 * Finds the default branch of the repository around a folder, for the workflows that `trueup init ci` writes: the one that `origin` names, else
 * `main` or `master`, else the only branch, else the branch that the first commit will create. Undefined if several branches are
 * possible. Rejects with a `GitError`.
 */
export async function findDefaultBranch(
  folder: string,
  env: Record<string, string | undefined>,
): Promise<string | undefined> {
  const { git } = await openRepository(folder, env);
  const outputOf = (...args: string[]) => readOutput(git, args);
  const originHead = await outputOf('symbolic-ref', '--quiet', 'refs/remotes/origin/HEAD');
  if (originHead !== '') return originHead.slice('refs/remotes/origin/'.length);
  const refs = (
    await outputOf('for-each-ref', '--format=%(refname)', 'refs/remotes/origin', 'refs/heads/')
  ).split('\n');
  for (const prefix of ['refs/remotes/origin/', 'refs/heads/']) {
    const names = refs.filter((ref) => ref.startsWith(prefix)).map((ref) => ref.slice(prefix.length));
    const usualNames = names.filter((name) => name === 'main' || name === 'master');
    if (usualNames.length === 1) return usualNames[0];
    if (names.length === 1) return names[0];
    if (names.length > 0) return undefined;
  }
  const futureBranch = await outputOf('symbolic-ref', '--quiet', 'HEAD');
  return futureBranch === '' ? undefined : futureBranch.slice('refs/heads/'.length);
}

/**
 * Returns the path of the repository on the server of the git remote `origin`, such as `acme/site`: the default name of the repository for
 * the fleet. Undefined if there is no such remote, or if its address is no URL. Rejects with a `GitError`.
 */
export async function findOriginPath(
  folder: string,
  env: Record<string, string | undefined>,
): Promise<string | undefined> {
  const { git } = await openRepository(folder, env);
  return repositoryPathOf(await readOutput(git, ['remote', 'get-url', 'origin']));
}

/** Returns the trimmed output of a git command; empty if it fails. Used for facts that a checkout may lack, such as the remote `origin`. */
const readOutput = (git: Git, args: string[]): Promise<string> =>
  git(args).then(
    (output) => output.trim(),
    () => '',
  );

/** Returns `acme/site` for `https://gitlab.example/acme/site.git`, `ssh://git@gitlab.example:22/acme/site.git` and `git@gitlab.example:acme/site.git`. */
function repositoryPathOf(url: string): string | undefined {
  const [, path] = /^(?:(?:https?|ssh|git):\/\/[^/]+\/|[^/:]+:)(.+)$/.exec(url) ?? [];
  return path?.replace(/^\/+|(?:\.git)?\/*$/g, '') || undefined;
}
