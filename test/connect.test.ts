import { describe, expect, onTestFinished, test } from 'vitest';
import { catalog } from '../providers/hosting/catalog.ts';
import { connect, type Surroundings } from '../providers/hosting/connect.ts';
import { otherSwitches, startTwin, type TwinOptions } from '../providers/hosting/twin/index.ts';
import { HttpError, IncompleteList, LimitedList, RateLimited } from '../src/http/errors.ts';
import type { ConnectOptions } from '../src/kind/provider.ts';
import { Problems } from '../src/model/diagnostic.ts';
import type { Endpoint } from '../src/model/request.ts';
import { Sealed } from '../src/model/sealed.ts';
import { bodyOf, failure, json, jumpingClock, serve, serveBytes } from './http/serve.ts';
import { oneRowIn, oneStoryIn } from './support/sweep.ts';

const story = oneStoryIn(3);

const token = 'tok-1234567890';

function open(baseUrl: string, options: Partial<ConnectOptions> = {}, surroundings: Surroundings = {}) {
  const clock = jumpingClock();
  const connection = connect(
    { baseUrl, token, scope: { team: 'acme' }, ...options },
    { clock, random: () => 0.5, ...surroundings },
  );
  onTestFinished(() => connection.close());
  return { ...connection, clock };
}

const team = { id: 'team_1', slug: 'acme', name: 'Acme', sensitiveEnvironmentVariablePolicy: 'on' };

/** A platform that knows the account and answers everything else with what it was asked. */
async function serveEcho() {
  const seen: string[] = [];
  const url = await serve(async (request, response) => {
    seen.push(`${request.method} ${request.url}`);
    const body = await bodyOf(request);
    if (request.url === '/v2/teams/acme' || request.url === '/v2/teams/team_1') json(response, 200, team);
    else if (request.url === '/v2/user')
      json(response, 200, { user: { id: 'u1', username: 'me', email: 'm@x' } });
    else json(response, 200, { url: request.url, body: body && JSON.parse(body) });
  });
  return { url, seen };
}

const problemOf = async (promise: Promise<unknown>) => (await failure(promise, Problems)).diagnostics[0]!;

describe('the account', () => {
  test('a team, by slug and by id, read once', async () => {
    const { url, seen } = await serveEcho();
    const bySlug = open(url);
    const [owner] = await Promise.all([
      bySlug.owner(),
      bySlug.owner(),
      bySlug.send({ endpoint: 'GET /v1/env' }),
    ]);
    expect(owner).toEqual({
      type: 'team',
      id: 'team_1',
      slug: 'acme',
      facts: { name: 'Acme', sensitiveEnvironmentVariablePolicy: 'on', teamId: 'team_1' },
    });
    expect(seen).toEqual(['GET /v2/teams/acme', 'GET /v1/env?teamId=team_1']);
    expect(await open(url, { scope: { team: 'team_1' } }).owner()).toMatchObject({ slug: 'acme' });
  });

  test('a person: no teamId anywhere', async () => {
    const { url, seen } = await serveEcho();
    const connection = open(url, { scope: { personal: true } });
    expect(await connection.owner()).toEqual({
      type: 'personal',
      id: 'u1',
      slug: 'me',
      facts: { email: 'm@x' },
    });
    await connection.send({ endpoint: 'GET /v1/env' });
    expect(seen).toEqual(['GET /v2/user', 'GET /v1/env']);
  });

  test.each([
    [401, { error: { code: 'forbidden', message: 'No.' } }, 'auth/token'],
    [403, { error: { code: 'forbidden', message: 'No.', invalidToken: true } }, 'auth/token'],
    [403, { error: { code: 'forbidden', message: 'No.' } }, 'auth/team'],
    [404, { error: { code: 'not_found', message: 'No.' } }, 'auth/team'],
    [402, { error: { code: 'payment', message: 'No.' } }, 'http/402'],
    [200, { id: 'team_2', slug: 'other' }, 'auth/team'],
    [200, { hello: 1 }, 'auth/answer'],
    [200, null, 'auth/answer'],
  ])('%i %j is %s', async (status, body, code) => {
    const url = await serve((_, response) => json(response, status, body));
    const found = await problemOf(open(url).owner());
    expect(found.code).toBe(code);
    expect(found.message).toContain(url);
    expect(found.hint).toBeTruthy();
    expect(JSON.stringify(found)).not.toContain(token);
  });

  test('unreachable, cut, HTML, rate limited', async () => {
    expect(await problemOf(open('http://127.0.0.1:1').owner())).toMatchObject({ code: 'http/unreachable' });
    const cut = await serveBytes((socket) => {
      socket.once('data', () => socket.destroy());
    });
    expect(await problemOf(open(cut).owner())).toMatchObject({ code: 'http/no-response' });
    const html = await serve((_, response) => response.end('<h1>Log in</h1>'));
    expect(await problemOf(open(html).owner())).toMatchObject({ code: 'http/not-json' });
    const full = await serve((_, response) => json(response, 429, {}, { 'retry-after': '3600' }));
    await failure(open(full).owner(), RateLimited);
  });

  const refused = { error: { code: 'team_unauthorized', message: 'No.' } };
  const limited = { scope: { team: 'team_1' }, declared: () => ['api', 'web'] };
  const web = { id: 'prj_1', name: 'web', accountId: 'team_1' };

  test.each([
    ['refused', 403, refused],
    ['of this project alone', 200, { projects: [web], pagination: { next: null } }],
  ])(
    'a token that may not read the team: found by a project, and a list %s is limited',
    async (_, status, list) => {
      const seen: string[] = [];
      const url = await serve((request, response) => {
        seen.push(request.url!);
        if (/^\/v9\/projects\/(web|prj_1)/.test(request.url!)) json(response, 200, web);
        else if (request.url!.startsWith('/v10/projects')) json(response, status, list);
        else json(response, 403, refused);
      });
      const connection = open(url, limited);
      expect(await connection.owner()).toMatchObject({ type: 'team', id: 'team_1', slug: 'team_1' });
      const listed = connection.send({ endpoint: 'GET /v10/projects', items: 'projects' });
      expect(await failure(listed, LimitedList)).toMatchObject({ readable: [web], status: 403 });
      expect(seen).toEqual([
        '/v2/teams/team_1',
        '/v9/projects/api?teamId=team_1',
        '/v9/projects/web?teamId=team_1',
        '/v10/projects?limit=100',
        '/v9/projects/prj_1',
      ]);
    },
  );

  test('a token that may not read the team: a list with other projects is whole, no other list is read, and the id of the team is checked', async () => {
    const other = { id: 'prj_2', name: 'api' };
    const seen: string[] = [];
    const url = await serve((request, response) => {
      seen.push(request.url!);
      if (request.url!.startsWith('/v9/projects/web')) json(response, 200, web);
      else if (request.url!.startsWith('/v10/projects'))
        json(response, 200, { projects: [web, other], pagination: { next: null } });
      else json(response, 403, refused);
    });
    const connection = open(url, limited);
    const listed = connection.send({ endpoint: 'GET /v10/projects', items: 'projects' });
    expect(await listed).toEqual([web, other]);
    const sent = seen.length;
    for (const request of [
      { endpoint: 'GET /v1/env', items: 'data' },
      { endpoint: 'GET /v5/domains/{id}', params: { id: 'example.com' } },
    ] as const)
      expect(await failure(connection.send(request), HttpError)).toMatchObject({
        status: 403,
        code: 'team_unauthorized',
        scopeHint: 'use a token of this team, or of the full account',
      });
    expect(seen.length).toBe(sent);
    await connection.send({ endpoint: 'GET /v9/projects/{project}/env', params: { project: 'web' } });
    for (const team of ['team_2', 'acme']) {
      const elsewhere = open(url, { ...limited, scope: { team } });
      expect(await problemOf(elsewhere.owner())).toMatchObject({ code: 'auth/scope' });
    }
  });

  test('a token that may not read the team: after a project that it can read, no others are asked for', async () => {
    const seen: string[] = [];
    const url = await serve((request, response) => {
      seen.push(request.url!);
      if (request.url!.startsWith('/v9/projects/p12?')) json(response, 200, web);
      else json(response, 403, refused);
    });
    const projects = Array.from({ length: 1000 }, (_, index) => `p${index}`);
    await open(url, { ...limited, declared: () => projects }).owner();
    expect(seen.length).toBe(21);
  });

  test('a failure is not remembered, a success is', async () => {
    let calls = 0;
    const url = await serve((_, response) =>
      json(response, ++calls === 1 ? 404 : 200, calls === 1 ? {} : team),
    );
    const connection = open(url);
    await failure(connection.owner(), Problems);
    await connection.owner();
    await connection.owner();
    expect(calls).toBe(2);
  });
});

describe('settings that are refused before anything is sent', () => {
  test.each([
    ['', 'auth/token'],
    ['tok\n', 'auth/token'],
    ['tok en', 'auth/token'],
    ['t\u00f6ken', 'auth/token'],
    ['"token"', 'auth/token'],
    ["'token'", 'auth/token'],
  ])('token %j', (bad, code) => {
    try {
      connect({ baseUrl: 'https://api.example.test', token: bad, scope: { personal: true } });
      expect.unreachable();
    } catch (error) {
      expect((error as Problems).diagnostics).toMatchObject([{ code }]);
      if (bad) expect((error as Problems).message).not.toContain(bad);
    }
  });

  test.each([
    'api.example.test',
    'http://api.example.test',
    'http://127.0.0.1.example.test',
    'http://10.0.0.1',
    'ftp://api.example.test',
    'https://me:hunter2@api.example.test',
    'https://api.example.test/?token=hunter2',
    'https://api.example.test/#hunter2',
  ])('base URL %s', (baseUrl) => {
    try {
      connect({ baseUrl, token, scope: { personal: true } });
      expect.unreachable();
    } catch (error) {
      expect((error as Problems).diagnostics).toMatchObject([{ code: 'auth/base-url' }]);
      expect((error as Problems).message).not.toContain('hunter2');
    }
  });

  test.each([
    'https://api.example.test',
    'http://localhost:1',
    'http://127.1.2.3:1/x',
    'http://[::1]:1',
    'http://127.1:1',
  ])('%s is fine', async (baseUrl) => connect({ baseUrl, token, scope: { personal: true } }).close());
});

describe('team scope', () => {
  test.each<[Endpoint, string]>([
    ['GET /v9/projects/{id}', '/v9/projects/a%2Fb?teamId=team_1'],
    ['GET /v9/projects/{id}?decrypt=true', '/v9/projects/a%2Fb?decrypt=true&teamId=team_1'],
    ['POST /v3/user/tokens', '/v3/user/tokens?teamId=team_1'],
    [
      'GET /v1/security/firewall/config?projectId={id}',
      '/v1/security/firewall/config?projectId=a%2Fb&teamId=team_1',
    ],
    ['PUT /domains/{id}/records', '/domains/a%2Fb/records?teamId=team_1'],
    ['GET /v99/unknown', '/v99/unknown?teamId=team_1'],
    ['GET /v1/env?slug=acme', '/v1/env?slug=acme'],
    ['GET /v6/user/tokens', '/v6/user/tokens'],
    ['DELETE /v1/user', '/v1/user'],
    ['GET /v2/teams', '/v2/teams'],
    ['GET /v3/teams/{id}/members', '/v3/teams/a%2Fb/members'],
    ['POST /api-keys', '/api-keys?teamId=team_1'],
    ['GET /v1/installations/{id}/resources', '/v1/installations/a%2Fb/resources'],
  ])('%s', async (endpoint, url) => {
    const echo = await serveEcho();
    expect(await open(echo.url).send({ endpoint, params: { id: 'a/b' } })).toMatchObject({ url });
  });
});

test('secrets reach the server and nobody else', async () => {
  const { url } = await serveEcho();
  const exchanges: unknown[] = [];
  const { send } = open(url, { onExchange: (exchange) => exchanges.push(exchange) });
  const answer = await send({
    endpoint: 'POST /v10/projects/{project}/env',
    params: { project: 'web' },
    body: [{ key: 'A', value: new Sealed('hunter2') }],
  });
  expect(answer).toMatchObject({ body: [{ key: 'A', value: 'hunter2' }] });
  expect(exchanges).toHaveLength(2);
  expect(JSON.stringify(exchanges)).not.toContain('hunter2');
  expect(JSON.stringify(exchanges)).toContain('(secret)');
});

test('a write after 429 waits once for all of its bucket, and other calls go on', async () => {
  const seen: string[] = [];
  let refusals = 1;
  const url = await serve((request, response) => {
    seen.push(`${request.method} ${request.url!.split('?')[0]}`);
    if (request.url!.startsWith('/v2/teams/')) return json(response, 200, team);
    if (request.method === 'POST' && refusals-- > 0)
      return json(
        response,
        429,
        { error: { code: 'rate_limited', message: 'Slow.' } },
        { 'retry-after': '30' },
      );
    json(response, 200, {});
  });
  const waits: unknown[] = [];
  const { send, clock } = open(url, { onWait: (wait) => waits.push(wait) });
  const create = (domain: string) =>
    send({ endpoint: 'POST /v2/domains/{domain}/records', params: { domain }, body: {} });
  await create('a.test');
  expect(clock.slept[0]).toBe(30_000);
  expect(waits).toEqual([{ seconds: 30, reason: 'rate limit of POST /v2/domains/{domain}/records' }]);
  expect(seen).toEqual([
    'GET /v2/teams/acme',
    'POST /v2/domains/a.test/records',
    'POST /v2/domains/a.test/records',
  ]);
});

test.each([
  ['a negative wait', { 'retry-after': '-1' }, {}],
  ['no wait', { 'retry-after': '0' }, {}],
  ['a reset that is over', { 'x-ratelimit-limit': '60', 'x-ratelimit-reset': '999999999' }, {}],
  ['a reset in the body that is over', {}, { limit: { total: 60, remaining: 0, reset: 999_999_999 } }],
])('a 429 with %s is sent again after a short pause', async (_, headers, error) => {
  let refusals = 2;
  const url = await serve((request, response) => {
    if (request.method === 'GET') return json(response, 200, team);
    const refusal = { error: { code: 'rate_limited', name: 'api-projects', message: '-478 ms', ...error } };
    if (refusals-- > 0) json(response, 429, refusal, headers);
    else json(response, 200, {});
  });
  const { send, clock } = open(url);
  const remove = () => send({ endpoint: 'DELETE /v9/projects/{project}', params: { project: 'a' } });
  await Promise.all([remove(), remove()]);
  expect(Math.max(...clock.slept)).toBeLessThanOrEqual(1000);
});

test('a write is not repeated when its outcome is unknown', async () => {
  let writes = 0;
  const url = await serve((request, response) => {
    if (request.method === 'GET') return json(response, 200, team);
    writes += 1;
    request.socket.destroy();
  });
  const { send } = open(url);
  await expect(send({ endpoint: 'POST /v11/projects', body: {} })).rejects.toMatchObject({
    code: 'http/no-response',
    mayBeCarriedOut: true,
  });
  expect(writes).toBe(1);
});

story('every paged path is in the catalog as a list', async () => {
  const { url, seen } = await serveEcho();
  const { send } = open(url);
  const lists = catalog.filter(({ method }) => method === 'GET');
  for (const { path } of lists) {
    const params = Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name!, 'x']));
    await failure(send({ endpoint: `GET ${path}` as Endpoint, params, items: 'absent' }), IncompleteList);
  }
  // As many as the table in connect.ts that ask for a size.
  expect(seen.filter((line) => /[?&](limit|per_page)=100/.test(line))).toHaveLength(36);
});

describe('against the twin', () => {
  async function twin(options: TwinOptions = {}, connection: Partial<ConnectOptions> = {}) {
    const running = await startTwin({
      token,
      seed: {
        teams: [{ slug: 'acme' }],
        projects: ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => ({ name })),
      },
      ...options,
    });
    onTestFinished(() => running.close());
    return { running, ...open(running.url, connection) };
  }

  test('owner by slug and id', async () => {
    const { running, owner } = await twin();
    const found = await owner();
    expect(found).toMatchObject({ type: 'team', slug: 'acme' });
    expect(await open(running.url, { scope: { team: found.id } }).owner()).toEqual(found);
    expect(await open(running.url, { scope: { personal: true } }).owner()).toMatchObject({
      type: 'personal',
    });
  });

  test('a wrong token, a wrong team', async () => {
    const { running } = await twin();
    expect(await problemOf(open(running.url, { token: 'other' }).owner())).toMatchObject({
      code: 'auth/token',
    });
    expect(await problemOf(open(running.url, { scope: { team: 'none' } }).owner())).toMatchObject({
      code: 'auth/team',
    });
  });

  oneRowIn(5)([1, 2, 3, 100].flatMap((size) => [{}, otherSwitches].map((switches) => ({ size, switches }))))(
    'lists in pages of $size, with switches $switches.untilInclusive',
    async ({ size: pageSize, switches }) => {
      const { send } = await twin({ pageSize, switches });
      const projects = (await send({ endpoint: 'GET /v10/projects', items: 'projects' })) as {
        name: string;
      }[];
      expect(projects.map(({ name }) => name).sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
      // Pages that end at a time overlap by one variable, so that pages of one would never end. The platform's have 25.
      if (pageSize === 1 && switches !== otherSwitches) return;
      for (const key of ['A', 'B', 'C', 'D', 'E'])
        await send({
          endpoint: 'POST /v10/projects/{project}/env',
          params: { project: 'a' },
          body: { key, value: 'v', type: 'plain', target: ['production'] },
        });
      const env = await send({
        endpoint: 'GET /v10/projects/{project}/env?decrypt=true',
        params: { project: 'a' },
        items: 'envs',
      });
      expect((env as { key: string }[]).map(({ key }) => key).sort()).toEqual(['A', 'B', 'C', 'D', 'E']);
    },
  );

  story('more updates than the bucket takes: all are done, none is refused', async () => {
    const clock = jumpingClock();
    const running = await startTwin({
      rateLimits: 'real',
      now: clock.now,
      seed: {
        teams: [{ slug: 'acme' }],
        domains: [{ name: 'a.test', records: [{ type: 'TXT', name: 'x', value: '0' }] }],
      },
    });
    onTestFinished(() => running.close());
    const statuses: unknown[] = [];
    const waits: unknown[] = [];
    const { send } = open(
      running.url,
      { onExchange: ({ status }) => statuses.push(status), onWait: (wait) => waits.push(wait) },
      { clock },
    );
    const [record] = (await send({
      endpoint: 'GET /v5/domains/{domain}/records',
      params: { domain: 'a.test' },
      items: 'records',
    })) as { id: string }[];
    await Promise.all(
      Array.from({ length: 120 }, (_, i) =>
        send({
          endpoint: 'PATCH /v1/domains/records/{id}',
          params: { id: record!.id },
          body: { value: String(i + 1) },
        }),
      ),
    );
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    expect(waits).toHaveLength(2);
  });

  test('errors come as HttpError', async () => {
    const { send } = await twin();
    const error = await failure(
      send({ endpoint: 'GET /v9/projects/{id}', params: { id: 'none' } }),
      HttpError,
    );
    expect(error).toMatchObject({ status: 404, code: 'not_found', path: '/v9/projects/none' });
  });
});
