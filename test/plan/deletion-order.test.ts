import { expect } from 'vitest';
import { codes, newWorld } from '../support/scene.ts';
import { oneStoryIn } from '../support/sweep.ts';
import type { World } from '../support/world.ts';

const story = oneStoryIn(5);

/** Plans the deletion of everything, and returns the operations in their order, which an apply then proves. */
async function destroy(world: World, containersToDelete: string[]): Promise<string[]> {
  const options = { destroy: true, containersToDelete, maxDeletions: 100 };
  const { plan } = await world.plan('', options);
  expect(codes(plan)).toEqual([]);
  await world.converge('', options);
  return plan.operations.map(({ id }) => id);
}

const network = 'networks: { backend: { region: iad1, cidr: 10.0.0.0/16 } }';
const inNetwork = `
    connectConfigurations:
      networks:
        - { envId: production, connectConfigurationId: "\${networks.backend.id}", passive: false, buildsEnabled: true }`;

story('a network is deleted after a project whose connection to it this stack does not own', async () => {
  const world = await newWorld();
  await world.converge(`${network}\nprojects:\n  web:${inNetwork}`);
  delete world.ledger.entries['projects/web/connectConfigurations'];
  expect(await destroy(world, ['networks/backend', 'projects/web'])).toEqual([
    'delete projects/web',
    'delete networks/backend',
  ]);
});

story('a network is deleted after the connection of a project that stays', async () => {
  const world = await newWorld();
  await world.converge(`${network}\nprojects:\n  web:${inNetwork}`);
  const options = { containersToDelete: ['networks/backend'] };
  const { operations } = await world.converge('projects: { web: {} }', options);
  expect(operations.map(({ id }) => id)).toEqual([
    'delete projects/web/connectConfigurations',
    'delete networks/backend',
  ]);
});

story('a domain is deleted after a project with an unmanaged domain below it', async () => {
  const world = await newWorld({ switches: { domainDeleteCascades: false } });
  await world.converge(
    'domains: { example.com: {} }\nprojects: { web: { domains: { www.example.com: {} } } }',
  );
  delete world.ledger.entries['projects/web/domains/www.example.com'];
  expect(await destroy(world, ['domains/example.com', 'projects/web'])).toEqual([
    'delete projects/web',
    'delete domains/example.com',
  ]);
});

story('two objects that refer to each other are deleted, in either order', async () => {
  const world = await newWorld();
  await world.converge(`
projects:
  web: { env: { STORE: { value: "\${blobStores.uploads.id}", type: plain } } }
blobStores:
  uploads: { region: fra1, connections: { web: {} } }
`);
  expect(await destroy(world, ['projects/web', 'blobStores/uploads'])).toHaveLength(2);
});

story(
  'of two objects that refer to each other, the one that the platform does not delete while it is used comes last',
  async () => {
    const world = await newWorld({ switches: { domainDeleteCascades: false } });
    await world.converge(`
projects:
  api: { domains: { www.example.com: {} } }
domains:
  example.com:
    records: [{ name: api, type: TXT, value: "\${projects.api.id}" }]
`);
    expect(await destroy(world, ['domains/example.com', 'projects/api'])).toEqual([
      'delete projects/api',
      'delete domains/example.com',
    ]);
  },
);
