import { afterEach, expect, it } from 'vitest';
import { webhookEvents } from '../../providers/hosting/twin/delivery/webhook.ts';
import { type Seed, startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { refusal, send } from './client.ts';

let twin: Twin;
const start = async (seed: Seed = { projects: [{ name: 'web', framework: 'nextjs' }] }) => {
  twin = await startTwin({ seed });
};
afterEach(() => twin.close());

const path = '/v1/webhooks';
const url = 'https://example.com/hook';
const events = ['deployment.created'];

it('shows the secret once, and the projects by name on reads', async () => {
  await start();
  const id = twin.account.projects[0]!.id;
  const created = await send(twin, 'POST', path, { url, events, projectIds: [id] });
  expect(created.status).toBe(200);
  expect(created.body).toMatchObject({ url, events, projectIds: [id], ownerId: twin.account.teams[0]!.id });
  expect(created.body.secret).toHaveLength(32);
  const { secret: _secret, ...fields } = created.body;
  const read = { ...fields, projectsMetadata: [{ id, name: 'web', framework: 'nextjs' }] };
  expect((await send(twin, 'GET', `${path}/${created.body.id}`)).body).toEqual(read);
  expect((await send(twin, 'GET', path)).body).toEqual([read]);
});

it('has no project metadata for a webhook of all projects', async () => {
  await start({ webhooks: [{ url, events: ['deployment.created'] }] });
  const [webhook] = (await send(twin, 'GET', path)).body;
  expect(webhook.projectsMetadata).toBeNull();
  expect(webhook).not.toHaveProperty('projectIds');
});

it('lists those of one project', async () => {
  await start({
    projects: [{ name: 'web' }, { name: 'docs' }],
    webhooks: ['web', 'docs'].map((name) => ({
      url,
      events: ['deployment.ready' as const],
      projects: [name],
    })),
  });
  const [web] = twin.account.projects;
  const { body } = await send(twin, 'GET', `${path}?projectId=${web!.id}&slug=acme`);
  expect(body).toMatchObject([{ projectIds: [web!.id] }]);
  expect(body).toHaveLength(1);
});

it('deletes', async () => {
  await start({ webhooks: [{ id: 'hook_1', url, events: ['deployment.created'] }] });
  expect((await send(twin, 'DELETE', `${path}/hook_1`)).status).toBe(204);
  expect(refusal(await send(twin, 'DELETE', `${path}/hook_1`))).toEqual([404, 'not_found']);
  expect((await send(twin, 'GET', path)).body).toEqual([]);
});

it('knows the 112 documented events', async () => {
  await start({});
  expect(new Set(webhookEvents).size).toBe(112);
  expect((await send(twin, 'POST', path, { url, events: webhookEvents })).status).toBe(200);
});

it.each([
  [{ url: 'example.com', events }, 'invalid_url'],
  [{ url: 'ftp://example.com', events }, 'invalid_url'],
  [{ url, events: ['deployment.created', 'deployment.exploded'] }, 'invalid_event'],
  [{ url, events: [] }, 'bad_request'],
  [{ url }, 'bad_request'],
  [{ events }, 'bad_request'],
  [{ url, events, projectIds: ['web'] }, 'bad_request'],
  [{ url, events, secret: 'x' }, 'bad_request'],
])('refuses %j', async (body, code) => {
  await start();
  expect(refusal(await send(twin, 'POST', path, body))).toEqual([400, code]);
  expect(twin.account.webhooks).toEqual([]);
});

it("does not see another owner's", async () => {
  await start({ webhooks: [{ id: 'hook_1', owner: 'personal', url, events: ['deployment.created'] }] });
  expect((await send(twin, 'GET', path)).body).toEqual([]);
  expect((await send(twin, 'GET', `${path}/hook_1`)).status).toBe(404);
  expect((await send(twin, 'GET', `${path}/hook_1?personal`)).status).toBe(200);
});

it('forgets a deleted project', async () => {
  await start({
    projects: [{ name: 'web' }],
    webhooks: [{ url, events: ['deployment.created'], projects: ['web'] }],
  });
  await send(twin, 'DELETE', '/v9/projects/web');
  expect((await send(twin, 'GET', path)).body).toMatchObject([{ projectIds: [], projectsMetadata: [] }]);
});
