/*
 * Decides whether rules together match every request that a group of conditions matches: these rules cover the group. One rule covers it if
 * each condition of one of the rule's groups follows from the conditions of the group. Several rules cover it if no request meets the group
 * and fails all of them. Used to find rules that are never reached, and rules that match everything (they cover the empty group).
 */
import { groupBy } from '#kind';
import type { SearchBudget } from './automaton.ts';
import type { Condition } from './condition.ts';
import { type Assertion, allHold, isPossible, isPossibleTogether } from './requests.ts';
import type { Group, Rule } from './rule.ts';

/** A rule that may decide requests before others. */
export interface Decider {
  rule: Rule;
  /** Its groups without those that cannot be read, each with an assertion for the case that a condition fails. */
  groups: readonly (readonly DecidingCondition[])[];
}
interface DecidingCondition {
  condition: Condition;
  failing: Assertion;
  holding: Assertion;
}

/** A group that may match what another group matches. `unproven`: those of its conditions that do not follow from the other group. */
interface Cover {
  rule: Rule;
  unproven: readonly DecidingCondition[];
}

/** More groups together are not compared: the number of combinations grows quickly. */
const mostCovers = 24;
const mostBranches = 60;

/** Prepares a rule for `findCover`, once for all groups that it is compared with. Conditions that hold for every request are left out. */
export function deciderOf(rule: Rule, budget: SearchBudget): Decider {
  const readable = (rule.groups ?? []).filter((group) => !group.includes(undefined)) as Condition[][];
  const groups = readable.map((group) =>
    group
      .map(
        (condition): DecidingCondition => ({
          condition,
          failing: { condition, holds: false },
          holding: { condition, holds: true },
        }),
      )
      .filter(({ failing }) => isPossible([failing], budget) !== 'no'),
  );
  return { rule, groups };
}

/**
 * Returns as few rules as possible that together cover a group (see the top of this file), in the order of `deciders`. Undefined if they do
 * not cover it, or if that cannot be decided. Conditions of the group that cannot be read are ignored: with them it could only match less.
 */
export function findCover(
  group: Group,
  deciders: readonly Decider[],
  budget: SearchBudget,
): Rule[] | undefined {
  const readable = group.filter((condition) => condition !== undefined);
  const byAttribute = groupBy(readable, ({ attribute }) => attribute.id);
  const covers: Cover[] = [];
  for (const { rule, groups } of deciders)
    for (const conditions of groups) {
      const unproven = findUnproven(conditions, byAttribute, budget);
      if (unproven?.length === 0) return [rule];
      if (unproven) covers.push({ rule, unproven });
    }
  return findTogether(readable, covers, budget);
}

/** Returns the rules of covers that only together match what a group matches. */
function findTogether(
  group: readonly Condition[],
  covers: readonly Cover[],
  budget: SearchBudget,
): Rule[] | undefined {
  if (covers.length < 2 || covers.length > mostCovers) return undefined;
  const assertions = allHold(group);
  const areEnough = (some: readonly Cover[]) =>
    leavesNothing(assertions, some, { branches: mostBranches, budget });
  if (!areEnough(covers)) return undefined;
  const needed = covers.reduce<readonly Cover[]>((left, cover) => {
    const fewerCovers = left.filter((other) => other !== cover);
    return fewerCovers.length > 0 && areEnough(fewerCovers) ? fewerCovers : left;
  }, covers);
  return [...new Set(needed.map(({ rule }) => rule))];
}

const nothing: readonly DecidingCondition[] = [];

/**
 * Returns the conditions that do not follow from those of another group. Undefined if they have no request in common with it, so that they
 * are of no use.
 */
function findUnproven(
  conditions: readonly DecidingCondition[],
  otherConditions: ReadonlyMap<string, readonly Condition[]>,
  budget: SearchBudget,
): readonly DecidingCondition[] | undefined {
  let unproven = nothing;
  for (const deciding of conditions) {
    const related = otherConditions.get(deciding.condition.attribute.id);
    if (related) {
      if (isPossibleTogether(related, deciding.failing, budget) === 'no') continue;
      if (isPossibleTogether(related, deciding.holding, budget) === 'no') return undefined;
    }
    unproven = [...unproven, deciding];
  }
  return unproven;
}

/** True if for certain no request makes the assertions true and fails all groups. Tries each way to fail a group. */
function leavesNothing(
  assertions: readonly Assertion[],
  covers: readonly Cover[],
  search: { branches: number; budget: SearchBudget },
): boolean {
  if (search.branches-- < 0) return false;
  const single = covers.flatMap(({ unproven }) => (unproven.length === 1 ? [unproven[0]!.failing] : []));
  const combined = [...assertions, ...single];
  if (isPossible(combined, search.budget) === 'no') return true;
  const [next, ...remaining] = covers.filter(({ unproven }) => unproven.length > 1);
  if (!next) return false;
  return next.unproven.every(({ failing }) => leavesNothing([...combined, failing], remaining, search));
}
