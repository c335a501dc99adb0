import { afterEach, expect, it } from 'vitest';
import { startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { refusal, send } from './client.ts';

let twin: Twin;
afterEach(() => twin.close());

const gitSource = { type: 'github', org: 'acme', repo: 'web', ref: 'main', sha: 'a'.repeat(40) };
const seed = {
  projects: [{ name: 'web', customEnvironments: [{ slug: 'staging' }] }, { name: 'other' }],
  domains: [{ name: 'example.com' }],
};
const deploy = (body: object = {}, query = 'forceNew=1') =>
  send(twin, 'POST', `/v13/deployments?${query}`, { name: 'web', gitSource, ...body });

it('makes deployments of a commit or of another one, lists them by project, and reads them by id or URL', async () => {
  twin = await startTwin({ seed });
  const one = (await deploy({ meta: { mine: 'yes' }, target: 'production' })).body;
  expect(one).toMatchObject({ readyState: 'READY', target: 'production', meta: { mine: 'yes' }, gitSource });
  const again = (await deploy({ gitSource: undefined, deploymentId: one.id })).body;
  expect(again).toMatchObject({ gitSource, target: 'production', meta: {} });
  const staged = (await deploy({ customEnvironmentSlugOrId: 'staging' })).body;
  expect(staged).toMatchObject({ target: null, customEnvironment: { slug: 'staging' } });
  const { id: projectId } = twin.account.projects[0]!;
  const { deployments } = (await send(twin, 'GET', `/v7/deployments?projectId=${projectId}`)).body;
  expect(deployments.map(({ uid }: { uid: string }) => uid)).toEqual([staged.id, again.id, one.id]);
  // What it was built of stands in no list.
  expect(deployments[0]).not.toHaveProperty('gitSource');
  expect((await send(twin, 'GET', `/v13/deployments/${one.url}`)).body).toEqual(one);
  expect(refusal(await deploy({ gitSource: undefined }))).toEqual([400, 'bad_request']);
  expect(refusal(await deploy({ customEnvironmentSlugOrId: 'none' }))).toEqual([400, 'bad_request']);
  expect(refusal(await deploy({ name: 'none' }))).toEqual([400, 'project_not_found']);
  const unheardOf = { gitSource: undefined, deploymentId: 'dpl_none' };
  expect(refusal(await deploy(unheardOf))).toEqual([400, 'deployment_not_found']);
});

it('answers with one that is there where it is not told to make a new one', async () => {
  twin = await startTwin({ seed });
  const one = (await deploy()).body;
  expect((await deploy({}, 'forceNew=0')).body.id).toBe(one.id);
  expect((await deploy()).body.id).not.toBe(one.id);
});

it('gives no name to what is not ready', async () => {
  const projects = [{ name: 'web', deployments: [{ id: 'dpl_slow', state: 'BUILDING' as const }] }];
  twin = await startTwin({ seed: { projects } });
  const body = { alias: 'web-demo.vercel.app' };
  const answer = await send(twin, 'POST', '/v2/deployments/dpl_slow/aliases', body);
  expect(refusal(answer)).toEqual([400, 'deployment_not_ready']);
});

it('moves a name from one deployment to another; what it answers does not say where it is', async () => {
  twin = await startTwin({ seed });
  const [one, two] = [(await deploy()).body.id, (await deploy()).body.id];
  const assign = (id: string, body: object) => send(twin, 'POST', `/v2/deployments/${id}/aliases`, body);
  const first = (await assign(one, { alias: 'Demo.example.com', redirect: 'www.example.com' })).body;
  expect(Object.keys(first).sort()).toEqual(['alias', 'created', 'uid']);
  const moved = (await assign(two, { alias: 'demo.example.com', redirect: null })).body;
  expect(moved).toMatchObject({ uid: first.uid, oldDeploymentId: one });
  const read = await send(twin, 'GET', '/v4/aliases/demo.example.com');
  expect(read.body).toMatchObject({ uid: first.uid, deploymentId: two, redirect: null });
  expect((await send(twin, 'GET', `/v2/deployments/${one}/aliases`)).body.aliases).toEqual([]);
  expect((await send(twin, 'GET', '/v4/aliases?domain=example.com')).body.aliases).toEqual([read.body]);
  const other = twin.account.projects[1]!.id;
  expect((await send(twin, 'GET', `/v4/aliases/${first.uid}?projectId=${other}`)).status).toBe(404);
  expect(refusal(await assign(two, { alias: 'none' }))).toEqual([400, 'invalid_alias']);
  expect(refusal(await assign(two, { alias: 'demo.foreign.com' }))).toEqual([403, 'forbidden']);
  expect(refusal(await assign('dpl_none', { alias: 'demo.example.com' }))).toEqual([404, 'not_found']);
  expect((await send(twin, 'DELETE', `/v2/aliases/${first.uid}`)).body).toEqual({ status: 'SUCCESS' });
});

it('takes the names of a deployment and of a domain away with them', async () => {
  twin = await startTwin({ seed });
  const { id } = (await deploy()).body;
  for (const alias of ['a.example.com', 'web-a.vercel.app'])
    await send(twin, 'POST', `/v2/deployments/${id}/aliases`, { alias });
  await send(twin, 'DELETE', '/v6/domains/example.com');
  expect(twin.account.aliases.map(({ alias }) => alias)).toEqual(['web-a.vercel.app']);
  expect((await send(twin, 'DELETE', `/v13/deployments/${id}`)).body).toEqual({ uid: id, state: 'DELETED' });
  expect(twin.account.aliases).toEqual([]);
});

it('lets people, everybody and those with a link past the protection of an alias', async () => {
  twin = await startTwin({ seed });
  const { id } = (await deploy()).body;
  const { uid } = (
    await send(twin, 'POST', `/v2/deployments/${id}/aliases`, { alias: 'web-demo.vercel.app' })
  ).body;
  const patch = (body: object) => send(twin, 'PATCH', `/aliases/${uid}/protection-bypass`, body);
  await patch({ scope: { userId: 'user_1', access: 'granted' } });
  await patch({ scope: { email: 'Grace@example.com', access: 'granted' } });
  const override = (action: string) => patch({ override: { scope: 'alias-protection-override', action } });
  const all = (await override('create')).body.protectionBypass;
  expect(all).toMatchObject({
    user_1: { access: 'granted' },
    'grace@example.com': { scope: 'email_invite' },
  });
  expect(Object.keys(all)).toHaveLength(3);
  expect((await send(twin, 'GET', `/v4/aliases/${uid}`)).body.protectionBypass).toEqual(all);
  await override('revoke');
  const shared = (await patch({ ttl: 60 })).body.protectionBypass;
  const [secret] = Object.entries<{ scope: string }>(shared).find(
    ([, one]) => one.scope === 'shareable-link',
  )!;
  await patch({ revoke: { secret, regenerate: false } });
  expect(refusal(await patch({ revoke: { secret, regenerate: false } }))).toEqual([400, 'bad_request']);
  expect(refusal(await patch({ scope: { access: 'granted' } }))).toEqual([400, 'bad_request']);
  await patch({ scope: { userId: 'user_1', access: 'denied' } });
  expect(Object.keys(twin.account.aliases[0]!.protectionBypass)).toEqual(['grace@example.com']);
});
