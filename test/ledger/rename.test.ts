import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createLedgerStore } from '../../src/ledger/ledger-store.ts';
import { renameLedger } from '../../src/ledger/transfer-ledger.ts';
import { Problems } from '../../src/model/diagnostic.ts';
import { ledgerKeyFrom } from '../../src/model/digest.ts';
import type { Ledger } from '../../src/model/ledger.ts';
import { key, leased, type Stop, stoppedEverywhere, stores } from '../support/stopped-ledgers.ts';
import { first } from '../support/sweep.ts';
import { tinyLedger } from '../support/tiny.ts';

const example: Ledger = tinyLedger({ 'things/a': {}, 'things/b': {} });
type Places = ReturnType<(typeof stores)['files']>;

const placeOf = ({ of }: Places, stack: string, stop?: Stop) => leased(of, stack, stop);
const both = async (path: Places, stop?: Stop) =>
  [await placeOf(path, 'shop', stop), await placeOf(path, 'shop@staging', stop)] as const;
const rename = async (path: Places, stop?: Stop) => renameLedger(...(await both(path, stop)));

async function codesOf(work: Promise<unknown>): Promise<string[]> {
  const error = await work.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(Problems);
  return (error as Problems).diagnostics.map(({ code }) => code);
}

/** A folder with the ledger of `shop`, of which the last entry is in the journal only. */
async function withLedger(sort: keyof typeof stores = 'files'): Promise<Places> {
  const path = stores[sort]();
  const { store } = await placeOf(path, 'shop');
  const { 'things/b': last, ...entries } = example.entries;
  const kept = await store.write({ ...example, stack: 'shop', entries });
  await store.appendToJournal({ ...kept, entries: { ...entries, 'things/b': last! } }, ['things/b']);
  await store.close();
  return path;
}

describe('a ledger gets another name', () => {
  it('with all that is in it, the lines of a journal too, and nothing is left under the old name', async () => {
    const path = await withLedger();
    const kept = await rename(path);
    expect(kept).toMatchObject({ stack: 'shop@staging', entries: example.entries });
    expect((await readdir(path.path)).sort()).toEqual(['shop@staging.json']);
    const [old, now] = await both(path);
    expect(await old.store.read()).toBeUndefined();
    expect(await now.store.read()).toEqual(kept);
    expect(now.store.proof()).toEqual({ by: key.id });
  });

  it.each(first(['files', 'git'] as const, 1))(
    'whatever stops it, in %s: one of the two has all, and the same command ends it',
    async (sort) => {
      let path: Places;
      const stops = await stoppedEverywhere(
        async (stop) => {
          path = await withLedger(sort);
          return rename(path, stop);
        },
        async (label) => {
          const [old, now] = await both(path);
          const found = [await old.store.read(), await now.store.read()];
          const whole = found.filter((one) => one && Object.keys(one.entries).length === 2);
          expect(whole.length, label).toBeGreaterThan(0);
          const again = await rename(path).catch((error: unknown) => error);
          // Where only the end was not heard of, there is nothing left to rename.
          if (again instanceof Problems) expect(again.diagnostics[0]!.code).toBe('ledger/none');
          const [gone, kept] = await both(path);
          expect(await gone.store.read(), label).toBeUndefined();
          expect(await kept.store.read(), label).toMatchObject({
            stack: 'shop@staging',
            entries: example.entries,
          });
        },
      );
      // The journal is written out, the new one is written, the old one goes.
      expect(stops).toBe(6);
    },
  );

  it('not where the new name has a ledger of its own, nor where there is no old one', async () => {
    const path = await withLedger();
    const { store } = await placeOf(path, 'shop@staging');
    await store.write({
      ...example,
      stack: 'shop@staging',
      entries: { 'things/c': example.entries['things/a']! },
    });
    expect(await codesOf(rename(path))).toEqual(['ledger/exists']);
    const [old, now] = await both(path);
    expect(Object.keys((await old.store.read())!.entries)).toHaveLength(2);
    expect(Object.keys((await now.store.read())!.entries)).toEqual(['things/c']);
    expect(await codesOf(rename(stores.files()))).toEqual(['ledger/none']);
  });

  it('within one file, which has the name in it', async () => {
    const path = await withLedger();
    const place = await placeOf(path, 'shop');
    await renameLedger(place, { ...place, stack: 'shop@staging' });
    const { store } = await placeOf(path, 'shop');
    expect(await store.read()).toMatchObject({ stack: 'shop@staging', entries: example.entries });
  });

  it('not one that the key here did not sign', async () => {
    const path = await withLedger();
    const other = ledgerKeyFrom('another key for tests, long enough');
    const [old, now] = await both(path);
    const foreign = createLedgerStore(old.documents, { key: other });
    expect(await codesOf(renameLedger({ ...old, store: foreign }, now))).toEqual(['ledger/other-key']);
    expect((await readdir(path.path)).filter((name) => name.endsWith('.json'))).toEqual(['shop.json']);
  });
});
