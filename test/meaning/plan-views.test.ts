import { expect, it } from 'vitest';
import { viewsOfPlan } from '../../src/meaning/view.ts';
import { newWorld } from '../support/scene.ts';
import { kinds } from '../support/world.ts';

it('a project that another stack creates in the same run is only in the view after the plan', async () => {
  const world = await newWorld();
  const options = { awaitedStacks: new Map([['projects/web', 'shop']]) };
  const { configuration, live, plan } = await world.plan('projects: { web: { $existing: true } }', options);
  expect(plan.changes.map(({ action, address }) => [action, address])).toEqual([['noop', 'projects/web']]);
  const { desired } = configuration;
  const { before, after } = viewsOfPlan(live, plan.changes, { desired, kinds });
  expect(before.ofKind('project')).toEqual([]);
  expect(after.ofKind('project').map(({ address }) => address)).toEqual(['projects/web']);
});
