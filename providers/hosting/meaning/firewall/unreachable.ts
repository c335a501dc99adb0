/*
 * Finds firewall rules that no request reaches, because rules above them decide every request that they match, and rules that are there twice.
 *
 * It is harmful if the rules above do something else, such as a rule that denies everything above a bypass. It is harmless, a note, if they do the
 * same, and for a rule that only logs. One cause is one finding: all rules that the same rules above keep from being reached are in it.
 */
import { type Check, type Finding, groupBy } from '#kind';
import type { SearchBudget } from './automaton.ts';
import { findCover } from './coverage.ts';
import { isPossible } from './requests.ts';
import { activeRules, decides, type Group, type Rule } from './rule.ts';
import { formatRules } from './texts.ts';

/** A rule that no request reaches. `by`: the rules above it that decide everything that it matches. */
interface Unreached {
  rule: Rule;
  by: readonly Rule[];
  isHarmful: boolean;
}

/** How many steps the patterns of one firewall may cost. */
export const newBudget = (): SearchBudget => ({ steps: 400_000 });

export const unreachableRules: Check = {
  codes: ['firewall/unreachable', 'firewall/duplicate'],
  *find(view) {
    for (const rules of activeRules(view).values()) {
      const twins = findDuplicates(rules);
      for (const [first, copies] of twins) yield duplicate(first, copies);
      const copies = new Set([...twins.values()].flat());
      const unreached = findUnreached(rules.filter((rule) => !copies.has(rule)));
      for (const sameCause of groupBy(unreached, causeOf).values()) yield unreachable(sameCause);
    }
  },
};

/** Returns the rules of a firewall that no request reaches, in their order. `rules`: those in force, in their order. */
export function findUnreached(rules: readonly Rule[]): Unreached[] {
  const budget = newBudget();
  const deciding: Rule[] = [];
  return rules.flatMap((rule): Unreached[] => {
    const by = coverOf(rule, deciding, budget);
    if (!by) {
      if (decides(rule)) deciding.push(rule);
      return [];
    }
    return rule.effectId === undefined
      ? []
      : [
          {
            rule,
            by,
            isHarmful: rule.action !== 'log' && by.some(({ effectId }) => effectId !== rule.effectId),
          },
        ];
  });
}

/** Returns the rules that decide everything that a rule matches; undefined if something may be left, or if it matches nothing anyway. */
function coverOf(rule: Rule, above: readonly Rule[], budget: SearchBudget): Rule[] | undefined {
  // A rule that runs after the middleware decides nothing for rules that run before it.
  const rules = above.filter(({ isLate }) => rule.isLate || !isLate);
  const groups = rule.groups?.filter((group) => canMatch(group, budget)) ?? [];
  if (groups.length === 0 || rules.length === 0) return undefined;
  const found = new Set<Rule>();
  for (const group of groups) {
    const cover = findCover(group, rules, budget);
    if (!cover) return undefined;
    for (const other of cover) found.add(other);
  }
  return rules.filter((other) => found.has(other));
}

/** True unless for certain no request meets all conditions of a group. */
export const canMatch = (group: Group, budget: SearchBudget): boolean =>
  isPossible(
    group.flatMap((condition) => (condition ? [{ condition, holds: true }] : [])),
    budget,
  ) !== 'no';

/** Returns the copies of each rule that is there more than once, by the first one. */
function findDuplicates(rules: readonly Rule[]): Map<Rule, Rule[]> {
  const readable = rules.filter(({ contentId }) => contentId !== undefined);
  const twins = [...groupBy(readable, ({ contentId }) => contentId).values()].filter(
    ({ length }) => length > 1,
  );
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
    message: `${formatRules(copies)} ${verb} the same as ${formatRules([first])}, to the same requests`,
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
  const [be, it, match] = others.length > 0 ? ['are', 'them', 'they match'] : ['is', 'it', 'it matches'];
  const verb =
    by.length === 1 ? verbs[by[0]!.action!] : `together ${isHarmful ? 'decide' : 'already decide'}`;
  return {
    code: 'firewall/unreachable',
    severity: isHarmful ? 'warning' : 'note',
    message: `${formatRules(rules)} ${be} never reached: ${formatRules(by)}, above ${it}, ${verb} every request that ${match}`,
    hint: isHarmful
      ? `if ${it === 'it' ? 'it' : 'they'} should apply, move ${it} above ${formatRules(by)}; otherwise remove ${it}`
      : `remove ${it}: the requests are treated the same without ${it}`,
    address: rule.address,
    related: [
      ...by.map(({ address }) => ({ message: `a rule above ${it} that decides first`, address })),
      ...others.map((other) => ({ message: 'never reached as well', address: other.rule.address })),
    ],
  };
}
