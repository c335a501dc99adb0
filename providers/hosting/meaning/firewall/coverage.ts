/*
 * Decides whether rules together match every request that a group of conditions matches. One rule is enough if each condition of one of its groups
 * follows from the conditions of the group. Several rules are enough if no request meets the group and fails all of them.
 */
import type { SearchBudget } from './automaton.ts';
import type { Condition } from './condition.ts';
import { type Assertion, isPossible } from './requests.ts';
import type { Group, Rule } from './rule.ts';

/** A group of a rule that may match what another group matches. */
interface Cover {
  rule: Rule;
  /** The conditions that do not follow from the other group. */
  rest: readonly Condition[];
}

/** More groups together are not compared: the number of combinations grows quickly. */
const mostCovers = 24;
const mostBranches = 60;

const holding = (condition: Condition): Assertion => ({ condition, holds: true });
const failing = (condition: Condition): Assertion => ({ condition, holds: false });

/**
 * Returns rules that together match every request which meets all conditions of a group: as few as possible, in the order given. Undefined if
 * they do not, or if that cannot be decided. The group may lack conditions that cannot be read: with them, it matches less.
 */
export function findCover(group: Group, rules: readonly Rule[], budget: SearchBudget): Rule[] | undefined {
  const known = group.filter((condition) => condition !== undefined);
  const covers: Cover[] = [];
  for (const rule of rules)
    for (const other of rule.groups ?? []) {
      const rest = restOf(other, known, budget);
      if (rest?.length === 0) return [rule];
      if (rest) covers.push({ rule, rest });
    }
  if (covers.length < 2 || covers.length > mostCovers) return undefined;
  const coverTogether = (some: readonly Cover[]) => {
    const search = { branches: mostBranches, budget };
    return leavesNothing(known.map(holding), some, search);
  };
  if (!coverTogether(covers)) return undefined;
  const needed = covers.reduce<readonly Cover[]>((left, cover) => {
    const others = left.filter((other) => other !== cover);
    return others.length > 0 && coverTogether(others) ? others : left;
  }, covers);
  return rules.filter((rule) => needed.some((cover) => cover.rule === rule));
}

/**
 * Returns the conditions of another group that do not follow from these conditions. Undefined if the group is of no use: it cannot be read, or it
 * has nothing in common with these conditions.
 */
function restOf(other: Group, known: readonly Condition[], budget: SearchBudget): Condition[] | undefined {
  const rest: Condition[] = [];
  for (const condition of other) {
    if (condition === undefined) return undefined;
    if (alwaysHolds(condition, budget)) continue;
    const related = known.filter(({ attribute }) => attribute.id === condition.attribute.id).map(holding);
    if (related.length > 0) {
      if (isPossible([...related, failing(condition)], budget) === 'no') continue;
      if (isPossible([...related, holding(condition)], budget) === 'no') return undefined;
    }
    rest.push(condition);
  }
  return rest;
}

/** True if for certain no request makes the assertions true and fails all groups. Tries each way to fail a group. */
function leavesNothing(
  assertions: readonly Assertion[],
  covers: readonly Cover[],
  search: { branches: number; budget: SearchBudget },
): boolean {
  if (search.branches-- < 0) return false;
  const single = covers.flatMap(({ rest }) => (rest.length === 1 ? rest.map(failing) : []));
  const all = [...assertions, ...single];
  if (isPossible(all, search.budget) === 'no') return true;
  const [next, ...others] = covers.filter(({ rest }) => rest.length > 1);
  if (!next) return false;
  return next.rest.every((condition) => leavesNothing([...all, failing(condition)], others, search));
}

const always = new WeakMap<Condition, boolean>();

/** True if for certain a condition holds for every request, as `path starts with "/"` does. */
function alwaysHolds(condition: Condition, budget: SearchBudget): boolean {
  const known = always.get(condition);
  if (known !== undefined) return known;
  const holds = isPossible([failing(condition)], budget) === 'no';
  always.set(condition, holds);
  return holds;
}
