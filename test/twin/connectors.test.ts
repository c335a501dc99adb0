import { afterEach, expect, it } from 'vitest';
import { type Seed, startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { refusal, send } from './client.ts';

let twin: Twin;
const start = async (seed: Seed = {}) => {
  twin = await startTwin({ seed: { projects: [{ name: 'web' }], ...seed } });
  return twin.account.projects[0]!.id;
};
afterEach(() => twin.close());

const all = '/v1/connect/connectors';
const oauth = {
  name: ' Shop ',
  type: 'oauth',
  uid: 'oauth/shop',
  data: { clientId: 'a', clientSecret: 'b' },
};
const post = (body: object) => send(twin, 'POST', all, body);
const patch = (id: string, body: object) => send(twin, 'PATCH', `/v2/connect/connectors/${id}`, body);

it('is found by its id and its uid, and keeps its settings to itself', async () => {
  await start();
  const { status, body: made } = await post(oauth);
  expect([status, made.name, made.service]).toEqual([201, 'Shop', 'oauth']);
  expect(made).not.toHaveProperty('data');
  expect(made).not.toHaveProperty('triggers');
  for (const name of [made.id, encodeURIComponent(made.uid)])
    expect((await send(twin, 'GET', `${all}/${name}`)).body).toEqual(made);
  const { body } = await patch(made.id, { triggers: true, data: { clientSecret: 'c' }, uid: 'oauth/other' });
  expect(body.connector).toMatchObject({ uid: 'oauth/other', triggers: { enabled: true } });
  expect(twin.account.connectors[0]!.data).toEqual({ clientId: 'a', clientSecret: 'c' });
  expect((await send(twin, 'DELETE', `${all}/${made.id}`)).status).toBe(204);
});

it.each([
  [{ ...oauth, type: undefined }, 400],
  [{ ...oauth, type: undefined, service: 'x', connectionMethod: 'mcp', params: { a: 'b' } }, 201],
  [{ ...oauth, params: { a: 'b' } }, 400],
  [{ ...oauth, data: {} }, 400],
  [{ ...oauth, name: undefined }, 400],
  [{ ...oauth, environments: ['preview'] }, 400],
  [{ ...oauth, uid: 'a b' }, 400],
  [{ ...oauth, uid: 'oauth/taken' }, 409],
  [{ ...oauth, triggerDestination: { path: '/' } }, 400],
])('makes of %j: %i', async (body, status) => {
  await start({ connectors: [{ type: 'oauth', uid: 'oauth/taken', name: 'Taken' }] });
  expect((await post(body)).status).toBe(status);
});

it('does not take what is said when it is made', async () => {
  await start({
    connectors: [{ type: 'photon', uid: 'photon', data: { projectId: 'a', projectSecret: 'b' } }],
  });
  expect(refusal(await patch('photon', { data: { projectId: 'c' } }))).toEqual([400, 'bad_request']);
  expect((await patch('photon', { data: { projectSecret: 'c' } })).status).toBe(200);
  expect((await patch('photon', { name: ' ' })).status).toBe(400);
});

it('is connected to projects, and is read from both sides', async () => {
  const projectId = await start({ connectors: [{ type: 'oauth', uid: 'shop', name: 'Shop' }] });
  const one = `${all}/shop/projects/${projectId}`;
  const environments = ['production', 'preview', 'production'];
  const { status, body } = await send(twin, 'POST', one, { environments });
  expect([status, body.enabledEnvironments, body.project.name]).toEqual([
    200,
    ['production', 'preview'],
    'web',
  ]);
  expect((await send(twin, 'GET', one)).body).toEqual(body);
  const ofProject = await send(twin, 'GET', `/v2/connect/projects/${projectId}/connectors`);
  const ofConnector = await send(twin, 'GET', '/v2/connect/connectors/shop/projects');
  expect([ofProject.body.connectors, ofConnector.body.projects]).toEqual([[body], [body]]);
  expect((await send(twin, 'POST', one, { environments: ['env_x'] })).status).toBe(400);
  expect((await send(twin, 'POST', one, { environments: [] })).status).toBe(400);
  expect((await send(twin, 'DELETE', one)).status).toBe(204);
  expect(refusal(await send(twin, 'DELETE', one))).toEqual([404, 'not_found']);
});

it('has three trigger destinations at most, which are replaced together and go with their project', async () => {
  const projectId = await start({ connectors: [{ type: 'oauth', uid: 'shop', name: 'Shop' }] });
  const to = (...destinations: object[]) =>
    send(twin, 'PATCH', `${all}/shop/trigger-destinations`, { destinations });
  const main = { projectId, branch: 'main' };
  expect((await to(main, { projectId, path: '/api' })).body.triggerDestinations).toHaveLength(2);
  expect((await to(main)).body.triggerDestinations).toEqual([main]);
  expect((await to(main, main, main, main)).status).toBe(400);
  expect((await to({ ...main, customEnvironmentId: 'env_x' })).status).toBe(400);
  expect((await to({ projectId, customEnvironmentId: 'env_x' })).status).toBe(400);
  await send(twin, 'DELETE', '/v9/projects/web');
  expect((await send(twin, 'GET', `${all}/shop`)).body.triggerDestinations).toEqual([]);
});

it('lists in pages, sorted and filtered', async () => {
  await start({
    connectors: ['b', 'c', 'a'].map((name) => ({ type: name === 'c' ? 'slack' : 'oauth', uid: name, name })),
  });
  const list = async (query: string) =>
    (await send(twin, 'GET', `/v2/connect/connectors?slug=acme${query}`)).body as {
      connectors: { name: string }[];
      pagination: { next: string | null };
    };
  const names = async (query: string) => (await list(query)).connectors.map(({ name }) => name);
  expect(await names('')).toEqual(['a', 'c', 'b']);
  expect(await names('&sort=name')).toEqual(['a', 'b', 'c']);
  expect(await names('&type=slack')).toEqual(['c']);
  expect(await names('&search=LACK')).toEqual(['c']);
  const { pagination } = await list('&limit=2');
  expect(await names(`&limit=2&cursor=${pagination.next}`)).toEqual(['b']);
});
