import { expect, it } from 'vitest';
import { actions, codes, newWorld } from '../support/scene.ts';

const installation = (blocks: string) => `installations: { icfg_1: { ${blocks} } }`;
const item = (name: string) =>
  installation(
    `resources: { one: { productId: p, name: one, status: ready, experimentationItems: { a: { slug: a, origin: "https://example.com", name: ${name} } } } }`,
  );

it('what the platform does not list is looked up by its name, and only what is mentioned', async () => {
  const world = await newWorld({ seed: { installations: [{ id: 'icfg_1' }, { id: 'icfg_2' }] } });
  const { plan } = await world.plan(installation('externalId: one'));
  expect(actions(plan)).toEqual(['adopt installations/icfg_1']);
  expect(plan.partialKinds).toEqual(['marketplaceInstallation']);
  expect(world.twin.requests.map(({ path }) => path.split('?')[0])).toContain(
    '/v1/integrations/configuration/icfg_1',
  );
  const { plan: missing } = await world.plan('installations: { nobody: {} }');
  expect(codes(missing)).toEqual(['create/elsewhere']);
});

it('what nothing reads is known by what was written', async () => {
  const world = await newWorld();
  const first = await world.plan(item('one'));
  expect(first.plan.changes.map(({ address, grade }) => [address.split('/').at(-1), grade])).toContainEqual([
    'a',
    'disruptive',
  ]);
  await world.apply(first);
  expect(actions((await world.plan(item('one'))).plan)).toEqual([]);
  const { plan } = await world.plan(item('two'));
  expect(plan.changes.at(-1)).toMatchObject({ action: 'update', fields: [{ path: 'name', cause: 'edit' }] });
});

it('what nothing reads goes with what it is in', async () => {
  const world = await newWorld();
  await world.apply(await world.plan(item('one')));
  world.twin.account.installations[0]!.resources = [];
  const { plan } = await world.plan(installation(''));
  expect(actions(plan).filter((one) => one.startsWith('delete'))).toEqual([]);
});

it('nobody can ask for all else to go where nothing lists it', async () => {
  const world = await newWorld();
  const yaml = installation(
    'resources: { one: { productId: p, name: one, status: ready, $exclusive: [experimentationItems] } }',
  );
  const { configuration } = await world.plan(yaml);
  expect(configuration.diagnostics.map(({ message }) => message)).toEqual([
    'unknown name `experimentationItems`',
  ]);
});
