import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { longestIncreasingSubsequence } from '../../src/shapes/order/reorder.ts';
import {
  givesOldOrNewVerdicts,
  type ListItem,
  type ListStep,
  rankVerdicts,
  transition,
} from '../../src/shapes/order/transition.ts';
import { all, oneRowIn, oneStoryIn, runs } from '../support/sweep.ts';

const story = oneStoryIn(3);

/*
 * The server, the requests and the search for shorter ways are written here once more, as plainly as can be, so that
 * the module is not measured with its own yardstick.
 */

/** `a:p` is our rule a that decides p; `a` alone decides "a"; `a:` never decides; a `*` in front: not ours; `!`: another name. */
function item(text: string): ListItem {
  const [, foreign, key, renamed, , decides] = /^(\*?)(\w+)(!?)(:(\w*))?$/
    .exec(text)!
    .map((part) => part ?? '');
  const verdict = text.includes(':') ? decides || null : key!;
  return { key: key!, verdict, managed: !foreign, content: `${verdict}${renamed}` };
}
const list = (text: string) => text.split(' ').filter(Boolean).map(item);

/** The list after each step, as the platform would have it. */
function play(before: ListItem[], after: ListItem[], steps: ListStep[]): ListItem[][] {
  let now = before;
  return steps.map((step) => {
    const copies = now.filter((one) => one.key === step.key);
    const desired = after.find((one) => one.key === step.key)!;
    expect(copies.every((one) => one.managed)).toBe(true);
    if (step.type === 'insert') {
      now = [...now, desired];
    } else if (step.type === 'remove') {
      expect(copies).toHaveLength(step.superseded ? 2 : 1);
      const gone = copies.find((one) => one !== desired)!;
      expect(gone).toBeDefined();
      now = now.filter((one) => one !== gone);
    } else if (step.type === 'update') {
      expect(copies).toHaveLength(1);
      expect(copies[0]).not.toEqual(desired);
      now = now.map((one) => (one.key === step.key ? desired : one));
    } else {
      const moved = copies.find((one) => one === desired) ?? copies[0]!;
      const others = now.filter((one) => one !== moved);
      expect(now.indexOf(moved)).not.toBe(step.to);
      expect(step.to).toBeLessThanOrEqual(others.length);
      now = [...others.slice(0, step.to), moved, ...others.slice(step.to)];
    }
    return now;
  });
}

const verdict = (rules: readonly ListItem[], matching: Set<string>) =>
  rules.find((rule) => rule.verdict !== null && matching.has(rule.verdict))?.verdict ?? null;

/** Whether some request would get a third verdict, by asking every possible one. */
function safeByRequests(now: ListItem[], before: ListItem[], after: ListItem[]): boolean {
  const known = [...new Set([...before, ...now, ...after].map((rule) => rule.verdict))].filter(
    (one) => one !== null,
  );
  for (let bits = 0; bits < 1 << known.length; bits++) {
    const matching = new Set(known.filter((_, index) => bits & (1 << index)));
    const got = verdict(now, matching);
    if (got !== verdict(before, matching) && got !== verdict(after, matching)) return false;
  }
  return true;
}

const safeByRanking = (now: ListItem[], before: ListItem[], after: ListItem[]) =>
  givesOldOrNewVerdicts(rankVerdicts(now), rankVerdicts(before), rankVerdicts(after));

function check(before: ListItem[], after: ListItem[], isSafe = safeByRequests) {
  const steps = transition(before, after);
  const stops = play(before, after, steps);
  const last = stops.at(-1) ?? before;
  const bare = (rules: ListItem[], managed: boolean) => rules.filter((rule) => rule.managed === managed);
  expect(bare(last, true)).toEqual(after);
  expect(bare(last, false)).toEqual(bare(before, false));
  for (const stop of stops) expect(isSafe(stop, before, last)).toBe(true);
  return { steps, last };
}

const words = (steps: ListStep[]) =>
  steps.map((step) => {
    if (step.type === 'move') return `move ${step.key} ${step.to}`;
    return step.type === 'remove' && step.superseded ? `drop ${step.key}` : `${step.type} ${step.key}`;
  });

/** Any change of up to `size` rules and `foreign` others; `verdicts` few enough that some are equal, or none are. */
function change(
  size: number,
  foreign: number,
  verdicts: 'equal' | 'different',
): fc.Arbitrary<[ListItem[], ListItem[]]> {
  const pool = verdicts === 'equal' ? ['p', 'q', 'r', 's'] : [];
  const decides = (own: string) => fc.constantFrom(null, ...(pool.length > 0 ? pool : [own, own, own]));
  const side = (label: string) =>
    fc
      .shuffledSubarray(Array.from({ length: size }, (_, index) => `k${index}`))
      .chain((keys) =>
        fc.tuple(
          ...keys.map((key) =>
            fc.record({
              key: fc.constant(key),
              // Half of the rules stay as they are.
              verdict: fc.oneof(decides(key), decides(`${key}${label}`)),
              managed: fc.constant<boolean>(true),
              content: fc.constantFrom('', '', '!'),
            }),
          ),
        ),
      )
      .map((rules) => rules.map((rule) => ({ ...rule, content: `${rule.verdict}${rule.content}` })));
  const others = fc.array(
    fc.tuple(fc.integer({ min: 0, max: size }), decides('u')).map(([at, what]) => ({ at, what })),
    { maxLength: foreign },
  );
  return fc.tuple(side('old'), side('new'), others).map(([before, after, strangers]) => {
    const mixed = [...before];
    strangers.forEach(({ at, what }, index) => {
      const decides = what === 'u' ? `u${index}` : what;
      mixed.splice(Math.min(at, mixed.length), 0, {
        key: `u${index}`,
        verdict: decides,
        managed: false,
        content: '',
      });
    });
    return [mixed, after];
  });
}

/** Fewest safe steps to exactly this last list, if fewer than `limit`. */
function fewest(before: ListItem[], after: ListItem[], last: ListItem[], limit: number): number {
  const text = (rules: ListItem[]) => rules.map((rule) => `${rule.key}=${rule.content}`).join();
  const wanted = new Map(after.map((rule) => [rule.key, rule]));
  const place = new Map(last.map((rule, index) => [rule.key, index]));
  /** A step changes one rule: those that are not yet right each take one, and those out of order another. */
  const atLeast = (rules: ListItem[]) => {
    const wrong = rules.filter((rule) => rule.managed && wanted.get(rule.key)?.content !== rule.content);
    const right = rules.filter((rule) => !rule.managed || wanted.get(rule.key)?.content === rule.content);
    const absent = after.filter((rule) => !rules.some((one) => one.key === rule.key));
    return (
      wrong.length +
      absent.length +
      right.length -
      longestIncreasingSubsequence(right.map((rule) => place.get(rule.key)!)).length
    );
  };
  let front = new Map([[text(before), before]]);
  const seen = new Set(front.keys());
  const goal = text(last);
  for (let depth = 0; depth < limit; depth++) {
    if (front.has(goal)) return depth;
    const next = new Map<string, ListItem[]>();
    for (const rules of front.values()) {
      const options: ListItem[][] = [];
      rules.forEach((rule, index) => {
        if (!rule.managed) return;
        const others = rules.toSpliced(index, 1);
        const desired = wanted.get(rule.key);
        options.push(others);
        if (desired && desired.content !== rule.content) options.push(rules.with(index, desired));
        for (let to = 0; to <= others.length; to++) options.push(others.toSpliced(to, 0, rule));
      });
      for (const rule of after)
        if (rules.filter((one) => one.key === rule.key).length < 2) options.push([...rules, rule]);
      for (const option of options) {
        const name = text(option);
        if (seen.has(name)) continue;
        seen.add(name);
        if (depth + 1 + atLeast(option) < limit && safeByRanking(option, before, last))
          next.set(name, option);
      }
    }
    front = next;
  }
  return limit;
}

/** Every order of 0 … size-1, with the fewest moves that lead to it from 0, 1, 2, …: all lists, breadth first. */
function orders(size: number): { order: number[]; moves: number }[] {
  const first = Array.from({ length: size }, (_, index) => index);
  const reached = [{ order: first, moves: 0 }];
  const seen = new Set([first.join()]);
  for (const { order, moves } of reached)
    for (let from = 0; from < size; from++)
      for (let to = 0; to < size; to++) {
        const others = order.toSpliced(from, 1);
        const next = others.toSpliced(to, 0, order[from]!);
        if (seen.has(next.join())) continue;
        seen.add(next.join());
        reached.push({ order: next, moves: moves + 1 });
      }
  return reached;
}

describe('givesOldOrNewVerdicts', () => {
  it('agrees with asking every possible request', () => {
    const some = fc
      .array(fc.constantFrom('p', 'q', 'r', 's', 't', null), { maxLength: 6 })
      .map((verdicts) =>
        verdicts.map((verdict, index) => ({ key: `k${index}`, verdict, managed: true, content: '' })),
      );
    const near = fc
      .tuple(some, some)
      .chain(([before, after]) =>
        fc.oneof(some, fc.shuffledSubarray([...before, ...after])).map((now) => ({ before, after, now })),
      );
    const counts = { safe: 0, unsafe: 0 };
    const tries = runs(5000, 10);
    fc.assert(
      fc.property(near, ({ now, before, after }) => {
        const isSafe = safeByRequests(now, before, after);
        counts[isSafe ? 'safe' : 'unsafe']++;
        expect(safeByRanking(now, before, after)).toBe(isSafe);
      }),
      { numRuns: tries },
    );
    expect(Math.min(counts.safe, counts.unsafe)).toBeGreaterThan(tries / 20);
  });

  it.each([
    ['halfway through two updates', 'a b', 'a:c b', 'a:c b:d', false],
    ['an addition not in its place yet', 'a b', 'a b c', 'c a b', true],
    ['an addition behind one that is to come', 'a', 'a c', 'a b c', false],
    ['an equal one in front', 'a:p b:q', 'c:p a:p b:q', 'c:p b:q', true],
  ])('%s', (_, before, now, after, isSafe) => {
    expect(safeByRanking(list(now), list(before), list(after))).toBe(isSafe);
  });
});

describe('longestIncreasingSubsequence', () => {
  it('is as long as the longest of all increasing selections', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(20), { maxLength: 9 }), (values) => {
        const run = longestIncreasingSubsequence(values).map((index) => values[index]!);
        const rises = (some: number[]) =>
          some.every((value, index) => index === 0 || some[index - 1]! < value);
        let longest = 0;
        for (let bits = 0; bits < 1 << values.length; bits++) {
          const some = values.filter((_, index) => bits & (1 << index));
          if (rises(some)) longest = Math.max(longest, some.length);
        }
        expect(rises(run)).toBe(true);
        expect(run).toHaveLength(longest);
      }),
    );
  });
});

describe('transition, by example', () => {
  it.each([
    ['nothing to do', 'a *u b', 'a b', ''],
    ['an addition at the end', 'a *u', 'a b', 'insert b'],
    ['an addition in front yields to what is not ours', '*u a', 'b a', 'insert b, move b 1'],
    ['a new name', 'a b', 'a! b', 'update a'],
    ['one update', 'a b c', 'a b:x c', 'update b'],
    ['two updates: only the last in place', 'a b', 'a:x b:y', 'insert a, move a 0, update b, drop a'],
    ['an update before an addition: not in place', 'a b', 'a:x b c', 'insert a, move a 0, insert c, drop a'],
    ['an update behind an addition', 'a b', 'c a b:x', 'insert c, move c 0, update b'],
    ['switched on behind a removal', 'a b:', 'b', 'update b, remove a'],
    ['switched off, and another on', 'a b:', 'a: b', 'update b, update a'],
    ['to the front', 'a b c', 'c a b', 'move c 0'],
    ['to the back, no farther than needed', 'a b *u', 'b a', 'move b 0'],
    ['switched on and moved: moved first', 'a b:', 'b a', 'move b 0, update b'],
    ['reversed', 'a b c', 'c b a', 'move c 0, move b 1'],
    ['everything goes', 'a *u b', '', 'remove b, remove a'],
    ['contents change places', 'a:p b:q', 'a:q b:p', 'insert b, update a, drop b'],
  ])('%s', (_, before, after, steps) => {
    expect(words(check(list(before), list(after)).steps).join(', ')).toBe(steps);
  });
});

describe('transition of the order alone', () => {
  oneRowIn(5)(all ? [1, 2, 3, 4, 5, 6, 7] : [1, 2, 3, 4, 5])(
    'all orders of %i rules: safe, with the fewest moves',
    (size) => {
      const before = Array.from({ length: size }, (_, index) => item(`k${index}`));
      for (const { order, moves } of orders(size)) {
        const { steps } = check(
          before,
          order.map((index) => before[index]!),
          size > 5 ? safeByRanking : safeByRequests,
        );
        expect(steps.every((step) => step.type === 'move')).toBe(true);
        expect(steps).toHaveLength(moves);
        expect(moves).toBe(size - longestIncreasingSubsequence(order).length);
      }
    },
  );

  oneRowIn(2)(all ? [3, 4, 5] : [3, 4])(
    'all orders of %i rules, with others in any of the gaps: safe, with as few moves',
    (size) => {
      const ours = Array.from({ length: size }, (_, index) => item(`k${index}`));
      for (const { order, moves } of orders(size))
        for (let gaps = 1; gaps < 1 << (size + 1); gaps++) {
          const stranger = (gap: number) => (gaps & (1 << gap) ? [item(`*u${gap}`)] : []);
          const before = [...ours.flatMap((rule, index) => [...stranger(index), rule]), ...stranger(size)];
          const { steps } = check(
            before,
            order.map((index) => ours[index]!),
            safeByRanking,
          );
          expect(steps).toHaveLength(moves);
        }
    },
  );
});

describe('transition of anything', () => {
  oneRowIn(2)(['different', 'equal'] as const)(
    'ends right and is safe, asking every request: %s verdicts',
    (verdicts) => {
      fc.assert(
        fc.property(change(4, 2, verdicts), ([before, after]) => {
          check(before, after);
        }),
        { numRuns: runs(1500, 12) },
      );
    },
  );

  it.each(['different', 'equal'] as const)(
    'ends right and is safe in long lists: %s verdicts',
    (verdicts) => {
      fc.assert(
        fc.property(change(24, 6, verdicts), ([before, after]) => {
          check(before, after, safeByRanking);
        }),
        { numRuns: runs(300) },
      );
    },
  );

  story('is the same each time, and leaves what it is given alone', () => {
    fc.assert(
      fc.property(change(6, 3, 'equal'), ([before, after]) => {
        const given = structuredClone([before, after] as const);
        expect(transition(before, after)).toEqual(transition(given[0], given[1]));
        expect([before, after]).toEqual(given);
      }),
    );
  });

  story('changes no place among those that are not ours unless our order asks for it', () => {
    fc.assert(
      fc.property(change(8, 4, 'equal'), ([before, shuffled]) => {
        const origin = (rule: ListItem) => before.findIndex((one) => one.key === rule.key);
        const after = shuffled.toSorted((a, b) => origin(a) - origin(b));
        const { last } = check(before, after, safeByRanking);
        const shared = (rules: ListItem[]) =>
          rules
            .map((rule) => rule.key)
            .filter((key) => [before, last].every((side) => side.some((one) => one.key === key)));
        expect(shared(last)).toEqual(shared(before));
      }),
    );
  });
});

describe('transition in few steps', () => {
  oneRowIn(4)([
    [3, 0, 1500],
    [4, 0, 1500],
    [5, 0, 300],
    [4, 2, 800],
  ])(
    'different verdicts, up to %i rules and %i others: no safe way to that list is shorter',
    (size, foreign, numRuns) => {
      fc.assert(
        fc.property(change(size, foreign, 'different'), ([before, after]) => {
          const { steps, last } = check(before, after, safeByRanking);
          expect(fewest(before, after, last, steps.length)).toBe(steps.length);
        }),
        { numRuns: runs(numRuns, 12) },
      );
    },
  );

  it('equal verdicts, up to 4 rules and 2 others: 99 % as short as can be, the rest at most 2 steps longer', () => {
    const cases = fc.sample(change(4, 2, 'equal'), { numRuns: runs(2000), seed: 1 });
    const excess = cases.map(([before, after]) => {
      const { steps, last } = check(before, after, safeByRanking);
      return steps.length - fewest(before, after, last, steps.length);
    });
    expect(Math.max(...excess)).toBeLessThanOrEqual(2);
    expect(excess.filter((steps) => steps > 0).length).toBeLessThan(cases.length / 100);
  });

  it('all orders of few rules with one of them updated: no safe way is shorter', () => {
    for (const size of all ? [2, 3, 4, 5] : [2, 3]) {
      const before = Array.from({ length: size }, (_, index) => item(`k${index}`));
      for (const { order } of orders(size))
        for (let updated = 0; updated < size; updated++) {
          const after = order.map((index) => (index === updated ? item(`k${index}:new`) : before[index]!));
          const { steps, last } = check(before, after, safeByRanking);
          expect(fewest(before, after, last, steps.length)).toBe(steps.length);
        }
    }
  });
});
