/*
 * Finds firewall rules that are wrong on their own: they match every request, or none, or have a regular expression that is none.
 */
import type { Finding, View } from '#kind';
import type { SearchBudget } from './automaton.ts';
import { deciderOf, findCover } from './coverage.ts';
import { allHold, isPossible } from './requests.ts';
import type { Group, Rule, RuleList } from './rule.ts';
import { describeRule, formatCondition } from './texts.ts';
import { type ComparedRules, canMatch } from './unreachable.ts';

/** Reports the rules of a firewall that deny, challenge or bypass every request, unless exceptions show that this is the intention. */
export function* reportRulesForEverything(
  compared: ComparedRules,
  list: RuleList,
  view: View,
): Generator<Finding> {
  const copies = new Set([...compared.copies.values()].flat());
  for (const rule of compared.rules)
    if (!copies.has(rule) && isForEverything(rule, compared.budget))
      yield* reportRuleForEverything(rule, compared, list, view);
}

const effects: Record<string, string> = {
  deny: 'denies every request',
  challenge: 'challenges every request, also those of programs that cannot solve a challenge',
  bypass: 'lets every request through, so no rule below it ever applies',
};

/** True if a rule or an IP entry with this action may let a request through, or redirect it. */
const mayLetThrough = (action: unknown): boolean =>
  !['deny', 'challenge', 'log', 'rate_limit'].includes(String(action));

const isForEverything = (rule: Rule, budget: SearchBudget): boolean =>
  effects[rule.action ?? ''] !== undefined && findCover([], [deciderOf(rule, budget)], budget) !== undefined;

/**
 * Reports a rule that matches everything, unless rules above it let requests through or redirect them: they are then the exceptions to it,
 * and the author means it. A note if a warning about the rules below names it already, because one cause is one warning. It is not left out
 * then, because a plan that adds such a rule below would seem to fix it.
 */
function* reportRuleForEverything(
  rule: Rule,
  { rules, unreached }: ComparedRules,
  { firewall, elsewhere }: RuleList,
  view: View,
): Generator<Finding> {
  if (rule.action !== 'bypass') {
    const above = [...rules.slice(0, rules.indexOf(rule)), ...elsewhere];
    const letsAddressesThrough = view
      .under(firewall, 'firewallIp')
      .some(({ fields }) => mayLetThrough(fields.action));
    if (above.some(({ action }) => mayLetThrough(action)) || letsAddressesThrough) return;
  }
  if (unreached.some((other) => other.rule === rule)) return;
  const isNamed = unreached.some(
    (other) => other.isHarmful && other.cover.length === 1 && other.cover[0] === rule,
  );
  yield {
    code: 'firewall/matches-everything',
    severity: isNamed ? 'note' : 'warning',
    message: `${describeRule(rule)} ${effects[rule.action!]}: its conditions hold for each`,
    hint:
      rule.action === 'bypass'
        ? 'narrow its conditions to the requests that need it, or remove it'
        : 'narrow its conditions to the requests that it is meant for',
    address: rule.address,
    path: 'conditionGroup',
  };
}

/** Reports the rules of a firewall with a group of conditions that no request meets, or with an invalid regular expression. */
export function* reportRulesForNothing({ rules, budget }: ComparedRules): Generator<Finding> {
  for (const rule of rules) {
    yield* invalidPatterns(rule);
    yield* neverMatches(rule, budget);
  }
}

function* invalidPatterns(rule: Rule): Generator<Finding> {
  const invalid = (rule.groups ?? []).flat().filter((condition) => condition?.invalid !== undefined);
  const [first] = invalid;
  if (!first) return;
  yield {
    code: 'firewall/invalid-pattern',
    severity: 'error',
    message: `${describeRule(rule)} has the condition ${formatCondition(first)}, which is no regular expression: ${first.invalid}`,
    hint: 'correct the expression; for a fixed text, use `eq`, `pre`, `suf` or `sub`',
    address: rule.address,
    path: 'conditionGroup',
  };
}

function* neverMatches(rule: Rule, budget: SearchBudget): Generator<Finding> {
  const groups = rule.groups ?? [];
  const impossible = groups.filter((group) => !canMatch(group, budget));
  const [first] = impossible;
  if (!first) return;
  const isWhole = impossible.length === groups.length;
  yield {
    code: 'firewall/never-matches',
    severity: 'warning',
    message: isWhole
      ? `${describeRule(rule)} matches no request: ${reasonFor(first, budget)}`
      : `${describeRule(rule)} has conditions without effect, as group ${groups.indexOf(first) + 1} matches no request: ${reasonFor(first, budget)}`,
    hint: isWhole
      ? 'correct the conditions: the rule has no effect'
      : 'correct the conditions of the group, or remove it: it has no effect',
    address: rule.address,
    path: 'conditionGroup',
  };
}

/** Returns why no request meets the conditions of a group: the fewest of them that contradict each other. */
function reasonFor(group: Group, budget: SearchBudget): string {
  const conditions = group.filter((condition) => condition !== undefined);
  const needed = conditions.reduce((left, condition) => {
    const fewerConditions = left.filter((other) => other !== condition);
    return isPossible(allHold(fewerConditions), budget) === 'no' ? fewerConditions : left;
  }, conditions);
  const text = needed.map(formatCondition).join(' and ');
  if (needed.length > 1) return `${text} are never true together`;
  const startsWithSlash = needed[0]!.attribute.type === 'path';
  return `${text} is never true${startsWithSlash ? ', since each path starts with "/"' : ''}`;
}
