import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { refusal, send } from './client.ts';

let twin: Twin;
const path = '/v1/projects/web/feature-flags/sdk-keys';
beforeEach(async () => {
  twin = await startTwin({ seed: { projects: [{ name: 'web' }] } });
});
afterEach(() => twin.close());

it('shows the value once, where the key is created', async () => {
  const body = { sdkKeyType: 'server', environment: 'production', label: 'Main' };
  const created = await send(twin, 'PUT', path, body);
  expect(created.status).toBe(200);
  const { keyValue, connectionString, ...key } = created.body;
  expect(key).toEqual({
    hashKey: expect.any(String),
    projectId: twin.account.projects[0]?.id,
    type: 'server',
    environment: 'production',
    label: 'Main',
    partialKeyValue: expect.any(String),
    createdBy: twin.account.user.id,
    createdAt: expect.any(Number),
    updatedAt: expect.any(Number),
  });
  expect(connectionString).toContain(keyValue);
  expect(keyValue.startsWith(key.partialKeyValue.slice(0, -1))).toBe(true);
  expect((await send(twin, 'GET', path)).body).toEqual({ data: [key] });
  expect(JSON.stringify(twin.account)).not.toContain(keyValue);
});

it('makes another key of the same request', async () => {
  const body = { sdkKeyType: 'client', environment: 'preview' };
  const one = (await send(twin, 'PUT', path, body)).body;
  const two = (await send(twin, 'PUT', path, body)).body;
  expect(one.keyValue).not.toBe(two.keyValue);
  expect((await send(twin, 'GET', path)).body.data).toHaveLength(2);
});

it('keeps a deleted key in the list', async () => {
  const body = { sdkKeyType: 'mobile', environment: 'preview' };
  const { hashKey } = (await send(twin, 'PUT', path, body)).body;
  expect((await send(twin, 'DELETE', `${path}/${hashKey}`)).status).toBe(204);
  expect((await send(twin, 'GET', path)).body.data).toMatchObject([
    { hashKey, deletedAt: expect.any(Number) },
  ]);
  expect(refusal(await send(twin, 'DELETE', `${path}/${hashKey}`))).toEqual([404, 'not_found']);
  expect((await send(twin, 'DELETE', `${path}/none`)).status).toBe(404);
});

it.each([
  {},
  { sdkKeyType: 'server' },
  { environment: 'production' },
  { type: 'server', environment: 'production' },
  { sdkKeyType: 'root', environment: 'production' },
])('refuses %j', async (body) => {
  expect((await send(twin, 'PUT', path, body)).status).toBe(400);
});

it('comes from a seed, alive and deleted', async () => {
  const sdkKeys = [
    { type: 'server' as const, environment: 'production', hashKey: 'hash_1' },
    { type: 'server' as const, environment: 'preview', deleted: true },
  ];
  twin.add({ projects: [{ name: 'seeded', featureFlags: { sdkKeys } }] });
  const { data } = (await send(twin, 'GET', path.replace('web', 'seeded'))).body;
  expect(data[0]).toMatchObject({ hashKey: 'hash_1', environment: 'production' });
  expect(data[0]).not.toHaveProperty('deletedAt');
  expect(data[1]).toMatchObject({ environment: 'preview', deletedAt: expect.any(Number) });
});
