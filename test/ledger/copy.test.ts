import { describe, expect, it } from 'vitest';
import { copyLedger, retireLedger } from '../../src/ledger/transfer-ledger.ts';
import { leased, stores } from '../support/stopped-ledgers.ts';
import { first } from '../support/sweep.ts';
import { both, copy, copyStoppedEverywhere, example, withLedger } from './copied.ts';
import { problemOf } from './leases.ts';

const withFiles = () => withLedger({ from: stores.files().of, to: stores.git().of });

describe('a ledger is copied to another place', () => {
  it('byte by byte with its history; the old one says where it went, signed, and takes nothing more', async () => {
    const pair = await withFiles();
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

  it.each(first(['files', 'git'] as const, 1))(
    'whatever stops it, to %s: the new place has all or nothing, the old one has all, and the same command ends it',
    async (to) => {
      const stops = await copyStoppedEverywhere(() => ({ from: stores.files().of, to: stores[to]().of }));
      // The journal is written out, the new one is written, the old one says so.
      expect(stops).toBe(6);
    },
  );

  it('not onto a ledger that comes after the place was read', async () => {
    const pair = await withFiles();
    const [old, other] = await both(pair);
    const theirs = await other.store.write({ ...example, stack: 'shop', entries: {} });
    const store = Object.assign(Object.create(other.store), { read: async () => undefined });
    expect((await problemOf(copyLedger(old, { ...other, store }))).code).toBe('ledger/exists');
    const [, later] = await both(pair);
    expect(await later.store.read()).toEqual(theirs);
  });

  it('not onto another ledger, and not from one that was copied elsewhere; back to where it came from', async () => {
    const pair = await withFiles();
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
    const pair = await withFiles();
    await copy(pair);
    const [old, next] = await both(pair);
    expect(await retireLedger(old)).toBe(2);
    const [left, there] = [(await old.store.read())!, (await next.store.read())!];
    expect(left).toMatchObject({ entries: {}, copiedTo: next.documents.place });
    expect(there.entries).toEqual(example.entries);
  });

  it('a mark of another hand is no reason to go elsewhere: without the key it is only a ledger that was changed', async () => {
    const pair = await withFiles();
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
