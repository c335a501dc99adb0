import { expect, it } from 'vitest';
import { countNotCompared, groupNotCompared } from '../../src/model/not-compared.ts';
import type { Plan } from '../../src/model/plan.ts';
import { planJson } from '../../src/report/plan-json.ts';
import { newWorld, refuse } from '../support/scene.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(3);

const sites = (names: string[], more = '') =>
  `projects:\n${names.map((name) => `  ${name}: { env: { A: a }, domains: { ${name}.example.com: {} } ${more} }\n`).join('')}`;

const groupsOf = ({ notCompared = [] }: Plan) =>
  notCompared.map(({ cause, items }) => [cause, ...items.map(({ address }) => address)]);

story('names every object of every collection that could not be read, once for each cause', async () => {
  const world = await newWorld();
  await world.converge(sites(['api', 'docs', 'web']));
  refuse(world, '/domains', 403);
  const { plan } = await world.plan(sites(['api', 'docs', 'web']).replaceAll('.example.com', '.example.org'));
  const domains = ['api', 'docs', 'web'].flatMap((name) =>
    ['com', 'org'].map((end) => `projects/${name}/domains/${name}.example.${end}`),
  );
  expect(groupsOf(plan)).toEqual([['unread', ...domains]]);
  expect(countNotCompared(plan.notCompared)).toEqual({ objects: 6, secrets: 0 });
  expect(plan.notCompared![0]!.items.filter(({ undeclared }) => undeclared)).toHaveLength(3);
  expect(plan.diagnostics.map(({ address }) => address).sort()).toEqual([
    'projects/api/domains',
    'projects/docs/domains',
    'projects/web/domains',
  ]);
  expect(planJson(plan).summary).toMatchObject({ notCompared: 6, secretsNotCompared: 0 });
});

it('counts what lies in or depends on something unread', async () => {
  const world = await newWorld();
  const staging = `projects: { web: { customEnvironments: { staging: {} }, env: { A: { value: a, customEnvironmentIds: [staging] } } } }`;
  refuse(world, '/custom-environments');
  world.twin.account.projects.push(
    ...(await newWorld({ seed: { projects: [{ name: 'web' }] } })).twin.account.projects,
  );
  const { plan } = await world.plan(staging);
  expect(groupsOf(plan)).toEqual([
    ['unread', 'projects/web/customEnvironments/staging'],
    ['dependency', 'projects/web/env/A@custom:staging'],
  ]);
  const below = await newWorld();
  refuse(below, 'GET /v10/projects');
  expect(groupsOf((await below.plan(sites(['web']))).plan)[0]).toEqual([
    'unread',
    'projects/web',
    'projects/web/domains/web.example.com',
    'projects/web/env/A@development',
    'projects/web/env/A@preview',
    'projects/web/env/A@production',
  ]);
});

story('every declared object is planned, or named as not compared', async () => {
  const yaml = sites(['api', 'web'], ', framework: vite, firewall: { firewallEnabled: true }');
  for (const path of ['/domains', '/env', '/firewall', 'GET /v10/projects', 'GET /v9/projects']) {
    const world = await newWorld();
    await world.converge(yaml);
    refuse(world, path, 403);
    const { plan, input } = await world.plan(yaml.replaceAll('vite', 'astro'));
    const named = new Set([
      ...plan.changes.map(({ address }) => address),
      ...(plan.notCompared ?? []).flatMap(({ items }) => items.map(({ address }) => address)),
    ]);
    expect(
      [...input.desired.resources.keys()].filter((address) => !named.has(address)),
      path,
    ).toEqual([]);
    expect(plan.complete, path).toBe(plan.notCompared === undefined);
  }
});

it('groups 10,000 objects by cause, in the order of their addresses', () => {
  const findings = Array.from({ length: 10_000 }, (_, index) => ({
    cause: index % 2 === 0 ? ('unread' as const) : ('dependency' as const),
    ...(index % 2 === 0 ? { why: 'answered 403' } : {}),
    address: `projects/p${9_999 - index}`,
    kind: 'project',
  }));
  const groups = groupNotCompared(findings);
  expect(groups.map(({ cause, items }) => [cause, items.length])).toEqual([
    ['unread', 5_000],
    ['dependency', 5_000],
  ]);
  expect(groups[0]!.items[0]!.address).toBe('projects/p1');
});

it('counts an item once in each group, so that the numbers of the groups add up', () => {
  const groups = groupNotCompared(
    (['before-apply', 'unreadable'] as const).map((cause, index) => ({
      cause,
      address: `projects/web/env/URL@${['preview', 'production'][index]}`,
      kind: 'projectEnvVar',
      path: 'value',
    })),
  );
  expect(countNotCompared(groups)).toEqual({ objects: 0, secrets: 2 });
});
