import { expect, it } from 'vitest';
import type { Resource } from '../../src/model/resource.ts';
import { rebase } from '../../src/plan/rebase.ts';
import { type Tinies, tinyLedger } from '../support/tiny.ts';

const ledger = tinyLedger({
  'boxes/old': {},
  'boxes/old/items/i': {},
  'boxes/old/items/j': { uses: ['boxes/old/items/i'] },
  'boxes/older': { meta: { dependsOn: ['boxes/old'] } },
});

const follow = (declared: Tinies, options = {}) =>
  rebase(
    ledger,
    {
      stack: 'tiny',
      inputs: [],
      folders: [],
      resources: new Map(
        Object.entries(declared).map(([address, { meta = {} }]): [string, Resource] => [
          address,
          { address, kind: 'box', fields: {}, meta, index: 0, at: { file: 'x', line: 1, column: 1 } },
        ]),
      ),
    },
    options,
  );

it('moves the entry, all below it, and what is said of them elsewhere; a name that only begins alike stays', () => {
  const { ledger: after, diagnostics } = follow({ 'boxes/new': { meta: { was: 'boxes/old' } } });
  expect(diagnostics).toEqual([]);
  expect(Object.keys(after.entries).sort()).toEqual([
    'boxes/new',
    'boxes/new/items/i',
    'boxes/new/items/j',
    'boxes/older',
  ]);
  expect(after.entries['boxes/new/items/j']!.dependsOn).toEqual(['boxes/new/items/i']);
  expect(after.entries['boxes/older']!.dependsOn).toEqual(['boxes/new']);
  // The ledger itself is only replaced by an apply.
  expect(Object.keys(ledger.entries)).toContain('boxes/old');
});

it('is history where the new address is known', () => {
  expect(follow({ 'boxes/old': { meta: { was: 'boxes/older' } } }).ledger).toEqual(ledger);
});

it('needs an old entry, or to be told', () => {
  const declared = { 'boxes/new': { meta: { was: 'boxes/never' } } };
  expect(follow(declared).diagnostics.map(({ code }) => code)).toEqual(['was/unknown']);
  const told = follow(declared, { adoptRenamed: true });
  expect(told.diagnostics).toEqual([]);
  expect([...told.aliases]).toEqual([['boxes/never', 'boxes/new']]);
});

it('is an error beside the old block', () => {
  const both = follow({ 'boxes/old': {}, 'boxes/new': { meta: { was: 'boxes/old' } } });
  expect(both.diagnostics.map(({ code }) => code)).toEqual(['was/both-declared']);
});
