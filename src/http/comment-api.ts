import { Problems } from '../model/diagnostic.ts';
import type { Endpoint } from '../model/request.ts';
import { openClient } from './client.ts';
import { fill } from './endpoint.ts';
import { HttpError } from './errors.ts';
import { retry } from './retry.ts';
import { checkBaseUrl, checkToken } from './settings.ts';

/** Whose access it is, and on which server. */
export interface Access {
  apiUrl: string;
  token: string;
  /** Names proxies and certificates. Default: nothing is set. */
  env?: Record<string, string | undefined>;
}

/** Sends one request; the body of its answer. Throws `HttpError`. */
export type Call = (endpoint: Endpoint, params?: Record<string, unknown>, body?: unknown) => Promise<unknown>;

/** Settings common to all calls, and advice for each status of a refusal, since the server's own message is short. */
interface Ways {
  fixed: Record<string, unknown>;
  hints: Record<number, string>;
}

// Nobody waits longer for a comment, ms.
const maxWait = 60_000;

/** Works with the API of a service that shows comments. Throws `Problems` that say what to do. */
export async function withApi<T>(
  { apiUrl, token, env }: Access,
  { fixed, hints }: Ways,
  work: (call: Call) => Promise<T>,
): Promise<T> {
  const client = openClient({ baseUrl: checkBaseUrl(apiUrl), token: checkToken(token), env });
  try {
    return await work(async (endpoint, params = {}, body) => {
      const filled = fill(endpoint, { ...fixed, ...params });
      const answer = await retry(filled.method, (attempt) => client.call(filled, body, attempt), { maxWait });
      return answer.body;
    });
  } catch (error) {
    throw error instanceof HttpError ? refused(error, hints) : error;
  } finally {
    await client.close();
  }
}

const pageSize = 100;
/** A conversation of 20,000 comments is none. */
const mostPages = 200;

/** The pages of a list, one after the other. `hint`: what may be wrong where they have no end, which throws `Problems`. */
export async function* pagesOf<T>(
  read: (page: { size: number; page: number }) => Promise<T[]>,
  hint: string,
): AsyncGenerator<T[]> {
  for (let page = 1; page <= mostPages; page++) {
    const found = await read({ size: pageSize, page });
    yield found;
    if (found.length < pageSize) return;
  }
  throw new Problems(
    'comment/too-many',
    `the list of comments has no end after ${mostPages * pageSize} of them`,
    {
      hint,
    },
  );
}

function refused(error: HttpError, hints: Record<number, string>): Problems {
  const hint = hints[error.status] ?? error.hint;
  return new Problems('comment/refused', error.message, { hint });
}
