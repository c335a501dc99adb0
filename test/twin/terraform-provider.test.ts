import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { refusal, send } from './client.ts';

/*
 * The requests of the platform's Terraform provider that its acceptance tests make and the public catalog does not have, or answers with other
 * members: deployments, groups without projects, retention, connections of stores, networks.
 */

let now = Date.parse('2027-01-01');
let twin: Twin;
beforeAll(async () => {
  const link = { type: 'github' as const, repo: 'acme/web' };
  twin = await startTwin({
    now: () => now,
    seed: {
      team: { id: 'team_acme', slug: 'acme' },
      projects: [
        { id: 'prj_web', name: 'web', gitRepository: link, customEnvironments: [{ slug: 'staging' }] },
        { id: 'prj_api', name: 'api' },
      ],
    },
  });
});
afterAll(() => twin.close());

/** A deployment as the provider creates it: the name is the project's id, and what is not set is null or empty. */
const deployment = {
  files: [{ file: 'index.html', sha: 'a'.repeat(40), size: 12 }],
  build: {},
  project: 'prj_web',
  projectSettings: null,
  name: 'prj_web',
};
const deploy = (body: object) =>
  send(twin, 'POST', '/v12/now/deployments?skipAutoDetectionConfirmation=1', { ...deployment, ...body });

it('creates a deployment by the older path, with environment variables, metadata and the commit of its files', async () => {
  const gitMetadata = {
    remoteUrl: 'https://github.com/acme/web',
    commitSha: 'b'.repeat(40),
    commitMessage: 'Say hello',
    dirty: false,
  };
  const env = { FOO: 'baz', BAR: 'qux' };
  const { status, body } = await deploy({
    target: 'production',
    env,
    build: { env },
    projectSettings: { outputDirectory: '.' },
    meta: { build: '123' },
    gitMetadata,
  });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body).toMatchObject({
    aliasAssigned: true,
    aliasError: null,
    build: { env: ['FOO', 'BAR'] },
    target: 'production',
    team: { id: 'team_acme', slug: 'acme' },
    alias: ['web.vercel.app', 'web-acme.vercel.app'],
  });
  expect(body.meta).toEqual({
    build: '123',
    githubCommitSha: gitMetadata.commitSha,
    githubCommitMessage: 'Say hello',
  });
});

it('creates deployments of a branch and for a custom environment; their domains are not those of production', async () => {
  const gitSource = { type: 'github', org: 'acme', repo: 'web', ref: 'main' };
  const ofBranch = (await deploy({ files: undefined, gitSource })).body;
  expect(ofBranch).toMatchObject({ gitSource, target: null, alias: [] });
  const staged = (await deploy({ customEnvironmentSlugOrId: 'staging' })).body;
  expect(staged).toMatchObject({ customEnvironment: { slug: 'staging' }, alias: [], meta: {} });
  expect(refusal(await deploy({ future: 1 }))).toEqual([400, 'bad_request']);
  const documented = await send(twin, 'POST', '/v13/deployments', deployment);
  expect(refusal(documented)).toEqual([400, 'bad_request']);
});

it('finds a deployment by its id without a team, and removes it', async () => {
  const { id, url } = (await deploy({})).body;
  const path = `/v13/deployments/${id}?personal`;
  expect((await send(twin, 'GET', path)).body).toMatchObject({ id, projectId: 'prj_web' });
  expect((await send(twin, 'GET', `/v13/deployments/${url}?personal`)).status).toBe(404);
  expect((await send(twin, 'DELETE', path)).body).toEqual({ uid: id, state: 'DELETED' });
  expect(refusal(await send(twin, 'GET', path))).toEqual([404, 'not_found']);
});

it('changes the bypass of a project by its id without a team', async () => {
  const generate = { secret: 'x'.repeat(32), note: '' };
  const path = '/v10/projects/prj_web/protection-bypass?personal';
  expect((await send(twin, 'PATCH', path, { generate })).body.protectionBypass).toHaveProperty(
    generate.secret,
  );
  expect((await send(twin, 'PATCH', path.replace('prj_web', 'web'), { generate: {} })).status).toBe(404);
});

it('makes a group of microfrontends without projects, which join and leave', async () => {
  const path = '/teams/team_acme/microfrontends';
  const { body } = await send(twin, 'PATCH', path, { newMicrofrontendsGroupName: 'My shop' });
  const { id } = body.newMicrofrontendsGroup;
  expect(body.newMicrofrontendsGroup).toMatchObject({ name: 'My shop', slug: 'my-shop' });
  expect(refusal(await send(twin, 'PATCH', path, { newMicrofrontendsGroupName: 'My shop' }))[0]).toBe(400);
  const inGroup = async () => (await send(twin, 'GET', '/v1/microfrontends/groups')).body.groups[0];
  expect(await inGroup()).toMatchObject({ group: { id }, projects: [] });
  const membership = { microfrontendsGroupId: id, enabled: true, isDefaultApp: true };
  expect((await send(twin, 'PATCH', '/projects/prj_web/microfrontends', membership)).status).toBe(200);
  expect(await inGroup()).toMatchObject({ projects: [{ id: 'prj_web' }] });
  expect((await send(twin, 'PATCH', `${path}/${id}`, { name: 'Shop' })).status).toBe(200);
  expect((await send(twin, 'PATCH', '/projects/prj_web/microfrontends', { enabled: false })).status).toBe(
    200,
  );
  expect((await send(twin, 'DELETE', `${path}/${id}`)).status).toBe(200);
});

it('reads a retention that was never written without a limit', async () => {
  const days = async () => (await send(twin, 'GET', '/v2/projects/prj_api')).body.deploymentExpiration;
  const unlimited = {
    expirationDays: 36_500,
    expirationDaysProduction: 36_500,
    expirationDaysCanceled: 36_500,
    expirationDaysErrored: 36_500,
  };
  expect(await days()).toEqual(unlimited);
  const { body } = await send(twin, 'PATCH', '/v9/projects/prj_api/deployment-expiration', {
    expiration: '1m',
  });
  expect(body).toEqual({ deploymentExpiration: { expiration: '1m' } });
  expect(await days()).toEqual({ expirationDays: 30 });
  const switches = { retentionAbsentUntilWritten: true };
  const other = await startTwin({ switches, seed: { projects: [{ name: 'web' }] } });
  expect((await send(other, 'GET', '/v9/projects/web')).body).not.toHaveProperty('deploymentExpiration');
  await other.close();
});

it('answers the change of a connection of a store with the connection', async () => {
  const { store } = (await send(twin, 'POST', '/v1/storage/stores/blob', { name: 'uploads' })).body;
  const path = `/v1/storage/stores/${store.id}/connections`;
  const connection = { projectId: 'prj_web', envVarEnvironments: ['preview'], envVarPrefix: 'ASSETS' };
  expect((await send(twin, 'POST', path, connection)).status).toBe(200);
  const [{ id }] = (await send(twin, 'GET', path)).body.connections;
  const change = { envVarEnvironments: ['production'], envVarPrefix: 'FILES' };
  const { body } = await send(twin, 'PATCH', `${path}/${id}`, change);
  expect(body).toMatchObject({ id, ...change, project: { id: 'prj_web', name: 'web' } });
});

it('gives a network its VPC once it is ready', async () => {
  const body = { name: 'private', cidr: '10.0.0.0/16', region: 'iad1' };
  const created = (await send(twin, 'POST', '/v1/connect/networks', body)).body;
  expect(created.status).toBe('create_in_progress');
  expect(created).not.toHaveProperty('vpcId');
  now += 24 * 60 * 60_000;
  const read = (await send(twin, 'GET', `/v1/connect/networks/${created.id}`)).body;
  expect(read).toMatchObject({ status: 'ready', vpcId: expect.stringMatching(/^vpc-/) });
});

const bypass = '/v1/security/firewall/bypass?projectId=prj_web';
const git = (type: string, members: object) => ({
  ...{ build: {}, project: 'prj_web', projectSettings: null, name: 'prj_web' },
  gitSource: { type, ...members, ref: 'main', sha: '' },
});

/** Requests in the order of the acceptance tests, and members of the answers that those compare. */
const requests: [
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body: object | undefined,
  answer: object,
][] = [
  ['POST', bypass, { sourceIp: '2.3.4.0/24', projectScope: true }, { ok: true }],
  ['POST', bypass, { sourceIp: '1.2.3.4', domain: 'web.vercel.app' }, { ok: true }],
  [
    ...(['GET', `${bypass}&sourceIp=2.3.4.0/24&projectScope=true`, undefined] as const),
    { result: [{ Id: 'prj_web#2.3.4.0/24', Domain: '*', IsProjectRule: true }] },
  ],
  [
    ...(['GET', `${bypass}&sourceIp=1.2.3.4&domain=web.vercel.app`, undefined] as const),
    { result: [{ Id: 'prj_web#web.vercel.app#1.2.3.4', IsProjectRule: false }] },
  ],
  ['DELETE', bypass, { sourceIp: '2.3.4.0/24', domain: '*' }, { ok: true }],
  ['DELETE', bypass, { sourceIp: '1.2.3.4', domain: 'web.vercel.app' }, { ok: true }],
  ['GET', bypass, undefined, { result: [] }],
  ['POST', '/v12/now/deployments', git('github', { org: 'acme', repo: 'web' }), { readyState: 'READY' }],
  ['POST', '/v12/now/deployments', git('bitbucket', { owner: 'acme', slug: 'web' }), { alias: [] }],
  [
    ...(['POST', '/v1/storage/stores/blob', { name: 'named' }] as const),
    { store: { region: 'iad1', access: 'public', ownerId: 'team_acme', size: 0, count: 0 } },
  ],
  [
    ...([
      'PATCH',
      '/v2/teams/team_acme',
      { remoteCaching: { enabled: true }, hideIpAddresses: true },
    ] as const),
    { remoteCaching: { enabled: true }, hideIpAddresses: true },
  ],
];

it.each(requests)('answers %s %s as the provider expects', async (method, path, body, answer) => {
  expect((await send(twin, method, path, body)).body).toMatchObject(answer);
});

it('reads, changes and removes a person who was invited by e-mail, by the id in the answer', async () => {
  const path = '/v1/teams/team_acme/members';
  const { body: group } = await send(twin, 'POST', '/v1/access-groups', { name: 'guests' });
  const invite = (body: object) =>
    send(twin, 'POST', path, { email: 'grace@example.com', role: 'MEMBER', ...body });
  const { uid } = (await invite({})).body;
  const read = async () =>
    (await send(twin, 'GET', `/v2/teams/team_acme/members?limit=1&filterByUserIds=${uid}`)).body.members;
  expect(await read()).toMatchObject([{ uid, email: 'grace@example.com', role: 'MEMBER', confirmed: false }]);
  const change = { role: 'CONTRIBUTOR', accessGroupsToAdd: [group.accessGroupId] };
  expect((await send(twin, 'PATCH', `${path}/${uid}`, change)).status).toBe(200);
  const refused = { role: 'OWNER', accessGroupsToAdd: ['ag_none'] };
  expect(refusal(await send(twin, 'PATCH', `${path}/${uid}`, refused))[0]).toBe(404);
  expect(await read()).toMatchObject([{ role: 'CONTRIBUTOR', confirmed: false }]);
  expect((await send(twin, 'DELETE', `/v2/teams/team_acme/members/${uid}`)).status).toBe(200);
  expect(await read()).toEqual([]);
  // Users can no longer be added by their ids, says the provider's documentation.
  expect((await invite({ email: undefined, uid: 'user_grace' })).status).toBe(400);
  const projects = [{ projectId: 'prj_web', role: 'PROJECT_VIEWER' }];
  const invited = (await invite({ projects, accessGroups: [group.accessGroupId] })).body.uid;
  const roleIn = async () =>
    (await send(twin, 'GET', '/v2/teams/team_acme/members')).body.emailInviteCodes[0].projects;
  await send(twin, 'PATCH', `${path}/${invited}`, { projects: [] });
  expect(await roleIn()).toEqual({ prj_web: 'PROJECT_VIEWER' });
  await send(twin, 'PATCH', `${path}/${invited}`, { projects: [{ projectId: 'prj_web', role: null }] });
  expect(await roleIn()).toEqual({});
});

it('reads the projects and the access groups of a member', async () => {
  const member = { uid: 'user_alan', email: 'alan@example.com', role: 'CONTRIBUTOR' as const };
  const groups = [{ id: 'ag_one', name: 'one', members: ['user_alan'] }];
  const projects = [{ id: 'prj_web', name: 'web', members: [{ uid: 'user_alan', role: 'ADMIN' as const }] }];
  const team = { id: 'team_acme', slug: 'acme', members: [member] };
  const other = await startTwin({ seed: { team, projects, accessGroups: groups } });
  const path = '/v1/teams/team_acme/members/user_alan';
  const read = async () =>
    (await send(other, 'GET', '/v2/teams/team_acme/members?limit=1&filterByUserIds=user_alan')).body.members;
  expect(await read()).toMatchObject([{ uid: 'user_alan', accessGroups: [{ id: 'ag_one', name: 'one' }] }]);
  expect((await send(other, 'GET', `${path}/projects?limit=100`)).body.projects).toEqual([
    { projectId: 'prj_web', role: 'ADMIN' },
  ]);
  const change = { role: 'DEVELOPER', accessGroupsToRemove: ['ag_one'] };
  expect((await send(other, 'PATCH', path, change)).status).toBe(200);
  expect((await read())[0]).not.toHaveProperty('accessGroups');
  await other.close();
});
