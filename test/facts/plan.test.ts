import { afterEach, expect, it } from 'vitest';
import { intercept } from '../support/scene.ts';
import { World } from '../support/world.ts';

/* A plan and an apply mind the facts: one case for each fact on which trueup relies, or that it checks before it sends anything. */

let world: World;
afterEach(() => world.stop());

const developer = { uid: 'user_dev', email: 'dev@example.com', role: 'DEVELOPER' as const };

it('PF2: a list whose pages cannot advance creates and deletes nothing', async () => {
  world = await World.start();
  const evs = Array.from({ length: 60 }, (_, i) => ({ key: `S${i}`, value: 'v' }));
  await world.connection.send({ endpoint: 'POST /v1/env', body: { evs, target: ['production'] } });
  const { plan } = await world.plan('sharedEnv: { S1: { value: v, target: [production] }, NEW: v }');
  expect(plan.operations).toEqual([]);
  expect(plan.diagnostics).toMatchObject([
    {
      code: 'observe/incomplete',
      severity: 'error',
      message: expect.stringContaining('no way to reach the next page'),
    },
  ]);
});

it('PF2: many shared variables are created such that their list can be read again', async () => {
  world = await World.start();
  const names = Array.from({ length: 90 }, (_, i) => `S${i}: v${i}`);
  await world.converge(`sharedEnv: { ${names.join(', ')} }`);
  expect(world.twin.account.sharedEnv).toHaveLength(90);
});

it('PF82: a list that hides rows creates and deletes nothing', async () => {
  const env = [
    { key: 'A', value: 'v', target: ['production' as const] },
    { key: 'OLD', value: 'v', target: ['preview' as const] },
  ];
  const team = { slug: 'acme', members: [developer] };
  world = await World.start({ seed: { user: { id: 'user_dev' }, team, projects: [{ name: 'web', env }] } });
  const { plan } = await world.plan('projects: { web: { $exclusive: [env], env: { A: v } } }');
  expect(plan.operations).toEqual([]);
  const [diagnostic] = plan.diagnostics;
  expect(diagnostic).toMatchObject({ code: 'observe/incomplete', severity: 'error' });
  expect(diagnostic!.message).toContain('does not see one more item (hiddenProductionEnvCount)');
});

it('PF7: each variable of a refused batch gets the reason of the platform', async () => {
  world = await World.start({ seed: { projects: [{ name: 'web' }] } });
  const planned = await world.plan('projects: { web: { env: { A: a, B: b } } }');
  const theirs = { value: 'x', type: 'encrypted', target: ['production'] };
  const honest = intercept(world, async (request, send) => {
    if (request.endpoint.startsWith('POST /v10/projects/{project}/env'))
      for (const key of ['A', 'B']) await send({ ...request, body: [{ key, ...theirs }] });
    return send(request);
  });
  const { outcome } = await world.apply(planned);
  honest();
  const reasons = outcome.failed.map(({ address, error }) => `${address}: ${(error as Error).message}`);
  expect(reasons).toHaveLength(6);
  expect(reasons[0]).toMatch(/^projects\/web\/env\/A@\w+: ENV_CONFLICT: .*`A` already exists/);
  expect(reasons[5]).toMatch(/^projects\/web\/env\/B@\w+: ENV_CONFLICT: .*`B` already exists/);
});

it('PF19: the retired `publicSource` is an error that says what to do', async () => {
  world = await World.start();
  const { diagnostics } = await world.configure('projects: { web: { publicSource: true } }');
  expect(diagnostics).toMatchObject([
    { code: 'config/unknown-key', hint: expect.stringMatching(/retired `publicSource` .*: remove this key/) },
  ]);
});

it('PF19: a ledger that still has `publicSource` changes nothing', async () => {
  world = await World.start();
  const yaml = 'projects: { web: { directoryListing: true } }';
  await world.converge(yaml);
  const entry = world.ledger.entries['projects/web']!;
  const fields = { ...entry.fields, publicSource: entry.fields!.directoryListing! };
  world.ledger = {
    ...world.ledger,
    entries: { ...world.ledger.entries, 'projects/web': { ...entry, fields } },
  };
  const { plan } = await world.plan(yaml);
  expect([plan.operations, plan.diagnostics]).toEqual([[], []]);
});
