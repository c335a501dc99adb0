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
