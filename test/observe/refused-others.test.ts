import { expect, it } from 'vitest';
import { actions, newWorld, refuse } from '../support/scene.ts';

it('variables that may be of the team are not adopted while the list of those cannot be read', async () => {
  const world = await newWorld({
    switches: { sharedEnvInProjectList: true },
    seed: {
      projects: [{ name: 'web', env: [{ key: 'OWN', value: '1', target: ['production'] }] }],
      sharedEnv: [{ key: 'TEAM', value: '1', target: ['production'], projects: ['web'] }],
    },
  });
  const variable = (name: string, value = '1') => `${name}: { value: "${value}", target: [production] }`;
  const yaml = (...variables: string[]) => `projects: { web: { env: { ${variables.join(', ')} } } }`;
  await world.apply(await world.plan(yaml(variable('OWN'))));
  const restore = refuse(world, '/v1/env', 403);
  const { plan } = await world.plan(yaml(variable('OWN', '2'), variable('TEAM')));
  // What is recorded stays ours.
  expect([actions(plan), plan.complete]).toEqual([['update projects/web/env/OWN@production'], false]);
  restore();
  const { plan: readable } = await world.plan(yaml(variable('OWN'), variable('NEW')));
  expect([actions(readable), readable.complete]).toEqual([['create projects/web/env/NEW@production'], true]);
});
