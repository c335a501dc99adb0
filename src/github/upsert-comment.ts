import { type Client, openClient } from '../http/client.ts';
import { fill } from '../http/endpoint.ts';
import { HttpError } from '../http/errors.ts';
import { retry } from '../http/retry.ts';
import { checkBaseUrl, checkToken } from '../http/settings.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import type { Endpoint } from '../model/plan.ts';

export interface CommentOptions {
  apiUrl: string;
  token: string;
  /** Names proxies and certificates. Default: nothing is set. */
  env?: Record<string, string | undefined>;
  owner: string;
  repo: string;
  number: number;
  /** The first line of the comment, by which it is found again. */
  marker: string;
  body: string;
  /** Its last line, which is no reason to write it anew. */
  foot?: string;
  /** The login of the writer: only a comment by this author is updated. Default: the token's owner, else GitHub Actions. */
  author?: string;
}

interface Upserted {
  done: 'created' | 'updated' | 'unchanged';
  url: string;
}

interface Comment {
  id: number;
  body?: string | null;
  html_url?: string;
  user?: { login?: string } | null;
}

/** Whose the token is that a workflow gets; it may not ask for it. */
const actionsBot = 'github-actions[bot]';
const pageSize = 100;
/** A conversation of 20,000 comments is none. */
const mostPages = 200;
const maxWait = 60_000;

/** Writes the one comment with this marker on a pull request: anew, or over the one that is there. Throws `Problems`. */
export function upsertComment(options: CommentOptions): Promise<Upserted> {
  const { marker, foot = '' } = options;
  const body = foot === '' ? options.body : `${options.body}\n\n${foot}`;
  return withGithub(options, async (call, author) => {
    const own = (comment: Comment) => firstLine(comment) === marker;
    const [old] = await commentsOf(call, author, own, 1);
    if (old && withoutFoot(old.body ?? '') === withoutFoot(body))
      return { done: 'unchanged', url: old.html_url ?? '' };
    const written = old
      ? await call('PATCH /repos/{owner}/{repo}/issues/comments/{id}', { id: old.id }, { body })
      : await call('POST /repos/{owner}/{repo}/issues/{number}/comments', {}, { body });
    const { html_url: url = '' } = (written ?? {}) as Partial<Comment>;
    return { done: old ? 'updated' : 'created', url };
  });
}

/**
 * Writes a report of which nobody knows the stack over each report that this push has not brought up to date: what they show may not
 * hold any more. Each keeps its marker, so that the next report of its stack finds it. Gives back their addresses, none where no report
 * is there. Throws `Problems`.
 * @param isMarker whether a first line is that of a report
 */
export function replaceReports(
  options: Omit<CommentOptions, 'marker'>,
  isMarker: (line: string) => boolean,
): Promise<string[]> {
  const { body, foot = '' } = options;
  return withGithub(options, async (call, author) => {
    const [commit] = foot.split(',');
    const isStale = (comment: Comment) =>
      isMarker(firstLine(comment)) && (foot === '' || !comment.body!.includes(`\n\n${commit},`));
    const stale = await commentsOf(call, author, isStale);
    for (const comment of stale) {
      const text = [`${firstLine(comment)}\n${body}`, ...(foot === '' ? [] : [foot])].join('\n\n');
      await call('PATCH /repos/{owner}/{repo}/issues/comments/{id}', { id: comment.id }, { body: text });
    }
    return stale.map(({ html_url = '' }) => html_url);
  });
}

async function withGithub<T>(
  options: Omit<CommentOptions, 'marker'>,
  work: (call: Call, author: string) => Promise<T>,
): Promise<T> {
  const client = openClient({
    baseUrl: checkBaseUrl(options.apiUrl),
    token: checkToken(options.token),
    env: options.env,
  });
  const { owner, repo, number } = options;
  const call = callWith(client, { owner, repo, number });
  try {
    return await work(call, options.author ?? (await authorOf(call)));
  } catch (error) {
    throw error instanceof HttpError ? refused(error, options) : error;
  } finally {
    await client.close();
  }
}

type Call = (endpoint: Endpoint, params?: Record<string, unknown>, body?: unknown) => Promise<unknown>;

const callWith =
  (client: Client, fixed: Record<string, unknown>): Call =>
  async (endpoint, params = {}, body) => {
    const filled = fill(endpoint, { ...fixed, ...params });
    const answer = await retry(filled.method, (attempt) => client.call(filled, body, attempt), { maxWait });
    return answer.body;
  };

async function authorOf(call: Call): Promise<string> {
  try {
    const { login } = ((await call('GET /user')) ?? {}) as { login?: string };
    return login ?? actionsBot;
  } catch (error) {
    if (error instanceof HttpError && [403, 404].includes(error.status)) return actionsBot;
    throw error;
  }
}

const firstLine = ({ body }: Comment): string => (body ?? '').split('\n', 1)[0]!.trimEnd();

/** The comments that are meant, up to so many. Others may quote a report, marker included: that is theirs, and stays as it is. */
async function commentsOf(
  call: Call,
  author: string,
  isMeant: (comment: Comment) => boolean,
  most = Number.POSITIVE_INFINITY,
): Promise<Comment[]> {
  const found: Comment[] = [];
  for (let page = 1; page <= mostPages; page++) {
    const comments = await call(
      'GET /repos/{owner}/{repo}/issues/{number}/comments?per_page={size}&page={page}',
      { size: pageSize, page },
    );
    if (!Array.isArray(comments) || !comments.every(isObject)) throw notComments();
    found.push(...(comments as Comment[]).filter((one) => one.user?.login === author && isMeant(one)));
    if (found.length >= most || comments.length < pageSize) return found.slice(0, most);
  }
  throw new Problems([
    problem('comment/too-many', `the list of comments has no end after ${mostPages * pageSize} of them`, {
      hint: "is GITHUB_API_URL that of GitHub's REST API?",
    }),
  ]);
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null;

const notComments = () =>
  new Problems([
    problem('comment/not-github', 'the answer to the request for the comments is no list', {
      hint: "is GITHUB_API_URL that of GitHub's REST API?",
    }),
  ]);

/** Adds to a refusal what to do about it: GitHub's own message is short. */
function refused(error: HttpError, { owner, repo, number }: Omit<CommentOptions, 'marker'>): Problems {
  const hints: Record<number, string> = {
    401: 'GITHUB_TOKEN is not valid any more; in a workflow it is `env: { GITHUB_TOKEN: ${{ github.token }} }`',
    403: 'the job needs `permissions: { pull-requests: write }`; the token of a pull request from a fork only reads, whatever the job says',
    404: `is there a pull request ${number} in ${owner}/${repo}, and may the token see it?`,
    410: 'the conversation is gone',
    422: 'GitHub does not take this text; is the pull request locked, or the text too long?',
  };
  const hint = hints[error.status] ?? error.hint;
  return new Problems([problem('comment/refused', error.message, hint === undefined ? {} : { hint })]);
}

const shortest = 7;

/** The last line of a report: the commit that was planned, and the run that did it. Empty if GitHub does not tell. */
export function reportFoot(
  env: Record<string, string | undefined>,
  /** The commit of the pull request; the one of the run is its merge, which nobody knows by its name. */
  head: string | undefined = env.GITHUB_SHA,
): string {
  const { GITHUB_RUN_ID: id = '', GITHUB_SERVER_URL: server = '', GITHUB_REPOSITORY: repository = '' } = env;
  const isLink =
    /^\d+$/.test(id) && /^https?:\/\/[\w.:-]+$/.test(server) && /^[\w.-]+\/[\w.-]+$/.test(repository);
  if (!isLink || !/^[0-9a-f]{40,64}$/.test(head ?? '')) return '';
  return `Plan of \`${head!.slice(0, shortest)}\`, [run](${server}/${repository}/actions/runs/${id})`;
}

/** A comment without that line: the same plan of a later commit is the same plan. */
const withoutFoot = (body: string): string =>
  body.replace(/\n\nPlan of `[0-9a-f]{7}`, \[run\]\(\S+\)\s*$/, '').trimEnd();
