import { expect, it } from 'vitest';
import { actions, changeAt, newWorld } from '../support/scene.ts';

const yaml = (settings: string) => `projects: { web: { registryRepositories: { api: { ${settings} } } } }`;
const at = 'projects/web/registryRepositories/api';

it('a repository is made public in place, which is disruptive, and private again', async () => {
  const world = await newWorld();
  await world.converge(yaml(''));
  const { id } = world.twin.account.projects[0]!.registryRepositories[0]!;
  const opened = await world.converge(yaml('public: true'));
  expect(changeAt(opened, at)).toMatchObject({ action: 'update', grade: 'disruptive' });
  expect(world.twin.account.projects[0]!.registryRepositories).toMatchObject([{ id, public: true }]);
  const closed = await world.converge(yaml('public: false'));
  expect([actions(closed), changeAt(closed, at)!.grade]).toEqual([[`update ${at}`], 'safe']);
});

it('a public one is created in two requests, and drift to public is seen', async () => {
  const world = await newWorld();
  const plan = await world.converge(yaml('public: true'));
  expect(changeAt(plan, at)).toMatchObject({ action: 'create', grade: 'disruptive' });
  expect(world.writes().filter((one) => one.includes('vcr'))).toHaveLength(2);
  await world.converge(yaml('public: false'));
  world.twin.account.projects[0]!.registryRepositories[0]!.public = true;
  expect(actions((await world.plan(yaml('public: false'))).plan)).toEqual([`update ${at}`]);
});
