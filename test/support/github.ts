import { bodyOf, json, serve } from '../http/serve.ts';

export interface FakeComment {
  id: number;
  body: string;
  html_url: string;
  user: { login: string };
}

export interface FakeGithub {
  url: string;
  /** The comments on each pull request, oldest first. */
  comments: Map<number, FakeComment[]>;
  /** The pull requests that have a commit, by its name. */
  pulls: Map<string, { number: number; merged_at: string | null }[]>;
  /** Method and path of every request. */
  requests: string[];
  /** Adds a comment of somebody. */
  say(pull: number, login: string, body: string): FakeComment;
  /** What every write is answered with, in place of being done. */
  refuse?: { status: number; message: string };
}

const repository = '/api/v3/repos/acme/site';

/**
 * The part of GitHub's API that is about comments, as a local server: pages of at most 100, only one's own comments may be changed. `token` is
 * that of a workflow, which may not ask who it is; `personal` is Ada's.
 */
export async function startGithub(): Promise<FakeGithub> {
  const comments: FakeGithub['comments'] = new Map();
  const pulls: FakeGithub['pulls'] = new Map();
  const requests: string[] = [];
  let id = 1000;
  const of = (pull: number) => comments.get(pull) ?? comments.set(pull, []).get(pull)!;
  const github: FakeGithub = {
    url: '',
    comments,
    pulls,
    requests,
    say: (pull, login, body) => {
      id++;
      const comment = {
        id,
        body,
        html_url: `https://github.test/acme/site/pull/${pull}#c${id}`,
        user: { login },
      };
      of(pull).push(comment);
      return comment;
    },
  };
  const logins: Record<string, string> = { 'Bearer token': 'github-actions[bot]', 'Bearer personal': 'ada' };
  const origin = await serve(async (request, response) => {
    const { method, headers } = request;
    const url = new URL(request.url!, 'http://local');
    requests.push(`${method} ${url.pathname}`);
    const body = await bodyOf(request);
    const login = logins[headers.authorization ?? ''];
    const refuse = (status: number, message: string) => json(response, status, { message });
    if (login === undefined) return refuse(401, 'Bad credentials');
    if (url.pathname === '/api/v3/user')
      return login === 'ada'
        ? json(response, 200, { login })
        : refuse(403, 'Resource not accessible by integration');
    const list = /^\/issues\/(\d+)\/comments$/.exec(url.pathname.replace(repository, ''));
    const one = /^\/issues\/comments\/(\d+)$/.exec(url.pathname.replace(repository, ''));
    const commit = /^\/commits\/([0-9a-f]{40})\/pulls$/.exec(url.pathname.replace(repository, ''));
    if (method === 'GET' && commit) return json(response, 200, pulls.get(commit[1]!) ?? []);
    if (!url.pathname.startsWith(repository) || (!list && !one)) return refuse(404, 'Not Found');
    if (method === 'GET' && list) {
      const size = Math.min(100, Number(url.searchParams.get('per_page') ?? 30));
      const from = (Number(url.searchParams.get('page') ?? 1) - 1) * size;
      return json(response, 200, of(Number(list[1])).slice(from, from + size));
    }
    if (github.refuse) return refuse(github.refuse.status, github.refuse.message);
    const text: string = JSON.parse(body).body;
    if (text.length > 65_536) return refuse(422, 'Validation Failed');
    if (method === 'POST' && list) return json(response, 201, github.say(Number(list[1]), login, text));
    const found = [...comments.values()].flat().find((comment) => comment.id === Number(one?.[1]));
    if (method !== 'PATCH' || !found) return refuse(404, 'Not Found');
    if (found.user.login !== login) return refuse(403, 'Resource not accessible by integration');
    found.body = text;
    return json(response, 200, found);
  });
  github.url = `${origin}/api/v3`;
  return github;
}
