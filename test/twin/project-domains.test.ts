import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { oneRowIn } from '../support/sweep.ts';
import { ownDomains, refusal, send } from './client.ts';

let twin: Twin;
beforeEach(async () => {
  const link = { type: 'github', productionBranch: 'main' };
  const projects = [
    {
      name: 'web',
      link,
      customEnvironments: [{ slug: 'staging' }],
      domains: [{ name: 'example.com', redirect: 'www.example.com' }, { name: 'www.example.com' }],
    },
    { name: 'docs' },
  ];
  twin = await startTwin({ seed: { teams: [{ slug: 'acme' }, { slug: 'other' }], projects } });
});
afterEach(() => twin.close());

const post = (body: unknown, project = 'web') => send(twin, 'POST', `/v10/projects/${project}/domains`, body);
const names = (project = 0) => ownDomains(twin.account.projects[project]!).map((one) => one.name);

it('adds, reads and lists', async () => {
  const added = await post({ name: 'API.example.com', gitBranch: 'dev' });
  expect(added.body).toMatchObject({
    name: 'api.example.com',
    apexName: 'example.com',
    projectId: twin.account.projects[0]!.id,
    gitBranch: 'dev',
    redirect: null,
    verified: true,
  });
  expect((await send(twin, 'GET', '/v9/projects/web/domains/api.example.com')).body).toEqual(added.body);
  const list = async (query: string) =>
    ownDomains((await send(twin, 'GET', `/v9/projects/web/domains${query}`)).body).map(
      (one: { name: string }) => one.name,
    );
  expect(await list('')).toEqual(['api.example.com', 'www.example.com', 'example.com']);
  expect(await list('?order=ASC')).toEqual(['example.com', 'www.example.com', 'api.example.com']);
  expect(await list('?redirects=false')).toEqual(['api.example.com', 'www.example.com']);
  expect(await list('?gitBranch=dev')).toEqual(['api.example.com']);
});

oneRowIn(5)([
  [{ name: 'a.example.com', redirect: 'elsewhere.com' }, 'not another domain of this project'],
  [{ name: 'a.example.com', redirect: 'a.example.com' }, 'not another domain of this project'],
  [{ name: 'a.example.com', redirectStatusCode: 308 }, 'needs `redirect`'],
  [{ name: 'a.example.com', redirect: 'www.example.com', redirectStatusCode: 303 }, '`redirectStatusCode`'],
  [{ name: 'a.example.com', gitBranch: 'main' }, 'production branch'],
  [{ name: 'a.example.com', customEnvironmentId: 'env_none' }, 'does not exist'],
  [{ name: 'bücher.example' }, 'not a fully qualified domain name'],
  [{ name: 'example' }, 'not a fully qualified domain name'],
])('refuses %j', async (body, message) => {
  const refused = await post(body);
  expect(refused.status).toBe(400);
  expect(refused.body.error.message).toContain(message);
});

it('refuses a name that a project has', async () => {
  expect(refusal(await post({ name: 'www.example.com' }))).toEqual([409, 'domain_already_in_use_by_project']);
  const other = await post({ name: 'www.example.com' }, 'docs');
  expect(other.body.error).toMatchObject({ projectId: twin.account.projects[0]!.id });
});

it('changes and clears a redirect', async () => {
  const path = '/v9/projects/web/domains/example.com';
  expect((await send(twin, 'GET', path)).body.redirectStatusCode).toBeNull();
  expect((await send(twin, 'PATCH', path, { redirectStatusCode: 308 })).body.redirectStatusCode).toBe(308);
  expect((await send(twin, 'PATCH', path, { redirect: null })).body).toMatchObject({
    redirect: null,
    redirectStatusCode: null,
  });
  expect((await send(twin, 'PATCH', path, { redirect: 'nowhere.com' })).status).toBe(400);
  expect((await send(twin, 'PATCH', path, { customEnvironmentId: 'x' })).status).toBe(400);
});

it('keeps the target of a redirect, unless told otherwise', async () => {
  const path = '/v9/projects/web/domains/www.example.com';
  expect((await send(twin, 'DELETE', path)).status).toBe(409);
  expect((await send(twin, 'DELETE', path, { removeRedirects: true })).body).toEqual({});
  expect(names()).toEqual([]);
});

it('moves a domain with the redirects to it', async () => {
  const projectId = twin.account.projects[1]!.id;
  const moved = await send(twin, 'POST', '/v1/projects/web/domains/www.example.com/move', { projectId });
  expect(moved.body).toMatchObject({ name: 'www.example.com', projectId });
  expect([names(0), names(1)]).toEqual([[], ['www.example.com', 'example.com']]);
});

it('wants a proof for a name under the domain of somebody else', async () => {
  twin.add({ domains: [{ name: 'foreign.com', owner: 'other' }] });
  const added = await post({ name: 'www.foreign.com' });
  expect(added.body).toMatchObject({ verified: false, verification: [{ domain: '_vercel.foreign.com' }] });
  const verify = () => send(twin, 'POST', '/v9/projects/web/domains/www.foreign.com/verify');
  expect(refusal(await verify())).toEqual([400, 'missing_txt_record']);
  const { value } = added.body.verification[0];
  const record = { type: 'TXT', name: '_vercel', value };
  await send(twin, 'POST', '/v2/domains/foreign.com/records?slug=other', record);
  expect((await verify()).body).toMatchObject({ verified: true });
});

it('stays verified once a verification that took its time is over', async () => {
  await twin.close();
  let time = Date.UTC(2030, 0, 1);
  const switches = { projectDomainVerified: false };
  const seed = { projects: [{ name: 'web' }], verifications: { seconds: 20 } };
  twin = await startTwin({ seed, switches, now: () => time });
  await post({ name: 'a.example.com' });
  const verify = async () =>
    (await send(twin, 'POST', '/v9/projects/web/domains/a.example.com/verify')).body.verified;
  expect(await verify()).toBe(false);
  time += 20_000;
  expect(await verify()).toBe(true);
  expect(await verify()).toBe(true);
});

it('starts unverified, if so switched', async () => {
  await twin.close();
  const switches = { projectDomainVerified: false, redirectDefaultStatus: 307 } as const;
  twin = await startTwin({ seed: { projects: [{ name: 'web' }] }, switches });
  expect((await post({ name: 'a.example.com' })).body.verified).toBe(false);
  expect((await send(twin, 'POST', '/v9/projects/web/domains/a.example.com/verify')).body.verified).toBe(
    true,
  );
  expect((await post({ name: 'b.example.com', redirect: 'a.example.com' })).body.redirectStatusCode).toBe(
    307,
  );
});
