import { openRepository } from './repository.ts';

/**
 * The default branch of the repository around a folder, as far as git can tell: that of `origin`, else the one called `main` or `master`,
 * else, before there is any branch, the one that a first commit makes. Undefined where nobody can tell. Rejects with a `GitError`.
 */
export async function findDefaultBranch(
  folder: string,
  env: Record<string, string | undefined>,
): Promise<string | undefined> {
  const { git } = await openRepository(folder, env);
  const ask = (...args: string[]) =>
    git(args).then(
      (said) => said.trim(),
      () => '',
    );
  const ofOrigin = await ask('symbolic-ref', '--quiet', 'refs/remotes/origin/HEAD');
  if (ofOrigin !== '') return ofOrigin.slice('refs/remotes/origin/'.length);
  const refs = (await ask('for-each-ref', '--format=%(refname)', 'refs/remotes/origin', 'refs/heads/')).split(
    '\n',
  );
  for (const folderOf of ['refs/remotes/origin/', 'refs/heads/']) {
    const names = refs.filter((ref) => ref.startsWith(folderOf)).map((ref) => ref.slice(folderOf.length));
    const usual = names.filter((name) => name === 'main' || name === 'master');
    if (usual.length === 1) return usual[0];
    if (names.length === 1) return names[0];
    if (names.length > 0) return undefined;
  }
  const unborn = await ask('symbolic-ref', '--quiet', 'HEAD');
  return unborn === '' ? undefined : unborn.slice('refs/heads/'.length);
}

/**
 * The path of the repository around a folder on the server of `origin`: `acme/site`. Undefined where there is no such remote, or it is no
 * server. Rejects with a `GitError`.
 */
export async function findOriginPath(
  folder: string,
  env: Record<string, string | undefined>,
): Promise<string | undefined> {
  const { git } = await openRepository(folder, env);
  const url = await git(['remote', 'get-url', 'origin']).then(
    (said) => said.trim(),
    () => '',
  );
  return pathIn(url);
}

/** `acme/site` of `https://gitlab.example/acme/site.git`, `ssh://git@gitlab.example:22/acme/site.git` and `git@gitlab.example:acme/site.git`. */
function pathIn(url: string): string | undefined {
  const [, path] = /^(?:(?:https?|ssh|git):\/\/[^/]+\/|[^/:]+:)(.+)$/.exec(url) ?? [];
  return path?.replace(/^\/+|(?:\.git)?\/*$/g, '') || undefined;
}
