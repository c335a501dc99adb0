/*
 * Plans how a first-match list becomes another one; `transition.ts` proves that the plan is safe and turns it into requests.
 *
 * Terms: an item is foreign if this stack does not own it; foreign items never move, and no request names them. The goal is the list at the
 * end, with ours and foreign items. The verdict of an item is its match and its effect. An item is settled if it stays where it is. An
 * update is superseded if a changed copy is inserted and the old item is removed, so that the item has two slots for a while.
 *
 * Tasks are done in three groups:
 *   1. early: insertions, moves toward the front, and most updates that change no verdict;
 *   2. middle: updates that change a verdict in place;
 *   3. late, from the end of the old list to its start: moves toward the end, and removals.
 */

/** One item of an ordered list in which the first match decides. Each key is in a list once. */
export interface ListItem {
  key: string;
  /**
   * The verdict: equal texts match the same requests with the same effect. Null if the item never decides (it is inactive, or only logs).
   */
  verdict: string | null;
  /** True if the item is ours. A foreign item is never named in a step. */
  managed: boolean;
  /** Differs between the live and the desired item if an update is needed, also of the name or the description. */
  content: string;
}

/**
 * One slot of the list while the steps are done. `leaving`: its item will be removed, or it has the old copy of an
 * item that has two for a while.
 */
export interface ListSlot {
  key: string;
  verdict: string | null;
  leaving: boolean;
}

/** The steps for one item, done without another step in between. */
export interface Task {
  key: string;
  steps: ('insert' | 'update' | 'remove' | 'move')[];
}

/** The groups in which tasks are done, in this order. */
type TaskGroup = 'early' | 'middle' | 'late';

/** A first-match list, and the tasks that turn it into the goal. */
export interface Reorder {
  start: ListSlot[];
  /** The verdicts of the goal by key, in order. */
  goal: ReadonlyMap<string, string | null>;
  settled: ReadonlySet<string>;
  tasks: Task[];
}

/** The live and the desired list, with the parts that all plans between them share. */
export interface ListChange {
  before: readonly ListItem[];
  live: ReadonlyMap<string, ListItem>;
  desired: ReadonlyMap<string, ListItem>;
  foreign: ReadonlySet<string>;
  goal: ReadonlyMap<string, string | null>;
}

/**
 * The place of all our items among the foreign ones: after all of them, or in front of the first of these keys; undefined if any place is
 * right.
 */
export type Anchor = 'last' | { before: ReadonlySet<string> } | undefined;

/**
 * Returns what a plan needs to reorder a list: the live items (`before`) and the desired ones (`after`) by key, and the goal, the keys of
 * the complete list at the end, each with its verdict (match and effect). Foreign items (this stack does not manage them) are in the live
 * list and in the goal. `anchor`: where our items belong among them (`$position`).
 */
export function compareLists(
  before: readonly ListItem[],
  after: readonly ListItem[],
  anchor?: Anchor,
): ListChange {
  const live = new Map(before.map((item) => [item.key, item]));
  const desired = new Map(after.map((item) => [item.key, item]));
  const foreign = new Set(before.filter((item) => !item.managed).map((item) => item.key));
  const goalKeys = arrange([...live.keys()], [...desired.keys()], foreign, anchor);
  const goal = new Map(goalKeys.map((key) => [key, (desired.get(key) ?? live.get(key)!).verdict]));
  return { before, live, desired, foreign, goal };
}

/**
 * Returns the tasks that turn the live list of a plan into the desired one, so that each request of a visitor always gets its old or its
 * new verdict (`transition.ts` proves it): first (`early`) insertions, moves toward the front and harmless updates, then (`middle`) updates
 * from one verdict to another, then (`late`) moves toward the end and removals. `superseded`: the items for which a changed copy is
 * inserted and the old item removed, because an update in place may not be safe. `settled` in the result: the items that need no move.
 */
export function planReorder(change: ListChange, superseded: ReadonlySet<string>): Reorder {
  const { before, live, desired, foreign, goal } = change;
  const isInserted = (key: string) => desired.has(key) && (!live.has(key) || superseded.has(key));
  const isRemoved = (key: string) => !foreign.has(key) && (!desired.has(key) || superseded.has(key));

  const goalIndex = new Map([...goal.keys()].map((key, index) => [key, index]));
  // The list after all removals and insertions, before any move: the platform appends new items.
  const unmovedList = [
    ...[...live.keys()].filter((key) => !isRemoved(key)),
    ...[...goal.keys()].filter(isInserted),
  ];
  const settled = new Set([...foreign, ...findUnmoved(unmovedList, goalIndex, foreign)]);
  /** True if a settled item stands in front of the item now, but behind it at the end. */
  const movesForward = (key: string) =>
    unmovedList
      .slice(0, unmovedList.indexOf(key))
      .some((other) => settled.has(other) && goalIndex.get(other)! > goalIndex.get(key)!);

  const tasks: Record<TaskGroup, Task[]> = { early: [], middle: [], late: [] };
  for (const key of desired.keys()) {
    const isSettled = settled.has(key);
    const stepsByGroup: Partial<Record<TaskGroup, Task['steps']>> = isInserted(key)
      ? { early: isSettled ? ['insert'] : ['insert', 'move'] }
      : stepsOfKeptItem(live.get(key)!, desired.get(key)!, isSettled ? undefined : movesForward(key));
    for (const [group, steps] of Object.entries(stepsByGroup))
      if (steps.length > 0) tasks[group as TaskGroup].push({ key, steps });
  }
  for (const key of live.keys()) if (isRemoved(key)) tasks.late.push({ key, steps: ['remove'] });

  // The late tasks go from the end of the old list to its start.
  const liveIndex = new Map(before.map((item, index) => [item.key, index]));
  tasks.late.sort((a, b) => liveIndex.get(b.key)! - liveIndex.get(a.key)!);
  return {
    start: before.map(({ key, verdict }) => ({ key, verdict, leaving: isRemoved(key) })),
    goal,
    settled,
    tasks: [...tasks.early, ...tasks.middle, ...tasks.late],
  };
}

/**
 * Returns the steps of an item that stays in an ordered list, by the group of tasks in which no visitor notices them. The early tasks build
 * up the new order from the front and the late ones clear away the old order from its end, so a move forward is early and a move backward
 * is late (`transition.ts` proves it). `movesForward`: undefined if the item does not move.
 */
function stepsOfKeptItem(
  liveItem: ListItem,
  desiredItem: ListItem,
  movesForward: boolean | undefined,
): Partial<Record<TaskGroup, Task['steps']>> {
  const move: Task['steps'] = movesForward === undefined ? [] : ['move'];
  const update: Task['steps'] = liveItem.content === desiredItem.content ? [] : ['update'];
  const groupOfMove = movesForward === false ? 'late' : 'early';
  // The update changes no verdict, so visitors notice it at no time.
  if (liveItem.verdict === desiredItem.verdict) return { [groupOfMove]: [...move, ...update] };
  // An item without a verdict (an inactive one, for example) can move freely: before it gets a verdict, or after it has lost it.
  if (liveItem.verdict === null) return { early: [...move, ...update] };
  if (desiredItem.verdict === null) return { late: [...update, ...move] };
  return { middle: update, [groupOfMove]: move };
}

/**
 * Returns as many of our items as possible that can stay where `list` has them, so that a plan moves few. An item can stay if it is on the
 * same side of each foreign item (of another owner, never moved) in the list and at the end; of these, the longest run in the right order
 * stays. `goalIndex`: the position of each item at the end.
 */
function findUnmoved(
  list: string[],
  goalIndex: ReadonlyMap<string, number>,
  foreign: ReadonlySet<string>,
): string[] {
  const rank = (key: string) => goalIndex.get(key)!;
  const isOnRightSideOfForeign = (key: string, index: number) =>
    list.every((other, otherIndex) => {
      if (!foreign.has(other)) return true;
      const isBehindNow = otherIndex < index;
      const isBehindAtEnd = rank(other) < rank(key);
      return isBehindNow === isBehindAtEnd;
    });
  const candidates = list.filter((key, index) => !foreign.has(key) && isOnRightSideOfForeign(key, index));
  return longestIncreasingSubsequence(candidates.map(rank)).map((index) => candidates[index]!);
}

/**
 * Returns the indices of the longest subsequence of increasing numbers, which need not be neighbours; of several, the first, comparing
 * index by index. Used to find the items that need no move.
 */
export function longestIncreasingSubsequence(values: readonly number[]): number[] {
  // The length of the longest increasing subsequence that begins at each index.
  const lengths = values.map(() => 1);
  for (let i = values.length - 1; i >= 0; i--)
    for (let j = i + 1; j < values.length; j++)
      if (values[j]! > values[i]!) lengths[i] = Math.max(lengths[i]!, lengths[j]! + 1);

  const indices: number[] = [];
  let remainingLength = lengths.reduce((longest, length) => Math.max(longest, length), 0);
  for (let i = 0; i < values.length; i++) {
    const isSmallerThanLast = indices.length > 0 && values[i]! < values[indices.at(-1)!]!;
    if (lengths[i] !== remainingLength || isSmallerThanLast) continue;
    indices.push(i);
    remainingLength--;
  }
  return indices;
}

/**
 * Returns the keys of a list that several stacks share in their order after the plan. Foreign items (this stack does not manage them) keep
 * their live order. `$position` names the `anchor`: our items (`desired`) stand at the end (`last`), or anywhere in front of certain
 * foreign items. Without an anchor, or if its item does not exist, they may stand anywhere. Where they have a choice, `weave` moves few.
 */
function arrange(
  list: readonly string[],
  desired: readonly string[],
  foreign: ReadonlySet<string>,
  anchor: Anchor,
): string[] {
  const foreignKeys = list.filter((key) => foreign.has(key));
  if (anchor === 'last') return [...foreignKeys, ...desired];
  const anchorIndex = foreignKeys.findIndex((key) => anchor?.before.has(key));
  if (anchorIndex < 0) return weave(list, desired, foreign);
  const behindAnchor = new Set(foreignKeys.slice(anchorIndex));
  const inFront = list.filter((key) => !behindAnchor.has(key));
  return [...weave(inFront, desired, foreign), ...behindAnchor];
}

/**
 * Returns the keys of a list that several stacks share, with our items in the order of the configuration (`desired`) and the foreign ones
 * where they are, such that a plan moves few items: `b a x c` for the list `a x b`, if `b a c` is desired and `x` is foreign. As many of
 * our keys as possible stay where they are. Each other key is put between the two staying keys around it in `desired`: right behind the
 * first if it stood in front of that, otherwise right before the second, so that it passes few foreign ones.
 */
function weave(list: readonly string[], desired: readonly string[], foreign: ReadonlySet<string>): string[] {
  const desiredIndex = new Map(desired.map((key, index) => [key, index]));
  const listIndex = new Map(list.map((key, index) => [key, index]));
  const common = list.filter((key) => desiredIndex.has(key));
  const staying = new Set(
    longestIncreasingSubsequence(common.map((key) => desiredIndex.get(key)!)).map((index) => common[index]!),
  );

  const woven: string[] = [];
  const fixed = list.filter((key) => foreign.has(key) || staying.has(key));
  let lastStayingIndex = -1;
  /** Takes over the keys with a fixed place in front of `key`; all of them if there is no key. */
  const advanceTo = (key: string | undefined) => {
    while (fixed.length > 0 && fixed[0] !== key) woven.push(fixed.shift()!);
  };
  for (const [index, key] of desired.entries()) {
    // A new key counts as standing behind all others.
    const oldIndex = listIndex.get(key) ?? Number.POSITIVE_INFINITY;
    if (staying.has(key)) {
      advanceTo(key);
      woven.push(fixed.shift()!);
      lastStayingIndex = oldIndex;
    } else {
      const nextStaying = desired.slice(index).find((next) => staying.has(next));
      const stoodBehindLastStaying = oldIndex > lastStayingIndex;
      if (stoodBehindLastStaying) advanceTo(nextStaying);
      woven.push(key);
    }
  }
  return [...woven, ...fixed];
}
