import fc from 'fast-check';
import { expect } from 'vitest';
import { defaultSwitches, otherSwitches } from '../../providers/hosting/twin/index.ts';
import { groupBy } from '../../src/model/graph.ts';
import type { LiveResource } from '../../src/model/resource.ts';
import { expectNoWrite } from '../export/no-write.ts';
import { noteCounts } from '../support/cost.ts';
import { all, oneStoryIn, runs, sweepOnly } from '../support/sweep.ts';
import { kinds, World } from '../support/world.ts';
import { changeThroughSdk, complaints, type Declared, declaredFields, isTold } from './drift.ts';
import { type Exception, type Follower, follows, unchangeable, unmade } from './exceptions.ts';
import { accounts, type Counts, fill, unused } from './fill.ts';
import { withId } from './sdk-changes.ts';
import { writesAt } from './sdk-operations.ts';

const story = oneStoryIn(4);

/*
 * An account that trueup never saw: the public SDK filled it, with random bodies by its own schemas. An export of it plans to
 * nothing, and what the SDK changes of what the export declares is seen, field by field.
 */

const people = {
  team: {
    members: ['grace', 'alan'].map((name, index) => ({
      uid: `user_${index + 1}`,
      email: `${name}@example.com`,
    })),
  },
};

const counts: Counts = {};
/** What cannot be expressed, by how it is said. */
const notes: Record<string, number> = {};
const fields = { drift: 0, told: 0, 'not alone, with a reason': 0 };
/** The kinds of which the exports have objects. */
const made = new Set<string>();
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

async function exportedWhole(world: World) {
  const found = await expectNoWrite(world);
  for (const { kind } of Object.values(world.ledger.entries)) made.add(kind);
  return found;
}

story('an account that was filled through the SDK alone plans to nothing', async () => {
  const platform = fc.constantFrom(defaultSwitches, otherSwitches);
  await fc.assert(
    fc.asyncProperty(await accounts(), platform, async (bodies, switches) => {
      const world = await World.start({ seed: people, switches });
      try {
        const strange = sum('strange');
        await fill(world.twin, bodies, counts);
        // Where categories that are off are absent from answers, the SDK's schema does not know the answer.
        if (switches === defaultSwitches) expect(sum('strange')).toBe(strange);
        for (const note of (await exportedWhole(world)).notes) {
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
  /left out because (it|they) cannot be declared/,
  /exists more than once: besides/,
  /cannot be represented exactly/,
  /is set in the account but cannot be declared/,
];

sweepOnly('here each field of a kind is changed outside, and accounts that the SDK filled are exported')(
  'each declared field that the SDK changes is seen as drift of that field, and of nothing else',
  async () => {
    const bodies = fc.sample(await accounts(), { numRuns: 3, seed: 1 });
    const wrong: string[] = [];
    for (const switches of [defaultSwitches, otherSwitches])
      for (const one of bodies) {
        const world = await World.start({ seed: people, switches });
        try {
          await fill(world.twin, one, counts);
          wrong.push(...(await unseen(world)));
        } finally {
          await world.stop();
        }
      }
    expect(wrong).toEqual([]);
    expect(unused(counts)).toEqual([]);
    expect(fields.drift).toBeGreaterThan(400);
  },
);

sweepOnly('one account and no field tell little')(
  'what the SDK cannot make or change alone is what it could not',
  () => {
    const missing = [...kinds.keys()].filter((kind) => !made.has(kind));
    expect(missing.sort()).toEqual(unmade.map(({ kind }) => kind).sort());
    for (const { writes, reason } of [...unmade, ...unchangeable])
      if (writes) expect(writesAt(writes), reason).toEqual([]);
    const idle = [...tried].filter((one) => !needed.has(one)).map(({ reason }) => reason);
    expect(idle).toEqual([]);
    expect(unchangeable.filter((one) => !tried.has(one))).toEqual([]);
    expect(follows.filter((one) => !met.has(one))).toEqual([]);
  },
);

const tried = new Set<Exception>();
const needed = new Set<Exception>();
const met = new Set<Follower>();

/** Lets the SDK change field by field, those of different objects at once; what a plan does not say of it. */
async function unseen(world: World): Promise<string[]> {
  const { yaml } = await exportedWhole(world);
  const live = new Map(
    (await world.plan(yaml)).plan.changes.map(({ address, before }) => [address, before!]),
  );
  const saved = structuredClone(world.twin.account);
  const wrong: string[] = [];
  /** Those that were not changed, and why. */
  const refused = new Map<Declared, string>();
  const change = async (round: Declared[]) => {
    const changed: Declared[] = [];
    for (const one of round) {
      const why = await changeThroughSdk(world, one, live.get(one.address)!);
      if (why === undefined) changed.push(one);
      else refused.set(one, why);
    }
    const { plan } = await world.plan(yaml);
    Object.assign(world.twin.account, structuredClone(saved));
    return { changed, found: complaints(plan, changed, met), diagnostics: plan.diagnostics };
  };
  const expectSeen = async (round: Declared[]) => {
    const { changed, found, diagnostics } = await change(round);
    for (const one of changed) if (!found.has(one)) fields[isTold(diagnostics, one) ? 'told' : 'drift'] += 1;
    for (const [one, complaint] of found)
      wrong.push(`${one === 'beside' ? changed.map(shown).join(', ') : shown(one)}: ${complaint}`);
  };
  // One object of each kind for a field; others where that one cannot be changed.
  const byPath = groupBy(declaredFields(world.ledger).reverse(), ({ kind, path }) => `${kind} ${path}`);
  const exceptionOf = ({ kind, path, address }: Declared) =>
    unchangeable.find(
      (one) =>
        one.kind === kind &&
        one.path.test(path) &&
        one.where?.(withId(world.twin.account, live.get(address)!.ids[0]!) ?? {}) !== false,
    );
  const each = [...byPath.values()].map((of) => of.find((one) => !exceptionOf(one)) ?? of[0]!);
  const plain = each.filter((one) => !exceptionOf(one));
  for (const round of together(plain, live)) await expectSeen(round);
  for (const [one, why] of [...refused]) {
    const others = byPath
      .get(`${one.kind} ${one.path}`)!
      .filter((other) => other !== one && !exceptionOf(other));
    let isChanged = false;
    for (const other of others.slice(0, 6)) {
      await expectSeen([other]);
      isChanged = !refused.has(other);
      if (isChanged) break;
    }
    if (!isChanged) wrong.push(`${shown(one)}: not changed: ${why}`);
  }
  const alone = [...byPath.values()].flatMap((of) => of.find(exceptionOf) ?? []);
  for (const one of alone) {
    const { changed, found } = await change([one]);
    const exception = exceptionOf(one)!;
    tried.add(exception);
    if (changed.length > 0 && found.size === 0) continue;
    needed.add(exception);
    fields['not alone, with a reason'] += 1;
  }
  return wrong;
}

const shown = ({ kind, path, address }: Declared) => `${kind} ${path}, ${address}`;

/** The fields in rounds, in each of which no two are of one object, or of what changes together. */
function together(declared: Declared[], live: ReadonlyMap<string, LiveResource>): Declared[][] {
  const rounds: Map<string, Declared>[] = [];
  for (const one of declared) {
    const { ids, parent } = live.get(one.address)!;
    // What is staged, or has the same row, changes together.
    const place = ['projectRoute', 'bulkRedirects'].includes(one.kind) ? parent! : ids.join();
    const round = rounds.find((other) => !other.has(place)) ?? new Map<string, Declared>();
    if (round.size === 0) rounds.push(round);
    round.set(place, one);
  }
  return rounds.map((round) => [...round.values()]);
}
