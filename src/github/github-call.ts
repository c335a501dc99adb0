import { type Client, openClient } from '../http/client.ts';
import { fill } from '../http/endpoint.ts';
import { HttpError } from '../http/errors.ts';
import { retry } from '../http/retry.ts';
import { checkBaseUrl, checkToken } from '../http/settings.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import type { Endpoint } from '../model/plan.ts';

/** Whose access it is, on which server, and to which pull request, if it is about one. */
export interface Target {
  apiUrl: string;
  token: string;
  /** Names proxies and certificates. Default: nothing is set. */
  env?: Record<string, string | undefined>;
  owner: string;
  repo: string;
  number?: number;
  /** The login of the writer: only a comment by this author is updated. Default: the token's owner, else GitHub Actions. */
  author?: string;
}

const maxWait = 60_000;

/** Does this with GitHub's API. Throws `Problems` that say what to do. */
export async function withGithub<T>(options: Target, work: (call: Call) => Promise<T>): Promise<T> {
  const client = openClient({
    baseUrl: checkBaseUrl(options.apiUrl),
    token: checkToken(options.token),
    env: options.env,
  });
  const { owner, repo, number } = options;
  const call = callWith(client, { owner, repo, number });
  try {
    return await work(call);
  } catch (error) {
    throw error instanceof HttpError ? refused(error, options) : error;
  } finally {
    await client.close();
  }
}

export type Call = (endpoint: Endpoint, params?: Record<string, unknown>, body?: unknown) => Promise<unknown>;

const callWith =
  (client: Client, fixed: Record<string, unknown>): Call =>
  async (endpoint, params = {}, body) => {
    const filled = fill(endpoint, { ...fixed, ...params });
    const answer = await retry(filled.method, (attempt) => client.call(filled, body, attempt), { maxWait });
    return answer.body;
  };

/** Adds to a refusal what to do about it: GitHub's own message is short. */
function refused(error: HttpError, { owner, repo, number }: Target): Problems {
  const hints: Record<number, string> = {
    401: 'GITHUB_TOKEN is not valid any more; in a workflow it is `env: { GITHUB_TOKEN: ${{ github.token }} }`',
    403: 'the job needs `permissions: { pull-requests: write }`; the token of a pull request from a fork only reads, whatever the job says',
    404:
      number === undefined
        ? `is there a repository ${owner}/${repo}, and may the token see it?`
        : `is there a pull request ${number} in ${owner}/${repo}, and may the token see it?`,
    410: 'the conversation is gone',
    422: 'GitHub does not take this text; is the pull request locked, or the text too long?',
  };
  const hint = hints[error.status] ?? error.hint;
  return new Problems([problem('comment/refused', error.message, hint === undefined ? {} : { hint })]);
}
