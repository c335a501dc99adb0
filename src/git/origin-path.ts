import { openRepository } from './repository.ts';

/**
 * The path of the repository around a folder on the server of `origin`: `acme/site`. Undefined where there is no such remote, or it is no
 * server. Rejects with a `GitError`.
 */
export async function originPath(
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
