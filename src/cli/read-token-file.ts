import { readFile } from 'node:fs/promises';
import { Problems, problem } from '../model/diagnostic.ts';
import { currentPullRequest } from './actions-run.ts';
import { type Host, pathOn } from './host.ts';

/** The token in a file, without the newline around it. Throws `Problems` that show nothing of it. */
export async function readTokenFile(path: string, host: Host): Promise<string> {
  const text = await readFile(pathOn(host, path), 'utf8').catch((error: Error) => {
    throw new Problems([problem('auth/token-file', `the token file cannot be read: ${error.message}`)]);
  });
  if (text.trim() === '') throw new Problems([problem('auth/token-file', `the token file ${path} is empty`)]);
  return text.trim();
}

const reasons = {
  fork: 'this pull request comes from a fork, so there is no token',
  dependabot:
    "this pull request is Dependabot's, which gets none of the repository's secrets, so there is no token",
};

/** Why nothing is wrong although there is no token: whoever sent this pull request gets none. Undefined where one should be there. */
export function noTokenReason(host: Host): string | undefined {
  const sort = currentPullRequest(host)?.withoutSecrets;
  return host.env.TRUEUP_TOKEN?.trim() || sort === undefined ? undefined : reasons[sort];
}
