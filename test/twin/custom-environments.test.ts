import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { send } from './client.ts';

let twin: Twin;
const path = '/v9/projects/web/custom-environments';
beforeEach(async () => {
  const env = [{ key: 'A', value: '1', target: ['preview' as const] }];
  twin = await startTwin({ seed: { projects: [{ name: 'web', env }] } });
});
afterEach(() => twin.close());

it('creates, reads by slug and id, lists, changes', async () => {
  const branchMatcher = { type: 'startsWith', pattern: 'release/' };
  const created = await send(twin, 'POST', path, { slug: 'staging', description: 'd', branchMatcher });
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({ slug: 'staging', description: 'd', branchMatcher, type: 'preview' });
  expect((await send(twin, 'GET', `${path}/staging`)).body).toEqual(created.body);
  expect((await send(twin, 'GET', `${path}/${created.body.id}`)).body).toEqual(created.body);
  expect((await send(twin, 'GET', path)).body.environments).toEqual([created.body]);
  const changed = await send(twin, 'PATCH', `${path}/staging`, { slug: 'stage', branchMatcher: null });
  expect(changed.body).toMatchObject({ id: created.body.id, slug: 'stage', description: 'd' });
  expect(changed.body).not.toHaveProperty('branchMatcher');
});

it.each(['production', 'preview', 'development', 'Staging', 'x'.repeat(33)])(
  'refuses the slug %s',
  async (slug) => {
    expect((await send(twin, 'POST', path, { slug })).status).toBe(400);
    await send(twin, 'POST', path, { slug: 'staging' });
    expect((await send(twin, 'PATCH', `${path}/staging`, { slug })).status).toBe(400);
  },
);

it('copies the variables of another environment', async () => {
  const { id } = (await send(twin, 'POST', path, { slug: 'staging', copyEnvVarsFrom: 'preview' })).body;
  expect(twin.account.projects[0]?.env).toMatchObject([
    { key: 'A', target: ['preview'] },
    { key: 'A', target: [], customEnvironmentIds: [id] },
  ]);
});

it('deletes, with the variables that were only its own if told to', async () => {
  for (const deleteUnassignedEnvironmentVariables of [false, true]) {
    await send(twin, 'POST', path, { slug: 'staging', copyEnvVarsFrom: 'preview' });
    const answer = await send(twin, 'DELETE', `${path}/staging`, { deleteUnassignedEnvironmentVariables });
    expect(answer.body.slug).toBe('staging');
  }
  // The first deletion left its copy behind, the second did not.
  expect(twin.account.projects[0]?.env).toHaveLength(2);
  expect((await send(twin, 'GET', `${path}/staging`)).status).toBe(404);
});
