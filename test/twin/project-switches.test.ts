import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { refusal, send } from './client.ts';

let twin: Twin;
beforeEach(async () => {
  twin = await startTwin({ seed: { projects: [{ name: 'web' }, { name: 'other' }] } });
});
afterEach(() => twin.close());

const projectId = () => twin.account.projects[0]!.id;
const project = async () => (await send(twin, 'GET', '/v9/projects/web')).body;

it.each([
  ['speedInsights', '/speed-insights/toggle'],
  ['webAnalytics', '/web/insights/toggle'],
])('%s are switched by id, and the project tells when', async (member, path) => {
  const toggle = (value: unknown, id = projectId()) =>
    send(twin, 'POST', `${path}?slug=acme&projectId=${id}`, { value });
  expect(await project()).not.toHaveProperty(member);
  expect((await toggle(true)).body).toEqual({ value: true });
  const { [member]: on } = await project();
  expect(on).toEqual({ id: expect.any(String), enabledAt: expect.any(Number) });
  await toggle(false);
  const { [member]: off } = await project();
  expect(off).toEqual({ ...on, disabledAt: expect.any(Number) });
  expect(off.disabledAt).toBeGreaterThan(off.enabledAt);
  await toggle(true);
  const { [member]: again } = await project();
  expect(again.enabledAt).toBeGreaterThan(again.disabledAt);
  // Whose it is goes by the id alone.
  expect((await send(twin, 'POST', `${path}?projectId=${projectId()}`, { value: true })).status).toBe(200);
  expect(refusal(await toggle(true, 'web'))).toEqual([404, 'not_found']);
  expect(refusal(await toggle('yes'))).toEqual([400, 'bad_request']);
  expect(refusal(await send(twin, 'POST', path, { value: true }))).toEqual([400, 'bad_request']);
});

it('of observability, the projects without it are listed', async () => {
  const path = '/v1/observability/manage/configuration/projects';
  const list = async () => (await send(twin, 'GET', `${path}?slug=acme`)).body;
  expect(await list()).toEqual({ disabledProjects: [] });
  const off = await send(twin, 'PUT', `${path}/web`, { disabled: true });
  expect(off.body).toEqual({ id: projectId(), disabledAt: expect.any(Number) });
  expect(await list()).toEqual({ disabledProjects: [{ ...off.body, name: 'web' }] });
  expect((await send(twin, 'GET', path, undefined)).body).toEqual(await list());
  expect((await send(twin, 'PUT', `${path}/${projectId()}`, { disabled: false })).body).toEqual({
    id: projectId(),
  });
  expect(await list()).toEqual({ disabledProjects: [] });
  expect(refusal(await send(twin, 'PUT', `${path}/none`, { disabled: true }))).toEqual([404, 'not_found']);
  expect(refusal(await send(twin, 'PUT', `${path}/web`, {}))).toEqual([400, 'bad_request']);
});

it('of static IPs, builds and regions are set, one or both', async () => {
  const path = '/v1/projects/web/shared-connect-links';
  await send(twin, 'PATCH', '/v9/projects/web', { staticIps: { enabled: true } });
  expect((await project()).staticIps).toEqual({ enabled: true, builds: false, regions: [] });
  expect((await send(twin, 'PATCH', path, { regions: ['fra1'] })).body).toMatchObject([
    { dc: 'fra1', buildsEnabled: false },
  ]);
  await send(twin, 'PATCH', path, { builds: true });
  expect((await project()).staticIps).toEqual({ enabled: true, builds: true, regions: ['fra1'] });
  for (const body of [{}, { builds: 'yes' }, { enabled: false, builds: true }])
    expect(refusal(await send(twin, 'PATCH', path, body))).toEqual([400, 'bad_request']);
});

it('come from a seed, also what was cancelled', async () => {
  const speedInsights = { enabled: true, canceled: true };
  const staticIpSettings = { builds: true, regions: ['fra1'] };
  twin.add({
    projects: [{ name: 'seeded', speedInsights, staticIpSettings, observability: { disabled: true } }],
  });
  const { body } = await send(twin, 'GET', '/v9/projects/seeded');
  expect(body.speedInsights.canceledAt).toBeGreaterThan(body.speedInsights.enabledAt);
  expect(body.staticIps).toEqual({ enabled: true, ...staticIpSettings });
  expect(body).not.toHaveProperty('observability');
});
