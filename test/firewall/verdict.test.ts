import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { FirewallConfig, FirewallRule } from '../../providers/hosting/twin/security/firewall-config.ts';
import { givesOldOrNewVerdicts, rankVerdicts } from '../../src/shapes/order/transition.ts';
import { all, oneRowIn, oneStoryIn, runs } from '../support/sweep.ts';
import { Firewall, type Rule, rule } from './fixture.ts';

const story = oneStoryIn(3);

/*
 * What requests meet while a list of rules becomes another one: the platform's live configuration after every envelope,
 * judged here by what a firewall does, and not by what the planner thinks of it.
 */

let firewall: Firewall;
const counts = { lists: 0, envelopes: 0, requests: 0 };
beforeAll(async () => {
  firewall = await Firewall.start({ rules: [] });
});
afterAll(async () => {
  await firewall.stop();
  console.log(`verdicts: ${JSON.stringify(counts)}`);
});

const matchOf = ({ conditionGroup }: Rule) => String(conditionGroup[0]!.conditions[0]!.value);
const doesOf = ({ action }: Rule) => String(action.mitigate?.action);
/** What a rule decides, as text; null if it never does. */
const decisionOf = (one: Rule) =>
  one.active && doesOf(one) !== 'log' ? `${matchOf(one)} ${doesOf(one)}` : null;

/** What becomes of a request that matches just these paths. */
const verdict = (rules: Rule[], matched: Set<string>) =>
  rules.map((one) => (matched.has(matchOf(one)) ? decisionOf(one) : null)).find((one) => one !== null);

/** Every request there can be gets, in every version, its old verdict or its new one. */
function expectSafe(versions: FirewallConfig[]) {
  const paths = [...new Set(versions.flatMap(({ rules }) => rules.map(matchOf)))];
  const [first, last] = [versions[0]!.rules, versions.at(-1)!.rules];
  for (let bits = 0; bits < 1 << paths.length; bits++) {
    const matched = new Set(paths.filter((_, index) => bits & (1 << index)));
    const allowed = [verdict(first, matched), verdict(last, matched)];
    for (const { rules } of versions) expect(allowed).toContain(verdict(rules, matched));
    counts.requests += versions.length;
  }
}

function expectSafeByRanking(versions: FirewallConfig[]) {
  const rankings = versions.map(({ rules }) =>
    rankVerdicts(rules.map((one) => ({ verdict: decisionOf(one) }))),
  );
  for (const one of rankings) expect(givesOldOrNewVerdicts(one, rankings[0]!, rankings.at(-1)!)).toBe(true);
}

const isForeign = ({ name }: Rule) => name.startsWith('u');
const bare = ({ id: _, ...one }: FirewallRule): Rule => one;

/** Adopts `before` as it is, then changes it to `after`. Everything that always holds is checked. */
async function change(before: Rule[], after: Rule[], isSafe = expectSafe) {
  firewall.reset(before);
  const from = firewall.requestCount;
  await firewall.converge({ rules: before.filter((one) => !isForeign(one)) });
  expect(firewall.envelopes(from), 'what is equal is adopted without a word').toEqual([]);

  const { version } = firewall;
  await firewall.converge({ rules: after }, { maxDeletions: 1000 });
  const versions = firewall.since(version);
  const last = firewall.active.rules;
  expect(last.filter((one) => !isForeign(one)).map(bare)).toEqual(after);
  const foreign = before.filter(isForeign);
  for (const { rules } of versions) expect(rules.filter(isForeign).map(bare)).toEqual(foreign);
  const envelopes = firewall.envelopes(from);
  for (const [, id] of envelopes) expect(id ?? 'none').not.toMatch(/^u/);
  isSafe(versions);
  counts.lists++;
  counts.envelopes += envelopes.length;
  return envelopes;
}

/** Any change of up to `size` rules of ours, with up to `foreign` others between them. */
function changes(size: number, foreign: number, pathCount: number): fc.Arbitrary<[Rule[], Rule[]]> {
  const path = fc.integer({ min: 1, max: pathCount }).map((n) => `p${n}`);
  const some = fc.record({
    matches: path,
    does: fc.constantFrom('deny', 'deny', 'challenge', 'bypass', 'log'),
    active: fc.constantFrom(true, true, true, false),
  });
  const named = fc.array(some, { minLength: size, maxLength: size });
  const pick = fc.shuffledSubarray(Array.from({ length: size }, (_, index) => index));
  return fc
    .record({
      old: named,
      next: named,
      // Half of the rules stay as they are.
      stays: fc.array(fc.boolean(), { minLength: size, maxLength: size }),
      before: pick,
      after: pick,
      others: fc.array(fc.tuple(fc.nat(size), some), { maxLength: foreign }),
    })
    .map(({ old, next, stays, before, after, others }) => {
      const list = before.map((n) => rule(`k${n}`, old[n]));
      others.forEach(([at, one], index) => void list.splice(at, 0, rule(`u${index}`, one)));
      return [list, after.map((n) => rule(`k${n}`, stays[n] ? old[n] : next[n]))];
    });
}

describe('any change of a list', () => {
  story(
    'up to 5 rules among up to 3 others: no third verdict, asking every request after every envelope',
    async () => {
      await fc.assert(
        fc.asyncProperty(changes(5, 3, 8), async ([before, after]) => {
          await change(before, after);
        }),
        { numRuns: runs(40), seed: 7, endOnFailure: true },
      );
    },
  );

  story('30 to 60 rules among up to 12 others', async () => {
    for (const [before, after] of fc.sample(changes(60, 12, 40), { numRuns: runs(6), seed: 7 }))
      await change(before, after, expectSafeByRanking);
  });
});

/** How many moves a sorting takes at least: all but the longest increasing selection, by trying every selection. */
function fewestMoves(order: number[]): number {
  let longest = 0;
  for (let bits = 0; bits < 1 << order.length; bits++) {
    const kept = order.filter((_, index) => bits & (1 << index));
    if (kept.every((one, index) => index === 0 || kept[index - 1]! < one))
      longest = Math.max(longest, kept.length);
  }
  return order.length - longest;
}

function ordersOf(size: number): number[][] {
  if (size === 0) return [[]];
  return ordersOf(size - 1).flatMap((order) =>
    Array.from({ length: size }, (_, at) => order.toSpliced(at, 0, size - 1)),
  );
}

describe('a change of the order alone', () => {
  const samples = fc.sample(
    fc
      .constantFrom(5, 6, 7)
      .chain((size) => fc.shuffledSubarray([...Array(size).keys()], { minLength: size })),
    { numRuns: runs(12), seed: 7 },
  );
  oneRowIn(2)([
    ['all orders of few rules', (all ? [1, 2, 3, 4, 5] : [1, 2, 3, 4]).flatMap(ordersOf)],
    ['some of more', samples],
  ])('%s: safe, with the fewest moves there can be', async (_, orders) => {
    let rules: Rule[] = [];
    for (const order of orders) {
      if (rules.length !== order.length) {
        rules = order.map((_, n) => rule(`k${n}`));
        // A rule that is not ours, somewhere: it costs nothing.
        firewall.reset(rules.toSpliced(order.length >> 1, 0, rule('u')));
        await firewall.converge({ rules });
      }
      const next = order.map((index) => rules[index]!);
      const [from, { version }] = [firewall.requestCount, firewall];
      const planned = await firewall.plan({ rules: next });
      await firewall.world.apply(planned);
      const envelopes = firewall.envelopes(from);
      expect(envelopes.every(([action]) => action === 'rules.priority')).toBe(true);
      expect(envelopes).toHaveLength(fewestMoves(order));
      expect(planned.plan.changes.filter(({ action }) => action === 'move')).toHaveLength(envelopes.length);
      expect(firewall.names().filter((name) => name !== 'u')).toEqual(next.map(({ name }) => name));
      if (envelopes.length > 0) expectSafe(firewall.since(version));
      rules = next;
    }
  });
});
