import { afterEach, expect, it } from 'vitest';
import { startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { refusal, send } from './client.ts';

let twin: Twin;
afterEach(() => twin.close());

const start = async (sandboxes: { name: string }[] = []) => {
  const web = { name: 'web', sandboxDrives: [{ name: 'cache' }], sandboxes };
  twin = await startTwin({ seed: { projects: [web] } });
  return twin.account.projects[0]!.id;
};

it('is created with a session, keeps its variables to itself, and is changed', async () => {
  const projectId = await start();
  const given = { projectId, name: 'worker', ports: [3000], env: { A: 'secret' } };
  const { status, body } = await send(twin, 'POST', '/v3/sandboxes', given);
  expect([status, body.session.id]).toEqual([200, body.sandbox.currentSessionId]);
  expect(body.sandbox).toMatchObject({ status: 'running', runtime: 'node24', vcpus: 2, memory: 4096 });
  expect(JSON.stringify(body)).not.toContain('secret');
  expect(body.routes).toMatchObject([{ port: 3000 }]);
  const injectionRules = [{ domain: 'a.example', headers: { authorization: 'secret' } }];
  const networkPolicy = { mode: 'custom', injectionRules };
  const changed = await send(twin, 'PATCH', `/v2/sandboxes/worker?projectId=${projectId}`, {
    ...{ networkPolicy, runtime: 'node22', resources: { vcpus: 4 } },
  });
  expect(changed.body.sandbox).toMatchObject({
    networkPolicy: { mode: 'custom' },
    vcpus: 4,
    runtime: 'node22',
  });
  expect(JSON.stringify(changed.body)).not.toContain('secret');
});

it.each([
  ['/v3/sandboxes', { runtime: 'node22' }, 400],
  ['/v2/sandboxes', { runtime: 'node22' }, 200],
  ['/v2/sandboxes', { name: 'taken' }, 409],
  ['/v2/sandboxes', { name: 'a b' }, 400],
  ['/v3/sandboxes', { mounts: { '/a': { drive: 'nothing' } } }, 400],
])('%s makes of %j: %i', async (path, given, status) => {
  const projectId = await start([{ name: 'taken' }]);
  expect((await send(twin, 'POST', path, { projectId, ...given })).status).toBe(status);
});

it('has a drive for itself until it goes', async () => {
  const projectId = await start();
  const mounts = { '/data': { drive: 'cache' } };
  const made = await send(twin, 'POST', '/v3/sandboxes', { projectId, name: 'one', mounts });
  expect(made.body.sandbox.mounts).toEqual({ '/data': { drive: 'cache', mode: 'read-write' } });
  const drive = `/v2/sandboxes/drives/cache?projectId=${projectId}`;
  expect(refusal(await send(twin, 'POST', '/v3/sandboxes', { projectId, name: 'two', mounts }))[0]).toBe(409);
  expect(refusal(await send(twin, 'DELETE', drive))[0]).toBe(409);
  const one = `/v2/sandboxes/one?projectId=${projectId}`;
  expect((await send(twin, 'DELETE', one)).body.sandbox.name).toBe('one');
  expect(refusal(await send(twin, 'DELETE', one))[0]).toBe(404);
  expect((await send(twin, 'DELETE', drive)).status).toBe(200);
});

it('starts again when a read says so, and not else', async () => {
  const projectId = await start([{ name: 'worker' }]);
  twin.account.projects[0]!.sandboxes[0]!.status = 'stopped';
  const read = (query: string) => send(twin, 'GET', `/v2/sandboxes/worker?projectId=${projectId}${query}`);
  for (const query of ['', '&resume=false'])
    expect((await read(query)).body).toMatchObject({ resumed: false, sandbox: { status: 'stopped' } });
  await send(twin, 'GET', `/v2/sandboxes?project=${projectId}`);
  expect((await read('&resume=true')).body).toMatchObject({ resumed: true, sandbox: { status: 'running' } });
});

it('is listed in pages, filtered and sorted', async () => {
  await start(
    [{ name: 'b' }, { name: 'a' }, { name: 'ab' }].map((one) => ({ ...one, tags: { of: one.name } })),
  );
  const list = async (query: string) => {
    const { body } = await send(twin, 'GET', `/v2/sandboxes?slug=acme&project=web${query}`);
    return [body.sandboxes.map(({ name }: { name: string }) => name), body.pagination.next];
  };
  const [first, next] = await list('&limit=2');
  expect(first).toEqual(['ab', 'a']);
  expect(await list(`&limit=2&cursor=${next}`)).toEqual([['b'], null]);
  expect(await list('&sortBy=name&sortOrder=asc&namePrefix=a')).toEqual([['a', 'ab'], null]);
  expect(await list('&tags=of:b')).toEqual([['b'], null]);
  expect(await list('&status=stopped')).toEqual([[], null]);
});
