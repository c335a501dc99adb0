import { afterEach, expect, it } from 'vitest';
import { startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { sdkOf } from '../support/sdk.ts';
import { refusal, send } from './client.ts';

let twin: Twin;
afterEach(() => twin.close());

let time = 0;
const production = { target: 'production' };
const start = async () => {
  time = Date.parse('2026-01-01T00:00:00Z');
  const seed = {
    projects: [
      {
        name: 'web',
        deployments: [
          { id: 'dpl_one', ...production },
          { id: 'dpl_two', ...production },
          { id: 'dpl_broken', ...production, state: 'ERROR' as const },
        ],
      },
    ],
  };
  twin = await startTwin({ seed, now: () => time, switches: { buildSeconds: 30 } });
  return twin.account.projects[0]!.id;
};
const serving = async () => (await send(twin, 'GET', '/v9/projects/web')).body.targets.production?.id;
const deploy = async () =>
  (
    await send(twin, 'POST', '/v13/deployments?forceNew=1', {
      name: 'web',
      deploymentId: 'dpl_one',
      ...production,
    })
  ).body.id;

it('a target is served by the newest that is ready, or by what was promoted or rolled back to', async () => {
  const id = await start();
  expect(await serving()).toBe('dpl_two');
  expect((await send(twin, 'POST', `/v1/projects/${id}/rollback/dpl_one?description=why`)).status).toBe(201);
  expect(await serving()).toBe('dpl_one');
  expect((await send(twin, 'POST', `/v10/projects/${id}/promote/dpl_two`)).status).toBe(201);
  expect(await serving()).toBe('dpl_two');
  expect(refusal(await send(twin, 'POST', `/v10/projects/${id}/promote/dpl_broken`))).toEqual([
    400,
    'deployment_not_ready',
  ]);
  expect(refusal(await send(twin, 'POST', `/v10/projects/${id}/promote/dpl_none`))).toEqual([
    404,
    'not_found',
  ]);
});

it('a build waits, is built, and then serves; one that is canceled never does', async () => {
  await start();
  const id = await deploy();
  const state = async (one: string) => (await send(twin, 'GET', `/v13/deployments/${one}`)).body.readyState;
  expect([await state(id), await serving()]).toEqual(['QUEUED', 'dpl_two']);
  time += 15_000;
  expect([await state(id), await serving()]).toEqual(['BUILDING', 'dpl_two']);
  time += 20_000;
  expect([await state(id), await serving()]).toEqual(['READY', id]);
  const other = await deploy();
  expect((await send(twin, 'PATCH', `/v12/deployments/${other}/cancel`)).body.readyState).toBe('CANCELED');
  time += 60_000;
  expect([await state(other), await serving()]).toEqual(['CANCELED', id]);
  expect(refusal(await send(twin, 'PATCH', `/v12/deployments/${other}/cancel`))[0]).toBe(400);
});

it('the public client understands what serves a target', async () => {
  await start();
  const project = await sdkOf(twin.url).projects.getProject({ slug: 'acme', idOrName: 'web' });
  expect(project.targets?.production).toMatchObject({ id: 'dpl_two', readyState: 'READY' });
});
