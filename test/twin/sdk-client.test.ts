import type { Vercel } from '@vercel/sdk';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { sdkOf } from '../support/sdk.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { ownDomains } from './client.ts';

const story = oneStoryIn(4);

// The SDK checks every answer against its own schemas: what passes here has the shape that the public client expects.
let twin: Twin;
let sdk: Vercel;
const slug = 'acme';
beforeEach(async () => {
  twin = await startTwin({ token: 'test' });
  sdk = sdkOf(twin.url);
});
afterEach(() => twin.close());

const projectId = async (name = 'web') => {
  await sdk.projects.createProject({ slug, requestBody: { name } });
  return twin.account.projects[0]!.id;
};

it('reads the user and the teams', async () => {
  expect((await sdk.user.getAuthUser())?.user).toMatchObject({ username: 'ada' });
  const { teams } = await sdk.teams.getTeams({});
  expect(teams).toMatchObject([{ slug }]);
  const teamId = twin.account.teams[0]!.id;
  expect(await sdk.teams.getTeam({ teamId })).toMatchObject({ id: teamId, slug });
  expect((await sdk.teams.getTeamMembers({ teamId })).members).toMatchObject([{ username: 'ada' }]);
});

story('creates, lists, changes and deletes projects', async () => {
  const gitRepository = { type: 'github', repo: 'acme/web' } as const;
  const requestBody = { name: 'web', framework: 'nextjs', gitRepository } as const;
  const created = await sdk.projects.createProject({ slug, requestBody });
  expect(created).toMatchObject({ name: 'web', framework: 'nextjs', link: { org: 'acme', repo: 'web' } });
  expect(await sdk.projects.getProjects({ slug })).toMatchObject({ projects: [{ id: created.id }] });
  const changed = await sdk.projects.updateProject({
    slug,
    idOrName: 'web',
    requestBody: {
      nodeVersion: '22.x',
      staticIps: { enabled: false },
      passwordProtection: { deploymentType: 'all', password: 'x' },
      trustedIps: {
        deploymentType: 'all',
        protectionMode: 'additional',
        addresses: [{ value: '192.0.2.1' }],
      },
    },
  });
  expect(changed).toMatchObject({ nodeVersion: '22.x', staticIps: { enabled: false } });
  expect(await sdk.projects.getProject({ slug, idOrName: created.id })).toMatchObject({ name: 'web' });
  await sdk.projects.deleteProject({ slug, idOrName: 'web' });
  expect(await sdk.projects.getProjects({ slug })).toMatchObject({ projects: [] });
});

it('creates, lists, changes and deletes environment variables', async () => {
  const idOrName = await projectId();
  const target: 'production'[] = ['production'];
  const one = await sdk.projects.createProjectEnv({
    slug,
    idOrName,
    requestBody: { key: 'A', value: '1', type: 'encrypted', target },
  });
  expect(one).toMatchObject({ created: { key: 'A' }, failed: [] });
  const many = await sdk.projects.createProjectEnv({
    slug,
    idOrName,
    requestBody: [
      { key: 'B', value: '1', type: 'plain', target },
      { key: 'S', value: '1', type: 'sensitive', target },
      { key: 'A', value: '1', type: 'encrypted', target },
    ],
  });
  expect(many).toMatchObject({
    created: [{ key: 'B' }, { key: 'S' }],
    failed: [{ error: { envVarKey: 'A' } }],
  });
  const list = await sdk.projects.filterProjectEnvs({ slug, idOrName, decrypt: 'true' });
  expect(list).toMatchObject({
    envs: [{ key: 'S' }, { key: 'B' }, { key: 'A', value: '1', decrypted: true }],
  });
  const [a, b, s] = twin.account.projects[0]!.env.map((row) => row.id);
  expect(await sdk.projects.getProjectEnv({ slug, idOrName, id: s! })).toMatchObject({ key: 'S' });
  const patch = { value: '2', comment: 'c' };
  const edited = await sdk.projects.editProjectEnv({ slug, idOrName, id: a!, requestBody: patch });
  expect(edited).toMatchObject({ comment: 'c' });
  await sdk.projects.removeProjectEnv({ slug, idOrName, id: a! });
  const removed = await sdk.projects.batchRemoveProjectEnv({
    slug,
    idOrName,
    requestBody: { ids: [b!, s!] },
  });
  expect(removed.deleted).toBe(2);
});

story('creates, lists, changes, verifies and deletes project domains', async () => {
  const idOrName = await projectId();
  const www = 'www.example.com';
  const add = (requestBody: { name: string; redirect?: string; redirectStatusCode?: 308 }) =>
    sdk.projects.addProjectDomain({ slug, idOrName, requestBody });
  expect(await add({ name: www })).toMatchObject({ name: www, apexName: 'example.com', verified: true });
  await add({ name: 'example.com', redirect: www, redirectStatusCode: 308 });
  const domains = ownDomains(await sdk.projects.getProjectDomains({ slug, idOrName }));
  expect(domains.map((one) => one.name)).toEqual(['example.com', www]);
  const domain = 'example.com';
  const requestBody = { redirectStatusCode: 307 } as const;
  const changed = await sdk.projects.updateProjectDomain({ slug, idOrName, domain, requestBody });
  expect(changed.redirectStatusCode).toBe(307);
  expect(await sdk.projects.verifyProjectDomain({ slug, idOrName, domain: www })).toMatchObject({
    verified: true,
  });
  await sdk.projects.removeProjectDomain({
    slug,
    idOrName,
    domain: www,
    requestBody: { removeRedirects: true },
  });
  expect(ownDomains(await sdk.projects.getProjectDomains({ slug, idOrName }))).toEqual([]);
});

it('creates, lists, changes and deletes custom environments', async () => {
  const idOrName = await projectId();
  const branchMatcher = { type: 'startsWith', pattern: 'release/' } as const;
  await sdk.environment.createCustomEnvironment({
    slug,
    idOrName,
    requestBody: { slug: 'staging', branchMatcher },
  });
  const list = await sdk.environment.getProjectsByIdOrNameCustomEnvironments({ slug, idOrName });
  expect(list.environments).toMatchObject([{ slug: 'staging', branchMatcher }]);
  const path = { slug, idOrName, environmentSlugOrId: 'staging' };
  await sdk.environment.updateCustomEnvironment({ ...path, requestBody: { description: 'd' } });
  expect(await sdk.environment.getCustomEnvironment(path)).toMatchObject({ description: 'd' });
  await sdk.environment.removeCustomEnvironment(path);
  expect(twin.account.projects[0]?.customEnvironments).toEqual([]);
});

it('creates, lists, changes and deletes domains', async () => {
  const domain = 'example.com';
  await sdk.domains.createOrTransferDomain({ slug, requestBody: { name: domain, method: 'add' } });
  expect((await sdk.domains.getDomains({ slug })).domains).toMatchObject([{ name: domain }]);
  expect((await sdk.domains.getDomain({ slug, domain })).domain.serviceType).toBe('zeit.world');
  await sdk.domains.patchDomain({ slug, domain, requestBody: { op: 'update', zone: false } });
  expect(await sdk.domains.getDomainConfig({ slug, domain })).toMatchObject({ misconfigured: false });
  await sdk.domains.deleteDomain({ slug, domain });
  expect(twin.account.domains).toEqual([]);
});

story('creates, lists, changes and deletes DNS records of every type', async () => {
  twin.add({ domains: [{ name: 'example.com' }] });
  const domain = 'example.com';
  const host = 'host.example.net';
  for (const requestBody of [
    { type: 'A', name: '', value: '192.0.2.1' },
    { type: 'AAAA', name: '', value: '2001:db8::1' },
    { type: 'ALIAS', name: 'alias', value: host },
    { type: 'CAA', name: '', value: '0 issue "letsencrypt.org"' },
    { type: 'CNAME', name: 'www', value: host },
    { type: 'HTTPS', name: 'h', https: { priority: 1, target: '.', params: 'alpn=h2' } },
    { type: 'MX', name: '', value: host, mxPriority: 10 },
    { type: 'NS', name: 'sub', value: host },
    { type: 'SRV', name: '_a._tcp', srv: { priority: 1, weight: 2, port: 3, target: host } },
    { type: 'TXT', name: 't', value: 'text' },
  ] as const) {
    await sdk.dns.createRecord({ slug, domain, requestBody });
  }
  const listed = await sdk.dns.getRecords({ slug, domain, limit: '100' });
  expect(listed).toMatchObject({ pagination: { count: 10, next: null } });
  const recordId = twin.account.domains[0]!.records[0]!.id;
  const requestBody = { value: '192.0.2.2' };
  expect(await sdk.dns.updateRecord({ slug, recordId, requestBody })).toMatchObject({ value: '192.0.2.2' });
  await sdk.dns.removeRecord({ slug, domain, recordId });
  expect(twin.account.domains[0]?.records).toHaveLength(9);
});

it('reads and changes the firewall', async () => {
  const id = await projectId();
  const rule = {
    name: 'block admin',
    active: true,
    conditionGroup: [{ conditions: [{ type: 'path', op: 'pre', value: '/admin' }] }],
    action: { mitigate: { action: 'deny' } },
  } as const;
  const query = { slug, projectId: id };
  const patch = (requestBody: Parameters<typeof sdk.security.updateFirewallConfig>[0]['requestBody']) =>
    sdk.security.updateFirewallConfig({ ...query, requestBody });
  await patch({ action: 'firewallEnabled', value: true });
  await patch({ action: 'rules.insert', value: structuredClone(rule) as never });
  await patch({ action: 'ip.insert', value: { hostname: '*', ip: '192.0.2.1', action: 'deny' } });
  const active = await sdk.security.getFirewallConfig({ ...query, configVersion: 'active' });
  expect(active).toMatchObject({
    version: 3,
    firewallEnabled: true,
    rules: [{ name: rule.name }],
    ips: [{}],
  });
  const put = { firewallEnabled: true, rules: [structuredClone(rule) as never] };
  const whole = await sdk.security.putFirewallConfig({ ...query, requestBody: put });
  expect(whole).toMatchObject({ active: { version: 4, ips: [] } });
});

it('meets three operations that the SDK sends without a token', async () => {
  // Their definitions name no security scheme, so the SDK leaves the authorization header out; the platform, and the
  // twin, refuse that. The firewall list's definition also has no projectId.
  await expect(sdk.security.getSecurityFirewallConfig()).rejects.toMatchObject({ statusCode: 401 });
  await expect(sdk.getDomainsRecordsByRecordId({ recordId: 'rec_x' })).rejects.toMatchObject({
    statusCode: 401,
  });
  await expect(
    sdk.security.deleteSecurityFirewallConfigByConfigVersion({ configVersion: 'draft' }),
  ).rejects.toMatchObject({ statusCode: 401 });
});

it('turns refusals into the errors that the SDK knows', async () => {
  const refused = sdk.projects.getProject({ slug, idOrName: 'none' });
  await expect(refused).rejects.toMatchObject({
    statusCode: 404,
    body: expect.stringContaining('not_found'),
  });
});
