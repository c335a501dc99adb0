import { expect } from 'vitest';
import { copyLedger } from '../../src/ledger/transfer-ledger.ts';
import type { Ledger } from '../../src/model/ledger.ts';
import { leased, type Stop, type Store, stoppedEverywhere } from '../support/stopped-ledgers.ts';
import { tinyLedger } from '../support/tiny.ts';

export const example: Ledger = tinyLedger({ 'things/a': {}, 'things/b': {} });

/** Two stores: the ledger of `shop` is in the one, and to be in the other. */
export interface Pair {
  from: Store;
  to: Store;
}

export const both = async ({ from, to }: Pair, stop?: Stop) =>
  [await leased(from, 'shop', stop), await leased(to, 'shop', stop)] as const;

export const copy = async (pair: Pair, stop?: Stop) => {
  const [old, next] = await both(pair, stop);
  return copyLedger(old, next, async () => {
    const names = await old.documents.history.names();
    const texts = await old.documents.history.read(names);
    return {
      arriving: { records: new Map([...texts, ['000002.json', 'copied']]), message: 'Copy' },
      leaving: { records: new Map([['000002.json', 'copied']]), message: 'Copy' },
    };
  });
};

/** Writes the ledger of `shop`, of which the last entry is in the journal only, and a record. */
export async function withLedger(pair: Pair): Promise<Pair> {
  const { store } = await leased(pair.from, 'shop');
  const { 'things/b': last, ...entries } = example.entries;
  const historyUpdate = { records: new Map([['000001.json', 'first']]), message: 'Apply' };
  const kept = await store.write({ ...example, stack: 'shop', entries }, { historyUpdate });
  await store.appendToJournal({ ...kept, entries: { ...entries, 'things/b': last! } }, ['things/b']);
  await store.close();
  return pair;
}

/** Stops a copy before and after each of its writes, in pairs of their own, and does it again. Gives back how often. */
export async function copyStoppedEverywhere(newPair: () => Pair): Promise<number> {
  let pair: Pair;
  return stoppedEverywhere(
    async (stop) => {
      pair = await withLedger(newPair());
      return copy(pair, stop);
    },
    async (label) => {
      const [old, next] = await both(pair);
      expect((await old.store.read())!.entries, label).toEqual(example.entries);
      const there = await next.store.read();
      if (there) expect(there.entries, label).toEqual(example.entries);
      // The place that says where it went is never alone.
      if ((await old.store.read())!.copiedTo !== undefined) expect(there, label).toBeDefined();
      await copy(pair);
      const [gone, kept] = await both(pair);
      expect(await gone.store.read(), label).toMatchObject({ copiedTo: kept.documents.place });
      expect(gone.store.proof(), label).toMatchObject({ by: expect.any(String) });
      expect(await kept.store.read(), label).toMatchObject({ entries: example.entries });
      expect(await kept.documents.history.names(), label).toEqual(['000001.json', '000002.json']);
    },
  );
}
