import { bodyOf, json, serve } from '../http/serve.ts';

interface FakeNote {
  id: number;
  body: string;
  author: { username: string };
}

export interface FakeGitlab {
  /** The address of its API. */
  url: string;
  /** The notes on each merge request, oldest first. */
  notes: Map<number, FakeNote[]>;
  /** The merge requests that have a commit, by its name. */
  requests: Map<string, { iid: number; state: string }[]>;
}

/** The part of GitLab's API that is about notes on merge requests, as a local server for project 42 and one token, which is a bot's. */
export async function startGitlab(token: string): Promise<FakeGitlab> {
  const notes: FakeGitlab['notes'] = new Map();
  const requests: FakeGitlab['requests'] = new Map();
  let id = 1000;
  const of = (iid: number) => notes.get(iid) ?? notes.set(iid, []).get(iid)!;
  const origin = await serve(async (request, response) => {
    const { method, headers, url = '' } = request;
    const { pathname, searchParams } = new URL(url, 'http://local');
    const body = await bodyOf(request);
    if (headers.authorization !== `Bearer ${token}`)
      return json(response, 401, { message: '401 Unauthorized' });
    if (pathname === '/api/v4/user') return json(response, 200, { username: 'project_42_bot' });
    const merged = /^\/api\/v4\/projects\/42\/repository\/commits\/([0-9a-f]+)\/merge_requests$/.exec(
      pathname,
    );
    if (merged) return json(response, 200, requests.get(merged[1]!) ?? []);
    const [, iid, note] =
      /^\/api\/v4\/projects\/42\/merge_requests\/(\d+)\/notes(?:\/(\d+))?$/.exec(pathname) ?? [];
    if (iid === undefined) return json(response, 404, { message: '404 Not Found' });
    const all = of(Number(iid));
    if (method === 'GET') {
      const size = Number(searchParams.get('per_page') ?? 20);
      const from = (Number(searchParams.get('page') ?? 1) - 1) * size;
      const sorted = searchParams.get('sort') === 'asc' ? all : [...all].reverse();
      return json(response, 200, sorted.slice(from, from + size));
    }
    const text: string = JSON.parse(body).body;
    if (method === 'POST') {
      const made = { id: ++id, body: text, author: { username: 'project_42_bot' } };
      all.push(made);
      return json(response, 201, made);
    }
    const found = all.find((one) => String(one.id) === note);
    if (method !== 'PUT' || !found) return json(response, 404, { message: '404 Not Found' });
    found.body = text;
    return json(response, 200, found);
  });
  return { url: `${origin}/api/v4`, notes, requests };
}
