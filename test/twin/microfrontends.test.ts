import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Switches, startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { send } from './client.ts';

let twin: Twin;
let ids: string[];
async function start(switches: Partial<Switches> = {}): Promise<void> {
  twin = await startTwin({
    switches,
    seed: { projects: [{ name: 'web' }, { name: 'docs' }, { name: 'blog' }] },
  });
  ids = twin.account.projects.map(({ id }) => id);
}
beforeEach(() => start());
afterEach(() => twin.close());

const make = async () => {
  const [web, docs] = ids.map((projectId) => ({ projectId }));
  const body = { groupName: 'My Shop', defaultApp: web, otherApplications: [docs] };
  return (await send(twin, 'POST', '/v1/microfrontends/group', body)).body.newMicrofrontendsGroup;
};
const change = (project: number, body: object) =>
  send(twin, 'PATCH', `/v1/projects/${ids[project]}/microfrontends`, body);
const inGroup = async (id: string) =>
  (await send(twin, 'GET', `/v1/microfrontends/groups/${id}/projects`)).body.projects;

it('makes a group with its projects, and lists each with what it wraps', async () => {
  const group = await make();
  expect(group).toMatchObject({ name: 'My Shop', slug: 'my-shop', enablePolyrepoBranchRouting: false });
  const { groups } = (await send(twin, 'GET', '/v1/microfrontends/groups')).body;
  expect(groups).toMatchObject([{ group: { id: group.id }, projects: [{ id: ids[0] }, { id: ids[1] }] }]);
  expect(
    (await inGroup(group.id)).map((one: { microfrontends: object }) => one.microfrontends),
  ).toMatchObject([
    { enabled: true, isDefaultApp: true, groupIds: [group.id] },
    { enabled: true, isDefaultApp: false },
  ]);
  expect((await send(twin, 'GET', '/v9/projects/web')).body.microfrontends).toMatchObject({ enabled: true });
});

it('takes its projects out when it goes', async () => {
  const { id } = await make();
  expect((await send(twin, 'DELETE', `/v1/teams/acme/microfrontends/${id}`)).status).toBe(200);
  const { body } = await send(twin, 'GET', '/v9/projects/web');
  expect(body.microfrontends?.enabled ?? false).toBe(false);
});

it('has one default application, which is the last to leave, and goes only when it is empty if so switched', async () => {
  await twin.close();
  await start({ microfrontendsGroupDeleteTakesOut: false });
  const { id } = await make();
  const gone = () => send(twin, 'DELETE', `/v1/teams/acme/microfrontends/${id}`);
  expect((await change(2, { microfrontendsGroupId: id, enabled: true, isDefaultApp: true })).status).toBe(
    200,
  );
  expect((await send(twin, 'GET', '/v9/projects/web')).body.microfrontends.isDefaultApp).toBe(false);
  expect((await change(2, { isDefaultApp: false })).status).toBe(409);
  expect((await change(2, { enabled: false })).status).toBe(409);
  for (const project of [0, 1]) expect((await change(project, { enabled: false })).status).toBe(200);
  expect((await gone()).status).toBe(400);
  expect((await change(2, { enabled: false })).status).toBe(200);
  expect((await gone()).status).toBe(200);
  expect((await send(twin, 'GET', '/v1/microfrontends/groups')).body).toEqual({ groups: [] });
  expect((await gone()).status).toBe(404);
});
