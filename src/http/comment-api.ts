import { type Diagnostic, problem, raise } from '../model/diagnostic.ts';
import type { Endpoint } from '../model/request.ts';
import { openClient } from './client.ts';
import { fillEndpoint } from './endpoint.ts';
import { HttpError } from './errors.ts';
import { retry } from './retry.ts';
import { checkBaseUrl, checkToken } from './settings.ts';

/** The server of a code host whose pull requests get comments, and the token to use there. */
export interface CommentAccess {
  apiUrl: string;
  token: string;
  /** Names proxies and certificates. Default: none. */
  env?: Record<string, string | undefined>;
}

/**
 * Sends one request, repeats it where that is safe, and returns the body of the answer. Throws a `RequestError`.
 */
export type CallApi = (
  endpoint: Endpoint,
  params?: Record<string, unknown>,
  body?: unknown,
) => Promise<unknown>;

/** Parameters of all calls, and a hint for each status of a refusal, because the server's own message is short. */
interface CallSettings {
  fixed: Record<string, unknown>;
  hints: Record<number, string>;
}

/** The longest wait for a rate limit, in milliseconds: a comment is not worth more of a CI job's time. */
const maxWait = 60_000;

/**
 * Runs `work` with a function to call the API of a code host, to read and write comments on a pull request, and
 * closes the connections afterwards. Throws `Problems` for an unusable URL or token, and if the server refuses a
 * call: then with a hint from `hints` (by status), because the server's own message is short. `fixed`: the
 * placeholders of endpoints that have the same value in all calls, such as the repository.
 */
export async function withCommentApi<T>(
  { apiUrl, token, env }: CommentAccess,
  { fixed, hints }: CallSettings,
  work: (call: CallApi) => Promise<T>,
): Promise<T> {
  const client = openClient({ baseUrl: checkBaseUrl(apiUrl), token: checkToken(token), env });
  try {
    return await work(async (endpoint, params = {}, body) => {
      const filled = fillEndpoint(endpoint, { ...fixed, ...params });
      const answer = await retry(filled.method, (attempt) => client.call(filled, body, attempt), { maxWait });
      return answer.body;
    });
  } catch (error) {
    if (error instanceof HttpError) raise(toRefusalProblem(error, hints));
    throw error;
  } finally {
    await client.close();
  }
}

const commentPageSize = 100;
/** A list of more pages (20,000 comments) is taken for a server that repeats itself. */
const mostCommentPages = 200;

/**
 * Yields the pages of the list of comments on a pull or merge request, until one is not full. Throws `Problems` with `hint` after 200 full
 * pages, because the server then seems to repeat itself.
 */
export async function* readNumberedPages<T>(
  readPage: (page: { size: number; page: number }) => Promise<T[]>,
  hint: string,
): AsyncGenerator<T[]> {
  for (let page = 1; page <= mostCommentPages; page++) {
    const items = await readPage({ size: commentPageSize, page });
    yield items;
    if (items.length < commentPageSize) return;
  }
  raise(
    'comment/server',
    `the list of comments has no end after ${mostCommentPages * commentPageSize} of them`,
    {
      hint,
    },
  );
}

/** Converts a refusal by the code host into a problem with a hint that fits its status. */
function toRefusalProblem(error: HttpError, hints: Record<number, string>): Diagnostic {
  const hint = hints[error.status] ?? error.hint;
  return problem('comment/refused', error.message, { hint });
}
