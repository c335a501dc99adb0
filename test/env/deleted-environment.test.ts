import { expect, it } from 'vitest';
import { actions, codes, newWorld } from '../support/scene.ts';

const yaml = (environments: string, env: string) =>
  `projects: { web: { customEnvironments: { ${environments} }, env: { ${env} } } }`;
const variable = 'A: { value: a, customEnvironmentIds: [staging] }';

it.each([
  [
    'is still declared',
    yaml('staging: {}', variable),
    ['create projects/web/env/A@custom:staging', 'create projects/web/customEnvironments/staging'],
  ],
  [
    'is dropped together with it',
    yaml('', ''),
    ['forget projects/web/env/A@custom:staging', 'forget projects/web/customEnvironments/staging'],
  ],
])('a variable that was only in an environment deleted outside %s', async (_, next, expected) => {
  const world = await newWorld();
  await world.converge(yaml('staging: {}', variable));
  const [project] = world.twin.account.projects;
  // The platform keeps the row, in no place at all.
  for (const row of project!.env) row.customEnvironmentIds = [];
  project!.customEnvironments = [];
  const { plan } = await world.plan(next);
  expect([codes(plan), new Set(actions(plan))]).toEqual([[], new Set(expected)]);
  await world.converge(next);
});
