import { afterEach, expect, it } from 'vitest';
import { type Seed, startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { refusal, send } from './client.ts';

let twin: Twin;
let time = Date.UTC(2030, 0, 1);
const start = async (seed: Seed = {}) => {
  twin = await startTwin({ seed, now: () => time });
};
afterEach(() => twin.close());

const path = '/v1/connect/networks';
const body = { name: 'backend', region: 'iad1', cidr: '10.0.0.0/16' };
const statuses = async () =>
  (await send(twin, 'GET', path)).body.map(({ status }: { status: string }) => status);

it('come and go slowly', async () => {
  await start();
  const created = await send(twin, 'POST', path, body);
  expect([created.status, created.body]).toEqual([
    201,
    expect.objectContaining({ ...body, status: 'create_in_progress', teamId: twin.account.teams[0]!.id }),
  ]);
  expect(await statuses()).toEqual(['create_in_progress']);
  time += 60_000;
  expect(await statuses()).toEqual(['ready']);
  expect((await send(twin, 'DELETE', `${path}/${created.body.id}`)).status).toBe(204);
  expect(await statuses()).toEqual(['delete_in_progress']);
  time += 60_000;
  expect(await statuses()).toEqual([]);
  expect(refusal(await send(twin, 'GET', `${path}/${created.body.id}`))).toEqual([404, 'not_found']);
});

it('change their name, and nothing else; another one cannot have it', async () => {
  await start({ networks: [body] });
  const [{ id }] = (await send(twin, 'GET', path)).body;
  expect((await send(twin, 'PATCH', `${path}/${id}`, { name: 'data' })).body).toMatchObject({
    ...body,
    name: 'data',
  });
  expect(refusal(await send(twin, 'PATCH', `${path}/${id}`, { cidr: '10.1.0.0/16' }))[0]).toBe(400);
  expect(refusal(await send(twin, 'POST', path, { ...body, name: 'data' }))).toEqual([409, 'conflict']);
});

it('stay while projects are connected', async () => {
  await start({ networks: [{ ...body, id: 'ccfg_1' }], projects: [{ name: 'web' }] });
  const connectConfigurations = [
    { envId: 'production', connectConfigurationId: 'ccfg_1', passive: false, buildsEnabled: true },
  ];
  await send(twin, 'PATCH', '/v9/projects/web', { connectConfigurations });
  const [web] = twin.account.projects;
  expect((await send(twin, 'GET', `${path}?includeHostedZones=false`)).body).toMatchObject([
    { projects: { count: 1, ids: [web!.id] }, peeringConnections: { count: 0 } },
  ]);
  expect(refusal(await send(twin, 'DELETE', `${path}/ccfg_1`))).toEqual([409, 'conflict']);
  await send(twin, 'PATCH', '/v9/projects/web', { connectConfigurations: null });
  expect((await send(twin, 'DELETE', `${path}/ccfg_1`)).status).toBe(204);
});
