import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { type Seed, SeedError, startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { ownDomains, send } from './client.ts';

let twin: Twin | undefined;
afterEach(() => twin?.close());

it('starts with a user and the team acme', async () => {
  twin = await startTwin();
  expect(twin.account.user).toMatchObject({ username: 'ada', email: 'ada@example.com' });
  expect(twin.account.teams).toMatchObject([{ slug: 'acme', name: 'acme' }]);
});

it('takes what it saved, and refuses what only looks like it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trueup-seed-'));
  const statePath = join(folder, 'account.json');
  twin = await startTwin({
    seed: { projects: [{ name: 'web', env: [{ key: 'A', value: '1' }] }] },
    statePath,
  });
  await send(twin, 'PATCH', '/v9/projects/web', { framework: 'nextjs' });
  const before = structuredClone(twin.account);
  await twin.close();
  const seed = JSON.parse(readFileSync(statePath, 'utf8'));
  rmSync(folder, { recursive: true });
  twin = await startTwin({ seed });
  expect(twin.account).toEqual(before);
  await send(twin, 'DELETE', '/v9/projects/web');
  expect(seed.projects).toHaveLength(1);
  for (const broken of [
    { ...seed, teams: 1 },
    { made: 1, lastTime: 1 },
  ])
    await expect(startTwin({ seed: broken })).rejects.toThrow(SeedError);
});

it('fills in what a seed leaves out', async () => {
  const seed: Seed = {
    user: { username: 'eve' },
    teams: [{ slug: 'acme' }, { slug: 'other', id: 'team_other' }],
    projects: [
      {
        name: 'web',
        framework: 'nextjs',
        nodeVersion: '22.x',
        env: [
          { key: 'A', value: '1' },
          { key: 'S', value: '1', type: 'sensitive' },
          { key: 'B', value: '1', gitBranch: 'dev' },
          { key: 'C', value: '1', customEnvironments: ['staging'] },
        ],
        domains: [
          { name: 'example.com', redirect: 'www.example.com' },
          { name: 'www.example.com', customEnvironment: 'staging' },
        ],
        customEnvironments: [{ slug: 'staging', id: 'env_staging' }],
        firewall: { ips: [{ hostname: '*', ip: '192.0.2.0/24', action: 'deny' }] },
      },
      { name: 'web', owner: 'other' },
      { name: 'mine', owner: 'personal' },
    ],
    domains: [{ name: 'example.com', records: [{ type: 'A', name: '@', value: '192.0.2.1' }] }],
  };
  twin = await startTwin({ seed });
  const { teams, user, projects, domains } = twin.account;
  expect(projects.map((one) => one.accountId)).toEqual([teams[0]?.id, 'team_other', user.id]);
  const [web] = projects;
  expect(web).toMatchObject({ framework: 'nextjs', nodeVersion: '22.x' });
  expect(web?.env.map((one) => [one.key, one.type, one.target, one.customEnvironmentIds])).toEqual([
    ['A', 'encrypted', ['production', 'preview', 'development'], []],
    ['S', 'sensitive', ['production', 'preview'], []],
    ['B', 'encrypted', ['preview'], []],
    ['C', 'encrypted', [], ['env_staging']],
  ]);
  expect(ownDomains(web!)).toMatchObject([
    { name: 'example.com', redirect: 'www.example.com' },
    { name: 'www.example.com', customEnvironmentId: 'env_staging' },
  ]);
  expect(web?.firewall.active).toMatchObject({
    version: 1,
    firewallEnabled: true,
    ips: [{ action: 'deny' }],
  });
  expect(domains[0]?.records).toMatchObject([{ name: '', value: '192.0.2.1', ttl: 60 }]);
});

const problemsOf = async (seed: unknown): Promise<string[]> => {
  const failure = await startTwin({ seed: seed as Seed }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(SeedError);
  return (failure as SeedError).problems;
};

it('lists every problem of shape with its place', async () => {
  const problems = await problemsOf({
    colour: 'red',
    projects: [{ nme: 'web' }, { name: 'two', env: [{ key: 'A' }] }],
    domains: [{ name: 'example.com', records: [{ type: 'PTR', value: 'x' }] }],
  });
  expect(problems).toEqual([
    expect.stringContaining('`domains[0].records[0].type` should be equal to one of the allowed values'),
    'missing required property `projects[0].name`.',
    '`projects[0]` should NOT have additional property `nme`.',
    'missing required property `projects[1].env[0].value`.',
    'should NOT have additional property `colour`.',
  ]);
});

it('lists every problem of meaning with its place', async () => {
  const env = [
    { key: 'A', value: '1' },
    { key: 'A', value: '2', target: ['preview'] },
    { key: 'B', value: '1', customEnvironments: ['none'] },
  ];
  const problems = await problemsOf({
    projects: [
      { name: 'web', env, domains: [{ name: 'a.example.com', redirect: 'b.example.com' }] },
      { name: 'web' },
      { name: 'x', owner: 'nobody' },
    ],
    domains: [{ name: 'example.com', records: [{ type: 'A', name: '', value: 'x' }] }],
  });
  expect(problems).toEqual([
    expect.stringMatching(/^domains\[0\]\.records\[0\]: .*IPv4/),
    expect.stringMatching(/^projects\[0\]\.env\[1\]: A is there twice/),
    expect.stringMatching(/^projects\[0\]\.env\[2\]: There is no custom environment "none"/),
    expect.stringMatching(/^projects\[0\]\.domains\[0\]: .*not another domain/),
    'projects[1]: There are two projects "web".',
    'projects[2]: There is no team "nobody".',
  ]);
});

it('a seed that is loaded at once makes the names that the same objects make one by one', async () => {
  const domains = ['a.example.com', 'example.com', 'example.org'].map((name) => ({ name }));
  const projects = [
    { name: 'a.b', domains: [{ name: 'www.a.example.com' }, { name: 'c-d.vercel.app' }] },
    { name: 'a-b', domains: [{ name: 'b.example.org' }, { name: 'x.example.net' }] },
    { name: 'c.d', domains: [{ name: 'example.com' }] },
  ];
  const hosts = ({ account }: Twin) =>
    account.projects.map((project) => project.domains.map(({ name, apexName }) => [name, apexName]));
  const whole = await startTwin({ seed: { domains, projects } });
  const single = await startTwin({});
  for (const domain of domains) single.add({ domains: [domain] });
  for (const project of projects) single.add({ projects: [project] });
  expect(hosts(whole)).toEqual(hosts(single));
  expect(hosts(whole)[1]).toContainEqual(['a-b-acme.vercel.app', 'vercel.app']);
  expect(() => whole.add({ projects: [{ name: 'a.b' }] })).toThrow('There are two projects');
  expect(() => whole.add({ domains: [{ name: 'example.org' }] })).toThrow('There are two domains');
  await Promise.all([whole.close(), single.close()]);
});
