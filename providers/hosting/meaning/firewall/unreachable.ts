/*
 * Finds firewall rules that no request reaches, because rules above them decide every request that they match, and rules that are there twice.
 *
 * It is harmful if the rules above do something else, such as a rule that denies everything above a bypass. It is harmless, a note, if they do the
 * same, and for a rule that only logs. One cause is one finding: all rules that the same rules above keep from being reached are in it.
 */
import { addTo, type Finding, groupBy } from '#kind';
import type { SearchBudget } from './automaton.ts';
import { type Decider, deciderOf, findCover } from './coverage.ts';
import { isPossible } from './requests.ts';
import { contentIdOf, decides, type Group, type Rule } from './rule.ts';
import { describeRules, formatRules } from './texts.ts';

/** A rule that no request reaches. `by`: the rules above it that decide everything that it matches. */
interface Unreached {
  rule: Rule;
  by: readonly Rule[];
  isHarmful: boolean;
}

/** Reports the rules of a firewall that are there twice, and those that no request reaches. */
export function* reportUnreached({ unreached, copies }: ComparedRules): Generator<Finding> {
  for (const [first, others] of copies) yield duplicate(first, others);
  for (const sameCause of groupBy(unreached, causeOf).values()) yield unreachable(sameCause);
}

/** The rules of a firewall that are in force, in their order, and what each does together with those above it. */
export interface ComparedRules {
  rules: readonly Rule[];
  /** The copies of each rule that is there more than once, by the first one. */
  copies: ReadonlyMap<Rule, readonly Rule[]>;
  /** The rules that no request reaches, without copies. */
  unreached: readonly Unreached[];
  budget: SearchBudget;
}

/** How many steps the patterns of one firewall may cost. */
const mostSteps = 400_000;

/** Compares the rules of a firewall with each other. `rules`: those in force, in their order. `entries`: the IP entries that deny. */
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
    const by = coverOf(rule, deciding, budget);
    if (!by) {
      if (decides(rule)) deciding.push(deciderOf(rule, budget));
      return [];
    }
    return rule.effectId === undefined
      ? []
      : [
          {
            rule,
            by,
            isHarmful: rule.action !== 'log' && !by.every((other) => doesSame(other, rule)),
          },
        ];
  });
}

/** True if a request ends in the same way by two rules. How long a client stays denied does not count. */
const doesSame = (first: Rule, second: Rule): boolean =>
  first.effectId === second.effectId || (first.action === 'deny' && second.action === 'deny');

/** Returns the rules that decide everything that a rule matches; undefined if something may be left, or if it matches nothing anyway. */
function coverOf(rule: Rule, above: readonly Decider[], budget: SearchBudget): Rule[] | undefined {
  // A rule that runs after the middleware decides nothing for rules that run before it.
  const deciders = above.filter((other) => rule.isLate || !other.rule.isLate);
  const groups = rule.groups?.filter((group) => canMatch(group, budget)) ?? [];
  if (groups.length === 0 || deciders.length === 0) return undefined;
  const found = new Set<Rule>();
  for (const group of groups) {
    const cover = findCover(group, deciders, budget);
    if (!cover) return undefined;
    for (const other of cover) found.add(other);
  }
  return deciders.flatMap((other) => (found.has(other.rule) ? [other.rule] : []));
}

/** True unless for certain no request meets all conditions of a group. */
export function canMatch(group: Group, budget: SearchBudget): boolean {
  const known = matchable.get(group);
  if (known !== undefined) return known;
  const assertions = group.flatMap((condition) => (condition ? [{ condition, holds: true }] : []));
  const isMatchable = isPossible(assertions, budget) !== 'no';
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

const causeOf = ({ by, isHarmful }: Unreached): string =>
  JSON.stringify([isHarmful, ...by.map(({ address }) => address)]);

function duplicate(first: Rule, copies: readonly Rule[]): Finding {
  const [copy, ...others] = copies as [Rule, ...Rule[]];
  const [verb, object] = others.length > 0 ? ['do', 'them'] : ['does', 'it'];
  return {
    code: 'firewall/duplicate',
    severity: 'note',
    message: `${describeRules(copies)} ${verb} the same as ${formatRules([first])}, to the same requests`,
    hint: `remove ${object}, or change what ${others.length > 0 ? 'they match' : 'it matches'}`,
    address: copy.address,
    related: [
      { message: 'the same rule, above it', address: first.address },
      ...others.map(({ address }) => ({ message: 'another copy', address })),
    ],
  };
}

const verbs: Record<string, string> = { deny: 'denies', redirect: 'redirects', bypass: 'lets through' };

function unreachable([first, ...others]: readonly Unreached[]): Finding {
  const { rule, by, isHarmful } = first!;
  const rules = [rule, ...others.map((other) => other.rule)];
  const [be, it, they] = others.length > 0 ? ['are', 'them', 'they'] : ['is', 'it', 'it'];
  const verb =
    by.length === 1 ? verbs[by[0]!.action!] : `together ${isHarmful ? 'decide' : 'already decide'}`;
  const hasEntry = by.some(({ isEntry }) => isEntry);
  const place = hasEntry ? 'before all rules' : `above ${it}`;
  const mend = hasEntry ? `narrow or remove ${formatRules(by)}` : `move ${it} above ${formatRules(by)}`;
  return {
    code: 'firewall/unreachable',
    severity: isHarmful ? 'warning' : 'note',
    message: `${describeRules(rules)} ${be} never reached: ${formatRules(by)}, ${place}, ${verb} every request that ${they} ${others.length > 0 ? 'match' : 'matches'}`,
    hint: isHarmful
      ? `if ${they} should apply, ${mend}; otherwise remove ${it}`
      : `remove ${it}: the requests are treated the same without ${it}`,
    address: rule.address,
    related: [
      ...by.map(({ address, isEntry }) => ({
        message: isEntry ? 'the IP entry that decides first' : `a rule above ${it} that decides first`,
        address,
      })),
      ...others.map((other) => ({ message: 'never reached as well', address: other.rule.address })),
    ],
  };
}
