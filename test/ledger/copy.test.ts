import { describe, expect, it } from 'vitest';
import { copyLedger } from '../../src/ledger/copy-ledger.ts';
import { retire } from '../../src/ledger/move-entries.ts';
import type { Ledger } from '../../src/model/ledger.ts';
import { leased, type Stop, type Store, stoppedEverywhere, stores } from '../support/stopped-ledgers.ts';
import { tinyLedger } from '../support/tiny.ts';
import { problemOf } from './leases.ts';

const example: Ledger = tinyLedger({ 'things/a': {}, 'things/b': {} });

interface Pair {
  from: Store;
  to: Store;
}
const newPair = (): Pair => ({ from: stores.files().of, to: stores.git().of });
const both = async ({ from, to }: Pair, stop?: Stop) =>
  [await leased(from, 'shop', stop), await leased(to, 'shop', stop)] as const;
const copy = async (pair: Pair, stop?: Stop) => {
  const [old, next] = await both(pair, stop);
  return copyLedger(old, next, async () => {
    const names = await old.documents.history.names();
    const texts = await old.documents.history.read(names);
    return {
      arriving: { history: new Map([...texts, ['000002.json', 'copied']]), message: 'Copy' },
      leaving: { history: new Map([['000002.json', 'copied']]), message: 'Copy' },
    };
  });
};

/** A store with the ledger of `shop`, of which the last entry is in the journal only, and a record. */
async function withLedger(): Promise<Pair> {
  const pair = newPair();
  const { store } = await leased(pair.from, 'shop');
  const { 'things/b': last, ...entries } = example.entries;
  const beside = { history: new Map([['000001.json', 'first']]), message: 'Apply' };
  const kept = await store.write({ ...example, stack: 'shop', entries }, { beside });
  await store.note({ ...kept, entries: { ...entries, 'things/b': last! } }, ['things/b']);
  await store.close();
  return pair;
}

describe('a ledger is copied to another place', () => {
  it('byte by byte with its history; the old one says where it went, signed, and takes nothing more', async () => {
    const pair = await withLedger();
    expect(await copy(pair)).toBe(true);
    const [old, next] = await both(pair);
    const [kept, there] = [(await old.store.read())!, (await next.store.read())!];
    expect(there).toMatchObject({ generation: 2, entries: example.entries });
    expect(there.copiedTo).toBeUndefined();
    expect(kept).toMatchObject({ generation: 3, copiedTo: next.documents.place, entries: example.entries });
    expect(old.store.proof()).toMatchObject({ by: expect.any(String) });
    for (const { documents } of [old, next])
      expect(await documents.history.names()).toEqual(['000001.json', '000002.json']);
    const refused = await problemOf(old.store.write(kept));
    expect(refused).toMatchObject({
      code: 'ledger/copied',
      message: expect.stringContaining(next.documents.place),
    });
    // What somebody writes there without the key sends nobody anywhere.
    expect((await next.store.write(there)).generation).toBe(3);
    expect(await copy(pair)).toBe(false);
  });

  it('whatever stops it: the new place has all or nothing, the old one has all, and the same command ends it', async () => {
    let pair: Pair;
    const stops = await stoppedEverywhere(
      async (stop) => {
        pair = await withLedger();
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
        expect(await kept.store.read(), label).toMatchObject({ entries: example.entries });
        expect(await kept.documents.history.names(), label).toEqual(['000001.json', '000002.json']);
      },
    );
    // The journal is written out, the new one is written, the old one says so.
    expect(stops).toBe(6);
  });

  it('not onto another ledger, and not from one that was copied elsewhere; back to where it came from', async () => {
    const pair = await withLedger();
    const [, other] = await both(pair);
    const theirs = await other.store.write({ ...example, stack: 'shop', entries: {} });
    expect((await problemOf(copy(pair))).code).toBe('ledger/exists');
    expect(await other.store.read()).toEqual(theirs);
    const third = stores.files().of;
    await copyLedger(await leased(pair.from, 'shop'), await leased(third, 'shop'));
    expect((await problemOf(copy(pair))).code).toBe('ledger/copied');
    // There it went on meanwhile.
    const { store } = await leased(third, 'shop');
    await store.write({ ...(await store.read())!, lastRun: 'run 7' });
    await copyLedger(await leased(third, 'shop'), await leased(pair.from, 'shop'));
    const [back] = await both(pair);
    const ledger = (await back.store.read())!;
    expect(ledger).toMatchObject({ lastRun: 'run 7' });
    expect(ledger.copiedTo).toBeUndefined();
    await back.store.write(ledger);
  });

  it('what it claimed in the old store can be ended there', async () => {
    const pair = await withLedger();
    await copy(pair);
    const [old, next] = await both(pair);
    expect(await retire(old)).toBe(2);
    const [left, there] = [(await old.store.read())!, (await next.store.read())!];
    expect(left).toMatchObject({ entries: {}, copiedTo: next.documents.place });
    expect(there.entries).toEqual(example.entries);
  });

  it('a mark of another hand is no reason to go elsewhere: without the key it is only a ledger that was changed', async () => {
    const pair = await withLedger();
    const [old] = await both(pair);
    const { text, version } = (await old.documents.read('ledger'))!;
    const forged = text.replace('"stack":', '"copiedTo": "elsewhere",\n  "stack":');
    await old.documents.write('ledger', forged, { expected: version });
    const [now] = await both(pair);
    const ledger = (await now.store.read())!;
    expect((await problemOf(now.store.write(ledger))).code).toBe('ledger/altered');
    expect((await problemOf(copy(pair))).code).toBe('ledger/altered');
  });
});
