/*
 * Finds firewall rules that are wrong on their own: they match every request, or none, or have a regular expression that is none.
 */
import type { Check, Finding, View } from '#kind';
import { findCover } from './coverage.ts';
import { isPossible } from './requests.ts';
import { activeRules, type Group, type Rule } from './rule.ts';
import { formatCondition, formatRules } from './texts.ts';
import { canMatch, findUnreached, newBudget } from './unreachable.ts';

export const rulesForEverything: Check = {
  codes: ['firewall/matches-everything'],
  *find(view) {
    for (const [firewall, rules] of activeRules(view)) {
      // Without the firewall, rules do nothing.
      if (view.at(firewall)?.fields.firewallEnabled === false) continue;
      for (const rule of rules)
        if (isForEverything(rule)) yield* matchesEverything(rule, rules, firewall, view);
    }
  },
};

const effects: Record<string, string> = {
  deny: 'denies every request',
  challenge: 'challenges every request, also those of programs that cannot solve a challenge',
  bypass: 'lets every request through, so no rule below it ever applies',
};

const isForEverything = (rule: Rule): boolean =>
  effects[rule.action ?? ''] !== undefined && findCover([], [rule], newBudget()) !== undefined;

/**
 * Reports a rule that matches everything, unless that is meant: rules above it let some requests through, which makes a list of those that may
 * pass. Silent also if a harmful finding about the rules below names it already, or if it is never reached itself.
 */
function* matchesEverything(
  rule: Rule,
  rules: readonly Rule[],
  firewall: Rule['address'],
  view: View,
): Generator<Finding> {
  if (rule.action !== 'bypass') {
    const above = rules.slice(0, rules.indexOf(rule));
    const mayLetThrough = ({ action }: Rule) =>
      !['deny', 'challenge', 'log', 'rate_limit', 'redirect'].includes(action ?? '');
    const letsAddressesThrough = view
      .under(firewall, 'firewallIp')
      .some(({ fields }) => !['deny', 'challenge', 'log'].includes(String(fields.action)));
    if (above.some(mayLetThrough) || letsAddressesThrough) return;
  }
  const isNamed = findUnreached(rules).some(
    (unreached) =>
      unreached.rule === rule ||
      (unreached.isHarmful && unreached.by.length === 1 && unreached.by[0] === rule),
  );
  if (isNamed) return;
  yield {
    code: 'firewall/matches-everything',
    severity: 'warning',
    message: `${formatRules([rule])} ${effects[rule.action!]}: its conditions hold for each`,
    hint:
      rule.action === 'bypass'
        ? 'narrow its conditions to the requests that need it, or remove it'
        : 'narrow its conditions to the requests that it is meant for',
    address: rule.address,
    path: 'conditionGroup',
  };
}

export const rulesForNothing: Check = {
  codes: ['firewall/never-matches', 'firewall/invalid-pattern'],
  *find(view) {
    for (const rules of activeRules(view).values())
      for (const rule of rules) {
        yield* invalidPatterns(rule);
        yield* neverMatches(rule);
      }
  },
};

function* invalidPatterns(rule: Rule): Generator<Finding> {
  const invalid = (rule.groups ?? []).flat().filter((condition) => condition?.invalid !== undefined);
  const [first] = invalid;
  if (!first) return;
  yield {
    code: 'firewall/invalid-pattern',
    severity: 'error',
    message: `${formatRules([rule])} has the condition ${formatCondition(first)}, which is no regular expression: ${first.invalid}`,
    hint: 'correct the expression; for a fixed text, use `eq`, `pre`, `suf` or `sub`',
    address: rule.address,
    path: 'conditionGroup',
  };
}

function* neverMatches(rule: Rule): Generator<Finding> {
  const budget = newBudget();
  const groups = rule.groups ?? [];
  const impossible = groups.filter((group) => !canMatch(group, budget));
  const [first] = impossible;
  if (!first) return;
  const isWhole = impossible.length === groups.length;
  yield {
    code: 'firewall/never-matches',
    severity: 'warning',
    message: isWhole
      ? `${formatRules([rule])} matches no request: ${reasonFor(first)}`
      : `group ${groups.indexOf(first) + 1} of the conditions of ${formatRules([rule])} matches no request: ${reasonFor(first)}`,
    hint: isWhole
      ? 'correct the conditions: the rule has no effect'
      : 'correct the conditions of the group, or remove it: it has no effect',
    address: rule.address,
    path: 'conditionGroup',
  };
}

/** Returns why no request meets the conditions of a group: the fewest of them that contradict each other. */
function reasonFor(group: Group): string {
  const budget = newBudget();
  const conditions = group.filter((condition) => condition !== undefined);
  const needed = conditions.reduce((left, condition) => {
    const others = left.filter((other) => other !== condition);
    const isEnough =
      isPossible(
        others.map((other) => ({ condition: other, holds: true })),
        budget,
      ) === 'no';
    return isEnough ? others : left;
  }, conditions);
  const text = needed.map(formatCondition).join(' and ');
  if (needed.length > 1) return `${text} are never true together`;
  const startsWithSlash = needed[0]!.attribute.type === 'path';
  return `${text} is never true${startsWithSlash ? ', since each path starts with "/"' : ''}`;
}
