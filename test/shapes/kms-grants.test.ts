import { expect, it } from 'vitest';
import { exported } from '../export/exported.ts';
import { actions, codes, newWorld } from '../support/scene.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

const staging = '"${projects.web.customEnvironments.staging.id}"';
const yaml = (environments: string, more = '') => `
projects: { web: { customEnvironments: { staging: { ${more} } } } }
kmsIssuers: { sessions: { policies: { web: { environments: [${environments}] } } } }`;

story('a grant for a custom environment names it, and comes after it', async () => {
  const world = await newWorld();
  expect(actions(await world.converge(yaml(`production, ${staging}`)))).toHaveLength(4);
  const [project] = world.twin.account.projects;
  const grants = () => world.twin.account.kmsIssuers[0]!.policies;
  const { id } = project!.customEnvironments[0]!;
  expect(grants()).toMatchObject([{ environments: ['production', id] }]);
  // The order means nothing, and the id stays that of the environment, whatever it is called.
  expect(actions((await world.plan(yaml(`${staging}, production`))).plan)).toEqual([]);
  await world.converge(yaml('production'));
  expect(grants()).toMatchObject([{ environments: ['production'] }]);
});

story('is exported with the environment as an expression, and planned to nothing', async () => {
  const world = await newWorld();
  await world.converge(yaml(`production, ${staging}`));
  world.ledger = { ...world.ledger, entries: {} };
  const whole = await exported(world);
  expect(whole.yaml).toContain('"${projects.web.customEnvironments.staging.id}"');
  expect(whole.yaml).not.toContain('env_');
  const part = await exported(world, ['kmsIssuers/**']);
  expect(part.yaml).toMatch(/staging:\n +\$existing: true/);
  for (const text of [whole.yaml, part.yaml]) {
    const { plan } = await world.plan(text);
    expect([plan.operations, codes(plan)]).toEqual([[], []]);
  }
});

it('an environment that is called by its name is warned of, with the expression that is meant', async () => {
  const world = await newWorld();
  const { plan } = await world.plan(yaml('production, staging'));
  const [said, ...more] = plan.diagnostics;
  expect(more).toEqual([]);
  expect(said).toMatchObject({ severity: 'warning', code: 'config/check' });
  expect(said!.message).toContain('`staging` is neither production, preview or development');
  expect(said!.hint).toContain('${projects.NAME.customEnvironments.staging.id}');
  expect(codes((await world.plan(yaml('env_123'))).plan, 'warning')).toEqual([]);
});

story('an environment that a grant names goes after the grant has let go of it', async () => {
  const world = await newWorld();
  await world.converge(yaml(`production, ${staging}`));
  const { plan } = await world.plan(`
projects: { web: { customEnvironments: {} } }
kmsIssuers: { sessions: { policies: { web: { environments: [production] } } } }`);
  const [first, second] = plan.operations;
  expect(plan.operations).toHaveLength(2);
  expect(first!.id).toContain('update kmsIssuers/sessions/policies/web');
  expect(second!.dependsOn).toContain(first!.id);
});
