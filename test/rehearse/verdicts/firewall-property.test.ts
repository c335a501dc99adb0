/*
 * Compares the judgement of a firewall's way with a brute-force interpreter, which asks every small request in each state.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { judgeWay } from '../../../providers/hosting/meaning/transitions/judge-way.ts';
import type { ExampleRequest, ViewedObject } from '../../../src/kind/meaning.ts';
import { createView } from '../../../src/meaning/view.ts';
import {
  matches,
  oddCondition,
  oddRequests,
  plainCondition,
  plainRequests,
  rulesOf,
  type SmallRequest,
  type World,
  type WrittenRule,
  worlds,
} from '../../meaning/firewall-interpreter.ts';
import { runs } from '../../support/sweep.ts';

const world = worlds[0]!;

/** Returns the view of a project with these firewall rules. */
function viewOfRules(rules: readonly WrittenRule[]) {
  const firewall = { address: 'projects/web/firewall', kind: 'firewall', parent: 'projects/web' };
  const objects: Omit<ViewedObject, 'isDeclared'>[] = [
    { ...firewall, fields: { firewallEnabled: true } },
    ...rules.map((rule) => ({
      address: `projects/web/firewall/rules/${rule.name}`,
      kind: 'firewallRule',
      parent: firewall.address,
      fields: rule as never,
    })),
  ];
  return createView(
    objects.map((object, index) => ({ ...object, index, isDeclared: true })),
    () => 'all',
  );
}

/** Returns what a list does to a request: each challenge, and the action that decides. `isLimitFinal`: whether a rate limit ends the list. */
function verdictOn(
  rules: readonly WrittenRule[],
  request: SmallRequest,
  isLimitFinal: boolean,
  where: World = world,
) {
  const effects: string[] = [];
  for (const rule of rules) {
    const { action } = rule.action.mitigate;
    if (!rule.active || action === 'log' || !matches(rule, request, where)) continue;
    if (action === 'bypass') break;
    if (!effects.includes(action)) effects.push(action);
    if (action !== 'challenge' && (action !== 'rate_limit' || isLimitFinal)) break;
  }
  return effects.join();
}

interface Way {
  before: WrittenRule[];
  during: WrittenRule[];
  after: WrittenRule[];
}

/** Any two lists, and a third one that has some of the rules of both. */
const wayOf = (rules: fc.Arbitrary<WrittenRule[]>): fc.Arbitrary<Way> =>
  fc.tuple(rules, rules, rules).chain(([kept, removed, added]) => {
    const named = (list: WrittenRule[], letter: string) =>
      list.map((rule, index) => ({ ...rule, name: `${letter}${index}` }));
    const [before, after] = [
      [...named(kept, 'k'), ...named(removed.slice(0, 2), 'r')],
      [...named(kept, 'k'), ...named(added.slice(0, 2), 'a')],
    ];
    const union = [...before, ...after.filter(({ name }) => name.startsWith('a'))];
    return fc.record({
      before: fc.shuffledSubarray(before, { minLength: 1 }),
      during: fc.shuffledSubarray(union),
      after: fc.shuffledSubarray(after, { minLength: 1 }),
    });
  });

const isThird = (
  { before, during, after }: Way,
  request: SmallRequest,
  isLimitFinal: boolean,
  where?: World,
) => {
  const verdict = verdictOn(during, request, isLimitFinal, where);
  return [before, after].every((rules) => verdictOn(rules, request, isLimitFinal, where) !== verdict);
};

/** No source says whether a path is compared with the slash at its end. */
const isSpellingUnclear = ({ path }: SmallRequest): boolean => path.length > 1 && path.endsWith('/');

const judge = ({ before, during, after }: Way) => judgeWay([before, during, after].map(viewOfRules));

const smallRequest = ({ url, method, headers = {} }: ExampleRequest): SmallRequest => ({
  path: new URL(url).pathname,
  method,
  header: headers.x,
  query: new URL(url).searchParams.getAll('q'),
});

it('is as asking every request in each state', () => {
  const counts = { third: 0, safe: 0, undecided: 0 };
  fc.assert(
    fc.property(wayOf(rulesOf(plainCondition)), (way) => {
      const { thirds, undecided } = judge(way);
      const thirdRequests = plainRequests.filter((request) =>
        [true, false].every((isFinal) => isThird(way, request, isFinal)),
      );
      const [third] = thirds;
      if (third) {
        counts.third++;
        for (const isFinal of [true, false])
          expect(isThird(way, smallRequest(third.request), isFinal)).toBe(true);
      } else if (undecided.length > 0) {
        counts.undecided++;
        const hasRateLimits = [...way.before, ...way.during, ...way.after].some(
          ({ action }) => action.mitigate.action === 'rate_limit',
        );
        expect(hasRateLimits || thirdRequests.every(isSpellingUnclear)).toBe(true);
      } else counts.safe++;
      if (!thirdRequests.every(isSpellingUnclear)) expect(thirds).toHaveLength(1);
      if (thirds.length + undecided.length === 0) expect(thirdRequests).toEqual([]);
    }),
    { numRuns: runs(8000) },
  );
  console.log(`plain conditions: ${JSON.stringify(counts)}`);
});

it('is never wrong about conditions on what may be absent or repeated', () => {
  const counts = { third: 0, safe: 0, undecided: 0 };
  fc.assert(
    fc.property(wayOf(rulesOf(fc.oneof(plainCondition, oddCondition))), (way) => {
      const { thirds, undecided } = judge(way);
      const [third] = thirds;
      counts[third ? 'third' : undecided.length > 0 ? 'undecided' : 'safe']++;
      if (!third && undecided.length === 0)
        for (const where of worlds)
          expect(oddRequests.filter((request) => isThird(way, request, true, where))).toEqual([]);
      if (third)
        for (const where of worlds)
          expect(
            [true, false].map((isFinal) => isThird(way, smallRequest(third.request), isFinal, where)),
          ).toEqual([true, true]);
    }),
    { numRuns: runs(4000) },
  );
  console.log(`odd conditions: ${JSON.stringify(counts)}`);
});
