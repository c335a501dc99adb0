import { afterEach, expect } from 'vitest';
import { actions, codes } from '../support/scene.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';
import { World } from '../support/world.ts';

const story = oneStoryIn(4);

// A project's list may have the shared variables that are linked to it. They are no variables of the project.

let world: World;
afterEach(() => world.stop());

async function start(isListed: boolean) {
  world = await World.start({
    seed: {
      team: { slug: 'acme' },
      projects: [{ name: 'web', env: [{ key: 'OWN', value: 'mine' }] }],
      sharedEnv: [{ key: 'SHARED', value: 'ours', id: 'env_shared', projects: ['web'] }],
    },
    switches: { sharedEnvInProjectList: isListed },
  });
}
const exclusive = 'projects: { web: { $exclusive: [env], env: { A: one } } }';
const sharedKeys = () => world.twin.account.sharedEnv.map(({ key }) => key);
const ownKeys = () => world.twin.account.projects[0]!.env.map(({ key }) => key);
const reads = () => world.twin.requests.filter(({ path }) => path.startsWith('/v1/env')).length;

oneRowIn(2)([true, false])(
  'an exclusive project keeps what is shared with it (listed: %s)',
  async (isListed) => {
    await start(isListed);
    const planned = await world.plan(exclusive);
    expect(actions(planned.plan).filter((one) => one.startsWith('delete'))).toEqual([
      'delete projects/web/env/OWN@development',
      'delete projects/web/env/OWN@preview',
      'delete projects/web/env/OWN@production',
    ]);
    await world.converge(exclusive);
    expect([sharedKeys(), ownKeys()]).toEqual([['SHARED'], ['A']]);
  },
);

story('a variable of the project is made beside a shared one of its name', async () => {
  await start(true);
  const beside = 'projects: { web: { env: { SHARED: other } } }';
  expect(actions((await world.plan(beside)).plan)).toContain('create projects/web/env/SHARED@production');
  await world.converge(beside);
  expect([sharedKeys(), ownKeys()]).toEqual([['SHARED'], ['OWN', 'SHARED']]);
});

story('a shared variable is declared where it belongs, and its project can be exclusive', async () => {
  await start(true);
  const both = `${exclusive}\nsharedEnv: { SHARED: { value: ours, projectId: [web] } }`;
  await world.converge(both);
  const { plan } = await world.plan(both);
  expect([actions(plan), codes(plan)]).toEqual([[], []]);
});

story('the shared ones are read only where a row might be mistaken for one', async () => {
  await start(true);
  await world.converge('projects: { web: { env: { A: one } } }');
  world.twin.clearRequests();
  await world.plan('projects: { web: { env: { A: one } } }');
  expect(reads()).toBe(0);
});
