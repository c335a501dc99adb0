import { afterEach, expect, it } from 'vitest';
import { startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { refusal, send } from './client.ts';

let twin: Twin;
afterEach(() => twin.close());
const path = '/v1/projects/web/feature-flags/settings';
const standard = { enabled: false, entities: [], environments: ['production', 'preview', 'development'] };

it('reads as disabled before the first write, or not at all', async () => {
  twin = await startTwin({ seed: { projects: [{ name: 'web' }] } });
  const { body } = await send(twin, 'GET', path);
  expect(body).toMatchObject({ ...standard, typeName: 'settings', projectId: twin.account.projects[0]?.id });
  for (const unwritten of ['createdAt', 'updatedAt', 'ownerId']) expect(body).not.toHaveProperty(unwritten);
  await twin.close();

  const switches = { flagSettingsAbsentUntilWritten: true };
  twin = await startTwin({ seed: { projects: [{ name: 'web' }] }, switches });
  expect(refusal(await send(twin, 'GET', path))).toEqual([404, 'not_found']);
  await send(twin, 'PATCH', path, {});
  expect((await send(twin, 'GET', path)).status).toBe(200);
});

it('is written with 201 at first, then with 200; what a write leaves out stays', async () => {
  twin = await startTwin({ seed: { projects: [{ name: 'web' }] } });
  const entities = [
    {
      kind: 'user',
      label: 'User',
      attributes: [{ key: 'plan', type: 'string', labels: [{ label: 'Pro', value: 'pro' }] }],
    },
  ];
  const first = await send(twin, 'PATCH', path, { enabled: true, entities });
  expect(first.status).toBe(201);
  expect(first.body).toMatchObject({
    ...standard,
    enabled: true,
    entities,
    ownerId: twin.account.teams[0]?.id,
  });
  const second = await send(twin, 'PATCH', path, { enabled: false });
  expect([second.status, second.body.enabled, second.body.entities]).toEqual([200, false, entities]);
  expect(second.body.createdAt).toBe(first.body.createdAt);
  expect(second.body.updatedAt).toBeGreaterThan(first.body.updatedAt);
  expect((await send(twin, 'GET', path)).body).toEqual(second.body);
});

it.each([{ on: true }, { enabled: 'yes' }, { environments: 'production' }, { entities: [{ kind: 'user' }] }])(
  'refuses %j',
  async (body) => {
    twin = await startTwin({ seed: { projects: [{ name: 'web' }] } });
    expect((await send(twin, 'PATCH', path, body)).status).toBe(400);
    expect(twin.account.projects[0]?.featureFlags.settings).toBeNull();
  },
);

it('counts flags and segments', async () => {
  const featureFlags = {
    flags: [{ slug: 'one' }, { slug: 'two' }, { slug: 'old', state: 'archived' as const }],
    segments: [{ slug: 'staff' }],
  };
  twin = await startTwin({ seed: { projects: [{ name: 'web', featureFlags }] } });
  expect((await send(twin, 'GET', path)).body.metadata).toMatchObject({
    activeFlagCount: 2,
    archivedFlagCount: 1,
    segmentCount: 1,
    packSizeInBytes: expect.any(Number),
  });
});

it('lists the settings of a team that were written, by cursor', async () => {
  const on = { settings: {} };
  const projects = [
    { name: 'one', featureFlags: on },
    { name: 'two', featureFlags: on },
    { name: 'unwritten' },
    { name: 'mine', owner: 'personal', featureFlags: on },
  ];
  twin = await startTwin({ seed: { projects } });
  const team = '/v1/teams/acme/feature-flags/settings?limit=1';
  const first = (await send(twin, 'GET', team)).body;
  expect(first.data).toMatchObject([{ enabled: true, projectId: twin.account.projects[1]?.id }]);
  const second = (await send(twin, 'GET', `${team}&cursor=${first.pagination.next}`)).body;
  expect(second.data).toMatchObject([{ projectId: twin.account.projects[0]?.id }]);
  expect(second.pagination).toEqual({ next: null });
});
