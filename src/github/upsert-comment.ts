import { type CallApi, type CommentAccess, readNumberedPages, withCommentApi } from '../http/comment-api.ts';
import { HttpError } from '../http/errors.ts';
import { Problems } from '../model/diagnostic.ts';

export interface CommentOptions extends Target {
  number: number;
  /** The first line of the comment, by which it is found again. */
  marker: string;
  body: string;
  /** Its last line, which is no reason to write it anew. */
  foot?: string;
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

/** Writes the one comment with this marker on a pull request: anew, or over the one that is there. Throws `Problems`. */
export function upsertComment(options: CommentOptions): Promise<Upserted> {
  const { marker, foot = '' } = options;
  const body = foot === '' ? options.body : `${options.body}\n\n${foot}`;
  return withGithub(options, async (call) => {
    const author = options.author ?? (await readAuthor(call));
    const own = (comment: Comment) => firstCommentLine(comment) === marker;
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
  return withGithub(options, async (call) => {
    const author = options.author ?? (await readAuthor(call));
    const [commit] = foot.split(',');
    const isStale = (comment: Comment) =>
      isMarker(firstCommentLine(comment)) && (foot === '' || !comment.body!.includes(`\n\n${commit},`));
    const stale = await commentsOf(call, author, isStale);
    for (const comment of stale) {
      const text = [`${firstCommentLine(comment)}\n${body}`, ...(foot === '' ? [] : [foot])].join('\n\n');
      await call('PATCH /repos/{owner}/{repo}/issues/comments/{id}', { id: comment.id }, { body: text });
    }
    return stale.map(({ html_url = '' }) => html_url);
  });
}

async function readAuthor(call: CallApi): Promise<string> {
  try {
    const { login } = ((await call('GET /user')) ?? {}) as { login?: string };
    return login ?? actionsBot;
  } catch (error) {
    if (error instanceof HttpError && [403, 404].includes(error.status)) return actionsBot;
    throw error;
  }
}

const firstCommentLine = ({ body }: Comment): string => (body ?? '').split('\n', 1)[0]!.trimEnd();

/** The comments that are meant, up to so many. Others may quote a report, marker included: that is theirs, and stays as it is. */
async function commentsOf(
  call: CallApi,
  author: string,
  isMeant: (comment: Comment) => boolean,
  most = Number.POSITIVE_INFINITY,
): Promise<Comment[]> {
  const read = async (page: { size: number; page: number }) => {
    const all = await call(
      'GET /repos/{owner}/{repo}/issues/{number}/comments?per_page={size}&page={page}',
      page,
    );
    if (!Array.isArray(all) || !all.every((one) => typeof one === 'object' && one !== null))
      throw notList('comments');
    return all as Comment[];
  };
  const found: Comment[] = [];
  for await (const comments of readNumberedPages(read, githubServerHint)) {
    found.push(...comments.filter((comment) => comment.user?.login === author && isMeant(comment)));
    if (found.length >= most) break;
  }
  return found.slice(0, most);
}

const githubServerHint = "does GITHUB_API_URL point to GitHub's REST API?";

const notList = (what: string) =>
  new Problems('comment/server', `the answer to the request for the ${what} is not a list`, {
    hint: githubServerHint,
  });

/** Whose access it is, on which server, and to which pull request, if it is about one. */
export interface Target extends CommentAccess {
  owner: string;
  repo: string;
  number?: number;
  /** The login of the writer: only a comment by this author is updated. Default: the token's owner, else GitHub Actions. */
  author?: string;
}

/** Does this with GitHub's API. Throws `Problems` that say what to do. */
function withGithub<T>(target: Target, work: (call: CallApi) => Promise<T>): Promise<T> {
  const { owner, repo, number } = target;
  return withCommentApi(target, { fixed: { owner, repo, number }, hints: hintsFor(target) }, work);
}

const hintsFor = ({ owner, repo, number }: Target): Record<number, string> => ({
  401: 'GITHUB_TOKEN is no longer valid; in a workflow it is `env: { GITHUB_TOKEN: ${{ github.token }} }`',
  403: 'the job needs `permissions: { pull-requests: write }`; the token of a pull request from a fork is always read-only',
  404:
    number === undefined
      ? `does the repository ${owner}/${repo} exist, and can the token read it?`
      : `does pull request ${number} exist in ${owner}/${repo}, and can the token read it?`,
  410: 'the conversation no longer exists',
  422: 'GitHub rejected this text; is the pull request locked, or the text too long?',
});

const shortestSha = 7;

/**
 * The last line of a report: the commit that it is about, and the run that made it. Empty if the server does not tell. `head`: the commit of the
 * pull request, since the one of the run is its merge, which nobody knows by its name; without it the run is about what was merged.
 */
export function reportFoot(env: Record<string, string | undefined>, head?: string): string {
  const run = runIn(env);
  const commit = head ?? env.GITHUB_SHA ?? env.CI_COMMIT_SHA ?? '';
  if (run === undefined || !/^[0-9a-f]{40,64}$/.test(commit)) return '';
  const what = head === undefined ? 'Merged as' : 'Plan of';
  return `${what} \`${commit.slice(0, shortestSha)}\`, [run](${run})`;
}

/** The address of the run, as GitHub or GitLab tells it; undefined where it is none that can stand in a link. */
function runIn(env: Record<string, string | undefined>): string | undefined {
  const { GITHUB_RUN_ID: id = '', GITHUB_SERVER_URL: server = '', GITHUB_REPOSITORY: repository = '' } = env;
  const isLink =
    /^\d+$/.test(id) && /^https?:\/\/[\w.:-]+$/.test(server) && /^[\w.-]+\/[\w.-]+$/.test(repository);
  if (isLink) return `${server}/${repository}/actions/runs/${id}`;
  const { GITLAB_CI: isGitlab, CI_JOB_URL: job = '' } = env;
  return isGitlab === 'true' && /^https?:\/\/[\w./:-]+$/.test(job) ? job : undefined;
}

/**
 * The text of a comment but for that line, and for the commit that its links lead to: the same plan of a later commit is the same plan. That
 * something was merged is news, whatever was planned.
 */
const withoutFoot = (body: string): string =>
  body
    .replace(/\n\nPlan of `[0-9a-f]{7}`, \[run\]\(\S+\)\s*$/, '')
    .replace(/(?<=\/blob\/)[0-9a-f]{40,64}(?=\/)/g, '')
    .trimEnd();

/** So many are read at most; a commit that more pull requests brought is none of a person. */
const mostComments = 100;

/** The numbers of the pull requests that were merged as this commit, or with it. Throws `Problems`. */
export function mergedPulls(target: Omit<Target, 'number'>, sha: string): Promise<number[]> {
  return withGithub(target, async (call) => {
    const pulls = await call('GET /repos/{owner}/{repo}/commits/{sha}/pulls?per_page={most}', {
      sha,
      most: mostComments,
    });
    if (!Array.isArray(pulls)) throw notList('pull requests of a commit');
    return (pulls as unknown[]).flatMap((pull) => {
      const { number, merged_at: merged } = (pull ?? {}) as { number?: unknown; merged_at?: unknown };
      // One that is open only has the commit, too: it was not merged.
      return Number.isSafeInteger(number) && typeof merged === 'string' ? [number as number] : [];
    });
  });
}
