import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { refusal, send } from './client.ts';

/*
 * Stories of the platform's Terraform provider: the requests of one resource from its creation to its removal, as the provider's client writes
 * them, and the members of the answers that it compares with its configuration.
 */

let now = Date.parse('2027-01-01');
let twin: Twin;
beforeAll(async () => {
  twin = await startTwin({
    now: () => now,
    seed: {
      team: { id: 'team_acme', slug: 'acme' },
      projects: [
        { id: 'prj_web', name: 'web', customEnvironments: [{ slug: 'staging' }] },
        { id: 'prj_api', name: 'api' },
      ],
      networks: [{ id: 'ccfg_one', name: 'network 1', cidr: '10.0.0.0/16', region: 'sfo1' }],
    },
  });
});
afterAll(() => twin.close());

const body = async (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, sent?: object) => {
  const answer = await send(twin, method, path, sent);
  expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
};

it('rotates the signing key of an issuer', async () => {
  const issuer = await body('POST', '/v1/kms/issuers', { name: 'sessions' });
  const path = `/v1/kms/issuers/${issuer.id}`;
  const rotated = await body('POST', `${path}/keys/rotate`, {});
  expect(rotated).toMatchObject({ issuerId: issuer.id, status: 'active', publicKey: {}, algorithm: 'RS512' });
  expect(rotated.keyId).not.toBe(issuer.signingKeys[0].keyId);
  const revokeAt = new Date(now + 60_000).toISOString();
  const { keyId } = await body('POST', `${path}/keys/rotate`, { revokePreviousAt: revokeAt });
  const { signingKeys } = await body('GET', path);
  expect(signingKeys).toContainEqual(
    expect.objectContaining({ keyId: rotated.keyId, status: 'revoking', revokeAt }),
  );
  expect(signingKeys).toContainEqual(expect.objectContaining({ keyId, status: 'active' }));
  now += 60_000;
  expect((await body('GET', path)).signingKeys).toMatchObject([{}, { keyId }]);
});

it('imports the key of an issuer under its `kid`', async () => {
  const path = '/v1/kms/issuers';
  const imported = { name: 'imported', algorithm: 'ES256', importKey: 'a private key', keyId: 'mine' };
  const issuer = await body('POST', path, imported);
  expect(issuer).toMatchObject({ origin: 'external', signingKeys: [{ keyId: 'mine' }] });
  const next = { importKey: 'another private key', keyId: 'next' };
  expect(await body('POST', `${path}/${issuer.id}/keys/rotate`, next)).toMatchObject({ keyId: 'next' });
  expect(refusal(await send(twin, 'POST', path, { name: 'x', keyId: 'mine' }))[0]).toBe(400);
  expect(refusal(await send(twin, 'POST', `${path}/${issuer.id}/keys/rotate`, { keyId: 'x' }))[0]).toBe(400);
});

it('puts projects into a group of microfrontends, and takes them out', async () => {
  const groups = '/teams/team_acme/microfrontends';
  const { newMicrofrontendsGroup } = await body('PATCH', groups, { newMicrofrontendsGroupName: 'Shop' });
  const membership = {
    microfrontendsGroupId: newMicrofrontendsGroup.id,
    isDefaultApp: false,
    defaultRoute: '',
    routeObservabilityToThisProject: false,
    enabled: true,
    team_id: '',
  };
  const path = (id: string) => `/projects/${id}/microfrontends`;
  await body('PATCH', path('prj_web'), { ...membership, projectId: 'prj_web', isDefaultApp: true });
  const joined = await body('PATCH', path('prj_api'), { ...membership, projectId: 'prj_api' });
  expect(joined.microfrontends).toMatchObject({ enabled: true, isDefaultApp: false, defaultRoute: '' });
  expect(joined.microfrontends).not.toHaveProperty('team_id');
  expect((await body('GET', '/v1/microfrontends/groups')).groups).toMatchObject([{ projects: [{}, {}] }]);
  for (const projectId of ['prj_api', 'prj_web'])
    await body('PATCH', path(projectId), { projectId, enabled: false });
  expect((await body('GET', '/v1/microfrontends/groups')).groups).toMatchObject([{ projects: [] }]);
  await body('DELETE', `${groups}/${newMicrofrontendsGroup.id}`);
});

it('exempts an alias from protection, and shares it by a link', async () => {
  const files = [{ file: 'index.html', sha: 'a'.repeat(40), size: 12 }];
  const deployment = { files, build: {}, project: 'prj_web', projectSettings: null, name: 'prj_web' };
  const { id } = await body('POST', '/v12/now/deployments', deployment);
  const { uid } = await body('POST', `/v2/deployments/${id}/aliases`, { alias: 'demo.vercel.app' });
  const exception = (action: string) => ({ override: { scope: 'alias-protection-override', action } });
  const everybody = { '*': { scope: 'alias-protection-override', createdAt: expect.any(Number) } };
  const path = '/v3/aliases/demo.vercel.app/protection-bypass';
  const { protectionBypass } = await body('PATCH', path, exception('create'));
  expect(protectionBypass).toMatchObject(everybody);
  expect((await body('GET', '/v4/aliases/demo.vercel.app')).protectionBypass).toEqual(protectionBypass);
  const shared = (await body('PATCH', `/aliases/${uid}/protection-bypass`, { ttl: 600 })).protectionBypass;
  const [secret, link] = Object.entries<{ createdAt: number }>(shared).find(([key]) => key !== '*')!;
  expect(link).toMatchObject({
    scope: 'shareable-link',
    expires: Math.floor(link.createdAt / 1000) + 600,
  });
  const revoke = { revoke: { secret, regenerate: false } };
  expect((await body('PATCH', `/aliases/${uid}/protection-bypass`, revoke)).protectionBypass).toEqual(
    protectionBypass,
  );
  expect(await body('PATCH', path, exception('revoke'))).toEqual({ protectionBypass: {} });
});

it('reads the zone of a domain, and whether it was added with the CDN', async () => {
  const add = (members: object) =>
    body('POST', '/v7/domains', { name: 'a.example', method: 'add', ...members });
  const path = '/v5/domains/a.example';
  expect((await add({ cdnEnabled: true, zone: false })).domain).toMatchObject({
    zone: false,
    cdnEnabled: true,
  });
  await body('PATCH', '/v3/domains/a.example', { op: 'update', zone: true });
  expect((await body('GET', path)).domain).toMatchObject({ zone: true, cdnEnabled: true });
  await body('DELETE', '/v6/domains/a.example');
  expect((await add({})).domain).toMatchObject({ zone: true, cdnEnabled: false });
  const switches = { domainZoneReadable: false };
  const other = await startTwin({ switches, seed: { domains: [{ name: 'a.example' }] } });
  const { domain } = (await send(other, 'GET', path)).body;
  expect([domain.name, 'zone' in domain, 'cdnEnabled' in domain]).toEqual(['a.example', false, false]);
  await other.close();
});

it('finds a network by its name, for the environments of a project', async () => {
  const networks = await body('GET', '/v1/connect/configurations');
  expect(networks).toMatchObject([
    {
      ...{ Id: 'ccfg_one', ConfigurationName: 'network 1', TeamId: 'team_acme', dc: 'sfo1' },
      ...{ CidrBlock: '10.0.0.0/16', ConfigurationStatus: 'ready', projectsCount: 0 },
      AWS: { AccountId: expect.any(String), VpcId: expect.any(String) },
    },
  ]);
  const connection = { connectConfigurationId: 'ccfg_one', passive: false, buildsEnabled: true };
  const connectConfigurations = [{ envId: 'production', ...connection }];
  await body('PATCH', '/v9/projects/prj_web', { connectConfigurations });
  expect((await body('GET', '/v10/projects/prj_web')).connectConfigurations).toMatchObject(
    connectConfigurations,
  );
  expect(await body('GET', '/v1/connect/configurations')).toMatchObject([{ projectIds: ['prj_web'] }]);
  await body('PATCH', '/v9/projects/prj_web', { connectConfigurations: null });
});

it('moves a variable into a custom environment only, without targets', async () => {
  const path = '/v10/projects/prj_web/env';
  const { created } = await body('POST', path, {
    ...{ key: 'FOO', value: 'bar', target: ['production'], type: 'encrypted', comment: '' },
  });
  const [{ id }] = (await body('GET', '/v9/projects/prj_web')).customEnvironments;
  const change = { value: 'bar', target: null, customEnvironmentIds: [id], type: 'encrypted', comment: '' };
  await body('PATCH', `${path}/${created.id}`, change);
  expect(await body('GET', `${path}/${created.id}`)).toMatchObject({
    target: [],
    customEnvironmentIds: [id],
  });
});

it('takes null for the Git comments of a project, and reads what was never set as false', async () => {
  const made = await body('POST', '/v8/projects', { name: 'commented', framework: null });
  expect(made).toMatchObject({ enableAffectedProjectsDeployments: false });
  const gitComments = { onPullRequest: true, onCommit: true };
  const path = `/v9/projects/${made.id}`;
  expect(await body('PATCH', path, { gitComments })).toMatchObject({ gitComments });
  expect(await body('PATCH', path, { gitComments: null })).not.toHaveProperty('gitComments');
  expect(await body('GET', `/v10/projects/${made.id}`)).not.toHaveProperty('gitComments');
  await body('DELETE', `/v8/projects/${made.id}`);
});

it('uploads the picture of a team, and writes all settings of a team', async () => {
  const digest = 'da39a3ee5e6b4b0d3255bfef95601890afd80709';
  const headers = { 'content-type': 'application/octet-stream', 'x-vercel-digest': digest };
  const upload = await send(twin, 'POST', '/v2/now/files', Buffer.from('a picture'), headers);
  expect([upload.status, upload.body]).toEqual([200, { urls: [] }]);
  const settings = {
    ...{ name: 'Acme o_o', slug: 'acme', description: 'Testing', sensitiveEnvironmentVariablePolicy: 'off' },
    ...{ remoteCaching: { enabled: true }, enablePreviewFeedback: 'off', enableProductionFeedback: 'off' },
    ...{ avatar: digest, hideIpAddresses: true, hideIpAddressesInLogDrains: true },
  };
  const path = '/v2/teams/team_acme';
  const elastic = { resourceConfig: { elasticConcurrencyEnabled: true } };
  expect(await body('PATCH', path, { ...settings, ...elastic })).toMatchObject({ ...settings, ...elastic });
  const { resourceConfig } = await body('PATCH', path, {
    resourceConfig: { buildMachine: { default: 'basic' } },
  });
  expect(resourceConfig).toEqual({ elasticConcurrencyEnabled: true, buildMachine: { default: 'basic' } });
  expect(await body('GET', path)).toMatchObject({ ...settings, resourceConfig });
});

it('leaves skew protection off when only the stages of a rolling release change', async () => {
  const { id } = await body('POST', '/v8/projects', { name: 'rolling' });
  const path = `/v1/projects/${id}/rolling-release/config`;
  const stages = (duration: number) => ({
    ...{ enabled: true, advancementType: 'automatic' },
    stages: [{ targetPercentage: 30, duration }, { targetPercentage: 100 }],
  });
  await body('PATCH', path, stages(10));
  expect(await body('GET', `/v10/projects/${id}`)).toMatchObject({ skewProtectionMaxAge: 43_200 });
  await body('PATCH', `/v9/projects/${id}`, { skewProtectionMaxAge: 0 });
  await body('PATCH', path, stages(60));
  expect(await body('GET', `/v10/projects/${id}`)).toMatchObject({ skewProtectionMaxAge: 0 });
  await body('DELETE', path);
  expect((await body('GET', path)).rollingRelease).toBeNull();
});
