import { expect, it } from 'vitest';
import { actions, codes, intercept, newWorld, refuse } from '../support/scene.ts';
import { oneRowIn } from '../support/sweep.ts';

const yaml = `
projects:
  api: { env: { A: a } }
  web: { env: { A: a }, domains: { a.example.com: {}, b.example.com: {} } }
`;
const changed = `
projects:
  api: { env: { A: b } }
  web: { env: { A: b }, domains: { a.example.com: {}, c.example.com: {} } }
`;

it('nothing is created or deleted in a collection that could not be read; the rest is planned', async () => {
  const world = await newWorld();
  await world.converge(yaml);
  const heal = refuse(world, '/domains');
  const planned = await world.plan(changed);
  expect(planned.plan.complete).toBe(false);
  expect(codes(planned.plan)).toEqual(['observe/incomplete']);
  expect(
    new Set(planned.plan.changes.filter(({ action }) => action !== 'noop').map(({ kind }) => kind)),
  ).toEqual(new Set(['projectEnvVar']));
  heal();
  // --allow-incomplete applies the rest, and the ledger still has what could not be read.
  const { outcome } = await world.apply(planned);
  expect(outcome.failed).toEqual([]);
  expect(Object.keys(world.ledger.entries)).toContain('projects/web/domains/b.example.com');
  expect(actions(await world.converge(changed))).toEqual([
    'delete projects/web/domains/b.example.com',
    'create projects/web/domains/c.example.com',
  ]);
});

it('a list that fails freezes all that is below it', async () => {
  const world = await newWorld();
  await world.converge(yaml);
  refuse(world, 'GET /v10/projects');
  const { plan } = await world.plan('projects: { web: {} }');
  expect(plan.complete).toBe(false);
  expect(plan.changes).toEqual([]);
  expect(codes(plan)).toEqual(['observe/incomplete']);
});

it('404 on the list of what is in a project that is there: nothing is concluded', async () => {
  const world = await newWorld();
  await world.converge(yaml);
  refuse(world, '/env', 404);
  const { plan } = await world.plan('projects: { api: {}, web: {} }');
  expect(new Set(codes(plan))).toEqual(new Set(['observe/incomplete']));
  expect(actions(plan).filter((line) => line.includes('/env/'))).toEqual([]);
});

it('where the project itself is gone, what was in it is forgotten without asking for it', async () => {
  const world = await newWorld();
  await world.converge(yaml);
  world.twin.account.projects = world.twin.account.projects.filter(({ name }) => name === 'api');
  const since = world.twin.requests.length;
  const { plan } = await world.plan('projects: { api: { env: { A: a } } }');
  expect(new Set(plan.changes.filter(({ action }) => action !== 'noop').map(({ action }) => action))).toEqual(
    new Set(['forget']),
  );
  expect(world.twin.requests.slice(since).filter(({ status }) => status !== 200 && status !== 404)).toEqual(
    [],
  );
});

it('an $exclusive section that could not be read makes the plan incomplete, too', async () => {
  const world = await newWorld({ seed: { domains: [{ name: 'example.com' }] } });
  refuse(world, '/records');
  const { plan } = await world.plan('domains: { example.com: { $existing: true, $exclusive: [records] } }');
  expect(plan.complete).toBe(false);
  expect(codes(plan)).toEqual(['observe/incomplete']);
});

it('what refers to something that could not be read is frozen, or left out', async () => {
  const world = await newWorld();
  const staging = `projects: { web: { customEnvironments: { staging: {} }, env: { A: { value: a, customEnvironmentIds: [staging] } } } }`;
  await world.converge(staging);
  const heal = refuse(world, '/custom-environments');
  const { plan } = await world.plan(staging.replace('value: a', 'value: b'));
  expect(plan.complete).toBe(false);
  expect(actions(plan)).toEqual([]);
  heal();
  const fresh = await newWorld({ seed: { projects: [{ name: 'web' }] } });
  refuse(fresh, '/custom-environments');
  const first = await fresh.plan(staging);
  expect(actions(first.plan)).toEqual(['adopt projects/web']);
  const { outcome } = await fresh.apply(first);
  expect(outcome.failed).toEqual([]);
});

it('a container is not deleted while something in it cannot be seen', async () => {
  const world = await newWorld();
  await world.converge('projects: { web: { env: { A: a } }, api: {} }');
  refuse(world, '/env');
  const { plan } = await world.plan('projects: { api: {} }\nremoved: [{ at: projects/web, delete: true }]');
  expect(plan.complete).toBe(false);
  expect(actions(plan)).toEqual([]);
});

oneRowIn(5)([
  ['no object', 7],
  ['nothing', null],
  ['an object in place of the list', { projects: { a: 1 } }],
  ['items that are no objects', { projects: [1, null] }],
  ['items without an id', { projects: [{ name: 'web' }] }],
])('an answer that is not understood (%s) freezes, and never crashes', async (_, answer) => {
  const world = await newWorld();
  await world.converge('projects: { web: { framework: nextjs } }');
  const list = Array.isArray(answer)
    ? answer
    : ((answer as { projects?: unknown } | null)?.projects ?? answer);
  intercept(world, async (request, send) => (request.endpoint.startsWith('GET') ? list : send(request)));
  const { plan } = await world.plan('projects: { web: { framework: nextjs, env: { A: a } } }');
  expect(plan.complete).toBe(false);
  expect(plan.changes).toEqual([]);
});
