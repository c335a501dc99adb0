import fc from 'fast-check';
import { expect, it } from 'vitest';
import { defaultSwitches, otherSwitches } from '../../providers/hosting/twin/index.ts';
import { expectNoWrite } from '../export/no-write.ts';
import { noteCounts } from '../support/cost.ts';
import { sampleSeed } from '../support/samples.ts';
import { all, runs, sampled } from '../support/sweep.ts';
import { World } from '../support/world.ts';
import { changeThroughSdk, type Declared, declaredFields, exceptionOf, isDriftOf, isTold } from './drift.ts';
import { accounts, type Counts, fill, unused } from './fill.ts';

/*
 * An account that trueup never saw: the public SDK filled it, with random bodies by its own schemas. An export of it plans to
 * nothing, and what the SDK changes of what the export declares is seen, field by field.
 */

const counts: Counts = {};
/** What cannot be expressed, by how it is said. */
const notes: Record<string, number> = {};
const fields = { drift: 0, told: 0, 'not changed, with a reason': 0, 'no value that the platform took': 0 };
noteCounts('through the SDK', () => ({
  accepted: sum('accepted'),
  refused: sum('refused'),
  strange: sum('strange'),
}));
noteCounts('by operation', () => counts);
noteCounts('not in an export', () => notes);
noteCounts('fields changed by the SDK', () => fields);

const sum = (name: 'accepted' | 'refused' | 'strange') =>
  Object.values(counts).reduce((total, one) => total + one[name], 0);

it('an account that was filled through the SDK alone plans to nothing', async () => {
  const platform = fc.constantFrom(defaultSwitches, otherSwitches);
  await fc.assert(
    fc.asyncProperty(await accounts(), platform, async (bodies, switches) => {
      const world = await World.start({ seed: sampleSeed, switches });
      try {
        await fill(world.twin, bodies, counts);
        for (const note of (await expectNoWrite(world)).notes) {
          const way = ways.find((one) => one.test(note));
          expect(way, note).toBeDefined();
          notes[way!.source] = (notes[way!.source] ?? 0) + 1;
        }
      } finally {
        await world.stop();
      }
    }),
    // An account is large, and made smaller slowly.
    { numRuns: runs(all ? 12 : 4), endOnFailure: true },
  );
  // The platform takes most of what the schemas say.
  expect(sum('accepted')).toBeGreaterThan(sum('refused') * 5);
});

/** The sentences for what cannot be expressed. */
const ways = [
  /not something that can be declared/,
  /is there more than once; beside/,
  /cannot be kept exactly/,
];

it('each declared field that the SDK changes is seen as drift, and no other', async () => {
  const bodies = fc.sample(await accounts(), { numRuns: all ? 3 : 1, seed: all ? 1 : 3 });
  const wrong: string[] = [];
  for (const one of bodies) {
    const world = await World.start({ seed: sampleSeed });
    try {
      await fill(world.twin, one, counts);
      wrong.push(...(await unseen(world)));
    } finally {
      await world.stop();
    }
  }
  expect(wrong).toEqual([]);
  expect(unused(counts)).toEqual([]);
  expect(fields.drift).toBeGreaterThan(all ? 200 : 10);
});

/** Lets the SDK change field by field, those of different objects at once; what a plan does not say of it. */
async function unseen(world: World): Promise<string[]> {
  const { yaml } = await expectNoWrite(world);
  const live = new Map(
    (await world.plan(yaml)).plan.changes.map(({ address, before }) => [address, before!]),
  );
  const saved = structuredClone(world.twin.account);
  // One object of each kind for a field.
  const first = new Map(declaredFields(world.ledger).map((one) => [`${one.kind} ${one.path}`, one]));
  const possible = [...first.values()].filter((one) => exceptionOf(one) === undefined);
  fields['not changed, with a reason'] += first.size - possible.length;
  let left = sampled(possible, 15);
  const wrong: string[] = [];
  while (left.length > 0) {
    const ids = new Map<string, Declared>();
    for (const one of left) {
      const { ids: of, parent } = live.get(one.address)!;
      // What is staged, or has the same row, changes together.
      const place = ['projectRoute', 'bulkRedirects'].includes(one.kind) ? parent! : of.join();
      if (!ids.has(place)) ids.set(place, one);
    }
    const round = [...ids.values()];
    left = left.filter((one) => !round.includes(one));
    const changed: Declared[] = [];
    for (const one of round) {
      const outcome = await changeThroughSdk(world, one, live.get(one.address)!);
      if (outcome.is === 'changed') changed.push(one);
      else fields['no value that the platform took'] += 1;
    }
    const { changes, diagnostics } = (await world.plan(yaml)).plan;
    for (const { address, kind, path } of changed) {
      const change = changes.find((each) => each.address === address);
      if (isDriftOf(change, path)) fields.drift += 1;
      else if (isTold(diagnostics, address, path)) fields.told += 1;
      else wrong.push(`${kind} ${path}, ${address}: ${change?.action} ${JSON.stringify(change?.fields)}`);
    }
    const rows = new Set(changed.flatMap(({ address }) => live.get(address)!.ids));
    const beside = changes.filter(
      ({ address, action }) => action !== 'noop' && !live.get(address)?.ids.some((id) => rows.has(id)),
    );
    wrong.push(
      ...beside.map(
        ({ address, action, fields: of }) => `beside: ${action} ${address} ${JSON.stringify(of)}`,
      ),
    );
    Object.assign(world.twin.account, structuredClone(saved));
  }
  return wrong;
}
