/*
 * Situations of a visitor in which the rules of a firewall do different things to the same request.
 *
 *   | rule         | to a visitor who              | does                                                               |
 *   | ------------ | ----------------------------- | ------------------------------------------------------------------ |
 *   | `challenge`  | has not solved the challenge  | stops the request                                                  |
 *   |              | has solved it                 | nothing: the rules behind it see the request                       |
 *   | `rate_limit` | has exceeded this limit       | stops the request                                                  |
 *   |              | has not                       | nothing, or it ends the rules like `bypass`: no source says which  |
 *
 * Challenges are solved for all rules at once. Each rate limit is exceeded on its own, so a rule with one is an optional item: it may stop
 * what it matches.
 */
import type { FirewallItem, FirewallList } from './firewall-list.ts';
import { passed } from './first-match.ts';

export interface Situation {
  hasSolvedChallenges: boolean;
  /** True if a rate limit that is not exceeded ends the rules, false if the rules behind it see the request. */
  stopsBelowLimits: boolean;
}

/** Returns the situations that lists tell apart. */
export function situationsOf(lists: readonly FirewallList[]): Situation[] {
  const actions = new Set(
    lists.flatMap(({ items }) => items.map(({ rule }) => (rule.isEntry ? '' : rule.action))),
  );
  const challenges = actions.has('challenge') ? [false, true] : [false];
  const limits = actions.has('rate_limit') ? [false, true] : [false];
  return challenges.flatMap((hasSolvedChallenges) =>
    limits.map((stopsBelowLimits) => ({ hasSolvedChallenges, stopsBelowLimits })),
  );
}

/** Returns the items of a list as they are for a visitor in a situation. */
export const itemsIn = (
  { hasSolvedChallenges, stopsBelowLimits }: Situation,
  items: readonly FirewallItem[],
): FirewallItem[] =>
  items.flatMap((item) => {
    const { action, isEntry } = item.rule;
    if (isEntry) return [item];
    if (action === 'challenge') return hasSolvedChallenges ? [] : [item];
    if (action !== 'rate_limit') return [item];
    const exceeded = { ...item, matchId: `exceeds ${item.matchId} ${item.effectId}`, isOptional: true };
    return stopsBelowLimits ? [exceeded, { ...item, effectId: passed.effectId }] : [exceeded];
  });
