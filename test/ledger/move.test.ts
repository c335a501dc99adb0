import { describe, expect, it } from 'vitest';
import { moveEntries, retireLedger } from '../../src/ledger/transfer-ledger.ts';
import type { Problems } from '../../src/model/diagnostic.ts';
import { leased, type Stop, stoppedEverywhere, stores } from '../support/stopped-ledgers.ts';
import { first } from '../support/sweep.ts';
import { tinyLedger } from '../support/tiny.ts';

type Places = ReturnType<(typeof stores)['files']>;
const example = tinyLedger({
  'things/a': {},
  'things/a/parts/x': {},
  'things/a/parts/y': {},
  'things/b': {},
});
const isMoved = (address: string) => address.startsWith('things/a/parts/x');

const both = async ({ of }: Places, stop?: Stop) =>
  [await leased(of, 'web', stop), await leased(of, 'growth', stop)] as const;
const move = async (places: Places, stop?: Stop) => moveEntries(...(await both(places, stop)), isMoved);

async function withLedger(sort: keyof typeof stores, entries = example.entries): Promise<Places> {
  const places = stores[sort]();
  await (await leased(places.of, 'web')).store.write({ ...example, stack: 'web', entries });
  return places;
}

/** Addresses with an asterisk are known as existing only. */
const addresses = async (places: Places) =>
  Promise.all(
    (await both(places)).map(async ({ store }) =>
      Object.entries((await store.read())?.entries ?? {}).map(
        ([address, { existing }]) => `${address}${existing ? '*' : ''}`,
      ),
    ),
  );

const codeOf = async (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    ({ diagnostics }: Problems) => diagnostics[0]!.code,
  );

describe.each(first(['files', 'git'] as const, 1))(
  'entries of a ledger move to another stack, in %s',
  (sort) => {
    it('with what is remembered of them, and what they are in by its id', async () => {
      const places = await withLedger(sort);
      expect(await move(places)).toEqual(['things/a/parts/x']);
      expect(await addresses(places)).toEqual([
        ['things/a', 'things/a/parts/y', 'things/b'],
        ['things/a*', 'things/a/parts/x'],
      ]);
      const [, growth] = await both(places);
      const { entries } = (await growth.store.read())!;
      expect(entries['things/a/parts/x']).toEqual(example.entries['things/a/parts/x']);
      expect(entries['things/a']!.ids).toEqual(example.entries['things/a']!.ids);
    });

    it('whatever stops it: no entry is lost, and the same command ends it', async () => {
      let places: Places;
      const stops = await stoppedEverywhere(
        async (stop) => {
          places = await withLedger(sort);
          return move(places, stop);
        },
        async (label) => {
          const found = new Set((await addresses(places)).flat());
          for (const address of Object.keys(example.entries)) expect(found, label).toContain(address);
          // Where only the end was not heard of, there is nothing left to move.
          expect(['done', 'ledger/unknown'], label).toContain(await codeOf(move(places)));
          expect(await addresses(places), label).toEqual([
            ['things/a', 'things/a/parts/y', 'things/b'],
            ['things/a*', 'things/a/parts/x'],
          ]);
        },
      );
      // The new home is written, then the old one.
      expect(stops).toBe(4);
    });
  },
);

describe('a container that moves', () => {
  it('leaves its id behind for what stays, and takes it away with the last of that', async () => {
    const places = await withLedger('files');
    const step = async (glob: string[]) =>
      moveEntries(...(await both(places)), (address) => glob.includes(address));
    await step(['things/a']);
    expect(await addresses(places)).toEqual([
      ['things/a*', 'things/a/parts/x', 'things/a/parts/y', 'things/b'],
      ['things/a'],
    ]);
    await step(['things/a/parts/x', 'things/a/parts/y']);
    expect(await addresses(places)).toEqual([
      ['things/b'],
      ['things/a', 'things/a/parts/x', 'things/a/parts/y'],
    ]);
  });
});

it('a container inside a container goes with it, as soon as nothing is left in them', async () => {
  const [outer, inner, item] = ['things/a', 'things/a/parts/x', 'things/a/parts/x/bits/i'] as const;
  const entries = Object.fromEntries([outer, inner, item].map((name) => [name, example.entries[outer]!]));
  const places = await withLedger('files', entries);
  await moveEntries(...(await both(places)), (address) => address !== item);
  expect(await addresses(places)).toEqual([
    [`${outer}*`, `${inner}*`, item],
    [outer, inner],
  ]);
  await moveEntries(...(await both(places)), (address) => address === item);
  expect(await addresses(places)).toEqual([[], [outer, inner, item]]);
});

describe('nothing moves', () => {
  it('that both have, and not alike; nor while a run of either is not settled', async () => {
    const places = await withLedger('files');
    const [web, growth] = await both(places);
    const mine = { 'things/a/parts/x': { ...example.entries['things/a/parts/x']!, ids: ['other'] } };
    await growth.store.write({ ...example, stack: 'growth', entries: mine });
    expect(await codeOf(move(places))).toBe('ledger/both');
    const held = (await web.store.read())!;
    const begun = { 'things/c': { entry: example.entries['things/b']!, seen: [] } };
    await web.store.write({ ...held, begun });
    expect(await codeOf(move(places))).toBe('ledger/unsettled');
    expect((await addresses(places))[0]).toHaveLength(4);
  });
});

it('a stack that is gone claims nothing any more', async () => {
  const places = await withLedger('files');
  const [web] = await both(places);
  expect(await retireLedger(web)).toBe(4);
  expect(await addresses(places)).toEqual([[], []]);
});
