import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addressAfter, addressBefore, renameInLedger } from '../../src/model/move.ts';
import type { Resource } from '../../src/model/resource.ts';
import { applyRenames } from '../../src/plan/apply-renames.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { type Tinies, tinyLedger } from '../support/tiny.ts';

const story = oneStoryIn(4);

const ledger = tinyLedger({
  'boxes/old': {},
  'boxes/old/items/i': {},
  'boxes/old/items/j': { uses: ['boxes/old/items/i'] },
  'boxes/older': { meta: { dependsOn: ['boxes/old'] } },
});

const follow = (declared: Tinies, options = {}, of = ledger) =>
  applyRenames(
    of,
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

it('of a chain is done in as many runs: the error says which one is first', () => {
  const chain = follow({
    'boxes/old': { meta: { was: 'boxes/first' } },
    'boxes/new': { meta: { was: 'boxes/old' } },
  });
  expect(chain.diagnostics.map(({ code, hint }) => [code, hint])).toEqual([
    [
      'was/both-declared',
      'a chain of renames takes one run each, last one first: wait with boxes/old until boxes/new is renamed',
    ],
  ]);
});

story(
  'comes with its moves: the names of before lead to those of now, and back, in any part of what was done',
  () => {
    const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1 });
    const renames = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('v', 'w', 'x', 'y'));
    fc.assert(
      fc.property(
        names,
        names,
        renames,
        renames,
        fc.infiniteStream(fc.boolean()),
        (boxes, items, of, inside, isDone) => {
          const isUnique = (all: Record<string, string>) =>
            new Set(Object.values(all)).size === Object.keys(all).length;
          fc.pre(isUnique(of) && isUnique(inside));
          const before = tinyLedger(
            Object.fromEntries(
              boxes.flatMap((box) => [
                [`boxes/${box}`, {}],
                ...items.map((item) => [
                  `boxes/${box}/items/${item}`,
                  { uses: [`boxes/${box}/items/${items[0]}`] },
                ]),
              ]),
            ),
          );
          const declared: Tinies = {};
          for (const box of boxes) {
            const now = `boxes/${of[box] ?? box}`;
            declared[now] = of[box] ? { meta: { was: `boxes/${box}` } } : {};
            for (const item of items)
              declared[`${now}/items/${inside[item] ?? item}`] = inside[item]
                ? { meta: { was: `${now}/items/${item}` } }
                : {};
          }
          const { ledger: now, moves, diagnostics } = follow(declared, {}, before);
          expect(diagnostics).toEqual([]);
          expect(Object.keys(now.entries).sort()).toEqual(Object.keys(declared).sort());
          expect(renameInLedger(now, (address) => addressBefore(address, moves))).toEqual(before);
          for (const address of Object.keys(before.entries))
            expect(addressBefore(addressAfter(address, moves), moves)).toBe(address);
          // What is kept while some of it is done is followed to the same by the next run.
          const open = moves.filter(() => isDone.next().value);
          const kept = renameInLedger(now, (address) => addressBefore(address, open));
          expect(follow(declared, {}, kept).ledger).toEqual(now);
        },
      ),
    );
  },
);
