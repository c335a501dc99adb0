import { subsetsOf } from '../../model/graph.ts';
import {
  type Anchor,
  compareLists,
  type ListChange,
  type ListItem,
  type ListSlot,
  planReorder,
  type Reorder,
  type Task,
} from './reorder.ts';
import { createListGoal, isInGoalOrder, type ListState, runListTask } from './run-list-task.ts';

export type { ListItem };

/*
 * Turns a first-match list such as firewall rules into another one, by steps that take effect one at a time.
 *
 * **A way that always works.** All foreign items and some of our unchanged ones stay. Each of the others is inserted, is removed, moves
 * forward or moves backward. The first half goes through the new order: it appends each new item and moves it to its last place, and it
 * moves items forward. The second half goes through the old order from its end: it moves items backward to their last place, and it removes
 * items. During the first half, an item that was placed already has in front of it all that precedes it at the end: the earlier items were
 * placed, settled items are in place, and items that will move backward are still farther in front. Every other item still has in front of
 * it all that preceded it at the start, because items were only inserted or moved forward. `givesOldOrNewVerdicts` asks for exactly that. The
 * second half is the first half of the way back, read backward, and the condition is symmetric. Equal verdicts do no harm: to tell them
 * apart only asks for more.
 *
 * **Updates.** An update that does not change the verdict is free. One that begins to decide is an insertion in place; one that ceases to
 * decide is a removal in place. An update from verdict p to verdict q, which no other item has, removes p and inserts q at once. Just
 * before it, q is missing: therefore no inserted item may stand behind q, and nothing may have been removed yet (a request that matches
 * only the removed item and q would fall through). Just after it, p is missing: therefore no item that will be removed may stand behind p,
 * and all insertions are done. Hence at most one such update can be made in place: the last insertion and the first removal. The others
 * insert a copy before the old item is removed.
 *
 * **Few steps.** Each insertion, removal, update and move is one step. The items that need no move are a longest run of ours between the
 * foreign ones, where an inserted item counts as standing at the end, because the platform puts it there. The way above takes no step more.
 * It remains to try doubtful updates in place, the cheapest way first, with a search for their order.
 *
 * **When is a step safe (`givesOldOrNewVerdicts`)?** A request gets the verdict of the first item that matches it. It is not known which items
 * match the same request, so any subset of the verdicts may apply to some request. Equal verdicts always apply together, so only the first
 * occurrence of each counts. What happens to a request that no item matches is one more verdict, at the end of every list.
 *
 * A list X answers a request with x. That is neither the old answer nor the new one exactly if the request also matches an item a that
 * stands before x in the old list but not in X, and an item b that stands before x in the new list but not in X (a or b is not needed if
 * that list lacks x). The request that matches only x, a and b then gets a third verdict. Therefore X is good if for each of its x
 *
 *     everything before x in the old list is before x in X, or everything before x in the new list is.
 *
 * Write down the indices that X gives to the verdicts of the old list, in the order of the old list. The first half then says that the
 * index of x is the greatest so far. So each x must be the greatest so far in one of two sequences, and one walk through each finds these.
 */

/** One request that takes effect at once. If a key has two copies for a while, a step is about the new one, unless it is `superseded`. */
export type ListStep =
  /** Appends the desired version to the end of the whole list. */
  | { type: 'insert'; key: string }
  /** Replaces the old version by the desired one, in its place. */
  | { type: 'update'; key: string }
  /** Removes an item. Superseded: removes the old copy, since the new one was inserted. */
  | { type: 'remove'; key: string; superseded?: true }
  /** Moves an item to an index, counted after the item was taken out of the whole list. */
  | { type: 'move'; key: string; to: number };

/**
 * Returns the steps from the live list to one that has exactly our items of `after`, in that order, between the foreign items (which this
 * stack does not manage). An apply sends one request per step, and each takes effect at once. So at every moment, each request of a visitor
 * must get the verdict (the effect of the first item that matches it) that it had at the start or the one that it has at the end. A way
 * that updates no verdict in place is always safe (`isProven`); ways with fewer steps or copies are tried first. `anchor`: see `$position`.
 */
export function transition(
  before: readonly ListItem[],
  after: readonly ListItem[],
  anchor?: Anchor,
): ListStep[] {
  const change = compareLists(before, after, anchor);
  // The limit for all ways together that may not be safe. The proven way needs one try for each of its tasks.
  const allowance = { tries: mostUnprovenTries };
  for (const { reorder, isProven } of listReorders(change)) {
    const states = findSafeOrder(reorder, isProven ? { tries: reorder.tasks.length } : allowance);
    if (!states) continue;
    return states.map(({ step, key, index }): ListStep => {
      if (step === 'move') return { type: 'move', key, to: index };
      if (step === 'remove' && change.desired.has(key)) return { type: 'remove', key, superseded: true };
      return { type: step, key };
    });
  }
  throw new Error('unreachable: the way without doubtful updates is safe in the order given');
}

/**
 * Returns the keys of the list at the end, when all steps are done, in order: our items of `after` and the foreign ones. Used to show the
 * new position of each item in a plan. `anchor`: where our items belong among the foreign ones (`$position`).
 */
export const arrival = (
  before: readonly ListItem[],
  after: readonly ListItem[],
  anchor?: Anchor,
): string[] => [...compareLists(before, after, anchor).goal.keys()];

/** The number of tasks that a search may try in ways that may not be safe. */
const mostUnprovenTries = 3000;

/** The number of doubtful updates that may be made in place. Each doubles the number of ways. */
const mostDoubtfulInPlace = 4;

/**
 * Returns the ways to change an ordered list, best first: few steps, then few new copies, because an update in place keeps the id of the
 * item. An update is doubtful if it turns one verdict (match and effect of an item) into another. In place, it does so at one moment, when
 * other items may not be ready, and some visitor may get a third verdict. Each way makes some of the first doubtful updates in place
 * (`inPlace`), and inserts changed copies for the others. Only the way without any in place is known to be safe (`isProven`).
 */
function listReorders(change: ListChange): { reorder: Reorder; isProven: boolean }[] {
  const isDoubtful = (key: string) => {
    // Null for an item that matches nothing, and for a new one.
    const oldVerdict = change.live.get(key)?.verdict ?? null;
    const newVerdict = change.desired.get(key)!.verdict;
    return oldVerdict !== null && newVerdict !== null && oldVerdict !== newVerdict;
  };
  const doubtful = [...change.desired.keys()].filter(isDoubtful);
  const worthTrying = doubtful.filter((key) => mayUpdateInPlace(change, key)).slice(0, mostDoubtfulInPlace);

  return subsetsOf(worthTrying)
    .map((inPlace) => {
      const reorder = planReorder(change, new Set(doubtful.filter((key) => !inPlace.includes(key))));
      const stepCount = reorder.tasks.reduce((sum, { steps }) => sum + steps.length, 0);
      return { reorder, isProven: inPlace.length === 0, stepCount, inPlaceCount: inPlace.length };
    })
    .sort((a, b) => a.stepCount - b.stepCount || b.inPlaceCount - a.inPlaceCount);
}

/**
 * True if the update of an item from its old verdict to its new one may be safe in place. Only a quick check that excludes hopeless
 * updates, so that few ways are tried; `findSafeOrder` decides. If no other item has either verdict, the update removes the old verdict
 * and inserts the new one at once. So all other insertions come before it, and all other removals after it. Then it is safe only if no
 * verdict behind the old one is removed, and no verdict behind the new one is inserted (see the proof at the top).
 */
function mayUpdateInPlace({ before, live, goal }: ListChange, key: string): boolean {
  const goalItems = [...goal.values()].map((verdict) => ({ verdict }));
  const [oldVerdict, newVerdict] = [live.get(key)!.verdict, goal.get(key)!];
  const withEitherVerdict = [...before, ...goalItems].filter(
    ({ verdict }) => verdict === oldVerdict || verdict === newVerdict,
  );
  // The item itself has the old verdict before and the new one in the goal.
  const haveOtherItemsEither = withEitherVerdict.length > 2;
  if (haveOtherItemsEither) return true;
  const [oldRanking, newRanking] = [rankVerdicts(before), rankVerdicts(goalItems)];
  const followersOf = (verdict: string | null, list: Ranking) => list.slice(list.indexOf(verdict) + 1);
  const isFollowerRemoved = followersOf(oldVerdict, oldRanking).some((item) => !newRanking.includes(item));
  const isFollowerInserted = followersOf(newVerdict, newRanking).some((item) => !oldRanking.includes(item));
  return !isFollowerRemoved && !isFollowerInserted;
}

/**
 * Finds an order of the tasks (moves, inserts, removals) of a list such as firewall rules in which, after each step of an apply, every
 * request gets the verdict of the old list or of the new one. Returns the list after each step. Searches depth first, and tries the given
 * order first. Undefined if there is no such order, or if `allowance.tries` is used up: each tried task counts it down, also for the
 * caller's next search.
 */
function findSafeOrder(reorder: Reorder, allowance: { tries: number }): ListState[] | undefined {
  const goal = createListGoal(reorder.goal);
  const before = rankVerdicts(reorder.start);
  const after = rankVerdicts([...reorder.goal.values()].map((verdict) => ({ verdict })));
  // The lists from which no order of the remaining tasks is safe. A list shows which tasks are done.
  const deadEnds = new Set<string>();

  const search = (list: ListSlot[], settled: ReadonlySet<string>, tasks: Task[]): ListState[] | undefined => {
    if (tasks.length === 0) return [];
    const listKey = JSON.stringify(list.map((slot) => [slot.key, slot.verdict, slot.leaving]));
    if (deadEnds.has(listKey)) return undefined;
    for (const task of tasks) {
      if (allowance.tries-- <= 0) return undefined;
      const states = runListTask(task, list, settled, goal);
      const nextList = states.at(-1)!.list;
      const nextSettled = task.steps.includes('move') ? new Set([...settled, task.key]) : settled;
      const isSafe = states.every((state) => givesOldOrNewVerdicts(rankVerdicts(state.list), before, after));
      // From a list whose settled items are in the wrong order, the goal cannot be reached.
      if (!isSafe || !isInGoalOrder(nextList, nextSettled, goal)) continue;
      const remainingTasks = tasks.filter((other) => other !== task);
      const furtherStates = search(nextList, nextSettled, remainingTasks);
      if (furtherStates) return [...states, ...furtherStates];
    }
    deadEnds.add(listKey);
    return undefined;
  };
  return search(reorder.start, reorder.settled, reorder.tasks);
}

/**
 * True if a list gives each request the verdict (effect of the first match) that the list before or the list after gives it, so that no
 * visitor notices the step between them. This holds if, for each verdict, all verdicts in front of it in the list before are in front of
 * it here, or all those in front of it in the list after are (see the proof at the top). For that, on a walk through one of the two
 * lists, its index here must be greater than those of all verdicts passed so far.
 */
export function givesOldOrNewVerdicts(current: Ranking, before: Ranking, after: Ranking): boolean {
  const currentIndexes = new Map(current.map((verdict, index) => [verdict, index]));
  const safeVerdicts = new Set<string | null>();
  for (const ranking of [before, after]) {
    let greatestIndex = -1;
    for (const verdict of ranking) {
      // If a verdict is missing here, the later ones lack it in front of them.
      const index = currentIndexes.get(verdict) ?? Number.POSITIVE_INFINITY;
      if (index <= greatestIndex) continue;
      greatestIndex = index;
      safeVerdicts.add(verdict);
    }
  }
  return current.every((verdict) => safeVerdicts.has(verdict));
}

/** The verdicts of a first-match list, strongest first, each once. The last one of every list is null: no item decided. */
type Ranking = (string | null)[];

/**
 * Returns the verdicts of a list such as firewall rules (match and effect of its items), strongest first, each once. Two lists with equal
 * rankings treat each request alike, so no visitor notices the step between them in an apply. Items that match nothing (null) are left
 * out. The null at the end stands for the effect on a request that no item matches.
 */
export function rankVerdicts(list: readonly { verdict: string | null }[]): Ranking {
  const verdicts = new Set<string | null>();
  for (const { verdict } of list) if (verdict !== null) verdicts.add(verdict);
  return [...verdicts, null];
}
