import { expect } from 'vitest';
import { createLedgerStore } from '../../../src/ledger/ledger-store.ts';
import { parseOtherStacks } from '../../../src/ledger/other-ledgers.ts';
import { ledgerKeyFrom } from '../../../src/model/digest.ts';
import type { Place } from '../../support/ledger-places.ts';
import { tinyLedger } from '../../support/tiny.ts';
import type { Scenario } from './contract.ts';

const key = ledgerKeyFrom('a key for tests, long enough');

/** What the ledgers of one store know of each other. */
export function neighboursContract(newPlace: () => Place, scenario: Scenario): void {
  scenario('the ledgers of other stacks are read, with what they own, and never as one’s own', async () => {
    const place = newPlace();
    expect(await place.open().readOtherLedgers()).toEqual([]);
    const stacks = ['demo', 'shop@production', 'a.b_c-d'];
    for (const stack of stacks) {
      const store = createLedgerStore(place.open(stack), { key });
      await store.write({ ...tinyLedger({ [`boxes/of-${stack.length}`]: {} }), stack });
    }
    // Who works on a stack that has no ledger yet owns nothing.
    await place.open('begins').write('lease', '{}', { expected: undefined });
    for (const stack of stacks) {
      const own = { ...tinyLedger({}), stack };
      const others = parseOtherStacks(await place.open(stack).readOtherLedgers(), own, key);
      expect(others.map((one) => one.stack)).toEqual(stacks.filter((one) => one !== stack).sort());
      expect(others.every(({ isVerified }) => isVerified)).toBe(true);
      for (const other of others)
        expect(Object.keys(other.entries)).toEqual([`boxes/of-${other.stack.length}`]);
    }
  });

  scenario('a place is named for each stack by another name, so that nobody takes two for one', () => {
    const place = newPlace();
    expect(place.open().place).toBe(place.open('demo').place);
    expect(new Set(['a', 'b', 'a@b'].map((stack) => place.open(stack).place)).size).toBe(3);
  });
}
