import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isWithin } from '../../src/model/address.ts';
import type { LedgerEntry } from '../../src/model/ledger.ts';
import { LedgerEntries } from '../../src/run/ledger-entries.ts';

const addresses = ['team', 'projects/a', 'projects/ab', 'projects/b'].flatMap((parent) => [
  parent,
  `${parent}/env/X`,
  `${parent}/firewall`,
  `${parent}/firewall/rules/1`,
]);
const entry = { kind: 'project', ids: ['1'] } as unknown as LedgerEntry;
const existing: LedgerEntry = { ...entry, existing: true };
const address = fc.constantFrom(...addresses);

test('the addresses within an object, and parents that are not ours, are those that a search among all entries finds', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(address, fc.boolean()), { selector: ([recorded]) => recorded }),
      fc.array(fc.tuple(address, fc.constantFrom('put', 'remove', 'removeWithParents')), { maxLength: 12 }),
      (recorded, steps) => {
        const recordedEntries = Object.fromEntries(
          recorded.map(([recordedAddress, isExisting]) => [recordedAddress, isExisting ? existing : entry]),
        );
        const entries = new LedgerEntries({ changes: [] }, recordedEntries, []);
        const searched = new Set(Object.keys(recordedEntries));
        const within = (parent: string) =>
          [...searched].filter((candidate) => candidate !== parent && isWithin(candidate, parent));
        const existingParents = Object.keys(recordedEntries)
          .filter((parent) => recordedEntries[parent]!.existing)
          .sort((a, b) => b.length - a.length);
        for (const [changed, step] of steps) {
          if (step === 'put') searched.add(changed);
          else searched.delete(changed);
          if (step === 'removeWithParents')
            for (const parent of existingParents)
              if (isWithin(changed, parent) && within(parent).length === 0) searched.delete(parent);
          if (step === 'put') entries.put(changed, entry);
          else entries[step](changed);
          for (const parent of addresses) expect(entries.addressesWithin(parent)).toEqual(within(parent));
          expect(Object.keys(entries.byAddress)).toEqual([...searched]);
        }
      },
    ),
  );
});
