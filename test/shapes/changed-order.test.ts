import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedOutside } from '../../src/shapes/order/order-causes.ts';
import { type ListStep, transition } from '../../src/shapes/order/transition.ts';
import { runs } from '../support/sweep.ts';

const letters = ['a', 'b', 'c', 'd', 'e', 'f'];
const someInAnyOrder = fc.shuffledSubarray(letters);
const isTheirs = (key: string) => key.startsWith('*');
const withoutTheirs = (keys: readonly string[]) => keys.filter((key) => !isTheirs(key));

const itemOf = (key: string) => ({
  key,
  verdict: key,
  content: key,
  managed: !isTheirs(key),
});

/** The list after one step of an apply. */
function afterStep(keys: string[], step: ListStep): string[] {
  if (step.type === 'insert') return [...keys, step.key];
  const others = keys.filter((key) => key !== step.key);
  if (step.type === 'remove') return others;
  return step.type === 'move' ? [...others.slice(0, step.to), step.key, ...others.slice(step.to)] : keys;
}

describe('a changed order', () => {
  it('is never ours: an apply may stop after any step, among items of others', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...letters, '*x', '*y', '*z']), someInAnyOrder, (before, desired) => {
        const recorded = withoutTheirs(before);
        let live = before;
        for (const step of transition(before.map(itemOf), desired.map(itemOf))) {
          live = afterStep(live, step);
          expect([...changedOutside({ recorded, live, desired })]).toEqual([]);
        }
      }),
      { numRuns: runs(4000) },
    );
  });

  it('is seen wherever the account reverses two items that the last apply and the configuration agree on', () => {
    fc.assert(
      fc.property(someInAnyOrder, someInAnyOrder, someInAnyOrder, (recorded, live, desired) => {
        const changed = changedOutside({ recorded, live, desired });
        for (const one of letters) {
          const isReversedWith = (other: string) => {
            const inOrder = (keys: string[]) => keys.filter((key) => key === one || key === other).join('');
            const [old, now, wanted] = [recorded, live, desired].map(inOrder);
            return old!.length === 2 && now!.length === 2 && old === wanted && now !== old;
          };
          expect(changed.has(one)).toBe(letters.some(isReversedWith));
        }
      }),
      { numRuns: runs(4000) },
    );
  });
});
