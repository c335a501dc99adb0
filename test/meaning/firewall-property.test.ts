/*
 * Compares what is found in generated firewalls with a brute-force interpreter, which tries every small request on every rule.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firewallChecks, traceFirewall } from '../../providers/hosting/meaning/firewall/index.ts';
import type { Finding, View } from '../../src/kind/meaning.ts';
import { oneStoryIn, runs } from '../support/sweep.ts';
import {
  matches,
  objectsOf,
  oddCondition,
  oddRequests,
  plainCondition,
  plainRequests,
  rulesOf,
  type SmallRequest,
  type World,
  type WrittenRule,
  worlds,
} from './firewall-interpreter.ts';

const story = oneStoryIn(3);

/** Returns the findings about rules: the names of the rules with a code. */
function find(rules: readonly WrittenRule[]): (code: string) => string[] {
  const objects = objectsOf(rules);
  const view: View = {
    ofKind: (kind) => (kind === 'firewallRule' ? objects : []),
    under: () => [],
    at: () => undefined,
    knows: () => 'declared',
  };
  const findings: Finding[] = firewallChecks.flatMap((check) => [...check.find(view)]);
  return (code) =>
    findings.flatMap((finding) => (finding.code === `firewall/${code}` ? [finding.address] : []));
}

const decidesRequests = ({ active, action }: WrittenRule) =>
  active && ['deny', 'bypass', 'redirect'].includes(action.mitigate.action);

/** Returns the rules that match a request in some world, and those that such a request reaches. */
function tryAll(rules: readonly WrittenRule[], requests: readonly SmallRequest[], worlds: readonly World[]) {
  const matching = new Set<string>();
  const reached = new Set<string>();
  for (const world of worlds)
    for (const request of requests)
      for (const rule of rules.filter(({ active }) => active)) {
        if (!matches(rule, request, world)) continue;
        matching.add(rule.name);
        if (
          rules
            .slice(0, rules.indexOf(rule))
            .every((above) => !decidesRequests(above) || !matches(above, request, world))
        )
          reached.add(rule.name);
      }
  return { matching, reached };
}

const matchesAll = (rule: WrittenRule) =>
  worlds.every((world) => oddRequests.every((request) => matches(rule, request, world)));

describe('generated firewalls', () => {
  story('are judged as by trying every request', () => {
    fc.assert(
      fc.property(rulesOf(plainCondition), (rules) => {
        const found = find(rules);
        const { matching, reached } = tryAll(rules, plainRequests, worlds.slice(0, 1));
        const active = rules.filter(({ active }) => active).map(({ name }) => name);
        const unreached = new Set([...found('unreachable'), ...found('duplicate')]);
        const dead = active.filter((name) => matching.has(name) && !reached.has(name));
        expect(dead.filter((name) => !unreached.has(name))).toEqual([]);
        expect(
          [...unreached].filter((name) => reached.has(name) && !found('duplicate').includes(name)),
        ).toEqual([]);
        const whole = rules.filter((rule) => rule.active && !matching.has(rule.name)).map(({ name }) => name);
        expect(whole.filter((name) => !found('never-matches').includes(name))).toEqual([]);
      }),
      { numRuns: runs(8000) },
    );
  });

  story('are never accused in any world', () => {
    fc.assert(
      fc.property(rulesOf(fc.oneof(plainCondition, oddCondition)), (rules) => {
        const found = find(rules);
        const { reached, matching } = tryAll(rules, oddRequests, worlds);
        expect(found('unreachable').filter((name) => reached.has(name))).toEqual([]);
        const byName = (name: string) => rules.find((rule) => rule.name === name)!;
        expect(found('matches-everything').filter((name) => !matchesAll(byName(name)))).toEqual([]);
        const single = found('never-matches').filter((name) => byName(name).conditionGroup.length === 1);
        expect(single.filter((name) => matching.has(name))).toEqual([]);
      }),
      { numRuns: runs(8000) },
    );
  });

  it('decide each request as the trace says', () => {
    fc.assert(
      fc.property(
        rulesOf(fc.oneof(plainCondition, oddCondition)),
        fc.constantFrom(...oddRequests, ...plainRequests),
        (rules, request) => {
          const url = new URL(`https://example.com${request.path}`);
          for (const value of request.query) url.searchParams.append('q', value);
          const headers = new Map(request.header === undefined ? [] : [['x', request.header]]);
          const { steps } = traceFirewall(objectsOf(rules), { method: request.method, url, headers });
          for (const { address, matches: verdict } of steps) {
            if (verdict === 'unknown') continue;
            const rule = rules.find(({ name }) => name === address)!;
            expect(worlds.map((world) => matches(rule, request, world))).toEqual(
              worlds.map(() => verdict === 'yes'),
            );
          }
        },
      ),
      { numRuns: runs(8000) },
    );
  });
});
