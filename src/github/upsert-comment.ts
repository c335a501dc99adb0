import { type CallApi, type CommentAccess, readNumberedPages, withCommentApi } from '../http/comment-api.ts';
import { HttpError } from '../http/errors.ts';
import { problem, raise } from '../model/diagnostic.ts';

export interface CommentOptions extends Target {
  number: number;
  /** The first line of the comment, by which it is found again. */
  marker: string;
  body: string;
  /**
   * The last line of the comment, with commit and run. A comment that differs only in a line `Plan of ...` and in the
   * commit of its links is not written again.
   */
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

/** The author of comments that are written with the token of a workflow. That token may not ask for its own user. */
const actionsBot = 'github-actions[bot]';

/**
 * Writes the report of a stack on a pull request: over the comment with the same marker (the first line, which
 * names the stack) if there is one, otherwise as a new comment. An unchanged report is not sent, because an
 * edited comment looks like news. Throws `Problems`.
 */
export function upsertComment(options: CommentOptions): Promise<Upserted> {
  const { marker, foot = '' } = options;
  const body = foot === '' ? options.body : `${options.body}\n\n${foot}`;
  return withGithub(options, async (call) => {
    const author = options.author ?? (await readAuthor(call));
    const hasMarker = (comment: Comment) => firstCommentLine(comment) === marker;
    const [old] = await commentsOf(call, author, hasMarker, 1);
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
 * Overwrites outdated reports on a pull request with a report that does not name its stack, for example because the
 * configuration could not be read. Reports of the current commit stay. Each comment keeps its marker (its first
 * line, with the name of the stack), so that the next report of its stack finds it. Returns the addresses of the
 * comments. Throws `Problems`.
 * @param isMarker true if a first line is the marker of a report
 */
export function replaceReports(
  options: Omit<CommentOptions, 'marker'>,
  isMarker: (line: string) => boolean,
): Promise<string[]> {
  const { body, foot = '' } = options;
  return withGithub(options, async (call) => {
    const author = options.author ?? (await readAuthor(call));
    // The foot begins with the commit: "Plan of `1a2b3c4`, [run](...)".
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

/**
 * Returns the login of the token's user. Only comments by this user are reports that may be overwritten. The token
 * of a workflow may not ask for its user, so the user of GitHub Actions is assumed then.
 */
async function readAuthor(call: CallApi): Promise<string> {
  try {
    const { login } = ((await call('GET /user')) ?? {}) as { login?: string };
    return login ?? actionsBot;
  } catch (error) {
    if (error instanceof HttpError && [403, 404].includes(error.status)) return actionsBot;
    throw error;
  }
}

/** Returns the first line of a comment, where a report has its marker. */
const firstCommentLine = ({ body }: Comment): string => (body ?? '').split('\n', 1)[0]!.trimEnd();

/**
 * Returns the comments on a pull request by `author` for which `isMeant` is true, at most `most` of them, or all. Used to
 * find earlier reports, which a new one overwrites. Comments by other people may quote a report with its marker,
 * and must not be changed.
 */
async function commentsOf(
  call: CallApi,
  author: string,
  isMeant: (comment: Comment) => boolean,
  most?: number,
): Promise<Comment[]> {
  const read = async (page: { size: number; page: number }) => {
    const endpoint = 'GET /repos/{owner}/{repo}/issues/{number}/comments?per_page={size}&page={page}';
    const answer = await call(endpoint, page);
    if (!Array.isArray(answer) || !answer.every((item) => typeof item === 'object' && item !== null))
      raise(notList('comments'));
    return answer as Comment[];
  };
  const matching: Comment[] = [];
  for await (const comments of readNumberedPages(read, githubServerHint)) {
    matching.push(...comments.filter((comment) => comment.user?.login === author && isMeant(comment)));
    if (most !== undefined && matching.length >= most) break;
  }
  return matching.slice(0, most);
}

const githubServerHint = "does GITHUB_API_URL point to GitHub's REST API?";

const notList = (what: string) =>
  problem('comment/server', `the answer to the request for the ${what} is not a list`, {
    hint: githubServerHint,
  });

/** A repository on a GitHub server, the access to it, and a pull request, if there is one. */
export interface Target extends CommentAccess {
  owner: string;
  repo: string;
  number?: number;
  /** The login of the writer: only a comment by this author is updated. Default: the token's owner, else GitHub Actions. */
  author?: string;
}

/**
 * Runs `work` with a function which calls GitHub's API for the target. Throws `Problems` with a hint that fits the
 * refusal.
 */
function withGithub<T>(target: Target, work: (call: CallApi) => Promise<T>): Promise<T> {
  const { owner, repo, number } = target;
  return withCommentApi(target, { fixed: { owner, repo, number }, hints: hintsFor(target) }, work);
}

/**
 * Returns the hint of `trueup comment` for each status with which GitHub refuses a call. GitHub's own message seldom
 * says which permission is missing.
 */
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
 * Returns the last line of a report that `trueup comment` writes: the commit that it is about, and a link to the
 * run that made it, such as "Plan of `1a2b3c4`, [run](...)"; an empty text if the CI system does not provide both.
 * `head`: the commit of the pull request. Without it, the report is about the merged commit.
 */
export function reportFoot(env: Record<string, string | undefined>, head?: string): string {
  const run = runAddressIn(env);
  const commit = head ?? env.GITHUB_SHA ?? env.CI_COMMIT_SHA ?? '';
  if (run === undefined || !/^[0-9a-f]{40,64}$/.test(commit)) return '';
  const label = head === undefined ? 'Merged as' : 'Plan of';
  return `${label} \`${commit.slice(0, shortestSha)}\`, [run](${run})`;
}

/**
 * Returns the address of the CI run from the variables of GitHub or GitLab, for a link in the last line of a
 * report; undefined if they have no address that is safe in a link.
 */
function runAddressIn(env: Record<string, string | undefined>): string | undefined {
  const { GITHUB_RUN_ID: id = '', GITHUB_SERVER_URL: server = '', GITHUB_REPOSITORY: repository = '' } = env;
  const isLink =
    /^\d+$/.test(id) && /^https?:\/\/[\w.:-]+$/.test(server) && /^[\w.-]+\/[\w.-]+$/.test(repository);
  if (isLink) return `${server}/${repository}/actions/runs/${id}`;
  const { GITLAB_CI: isGitlab, CI_JOB_URL: job = '' } = env;
  return isGitlab === 'true' && /^https?:\/\/[\w./:-]+$/.test(job) ? job : undefined;
}

/**
 * Returns the text of a comment without its last line and without the commit in its links, because both change with each commit.
 * Used to see whether a report has changed: the same plan of a later commit is no news. A last line about a merge
 * stays, because that is news.
 */
const withoutFoot = (body: string): string =>
  body
    .replace(/\n\nPlan of `[0-9a-f]{7}`, \[run\]\(\S+\)\s*$/, '')
    .replace(/(?<=\/blob\/)[0-9a-f]{40,64}(?=\/)/g, '')
    .trimEnd();

/** The most pull requests of a commit that are read. A commit in more of them was not merged by a person. */
const mostPulls = 100;

/**
 * Returns the numbers of the pull requests that were merged with this commit. Used after an apply on the main
 * branch, to report its outcome on the pull request that caused it. Throws `Problems`.
 */
export function mergedPulls(target: Omit<Target, 'number'>, sha: string): Promise<number[]> {
  return withGithub(target, async (call) => {
    const pulls = await call('GET /repos/{owner}/{repo}/commits/{sha}/pulls?per_page={most}', {
      sha,
      most: mostPulls,
    });
    if (!Array.isArray(pulls)) raise(notList('pull requests of a commit'));
    return (pulls as unknown[]).flatMap((pull) => {
      const { number, merged_at: merged } = (pull ?? {}) as { number?: unknown; merged_at?: unknown };
      // An open pull request may have the commit, too, but was not merged.
      return Number.isSafeInteger(number) && typeof merged === 'string' ? [number as number] : [];
    });
  });
}
