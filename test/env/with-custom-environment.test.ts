import { expect, it } from 'vitest';
import { newWorld } from '../support/scene.ts';

it('a row that somebody let serve a custom environment of ours lets go of it only once we have let go of the row', async () => {
  const world = await newWorld();
  const yaml = 'projects: { a: { customEnvironments: { qa: {} }, env: { O: x } } }';
  await world.converge(yaml);
  const [project] = world.twin.account.projects;
  project!.env[0]!.customEnvironmentIds = [project!.customEnvironments[0]!.id];
  const { outcome } = await world.apply(await world.plan(yaml, { destroy: true }));
  expect(outcome.failed).toEqual([]);
  expect(project!.customEnvironments).toEqual([]);
  expect(project!.env.flatMap(({ target }) => target)).toEqual([]);
  expect((await world.plan(yaml, { destroy: true })).plan.operations).toEqual([]);
});
