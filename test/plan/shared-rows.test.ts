import fc from 'fast-check';
import { expect, it } from 'vitest';
import { emptyLedger, type LedgerEntry } from '../../src/model/ledger.ts';
import { emptyLive, type LiveResource, type Resource } from '../../src/model/resource.ts';
import type { PlanInput } from '../../src/plan/input.ts';
import { findJoinedUnits } from '../../src/plan/shared-rows.ts';
import { findChangedRowTargets } from '../../src/run/row-targets.ts';
import { runs } from '../support/sweep.ts';
import { kinds } from '../support/world.ts';

const places = ['production', 'preview', 'development'];
const addressOf = (place: string) => `projects/web/env/A@${place}`;

const entry = (): LedgerEntry => ({
  kind: 'projectEnvVar',
  ids: ['row'],
  origin: 'created',
  salt: '',
  form: 1,
  fields: {},
  secrets: {},
});
const entriesOf = (owned: Iterable<string>) =>
  Object.fromEntries([...owned].map((place) => [addressOf(place), entry()]));

/** One row, as the account and two stacks see it. The stack `one` declares production. */
interface Model {
  live: Set<string>;
  /** The targets at the last apply of `one`. */
  applied: Set<string>;
  ownedByTwo: Set<string>;
  entries: Record<string, LedgerEntry>;
}

/** The plan's input of stack `one`. */
function inputOf({ live, ownedByTwo, entries }: Model): PlanInput {
  const unitOf = (place: string): LiveResource => ({
    address: addressOf(place),
    kind: 'projectEnvVar',
    parent: 'projects/web',
    id: 'row',
    ids: ['row'],
    fields: { key: 'A', target: place },
    index: 0,
  });
  const desired = { address: addressOf('production'), kind: 'projectEnvVar', meta: {} } as Resource;
  return {
    kinds,
    live: { ...emptyLive(), resources: new Map([...live].map((place) => [addressOf(place), unitOf(place)])) },
    ledger: { ...emptyLedger('', '', 'one'), entries },
    desired: { stack: 'one', resources: new Map([[desired.address, desired]]), inputs: [], folders: [] },
    otherStacks: [
      { stack: 'two', entries: entriesOf(ownedByTwo), isVerified: true, isWellFormed: true, inputs: [] },
    ],
  } as unknown as PlanInput;
}

/** What happens to the row: somebody adds or removes a target, one of the stacks is applied, or `two` drops a target. */
const events: Record<string, (model: Model, place: string) => void> = {
  add: ({ live }, place) => void live.add(place),
  remove: ({ live }, place) => void (place === 'production' || live.delete(place)),
  'apply one': (model) => {
    const joined = findJoinedUnits(inputOf(model));
    for (const place of [...model.live]) if (joined.has(addressOf(place))) model.live.delete(place);
    const units = [...model.live].map((target) => ({
      address: addressOf(target),
      kind: 'projectEnvVar',
      rows: ['row'],
      targets: [target],
    }));
    for (const [address, targets] of findChangedRowTargets({
      units,
      entries: model.entries,
      joinedUnits: new Set(),
    }))
      model.entries[address] = { ...model.entries[address]!, targets };
    model.applied = new Set(model.live);
  },
  'apply two': ({ live, ownedByTwo }, place) => {
    if (place !== 'production' && live.has(place)) ownedByTwo.add(place);
  },
  'forget in two': ({ ownedByTwo }, place) => void ownedByTwo.delete(place),
};

it('a target is drift if it joined after the last apply, and only while no stack owns it', () => {
  const event = fc.tuple(fc.constantFrom(...Object.keys(events)), fc.constantFrom(...places));
  fc.assert(
    fc.property(fc.array(event, { maxLength: 12 }), (story) => {
      const model: Model = {
        live: new Set(['production']),
        applied: new Set(['production']),
        ownedByTwo: new Set(),
        entries: entriesOf(['production']),
      };
      events['apply one']!(model, '');
      for (const [name, place] of story) {
        events[name]!(model, place);
        const { live, applied, ownedByTwo } = model;
        const expected = [...live].filter((target) => !applied.has(target) && !ownedByTwo.has(target));
        expect([...findJoinedUnits(inputOf(model)).keys()].sort()).toEqual(expected.map(addressOf).sort());
      }
    }),
    { numRuns: runs(2000) },
  );
});

it('without recorded targets nothing is drift', () => {
  const model = { live: new Set(places), applied: new Set<string>(), ownedByTwo: new Set<string>() };
  expect(findJoinedUnits(inputOf({ ...model, entries: entriesOf(['production']) })).size).toBe(0);
});
