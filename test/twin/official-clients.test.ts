import { VercelCore } from '@vercel/sdk/core.js';
import { securityUpdateAttackChallengeMode } from '@vercel/sdk/funcs/securityUpdateAttackChallengeMode.js';
import { afterEach, describe, expect, it } from 'vitest';
import { type Seed, startTwin, type Twin, type TwinOptions } from '../../providers/hosting/twin/index.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { ownDomains, refusal, send } from './client.ts';

const story = oneStoryIn(7);

/*
 * What the platform's own command line (the npm package `vercel`, 64.0.2), its Terraform provider and its SDK send, member by
 * member: a null is what Go makes of a nil pointer, an empty string what it makes of an unset one.
 */

let twin: Twin;
const start = async (
  seed: Seed = { projects: [{ name: 'web' }] },
  options: Omit<TwinOptions, 'seed'> = {},
) => {
  twin = await startTwin({ seed, ...options });
};
afterEach(() => twin.close());

const project = () => twin.account.projects[0]!;
const read = async (path: string) => (await send(twin, 'GET', path)).body;
const outside = async () =>
  ((await read('/__twin/outside')) as Twin['outside']).map(({ operationId, path, member, was }) =>
    [operationId ?? path, member, was].filter((one) => one !== undefined).join(' '),
  );

const variable = { type: 'sensitive', key: 'A', value: 'v', target: ['production'], visibility: 'secret' };

describe('the command line', () => {
  story('`env add` and `env update` say how visible a variable is', async () => {
    await start();
    const path = '/v10/projects/web/env';
    const { status, body } = await send(twin, 'POST', path, variable);
    expect([status, body.created.visibility]).toEqual([201, 'secret']);
    const config = { type: 'encrypted', value: 'v', target: ['preview'], key: 'B', visibility: 'config' };
    expect((await send(twin, 'POST', `${path}?upsert=true`, config)).status).toBe(201);
    const change = { type: 'sensitive', value: 'w', target: ['production'], visibility: 'config' };
    expect((await send(twin, 'PATCH', `${path}/${body.created.id}`, change)).body).toMatchObject({
      visibility: 'config',
    });
    expect((await read(path)).envs.map((one: { visibility: string }) => one.visibility)).toEqual([
      'config',
      'config',
    ]);
    expect(await outside()).toEqual([]);
  });

  story('`env rm` finds the variable of one environment by the query', async () => {
    await start();
    const path = '/v10/projects/web/env';
    const places = [{ target: ['production'] }, { target: ['preview'], gitBranch: 'main' }];
    for (const place of places) await send(twin, 'POST', path, { ...variable, ...place });
    const found = async (query: string) =>
      (await read(`${path}?source=vercel-cli:env:rm${query}`)).envs.map(
        (env: { target: string[] }) => env.target,
      );
    expect(await found('')).toHaveLength(2);
    expect(await found('&target=production')).toEqual([['production']]);
    expect(await found('&target=preview&gitBranch=main')).toEqual([['preview']]);
    expect(await found('&target=preview&gitBranch=next')).toEqual([]);
  });

  it('edits the firewall as a draft, and makes that live', async () => {
    await start();
    const config = `/v1/security/firewall/config`;
    const query = `?slug=acme&projectId=${project().id}`;
    const value = { hostname: 'www.example.com', ip: '192.0.2.1', action: 'deny', notes: '' };
    const patch = { action: 'ip.insert', id: null, value };
    expect((await send(twin, 'PATCH', `${config}/draft${query}`, patch)).status).toBe(200);
    expect(project().firewall).toMatchObject({ active: null, draft: { ips: [value] } });
    expect((await send(twin, 'POST', `${config}/draft/activate${query}`)).status).toBe(200);
    expect(project().firewall).toMatchObject({ active: { ips: [value] }, draft: null });
    expect(await outside()).toEqual(['/v1/security/firewall/config/draft unknown operation']);
  });

  story('gives a project a domain by its old endpoint, pulls variables, lists aliases', async () => {
    await start({ projects: [{ name: 'web', env: [{ key: 'A', value: '1', target: ['development'] }] }] });
    const { body } = await send(twin, 'POST', '/projects/web/alias', {
      target: 'PRODUCTION',
      domain: 'www.example.com',
    });
    expect(body).toMatchObject([{ domain: 'web.vercel.app' }, { domain: 'www.example.com' }]);
    expect(ownDomains(project())).toMatchObject([{ name: 'www.example.com' }]);
    expect(await read(`/v3/env/pull/${project().id}/development?source=vercel-cli:env:pull`)).toEqual({
      env: { A: '1' },
      buildEnv: {},
    });
    expect(await read('/v3/now/aliases?limit=20')).toMatchObject({ aliases: [] });
    expect(await outside()).toHaveLength(3);
  });

  story('invites one person, counts the roles in a project, and sets a budget for a user', async () => {
    await start({
      team: { id: 'team_1', slug: 'acme', members: [{ uid: 'user_grace', email: 'grace@example.com' }] },
      projects: [{ name: 'web', members: [{ uid: 'user_grace', role: 'ADMIN' }] }],
    });
    const { body } = await send(twin, 'POST', '/teams/team_1/members', { email: 'alan@example.com' });
    expect(body).toMatchObject({ username: 'alan', email: 'alan@example.com', role: 'VIEWER' });
    expect(await read('/v1/projects/web/members/summary')).toMatchObject({ ADMIN: 1, PROJECT_VIEWER: 0 });
    const budget = { scopeType: 'user', userId: 'user_grace', limitAmount: 20, refreshPeriod: 'monthly' };
    expect((await send(twin, 'PUT', '/ai-gateway/budgets?teamId=team_1', budget)).status).toBe(200);
    for (const wrong of [{ userId: undefined }, { scopeType: 'team' }])
      expect(
        (await send(twin, 'PUT', '/ai-gateway/budgets?teamId=team_1', { ...budget, ...wrong })).status,
      ).toBe(400);
    const given = { scopeType: 'user', limitAmount: 5 };
    expect((await send(twin, 'PUT', '/ai-gateway/budgets/defaults?teamId=team_1', given)).status).toBe(200);
    const removal = '/ai-gateway/budgets?teamId=team_1&scopeType=user&userId=user_grace';
    expect((await send(twin, 'DELETE', removal)).status).toBe(204);
  });

  it('moves a domain to another team of the user, where no project uses it', async () => {
    await start({ domains: [{ name: 'example.com' }], projects: [{ name: 'web' }] });
    const move = async (destination: string) => {
      const { status, body } = await send(twin, 'PATCH', '/v4/domains/example.com', {
        op: 'move-out',
        destination,
      });
      return [status, body.error?.code ?? body.moved];
    };
    expect(await move('nobody')).toEqual([400, 'invalid_move_destination']);
    await send(twin, 'POST', '/projects/web/alias', { target: 'PRODUCTION', domain: 'www.example.com' });
    expect(await move(twin.account.teams[0]!.id)).toEqual([409, 'domain_move_conflict']);
    await send(twin, 'DELETE', '/v9/projects/web/domains/www.example.com');
    const { user } = twin.account;
    expect(await move(user.id)).toEqual([200, true]);
    expect(twin.account.domains).toMatchObject([{ ownerId: user.id }]);
  });

  it('changes a route by what it has read of it', async () => {
    await start();
    const path = `/v1/projects/${project().id}/routes`;
    const route = { src: '/a/:path*', dest: 'https://b.example.com/:path*' };
    const { body } = await send(twin, 'POST', path, {
      route: { name: 'api', srcSyntax: 'path-to-regexp', route },
    });
    const { id, rawSrc, rawDest, staged, routeType, ...read } = body.route;
    expect(read.route).not.toEqual(route);
    const edited = await send(twin, 'PATCH', `${path}/${id}`, { route: { ...read, enabled: false } });
    expect(edited.body.route).toMatchObject({ rawSrc, rawDest, enabled: false, route: read.route });
    const other = { ...read, route: { ...read.route, src: '/c/:path*' } };
    const { body: changed } = await send(twin, 'PATCH', `${path}/${id}`, { route: other });
    expect(changed.route).toMatchObject({ rawSrc: '/c/:path*', rawDest });
  });

  story('connects a store of any type, changes how, and ends that', async () => {
    await start({ projects: [{ name: 'web' }], blobStores: [{ name: 'uploads' }] });
    const path = `/v1/storage/stores/${twin.account.stores[0]!.id}/connections`;
    const environments = async () =>
      (await read(path)).connections.map((one: { environments: string[] }) => one.environments);
    const connection = {
      projectId: project().id,
      envVarEnvironments: ['production'],
      skipReadWriteToken: true,
    };
    expect((await send(twin, 'POST', path, connection)).status).toBe(200);
    const [{ id }] = (await read(path)).connections;
    await send(twin, 'PATCH', `${path}/${id}`, { envVarEnvironments: ['preview'] });
    expect(await environments()).toEqual([['preview']]);
    expect((await send(twin, 'POST', `${path}/${id}/upgrade-to-oidc`)).status).toBe(200);
    expect((await send(twin, 'DELETE', `${path}/other`)).status).toBe(404);
    await send(twin, 'DELETE', `${path}/${id}`);
    expect(await environments()).toEqual([]);
    await send(twin, 'POST', path, connection);
    await send(twin, 'DELETE', path);
    expect(await environments()).toEqual([]);
  });

  it('makes a repository of images public, and asks for a certificate by its old name', async () => {
    await start({
      domains: [{ name: 'example.com' }],
      certificates: [{ cns: ['example.com'] }],
      projects: [{ name: 'web', registryRepositories: [{ name: 'app' }] }],
    });
    const path = `/v1/vcr/repository/app?projectId=${project().id}`;
    expect((await send(twin, 'PATCH', path, { public: true })).body).toMatchObject({
      repository: { name: 'app', public: true },
    });
    const { id } = twin.account.certificates[0]!;
    expect(await read(`/v6/certs/${id}`)).toMatchObject({ id, uid: id });
  });

  it('connects and disconnects a repository', async () => {
    await start();
    const path = `/v9/projects/${project().id}/link`;
    const { body } = await send(twin, 'POST', path, { type: 'github', repo: 'acme/web' });
    expect(body.link).toMatchObject({ type: 'github', org: 'acme', repo: 'web' });
    const hooks = `/v2/projects/${project().id}/deploy-hooks`;
    const hooked = await send(twin, 'POST', hooks, { name: 'cms', ref: 'main' });
    const [hook] = hooked.body.link.deployHooks;
    expect(hook).toMatchObject({ name: 'cms', ref: 'main' });
    expect((await send(twin, 'DELETE', path)).body).not.toHaveProperty('link');
    expect((await send(twin, 'DELETE', `${hooks}/${hook.id}`)).status).toBe(200);
    expect(refusal(await send(twin, 'DELETE', `${hooks}/${hook.id}`))).toEqual([404, 'not_found']);
  });
});

/** A project as the Terraform provider creates it, with nothing set but its name and one variable. */
const created = {
  buildCommand: null,
  devCommand: null,
  environmentVariables: [
    {
      key: 'A',
      value: 'v',
      target: ['production'],
      customEnvironmentIds: null,
      type: 'encrypted',
      comment: '',
      decrypted: null,
    },
  ],
  framework: null,
  installCommand: null,
  name: 'made',
  outputDirectory: null,
  rootDirectory: null,
};

/** And as it changes it, which it does right after. */
const changed = {
  buildCommand: null,
  commandForIgnoringBuildStep: null,
  devCommand: null,
  framework: null,
  installCommand: null,
  outputDirectory: null,
  rootDirectory: null,
  ssoProtection: { deploymentType: 'all_except_custom_domains' },
  passwordProtection: null,
  trustedIps: null,
  oidcTokenConfig: { enabled: true, issuerMode: 'team' },
  optionsAllowlist: null,
  autoExposeSystemEnvs: true,
  enablePreviewFeedback: null,
  enableProductionFeedback: null,
  autoAssignCustomDomains: true,
  gitLFS: false,
  serverlessFunctionZeroConfigFailover: false,
  customerSupportCodeVisibility: false,
  gitForkProtection: true,
  productionDeploymentsFastLane: true,
  directoryListing: false,
  skewProtectionMaxAge: 0,
  gitComments: { onCommit: false, onPullRequest: true },
  gitProviderOptions: { createDeployments: 'disabled', requireVerifiedCommits: true },
};

describe('the Terraform provider', () => {
  it('creates a project, with nulls for what is not set', async () => {
    await start({});
    const { status, body } = await send(twin, 'POST', '/v8/projects', created);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({ name: 'made', framework: null });
    expect(body.env).toMatchObject([{ key: 'A', target: ['production'], customEnvironmentIds: [] }]);
    expect(await outside()).toEqual([]);
  });

  it('changes a project, and reads back what the public schema does not know', async () => {
    await start();
    const { status, body } = await send(twin, 'PATCH', '/v9/projects/web', changed);
    expect(status, JSON.stringify(body)).toBe(200);
    const { gitComments, gitProviderOptions, productionDeploymentsFastLane } = changed;
    expect(await read('/v9/projects/web')).toMatchObject({
      gitComments,
      gitProviderOptions,
      productionDeploymentsFastLane,
    });
    expect(await outside()).toEqual([]);
  });

  story('says in each stage of a rolling release whether it needs an approval', async () => {
    await start();
    const path = '/v1/projects/web/rolling-release/config';
    const off = { enabled: false, advancementType: '', stages: [] };
    expect((await send(twin, 'PATCH', path, off)).status).toBe(200);
    const stages = [{ targetPercentage: 10, requireApproval: true }, { targetPercentage: 100 }];
    for (const enabled of [false, true]) {
      const body = { enabled, advancementType: 'manual-approval', stages };
      expect((await send(twin, 'PATCH', path, body)).status).toBe(200);
    }
    expect((await read(path)).rollingRelease.stages).toEqual(stages);
    expect(await outside()).toEqual([]);
  });

  it('changes a shared variable with the list of its projects and no updates to it', async () => {
    await start({ projects: [{ name: 'web' }], sharedEnv: [{ key: 'A', value: '1', id: 'env_1' }] });
    const update = {
      value: '2',
      type: 'encrypted',
      projectId: [project().id],
      projectIdUpdates: {},
      applyToAllCustomEnvironments: false,
      target: ['production'],
      comment: '',
    };
    const { body } = await send(twin, 'PATCH', '/v1/env', { updates: { env_1: update } });
    expect(body).toMatchObject({ updated: [{ id: 'env_1', projectId: [project().id] }], failed: [] });
    const both = { ...update, projectIdUpdates: { link: [project().id] } };
    const refused = await send(twin, 'PATCH', '/v1/env', { updates: { env_1: both } });
    expect(refused.body.failed).toMatchObject([{ error: { code: 'bad_request' } }]);
    expect((await read('/v1/env/all')).data).toMatchObject([{ key: 'A' }]);
  });

  it('reads a project without naming a team', async () => {
    await start();
    expect((await read('/v10/projects/web?personal=1')).id).toBe(project().id);
    expect((await read(`/v10/projects/${project().id}?personal=1`)).name).toBe('web');
    await twin.close();
    await start(undefined, { switches: { projectInDefaultTeam: false } });
    expect((await send(twin, 'GET', '/v10/projects/web?personal=1')).status).toBe(404);
  });

  story('finds the region of functions under its older name, too', async () => {
    await start();
    const config = { resourceConfig: { functionDefaultRegions: ['fra1'], fluid: true } };
    await send(twin, 'PATCH', '/v9/projects/web', config);
    expect((await read('/v10/projects/web')).serverlessFunctionRegion).toBe('fra1');
    await twin.close();
    await start(undefined, { switches: { regionMirrored: false } });
    await send(twin, 'PATCH', '/v9/projects/web', config);
    expect((await read('/v10/projects/web')).serverlessFunctionRegion).toBe('iad1');
  });

  it('reads an empty note of a bypass back', async () => {
    const body = { generate: { secret: 'x'.repeat(32), note: '' } };
    const notes = [];
    for (const bypassEmptyNoteReadable of [true, false]) {
      if (notes.length > 0) await twin.close();
      await start(undefined, { switches: { bypassEmptyNoteReadable } });
      const answer = await send(twin, 'PATCH', '/v10/projects/web/protection-bypass', body);
      notes.push(answer.body.protectionBypass['x'.repeat(32)].note);
    }
    expect(notes).toEqual(['', undefined]);
  });

  it('reads a CAA record by its id with quotes', async () => {
    const value = '0 issue "letsencrypt.org"';
    const records = [{ type: 'CAA' as const, name: '', value, id: 'rec_1' }];
    await start({ domains: [{ name: 'example.com', records }] });
    expect((await read('/domains/records/rec_1')).value).toBe(value);
    await twin.close();
    await start({ domains: [{ name: 'example.com', records }] }, { switches: { caaQuotesById: false } });
    expect((await read('/domains/records/rec_1')).value).toBe('0 issue letsencrypt.org');
  });

  it("finds names under the platform's own suffix configured at once", async () => {
    await start(undefined, { switches: { outsideDnsConfigured: false } });
    expect(await read('/v6/domains/web.vercel.app/config')).toMatchObject({ misconfigured: false });
    expect(await read('/v6/domains/www.example.com/config')).toMatchObject({ misconfigured: true });
  });

  it('writes a firewall with an empty key in each condition', async () => {
    await start();
    const condition = { type: 'path', op: 'pre', neg: false, key: '', value: '/admin' };
    const rule = {
      name: 'admin',
      active: true,
      conditionGroup: [{ conditions: [condition] }],
      action: { mitigate: { action: 'deny' } },
    };
    const path = `/v1/security/firewall/config?slug=acme&projectId=${project().id}`;
    const { status, body } = await send(twin, 'PUT', path, { firewallEnabled: true, rules: [rule] });
    expect(status).toBe(200);
    expect(body.active.rules[0].conditionGroup[0].conditions).toEqual([condition]);
    expect(await outside()).toEqual([]);
  });

  story('writes several members of a project at once', async () => {
    const people = ['alan', 'grace'].map((name) => ({ uid: `user_${name}`, email: `${name}@example.com` }));
    await start({ team: { members: people }, projects: [{ name: 'web' }] });
    const path = '/v1/projects/web/members';
    const roles = () => project().members.map(({ uid, role }) => `${uid} ${role}`);
    const write = async (method: 'POST' | 'PATCH' | 'DELETE', at: string, members: unknown[]) =>
      (await send(twin, method, at, { members })).status;
    const added = [
      { uid: 'user_alan', role: 'ADMIN' },
      { email: 'grace@example.com', role: 'PROJECT_VIEWER' },
    ];
    expect(await write('POST', `${path}/batch`, [added[0], { uid: 'nobody', role: 'ADMIN' }])).toBe(400);
    expect(roles()).toEqual([]);
    expect(await write('POST', `${path}/batch`, added)).toBe(200);
    expect(await write('PATCH', path, [{ uid: 'user_alan', role: 'PROJECT_DEVELOPER' }])).toBe(200);
    expect(roles()).toEqual(['user_alan PROJECT_DEVELOPER', 'user_grace PROJECT_VIEWER']);
    expect(await write('DELETE', `${path}/batch`, ['user_alan'])).toBe(200);
    expect(roles()).toEqual(['user_grace PROJECT_VIEWER']);
  });

  story('says which branch is in production', async () => {
    await start();
    const path = '/v9/projects/web/branch';
    expect((await send(twin, 'PATCH', path, { branch: 'live' })).status).toBe(404);
    await send(twin, 'POST', '/v9/projects/web/link', { type: 'github', repo: 'acme/web' });
    const { body } = await send(twin, 'PATCH', path, { branch: 'live' });
    expect(body.link).toMatchObject({ repo: 'web', productionBranch: 'live' });
  });

  it('asks for the code that an endpoint of a drain answers with', async () => {
    await start();
    const code = await read('/v1/verify-endpoint');
    expect(code.verificationCode).toMatch(/^[0-9a-f]{40}$/);
    expect(await read('/v1/verify-endpoint')).toEqual(code);
  });

  it('turns crons off and on', async () => {
    await start();
    const set = async (enabled: boolean) =>
      (await send(twin, 'PATCH', '/v1/projects/web/crons', { enabled })).body.crons.disabledAt;
    expect(await set(false)).toEqual(expect.any(Number));
    expect(await set(true)).toBeNull();
  });
});

story('the SDK turns the attack mode on without a deadline', async () => {
  await start();
  const client = new VercelCore({ serverURL: twin.url, bearerToken: 'test' });
  const result = await securityUpdateAttackChallengeMode(client, {
    slug: 'acme',
    requestBody: { projectId: project().id, attackModeEnabled: true },
  });
  expect(result.value).toMatchObject({ attackModeEnabled: true });
  expect((await read('/v9/projects/web')).security).toMatchObject({ attackModeEnabled: true });
});

describe('what is outside', () => {
  story('is refused', async () => {
    await start();
    for (const [method, path, body] of [
      ['POST', '/v11/projects', { name: 'x', future: 1 }],
      ['PATCH', '/v9/projects/web', { gitComments: changed.gitComments, future: 1 }],
      ['POST', '/v10/projects/web/env', { ...variable, future: 1 }],
      ['POST', '/v1/env', { evs: [{ key: 'A', value: 'v' }], target: ['preview'], future: 1 }],
    ] as const) {
      const answer = await send(twin, method, path, body);
      expect(refusal(answer), path).toEqual([400, 'bad_request']);
      expect(answer.body.error.message).toContain('should NOT have additional property `future`');
    }
    expect([project().env, twin.outside]).toEqual([[], []]);
  });

  story('is kept by a lenient twin where it stands, and is not told twice', async () => {
    await start(undefined, { lenient: true });
    for (const any of [1, { deep: [true] }])
      await send(twin, 'PATCH', '/v9/projects/web', { futureSetting: any, buildCommand: 'make' });
    expect(await read('/v9/projects/web')).toMatchObject({
      futureSetting: { deep: [true] },
      buildCommand: 'make',
    });
    expect(twin.outside).toEqual([
      {
        method: 'PATCH',
        path: '/v9/projects/{idOrName}',
        operationId: 'updateProject',
        member: 'futureSetting',
        was: 'unknown member',
        count: 2,
      },
    ]);
  });

  it('never gets at what the twin itself keeps', async () => {
    const seed = {
      projects: [{ name: 'web', env: [{ key: 'A', value: '1' }] }],
      domains: [{ name: 'example.com' }],
    };
    await start(seed, { lenient: true });
    const before = structuredClone(twin.account);
    const hostile = {
      ...{ id: 'x', accountId: 'x', env: [], domains: 1, records: 1, ownerId: 'x' },
      ...JSON.parse('{ "__proto__": { "live": true } }'),
    };
    expect((await send(twin, 'PATCH', '/v9/projects/web', hostile)).status).toBe(200);
    expect((await send(twin, 'PATCH', '/v3/domains/example.com', { ...hostile, renew: false })).status).toBe(
      200,
    );
    const { updatedAt: _, ...kept } = before.projects[0]!;
    expect(project()).toMatchObject(kept);
    expect(twin.account.domains).toEqual(before.domains);
  });

  it('is no excuse for what is wrong', async () => {
    await start(undefined, { lenient: true });
    for (const body of [
      { name: null },
      { future: 1 },
      { name: 'x', framework: 'no-such-one', future: 1 },
      { name: 7, framework: null },
    ])
      expect(refusal(await send(twin, 'POST', '/v11/projects', body)), JSON.stringify(body)).toEqual([
        400,
        'bad_request',
      ]);
    expect(twin.outside).toEqual([]);
  });

  story('keeps API keys and what they may spend, and purges caches that are empty', async () => {
    await start();
    const made = { purpose: 'ai-gateway', name: 'ci', aiGatewayQuota: { limitAmount: 10 } };
    const { apiKeyString, apiKey } = (await send(twin, 'POST', '/v1/api-keys', made)).body;
    await send(twin, 'POST', '/v1/api-keys', { purpose: 'other', projectId: project().id });
    expect(apiKeyString).toMatch(new RegExp(`${apiKey.partialKey}$`));
    const list = async (query: string) => (await read(`/v1/api-keys?${query}`)).apiKeys;
    expect(await list('purpose=ai-gateway&search=c')).toEqual([apiKey]);
    expect(await list('purpose=ai-gateway&search=x')).toEqual([]);
    const quota = { limitAmount: 25, active: true, archived: false };
    const changed = (await send(twin, 'PATCH', `/v1/api-keys/${apiKey.id}/quota`, quota)).body.quota;
    expect(changed).toMatchObject({ limitAmount: 25, refreshPeriod: 'none' });
    expect((await read(`/v1/api-keys/${apiKey.id}`)).apiKey).toMatchObject({ name: 'ci', quota: changed });
    expect((await send(twin, 'DELETE', `/v1/api-keys/${apiKey.id}`)).status).toBe(204);
    expect(await list('purpose=ai-gateway')).toEqual([]);
    expect(JSON.stringify(twin.account)).not.toContain(apiKeyString);
    const purge = (name: string) => send(twin, 'POST', `/v1/edge-cache/purge-all?projectIdOrName=${name}`);
    expect([(await purge('web')).status, (await purge('no')).status]).toEqual([200, 404]);
  });

  story(
    'reports no costs, logs and alerts, because a twin has no visitors, and finds the project of a domain',
    async () => {
      await start({ projects: [{ name: 'web', domains: [{ name: 'www.example.com' }] }] });
      const views = { byProduct: { groupBy: ['product'] } };
      const costs = await send(twin, 'POST', '/v2/billing/costs', { from: 'a', to: 'b', views });
      expect(costs.body.results.views).toEqual({ byProduct: { groupBy: ['product'], results: [] } });
      const events = await send(twin, 'POST', '/v1/observability/events', { event: 'request', limit: 1 });
      expect(events.body).toEqual({ events: [], pagination: { hasMore: false, nextCursor: null } });
      expect(await read('/api/logs/request-logs?projectId=web')).toEqual({ rows: [], hasMoreRows: false });
      expect(await read('/alerts/v3/groups')).toEqual([]);
      expect(await read('/project-domains/www.example.com')).toMatchObject({ projectId: project().id });
      expect((await send(twin, 'GET', '/project-domains/other.example.com')).status).toBe(404);
      expect(await read('/v6/domains/www.example.com/config')).toMatchObject({ nameservers: [] });
    },
  );

  it('lists operations that nobody knows, without what is in the query', async () => {
    await start();
    for (const [method, path] of [
      ['POST', '/v1/teams/acme/members/batch'],
      ['GET', '/v1/budgets?token=canary'],
    ] as const)
      expect(refusal(await send(twin, method, path, method === 'GET' ? undefined : {}))).toEqual([
        404,
        'not_found',
      ]);
    expect(await outside()).toEqual([
      '/v1/teams/acme/members/batch unknown operation',
      '/v1/budgets unknown operation',
    ]);
    expect(JSON.stringify(twin.outside)).not.toContain('canary');
  });
});
