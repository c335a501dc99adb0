import { expect, test } from 'vitest';
import { newWorld } from '../support/scene.ts';

test.each(['github', 'gitlab', 'bitbucket'])(
  'a repository at %s reads back as it was declared',
  async (type) => {
    const world = await newWorld();
    await world.converge(`projects: { web: { gitRepository: { type: ${type}, repo: acme/web } } }`);
    expect(world.twin.account.projects[0]!.link).toMatchObject({ type });
  },
);

test('the production branch is sent again with another repository, and is no branch without one', async () => {
  const world = await newWorld();
  const yaml = (repo: string) =>
    `projects: { web: { gitRepository: { type: github, repo: ${repo} }, productionBranch: next } }`;
  await world.converge(yaml('acme/web'));
  const since = world.twin.requests.length;
  await world.converge(yaml('acme/shop'));
  expect(world.writes(since).map((write) => write.split('/').at(-1))).toEqual(['link', 'branch']);
  expect(world.twin.account.projects[0]!.link).toMatchObject({ repo: 'shop', productionBranch: 'next' });
  const { plan } = await world.plan('projects: { web: { gitRepository: null, productionBranch: next } }');
  expect(plan.diagnostics.map(({ message }) => message)).toContain(
    'without a `gitRepository`, there is no production branch',
  );
});
