/*
 * Compares the judgement of a firewall's way with a brute-force interpreter, which asks every small request in each state.
 */
import fc from 'fast-check';
import { expect } from 'vitest';
import { judgeWay } from '../../../providers/hosting/meaning/transitions/judge-way.ts';
import type { ExampleRequest, ViewedObject } from '../../../src/kind/meaning.ts';
import { createView } from '../../../src/meaning/view.ts';
import { subsetsOf } from '../../../src/model/graph.ts';
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
import { oneStoryIn, runs } from '../../support/sweep.ts';

const story = oneStoryIn(3);

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

/** A visitor and what no source says: see `situations.ts`. */
interface Situation {
  hasSolved: boolean;
  exceeded: ReadonlySet<string>;
  stopsBelow: boolean;
}

/** Returns the action that a list takes for a request. */
function verdictOn(
  rules: readonly WrittenRule[],
  request: SmallRequest,
  { hasSolved, exceeded, stopsBelow }: Situation,
  where: World = world,
): string {
  for (const rule of rules) {
    const { action } = rule.action.mitigate;
    if (!rule.active || action === 'log' || !matches(rule, request, where)) continue;
    if (action === 'challenge' && hasSolved) continue;
    if (action !== 'rate_limit' || exceeded.has(rule.name)) return action === 'bypass' ? 'pass' : action;
    if (stopsBelow) return 'pass';
  }
  return 'pass';
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

/** Returns the situations of a visitor, each as a pair: with both meanings of a rate limit that is not exceeded. */
function situationsOf({ before, during, after }: Way): [Situation, Situation][] {
  const limits = [...before, ...during, ...after].filter(
    ({ action }) => action.mitigate.action === 'rate_limit',
  );
  const names = [...new Set(limits.map(({ name }) => name))];
  return subsetsOf(names).flatMap((subset) =>
    [true, false].map((hasSolved): [Situation, Situation] => {
      const situation = { hasSolved, exceeded: new Set(subset) };
      return [
        { ...situation, stopsBelow: true },
        { ...situation, stopsBelow: false },
      ];
    }),
  );
}

const isThird = (
  { before, during, after }: Way,
  request: SmallRequest,
  situation: Situation,
  where?: World,
) => {
  const verdict = verdictOn(during, request, situation, where);
  return [before, after].every((rules) => verdictOn(rules, request, situation, where) !== verdict);
};

/** True if some visitor with this request meets a third verdict, whatever a rate limit means that is not exceeded. */
const isSurelyThird = (way: Way, request: SmallRequest, where?: World): boolean =>
  situationsOf(way).some((pair) => pair.every((situation) => isThird(way, request, situation, where)));

/** True if some visitor with this request may meet a third verdict. */
const mayBeThird = (way: Way, request: SmallRequest, where?: World): boolean =>
  situationsOf(way).some((pair) => pair.some((situation) => isThird(way, request, situation, where)));

/** No source says whether a path is compared with the slash at its end. */
const isSpellingUnclear = ({ path }: SmallRequest): boolean => path.length > 1 && path.endsWith('/');

const judge = ({ before, during, after }: Way) => judgeWay([before, during, after].map(viewOfRules));

const smallRequest = ({ url, method, headers = {} }: ExampleRequest): SmallRequest => ({
  path: new URL(url).pathname,
  method,
  header: headers.x,
  query: new URL(url).searchParams.getAll('q'),
});

story('is as asking every request in each state', () => {
  const counts = { third: 0, safe: 0, undecided: 0 };
  fc.assert(
    fc.property(wayOf(rulesOf(plainCondition)), (way) => {
      const { thirds, undecided } = judge(way);
      const [third] = thirds;
      counts[third ? 'third' : undecided.length > 0 ? 'undecided' : 'safe']++;
      if (third) {
        expect(isSurelyThird(way, smallRequest(third.request))).toBe(true);
        return;
      }
      const requests = plainRequests.filter((request) => mayBeThird(way, request));
      if (undecided.length === 0) expect(requests).toEqual([]);
      else {
        const hasRateLimits = situationsOf(way).length > 2;
        expect(hasRateLimits || requests.every(isSpellingUnclear)).toBe(true);
      }
      const surely = requests.filter((request) => !isSpellingUnclear(request) && isSurelyThird(way, request));
      // A request that is surely a third one only beside a limit that is not exceeded may stay undecided.
      if (situationsOf(way).length === 2) expect(surely).toEqual([]);
    }),
    { numRuns: runs(2000, 50) },
  );
  console.log(`plain conditions: ${JSON.stringify(counts)}`);
});

story('is never wrong about conditions on what may be absent or repeated', () => {
  const counts = { third: 0, safe: 0, undecided: 0 };
  fc.assert(
    fc.property(wayOf(rulesOf(fc.oneof(plainCondition, oddCondition))), (way) => {
      const { thirds, undecided } = judge(way);
      const [third] = thirds;
      counts[third ? 'third' : undecided.length > 0 ? 'undecided' : 'safe']++;
      for (const where of worlds) {
        if (third) expect(isSurelyThird(way, smallRequest(third.request), where)).toBe(true);
        if (!third && undecided.length === 0)
          expect(oddRequests.filter((request) => mayBeThird(way, request, where))).toEqual([]);
      }
    }),
    { numRuns: runs(1000, 50) },
  );
  console.log(`odd conditions: ${JSON.stringify(counts)}`);
});
