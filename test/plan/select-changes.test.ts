import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Address } from '../../src/model/address.ts';
import type { Plan } from '../../src/model/plan.ts';
import { actions, codes, newWorld } from '../support/scene.ts';
import { oneStoryIn, runs } from '../support/sweep.ts';
import { boxOf, type Tinies, tinyPlan } from '../support/tiny.ts';

const story = oneStoryIn(4);

const item = (n: number): Address => `boxes/${n % 2 === 0 ? 'a' : 'b'}/items/i${n}`;
const boxes: Tinies = { 'boxes/a': {}, 'boxes/b': {} };
const chain: Tinies = {
  ...boxes,
  [item(0)]: {},
  [item(1)]: { uses: [item(0)] },
  [item(2)]: { uses: [item(1)] },
  [item(3)]: {},
};

describe('--target', () => {
  it('brings what is missing for it, and says so', () => {
    const plan = tinyPlan({ desired: chain, live: {} }, { targets: [item(1)] });
    expect(actions(plan)).toEqual([
      'create boxes/a',
      `create ${item(0)}`,
      'create boxes/b',
      `create ${item(1)}`,
    ]);
    expect(codes(plan, 'warning')).toEqual(['target/closure']);
    for (const address of ['boxes/a', 'boxes/b', item(0)])
      expect(plan.diagnostics[0]!.message).toContain(address);
  });

  it('leaves alone what is there, though it should change', () => {
    const live = { ...chain, [item(0)]: { colour: 'red' }, 'boxes/b': { colour: 'red' } };
    const desired = {
      ...chain,
      [item(0)]: { colour: 'blue' },
      [item(1)]: { uses: [item(0)], colour: 'blue' },
      'boxes/b': { colour: 'blue' },
    };
    const plan = tinyPlan({ desired, live, known: live }, { targets: [item(1)] });
    expect(actions(plan)).toEqual([`update ${item(1)}`]);
    expect(plan.diagnostics).toEqual([]);
  });

  it('brings what `$dependsOn` names, whatever happens to it', () => {
    const desired = {
      ...boxes,
      [item(0)]: { colour: 'blue' },
      [item(2)]: { colour: 'blue', meta: { dependsOn: [item(0)] } },
    };
    const live = { ...boxes, [item(0)]: { colour: 'red' }, [item(2)]: { colour: 'red' } };
    const plan = tinyPlan(
      { desired, live, known: { ...live, [item(2)]: { meta: { dependsOn: [item(0)] } } } },
      { targets: [item(2)] },
    );
    expect(actions(plan)).toEqual([`update ${item(0)}`, `update ${item(2)}`]);
  });

  it('of a deletion brings those that hold on to it', () => {
    const plan = tinyPlan({ desired: boxes, live: chain, known: chain }, { targets: [item(1)] });
    expect(actions(plan)).toEqual([`delete ${item(2)}`, `delete ${item(1)}`].sort());
    const message = `the plan also includes ${item(2)}, because deleted objects are used there`;
    expect(plan.diagnostics).toMatchObject([{ code: 'target/closure', severity: 'warning', message }]);
  });

  it('that matches nothing is an error', () => {
    expect(codes(tinyPlan({ desired: chain, live: {} }, { targets: ['boxes/c'] }))).toEqual([
      'target/nothing',
    ]);
    expect(codes(tinyPlan({ desired: chain, live: {} }, { excludes: ['boxes/c'] }))).toEqual([
      'target/nothing',
    ]);
  });

  it.each([
    ['boxes/a', ['boxes/a']],
    ['boxes/*', ['boxes/a', 'boxes/b']],
    ['boxes/a/**', ['boxes/a', item(0), item(2)]],
    ['**/i3', [item(3)]],
  ])('%s', (glob, expected) => {
    const live = Object.fromEntries(Object.keys(chain).map((address) => [address, { colour: 'red' }]));
    const desired = Object.fromEntries(Object.keys(chain).map((address) => [address, { colour: 'blue' }]));
    const plan = tinyPlan({ desired, live, known: live }, { targets: [glob] });
    expect(plan.changes.map(({ address }) => address)).toEqual(expected);
  });
});

describe('--exclude', () => {
  it('takes what needs it along, and says so', () => {
    const plan = tinyPlan({ desired: chain, live: {} }, { excludes: [item(0)] });
    expect(actions(plan)).toEqual(['create boxes/a', 'create boxes/b', `create ${item(3)}`]);
    expect(codes(plan, 'warning')).toEqual(['target/excluded']);
  });

  it('of what holds on to something keeps that, too', () => {
    const plan = tinyPlan({ desired: boxes, live: chain, known: chain }, { excludes: [item(2)] });
    expect(actions(plan)).toEqual([`delete ${item(3)}`]);
    expect(codes(plan, 'warning')).toEqual(['target/excluded']);
  });
});

const subset = fc.subarray([...Object.keys(boxes), ...[0, 1, 2, 3, 4, 5].map(item)]);
const graph = (uses: [number, number][], is: number[]): Tinies => ({
  ...boxes,
  ...Object.fromEntries(
    is.map((n) => [
      item(n),
      { uses: [...new Set(uses.flatMap(([a, b]) => (a === n && b < n && is.includes(b) ? [item(b)] : [])))] },
    ]),
  ),
});
const anyGraph = fc
  .tuple(fc.array(fc.tuple(fc.nat(5), fc.nat(5))), fc.subarray([0, 1, 2, 3, 4, 5]), fc.boolean())
  .map(([uses, is, empty]) => (empty ? {} : graph(uses, is)));

/** What would be there, and what would be used by whom, after a plan. */
function outcomeOf(plan: Plan, live: Tinies): Map<Address, Address[]> {
  const after = new Map(Object.entries(live).map(([address, { uses = [] }]) => [address, uses]));
  for (const { address, action, after: wanted } of plan.changes) {
    if (action === 'delete') after.delete(address);
    if (action === 'create' || action === 'update')
      after.set(
        address,
        ((wanted!.fields.uses ?? []) as { $ref: Address }[]).map(({ $ref }) => $ref),
      );
  }
  return after;
}

story('whatever is selected, all that the rest needs is there afterwards', () => {
  const counts = { closures: 0, exclusions: 0 };
  fc.assert(
    fc.property(anyGraph, anyGraph, subset, subset, (desired, live, targets, excludes) => {
      fc.pre(Object.keys(desired).length > 0);
      const plan = tinyPlan({ desired, live, known: live }, { targets, excludes });
      if (codes(plan).length > 0) return;
      counts.closures += codes(plan, 'warning').filter((code) => code === 'target/closure').length;
      counts.exclusions += codes(plan, 'warning').filter((code) => code === 'target/excluded').length;
      const after = outcomeOf(plan, live);
      for (const [address, uses] of after)
        for (const needed of [...uses, ...boxOf(address)])
          expect([...after.keys()], `${address} needs it`).toContain(needed);
      for (const { address, action } of plan.changes)
        if (action !== 'noop') expect(excludes).not.toContain(address);
    }),
    { numRuns: runs(400, 5) },
  );
  expect(Math.min(...Object.values(counts)), 'both were tried').toBeGreaterThan(0);
});

describe('on the twin', () => {
  const rule = (name: string) =>
    `{ name: ${name}, active: true, conditionGroup: [{ conditions: [{ type: path, op: pre, value: /${name} }] }], action: { mitigate: { action: deny } } }`;
  const rules = (...names: string[]) =>
    `projects: { web: { firewall: { rules: [${names.map(rule).join(', ')}] } } }`;

  story('a first-match list comes as a whole, or not at all', async () => {
    const world = await newWorld();
    await world.converge(rules('a', 'b'));
    const { plan } = await world.plan(rules('c', 'b', 'a'), { targets: ['**/rules/c'] });
    expect(codes(plan, 'warning')).toEqual(['target/closure']);
    const excluded = await world.plan(rules('c', 'b', 'a'), { excludes: ['**/rules/c'] });
    expect(excluded.plan.operations).toEqual([]);
    expect(codes(excluded.plan, 'warning')).toEqual(['target/excluded']);
  });

  story('a target is applied alone, and the next plan has the rest', async () => {
    const world = await newWorld();
    const yaml =
      'projects: { web: { framework: nextjs, env: { A: a }, domains: { x.example.com: {} } }, api: {} }';
    await world.apply(await world.plan(yaml, { targets: ['projects/web/domains/**'] }));
    expect(Object.keys(world.ledger.entries)).toEqual(['projects/web', 'projects/web/domains/x.example.com']);
    expect(actions(await world.converge(yaml))).toEqual([
      'create projects/api',
      'create projects/web/env/A@development',
      'create projects/web/env/A@preview',
      'create projects/web/env/A@production',
    ]);
  });

  it('a parent that is not ours is remembered with what is in it', async () => {
    const world = await newWorld({ seed: { domains: [{ name: 'example.com' }] } });
    const yaml =
      'domains: { example.com: { $existing: true, records: [{ type: A, name: a, value: 192.0.2.1 }] } }';
    const planned = await world.plan(yaml, { targets: ['**/records/**'] });
    expect(planned.plan.diagnostics).toEqual([]);
    await world.apply(planned);
    expect(world.ledger.entries['domains/example.com']).toMatchObject({ existing: true });
  });
});
