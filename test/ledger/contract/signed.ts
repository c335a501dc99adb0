import { expect } from 'vitest';
import type { Documents } from '../../../src/ledger/documents.ts';
import { createLedgerStore } from '../../../src/ledger/ledger-store.ts';
import { Problems } from '../../../src/model/diagnostic.ts';
import { ledgerKeyFrom } from '../../../src/model/digest.ts';
import type { Place } from '../../support/ledger-places.ts';
import { tinyLedger } from '../../support/tiny.ts';
import { problemOf } from '../leases.ts';
import type { Scenario } from './contract.ts';

const [key, other] = [ledgerKeyFrom('a key for tests, long enough'), ledgerKeyFrom('another key')];

/** What a ledger's key tells of what a store gives back, whoever wrote that. */
export function signedContract(newPlace: () => Place, scenario: Scenario): void {
  const put = async (documents: Documents, text: string) => {
    const found = await documents.read('ledger');
    await documents.write('ledger', text, { expected: found?.version });
  };

  scenario('a ledger is kept byte by byte: its signature holds, for this key and no other', async () => {
    const place = newPlace();
    const store = createLedgerStore(place.open(), { key });
    const held = await store.write(tinyLedger({ 'boxes/ä\u2028"\\': { colour: '\u0000 \ud800 \r\n' } }));
    const read = createLedgerStore(place.open(), { key });
    expect(await read.read()).toEqual(held);
    expect(read.proof()).toEqual({ by: key.id });
    const stranger = createLedgerStore(place.open(), { key: other });
    const ledger = (await stranger.read())!;
    expect((await problemOf(stranger.write(ledger))).code).toBe('ledger/other-key');
    const rotated = createLedgerStore(place.open(), { key: { ...other, previous: key } });
    expect((await rotated.write((await rotated.read())!)).generation).toBe(2);
    expect((await problemOf(store.write(held))).code).toBe('ledger/moved');
  });

  scenario(
    'what another wrote into the store is shown, and never replaced on the strength of it',
    async () => {
      const place = newPlace();
      const store = createLedgerStore(place.open(), { key });
      await store.write(tinyLedger({ 'boxes/a': {} }));
      const { text } = (await place.open().read('ledger'))!;
      const forged: [string, string][] = [
        [text.replace('boxes/a', 'boxes/b'), 'ledger/altered'],
        [text.replace(/,\n {2}"signature".*/, ''), 'ledger/unsigned'],
      ];
      for (const [forgery, code] of forged) {
        await put(place.open(), forgery);
        const now = createLedgerStore(place.open(), { key });
        const ledger = (await now.read())!;
        expect(ledger.generation).toBe(1);
        expect(await problemOf(now.write(ledger))).toMatchObject({ code });
      }
    },
  );

  scenario('a text that was cut is no ledger, and never taken for none at all', async () => {
    const place = newPlace();
    await createLedgerStore(place.open(), { key }).write(tinyLedger({ 'boxes/a': {} }));
    const { text } = (await place.open().read('ledger'))!;
    for (const cut of ['', text.slice(0, 20), text.slice(0, -20)]) {
      await put(place.open(), cut);
      const store = createLedgerStore(place.open(), { key });
      expect((await problemOf(store.read())).code).toBe('ledger/corrupt');
      await expect(store.write(tinyLedger({}))).rejects.toBeInstanceOf(Problems);
      expect((await place.open().read('ledger'))!.text).toBe(cut);
    }
  });
}
