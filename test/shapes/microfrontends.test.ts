import { beforeEach, expect } from 'vitest';
import type { Project } from '../../providers/hosting/twin/index.ts';
import { codes, newWorld } from '../support/scene.ts';
import { oneStoryIn } from '../support/sweep.ts';
import type { World } from '../support/world.ts';

const story = oneStoryIn(3);

const yaml = (projects: string) =>
  `projects: { web: {}, docs: {}, blog: {} }\nmicrofrontends: { shop: { defaultApp: web, projects: { ${projects} } } }`;
const all = 'web: { isDefaultApp: true }, docs: {}';

let world: World;
beforeEach(async () => {
  world = await newWorld();
  await world.converge(yaml(all));
});

story(
  'a group keeps its default application while another project is in it, also one of somebody else',
  async () => {
    const without = await world.plan(yaml('docs: {}'));
    expect(codes(without.plan)).toEqual(['microfrontends/default-app']);
    expect(without.plan.diagnostics[0]!.message).toContain(
      'while microfrontends/shop/projects/docs is in it',
    );
    const excluded = await world.plan(yaml(''), { excludes: ['microfrontends/shop/projects/docs'] });
    expect(codes(excluded.plan)).toEqual(['microfrontends/default-app']);
    const [web, , blog] = world.twin.account.projects as [Project, Project, Project];
    blog.microfrontends = { ...web.microfrontends!, isDefaultApp: false };
    expect(codes((await world.plan(yaml(''))).plan)).toEqual(['microfrontends/default-app']);
  },
);

story('it leaves together with the others, or after another one took its place', async () => {
  await world.converge(yaml(''));
  await world.converge(yaml(all));
  await world.converge(yaml('web: { isDefaultApp: false }, docs: { isDefaultApp: true }'));
  await world.converge(yaml('docs: { isDefaultApp: true }'));
});
