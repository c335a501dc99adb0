import type { Call } from '../http/comment-api.ts';
import { HttpError } from '../http/errors.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { type Target, withGithub } from './github-call.ts';
import { withoutFoot } from './report-foot.ts';

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
const pageSize = 100;
/** A conversation of 20,000 comments is none. */
const mostPages = 200;

/** Writes the one comment with this marker on a pull request: anew, or over the one that is there. Throws `Problems`. */
export function upsertComment(options: CommentOptions): Promise<Upserted> {
  const { marker, foot = '' } = options;
  const body = foot === '' ? options.body : `${options.body}\n\n${foot}`;
  return withGithub(options, async (call) => {
    const author = options.author ?? (await authorOf(call));
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
  return withGithub(options, async (call) => {
    const author = options.author ?? (await authorOf(call));
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
      hint: "does GITHUB_API_URL point to GitHub's REST API?",
    }),
  ]);
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null;

const notComments = () =>
  new Problems([
    problem('comment/not-github', 'the answer to the request for the comments is not a list', {
      hint: "does GITHUB_API_URL point to GitHub's REST API?",
    }),
  ]);
