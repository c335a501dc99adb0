import { openClient } from '../http/client.ts';
import { fill } from '../http/endpoint.ts';
import { HttpError } from '../http/errors.ts';
import { retry } from '../http/retry.ts';
import { checkBaseUrl, checkToken } from '../http/settings.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import type { Endpoint } from '../model/plan.ts';

/** Whose access it is, on which server, and to which project, by its number. */
export interface GitlabTarget {
  apiUrl: string;
  token: string;
  /** Names proxies and certificates. Default: nothing is set. */
  env?: Record<string, string | undefined>;
  project: string;
}

export type GitlabCall = (
  endpoint: Endpoint,
  params?: Record<string, unknown>,
  body?: unknown,
) => Promise<unknown>;

const maxWait = 60_000;

/** Does this with GitLab's API. Throws `Problems` that say what to do. */
export async function withGitlab<T>(
  { apiUrl, token, env, project }: GitlabTarget,
  work: (call: GitlabCall) => Promise<T>,
): Promise<T> {
  const client = openClient({
    baseUrl: checkBaseUrl(apiUrl),
    token: checkToken(token),
    ...(env === undefined ? {} : { env }),
  });
  const call: GitlabCall = async (endpoint, params = {}, body) => {
    const filled = fill(endpoint, { project, ...params });
    const answer = await retry(filled.method, (attempt) => client.call(filled, body, attempt), { maxWait });
    return answer.body;
  };
  try {
    return await work(call);
  } catch (error) {
    throw error instanceof HttpError ? refused(error) : error;
  } finally {
    await client.close();
  }
}

/** The items of an answer that is a list. Throws `Problems` for any other. */
export function listIn(answer: unknown): Record<string, unknown>[] {
  if (Array.isArray(answer) && answer.every((one) => typeof one === 'object' && one !== null)) return answer;
  throw new Problems([
    problem('comment/not-gitlab', "an answer of GitLab's API is not the list that was asked for", {
      hint: "is CI_API_V4_URL that of GitLab's REST API?",
    }),
  ]);
}

function refused(error: HttpError): Problems {
  const hints: Record<number, string> = {
    401: 'TRUEUP_COMMENT_TOKEN is not valid any more: make a new project access token with the scope `api`',
    403: 'TRUEUP_COMMENT_TOKEN must be a project access token with the scope `api` and the role Reporter',
    404: 'may TRUEUP_COMMENT_TOKEN see this project? A job token may not write comments',
  };
  const hint = hints[error.status] ?? error.hint;
  return new Problems([problem('comment/refused', error.message, hint === undefined ? {} : { hint })]);
}
