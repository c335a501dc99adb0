/*
 * Finds firewall rules that no request reaches, because rules above them decide every request that they match, and rules that exist twice.
 *
 * It is harmful if the rules above do something else, such as a rule that denies everything above a bypass. It is harmless, a note, if they
 * do the same, and for a rule that only logs. Each rule is a finding of its own, so that a plan shows a further one as new; reports fold
 * those that differ only in the name of the rule.
 */
import { addTo, type Finding } from '#kind';
import type { SearchBudget } from './automaton.ts';
import { type Decider, deciderOf, findCover } from './coverage.ts';
import { allHold, isPossible } from './requests.ts';
import { contentIdOf, decides, type Group, type Rule } from './rule.ts';
import { describeRule, formatRules } from './texts.ts';

/** A rule that no request reaches. `cover`: the rules above it that decide everything that it matches. */
interface Unreached {
  rule: Rule;
  cover: readonly Rule[];
  isHarmful: boolean;
}

/** Reports the rules of a firewall that exist twice, and those that no request reaches. `compareRules` has found them. */
export function* reportUnreached({ unreached, copies }: ComparedRules): Generator<Finding> {
  for (const [first, others] of copies) for (const copy of others) yield duplicate(first, copy);
  yield* unreached.map(unreachable);
}

/** The active rules of a firewall in their order, with the result of comparing them with each other. Computed once for several checks. */
export interface ComparedRules {
  rules: readonly Rule[];
  /** The copies of each rule that exists more than once, by the first one. */
  copies: ReadonlyMap<Rule, readonly Rule[]>;
  /** The rules that no request reaches, without copies. */
  unreached: readonly Unreached[];
  budget: SearchBudget;
}

/** How many steps the patterns of one firewall may cost. */
const mostSteps = 400_000;

/**
 * Compares the rules of a firewall with each other. `rules`: the active rules in their order. `entries`: the IP entries that deny requests.
 */
export function compareRules(rules: readonly Rule[], entries: readonly Rule[]): ComparedRules {
  const budget = { steps: mostSteps };
  const copies = findCopies(rules);
  const isCopy = new Set([...copies.values()].flat());
  const unreached = findUnreached([...entries, ...rules.filter((rule) => !isCopy.has(rule))], budget).filter(
    ({ rule }) => !rule.isEntry,
  );
  return { rules, copies, unreached, budget };
}

function findUnreached(rules: readonly Rule[], budget: SearchBudget): Unreached[] {
  const deciding: Decider[] = [];
  return rules.flatMap((rule): Unreached[] => {
    const cover = coverOf(rule, deciding, budget);
    if (!cover) {
      if (decides(rule)) deciding.push(deciderOf(rule, budget));
      return [];
    }
    if (rule.effectId === undefined) return [];
    const isHarmful = rule.action !== 'log' && !cover.every((other) => doesSame(other, rule));
    return [{ rule, cover, isHarmful }];
  });
}

/** True if a request ends in the same way by two rules. How long a client stays denied does not count. */
const doesSame = (first: Rule, second: Rule): boolean =>
  first.effectId === second.effectId || (first.action === 'deny' && second.action === 'deny');

/**
 * Returns the rules above that decide every request that a rule matches. Undefined if a request may be left for it, or if it matches none
 * at all.
 */
function coverOf(rule: Rule, above: readonly Decider[], budget: SearchBudget): Rule[] | undefined {
  // A rule that runs after the middleware decides nothing for rules that run before it.
  const deciders = above.filter((other) => rule.isLate || !other.rule.isLate);
  const groups = rule.groups?.filter((group) => canMatch(group, budget)) ?? [];
  if (groups.length === 0 || deciders.length === 0) return undefined;
  const coverRules = new Set<Rule>();
  for (const group of groups) {
    const cover = findCover(group, deciders, budget);
    if (!cover) return undefined;
    for (const coverRule of cover) coverRules.add(coverRule);
  }
  return deciders.flatMap((other) => (coverRules.has(other.rule) ? [other.rule] : []));
}

/** False if certainly no request meets all conditions of a group. Remembers the answer, because several checks ask. */
export function canMatch(group: Group, budget: SearchBudget): boolean {
  const cached = matchable.get(group);
  if (cached !== undefined) return cached;
  const isMatchable = isPossible(allHold(group), budget) !== 'no';
  matchable.set(group, isMatchable);
  return isMatchable;
}

const matchable = new WeakMap<Group, boolean>();

function findCopies(rules: readonly Rule[]): Map<Rule, Rule[]> {
  const byContent = new Map<string, Rule[]>();
  for (const rule of rules.length > 1 ? rules : []) {
    const id = contentIdOf(rule);
    if (id !== undefined) addTo(byContent, id, rule);
  }
  const twins = [...byContent.values()].filter(({ length }) => length > 1);
  return new Map(twins.map(([first, ...copies]) => [first!, copies]));
}

const duplicate = (first: Rule, copy: Rule): Finding => ({
  code: 'firewall/duplicate',
  severity: 'note',
  message: `${describeRule(copy)} does the same as ${formatRules([first])}, to the same requests`,
  hint: 'remove it, or change what it matches',
  address: copy.address,
  related: [{ message: 'the same rule, above it', address: first.address }],
});

const verbs: Record<string, string> = { deny: 'denies', redirect: 'redirects', bypass: 'lets through' };

function unreachable({ rule, cover, isHarmful }: Unreached): Finding {
  const verb =
    cover.length === 1 ? verbs[cover[0]!.action!] : `together ${isHarmful ? 'decide' : 'already decide'}`;
  const hasEntry = cover.some(({ isEntry }) => isEntry);
  const position = hasEntry ? 'before all rules' : 'above it';
  const advice = hasEntry ? `narrow or remove ${formatRules(cover)}` : `move it above ${formatRules(cover)}`;
  return {
    code: 'firewall/unreachable',
    severity: isHarmful ? 'warning' : 'note',
    message: `${describeRule(rule)} is never reached: ${formatRules(cover)}, ${position}, ${verb} every request that it matches`,
    hint: isHarmful
      ? `if it should apply, ${advice}; otherwise remove it`
      : 'remove it: the requests are treated the same without it',
    address: rule.address,
    related: cover.map(({ address, isEntry }) => ({
      message: isEntry ? 'the IP entry that decides first' : 'a rule above it that decides first',
      address,
    })),
  };
}
