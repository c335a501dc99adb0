import { request } from 'undici';
import { afterEach, expect, it } from 'vitest';
import { startTwin, type Twin, type TwinOptions } from '../../providers/hosting/twin/index.ts';
import { refusal, send } from './client.ts';

let twin: Twin;
const start = async (options?: TwinOptions) => {
  twin = await startTwin(options);
};
afterEach(() => twin.close());

it('wants a token', async () => {
  await start();
  const answer = await request(`${twin.url}/v2/user`);
  expect(answer.statusCode).toBe(401);
  expect(await answer.body.json()).toMatchObject({ error: { code: 'forbidden', missingToken: true } });
  const empty = await send(twin, 'GET', '/v2/user', undefined, { authorization: 'Bearer ' });
  expect(empty.status).toBe(401);
});

it('accepts only its own token, if it has one', async () => {
  await start({ token: 'right' });
  expect(refusal(await send(twin, 'GET', '/v2/user'))).toEqual([403, 'forbidden']);
  const answer = await send(twin, 'GET', '/v2/user', undefined, { authorization: 'Bearer right' });
  expect(answer.body.user).toMatchObject({ username: 'ada', email: 'ada@example.com' });
});

it('gives each owner its own objects, and refuses an unknown team', async () => {
  await start({ seed: { teams: [{ slug: 'acme' }, { slug: 'other' }] } });
  const [acme, other] = twin.account.teams;
  await send(twin, 'POST', '/v11/projects?slug=acme', { name: 'web' });
  await send(twin, 'POST', '/v11/projects?slug=other', { name: 'web' });
  await send(twin, 'POST', '/v11/projects?personal=1', { name: 'mine' });
  const names = async (query: string) =>
    (await send(twin, 'GET', `/v10/projects${query}`)).body.projects.map((one: { name: string }) => one.name);
  expect(await names(`?teamId=${acme!.id}`)).toEqual(['web']);
  expect(await names(`?teamId=${other!.slug}`)).toEqual(['web']);
  expect(await names('?personal=1')).toEqual(['mine']);
  expect((await send(twin, 'GET', '/v9/projects/mine?slug=acme')).status).toBe(404);
  expect(refusal(await send(twin, 'GET', '/v10/projects?teamId=team_nobody'))).toEqual([403, 'forbidden']);
});

it('reads teams by id and by slug', async () => {
  await start({ seed: { team: { slug: 'acme', sensitiveEnvironmentVariablePolicy: 'on' } } });
  const { id } = twin.account.teams[0]!;
  for (const path of [`/v2/teams/${id}`, '/v2/teams/acme']) {
    expect((await send(twin, 'GET', path)).body).toMatchObject({
      id,
      slug: 'acme',
      sensitiveEnvironmentVariablePolicy: 'on',
    });
  }
  expect((await send(twin, 'GET', '/v2/teams')).body.teams).toHaveLength(1);
  expect((await send(twin, 'GET', '/v2/teams/nobody?personal=1')).status).toBe(404);
});

it('answers an operation whatever version its path has', async () => {
  await start({ seed: { domains: [{ name: 'example.com' }] } });
  for (const version of ['/v5', '/v4', '/v99', '']) {
    const answer = await send(twin, 'GET', `${version}/domains/example.com/records`);
    expect(answer.status).toBe(200);
    expect(twin.requests.at(-1)).toMatchObject({ operationId: 'getRecords', status: 200 });
  }
});

it('prefers fixed words in a path over parameters', async () => {
  await start();
  await send(twin, 'GET', '/v1/projects/traces');
  expect(twin.requests.at(-1)?.operationId).toBe('getProjectTrace');
  await send(twin, 'GET', '/v2/projects/x/feature-flags/flags');
  expect(twin.requests.at(-1)?.operationId).toBe('listFlagsV2');
  await send(twin, 'GET', '/v1/projects/x/feature-flags/flags');
  expect(twin.requests.at(-1)?.operationId).toBe('listFlags');
});

it('tells what it does not know from what does not exist', async () => {
  await start();
  expect(refusal(await send(twin, 'GET', '/v1/nothing/here'))).toEqual([404, 'not_found']);
  expect((await send(twin, 'GET', '/v9/projects/%zz')).status).toBe(400);
});

it('refuses a body that is not JSON', async () => {
  await start();
  const answer = await request(`${twin.url}/v11/projects`, {
    method: 'POST',
    headers: { authorization: 'Bearer test' },
    body: '{"name"',
  });
  expect(answer.statusCode).toBe(400);
});

it('answers a fault of its own with 500 and goes on', async () => {
  await start();
  twin.account.projects.push({ accountId: twin.account.teams[0]!.id, updatedAt: 1 } as never);
  const answer = await send(twin, 'GET', '/v10/projects');
  expect(refusal(answer)).toEqual([500, 'internal_server_error']);
  // Commands show the messages of answers. Only the log, which stays in the process, has the stack.
  expect(JSON.stringify(answer.body)).not.toMatch(/\bat .*:\d+/);
  expect(twin.requests.at(-1)?.stack).toMatch(/\bat .*:\d+/);
  expect(JSON.stringify((await send(twin, 'GET', '/__twin/requests')).body)).not.toContain('stack');
  expect((await send(twin, 'GET', '/v2/user')).status).toBe(200);
});

/** What `GET /__twin/requests` answers. */
const servedLog = async () => (await send(twin, 'GET', '/__twin/requests')).body as Twin['requests'];

it('serves its log without the token and without any text of a body, whatever members a client puts secrets into', async () => {
  await start({ seed: { projects: [{ name: 'web' }] } });
  const path = '/v10/projects/web/env';
  const target = ['production'];
  const canary = 'canary-7261';
  await send(twin, 'POST', path, { key: 'A', value: canary, type: 'sensitive', target });
  await send(twin, 'POST', path, [{ key: 'C', value: canary, type: 'plain', comment: canary, target }]);
  await send(twin, 'PATCH', '/v9/projects/web', { buildCommand: canary });
  await send(twin, 'POST', '/v1/webhooks', {
    url: `https://example.com/${canary}`,
    events: ['deployment.created'],
  });
  await send(twin, 'GET', `/v1/edge-config/ecfg_1/token/${canary}`);
  await send(twin, 'PUT', `/v1/nowhere/token/${canary}`, { [`any-${1}`]: [canary, 7, true, null, ''] });
  const served = await servedLog();
  expect(JSON.stringify(served)).not.toMatch(/canary|Bearer/);
  expect(served[0]).toEqual({
    method: 'POST',
    path: `${path}?slug=acme`,
    operationId: 'createProjectEnv',
    status: 201,
    body: { key: '(text)', value: '(text)', type: '(text)', target: ['(text)'] },
  });
  expect(served.at(-1)).toMatchObject({ status: 404 });
  // In the process that has the account anyway, it is as it came.
  expect(twin.requests[2]).toMatchObject({ ...served[2], body: { buildCommand: canary } });
  expect(JSON.stringify(twin.requests)).not.toContain('Bearer');
  twin.clearRequests();
  expect(await servedLog()).toEqual([]);
});

it('shows what clients send to whoever asked for it when starting', async () => {
  await start({ seed: { projects: [{ name: 'web' }] }, logText: true });
  await send(twin, 'PATCH', '/v9/projects/web', { buildCommand: 'npm run all' });
  expect(await servedLog()).toMatchObject([{ body: { buildCommand: 'npm run all' } }]);
});

it('shows nothing of itself without its token', async () => {
  await start({ token: 'its-own-token' });
  const asked = async (path: string, headers: Record<string, string>) =>
    (await request(`${twin.url}${path}`, { headers })).statusCode;
  const own = { authorization: 'Bearer its-own-token' };
  for (const path of ['/__twin/requests', '/__twin/faults', '/v2/user', '/__twin/anything']) {
    expect(await asked(path, {}), path).toBe(401);
    expect(await asked(path, { authorization: 'Bearer another' }), path).toBe(403);
  }
  for (const path of ['/__twin/requests', '/__twin/faults', '/v2/user'])
    expect(await asked(path, own), path).toBe(200);
  // Says nothing of this twin: it is the same of every one.
  expect(await asked('/__twin/openapi.json', {})).toBe(200);
});

it('answers nothing under a foreign name, which a page in a browser could have made lead here', async () => {
  await start();
  const asked = async (path: string, host: string) => {
    const headers = { host, authorization: 'Bearer test' };
    return (await request(`${twin.url}${path}`, { headers })).statusCode;
  };
  const { port } = new URL(twin.url);
  for (const path of ['/v2/user', '/__twin/requests', '/__twin/openapi.json']) {
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1.evil.example',
      'localhost.evil.example',
    ])
      expect(await asked(path, host), `${host}${path}`).toBe(421);
    for (const host of [`127.0.0.1:${port}`, 'localhost', `LOCALHOST:${port}`, `[::1]:${port}`])
      expect(await asked(path, host), `${host}${path}`).toBe(200);
  }
  expect(twin.requests.every(({ path }) => path === '/v2/user')).toBe(true);
  expect(twin.requests).toHaveLength(4);
});

it('makes the same ids for the same requests', async () => {
  const ids: string[][] = [];
  for (let i = 0; i < 2; i++) {
    await start();
    const project = await send(twin, 'POST', '/v11/projects', { name: 'web' });
    const domain = await send(twin, 'POST', '/v7/domains', { name: 'example.com', method: 'add' });
    ids.push([twin.account.teams[0]!.id, project.body.id, domain.body.domain.id]);
    if (i === 0) await twin.close();
  }
  expect(ids[0]).toEqual(ids[1]);
  expect(ids[0]?.[0]).toMatch(/^team_\w{24}$/);
  expect(ids[0]?.[1]).toMatch(/^prj_\w{28}$/);
});

it('gives strictly increasing times even when its clock stands', async () => {
  await start({ now: () => 1000 });
  const times: number[] = [];
  for (const name of ['a', 'b', 'c']) {
    times.push((await send(twin, 'POST', '/v11/projects', { name })).body.createdAt);
  }
  expect(times[0]! < times[1]! && times[1]! < times[2]!).toBe(true);
});
