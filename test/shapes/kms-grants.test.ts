import { expect, it } from 'vitest';
import { actions, newWorld } from '../support/scene.ts';

const staging = '"${projects.web.customEnvironments.staging.id}"';
const yaml = (environments: string, more = '') => `
projects: { web: { customEnvironments: { staging: { ${more} } } } }
kmsIssuers: { sessions: { policies: { web: { environments: [${environments}] } } } }`;

it('a grant for a custom environment names it, and comes after it', async () => {
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
