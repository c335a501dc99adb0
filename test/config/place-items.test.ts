import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type PlacedItem, placeItems } from '../../src/config/layers/place-items.ts';
import { Source } from '../../src/config/yaml/source.ts';
import { Reporter } from '../../src/model/diagnostic.ts';

type Sides = [side: 'before' | 'after', anchor: string][];

const node = { at: { source: new Source('', ''), start: 0, end: 0 } } as PlacedItem['node'];
const itemsOf = (sides: Sides): PlacedItem[] =>
  sides.map(([at, anchor], index) => ({
    id: `n${index}`,
    node,
    position: { at, anchor, node } as PlacedItem['position'],
  }));

/** Places items as the documentation says, by inserting into an array round after round. */
function placeSlowly(order: string[], sides: Sides): string[] {
  const result = [...order];
  const lastAfter = new Map<string, string>();
  let waiting = sides.map(([side, anchor], index) => ({ id: `n${index}`, side, anchor }));
  for (let count = -1; count !== waiting.length; ) {
    count = waiting.length;
    waiting = waiting.filter(({ id, side, anchor }) => {
      if (!result.includes(anchor)) return true;
      const beside = side === 'before' ? anchor : (lastAfter.get(anchor) ?? anchor);
      result.splice(result.indexOf(beside) + (side === 'before' ? 0 : 1), 0, id);
      if (side === 'after') lastAfter.set(anchor, id);
      return false;
    });
  }
  return [...result, ...waiting.map(({ id }) => id)];
}

it.each<[name: string, sides: Sides, problems: string[]]>([
  [
    'an anchor that does not exist',
    [
      ['after', 'none'],
      ['before', 'n0'],
    ],
    ['there is no item `none` in this list'],
  ],
  [
    'items that wait for each other, and another one that waits for them',
    [
      ['after', 'n1'],
      ['before', 'n0'],
      ['after', 'n1'],
    ],
    [
      'the positions of `n0` and `n1` depend on each other',
      'the positions of `n1` and `n0` depend on each other',
    ],
  ],
  ['an item beside itself', [['after', 'n0']], ['the position of `n0` depends on itself']],
])('%s: the cause is reported', (_, sides, problems) => {
  const report = new Reporter();
  placeItems(['a'], itemsOf(sides), report);
  expect(report.diagnostics.map(({ message }) => message)).toEqual(problems);
});

it('items are placed beside their anchors, which may be items that come later', () => {
  const side = fc.constantFrom<'before' | 'after'>('before', 'after');
  const anchor = fc.constantFrom('a', 'b', 'none', ...Array.from({ length: 8 }, (_, i) => `n${i}`));
  fc.assert(
    fc.property(fc.array(fc.tuple(side, anchor), { maxLength: 9 }), (sides) => {
      const reported: string[] = [];
      const report = { error: (code: string) => reported.push(code) } as unknown as Parameters<
        typeof placeItems
      >[2];
      expect(placeItems(['a', 'b'], itemsOf(sides), report)).toEqual(placeSlowly(['a', 'b'], sides));
    }),
  );
});
