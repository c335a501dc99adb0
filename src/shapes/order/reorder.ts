/*
 * Plans how a first-match list becomes another one; `transition.ts` proves that the plan is safe and turns it into requests.
 *
 * Terms: an item is foreign if this stack does not own it; foreign items never move, and no request names them. The goal is the list at the
 * end, with ours and foreign items. The verdict of an item is its match and its effect. An item is settled if it stays where it is. An update
 * is superseded if a changed copy is inserted and the old item is removed, so that the item has two slots for a while.
 *
 * Tasks are done in three groups:
 *   1. early: insertions, and moves toward the front;
 *   2. middle: updates that change a verdict in place;
 *   3. late, from the end of the old list to its start: moves toward the end, and removals.
 */

/** One item of an ordered list in which the first match decides. Each key is in a list once. */
export interface ListItem {
  key: string;
  /**
   * The verdict: equal texts match the same requests with the same effect. Null if the item never decides (it is inactive, or only logs).
   */
  decides: string | null;
  /** True if the item is ours. A foreign item is never named in a step. */
  managed: boolean;
  /** A digest of everything that an update would change, name and description included. */
  content: string;
}

/** One slot of the list while the steps are done. `leaving`: it has the old copy of an item that has two copies for a while. */
export interface ListSlot {
  key: string;
  decides: string | null;
  leaving: boolean;
}

/** The steps for one item, done without another step in between. */
export interface Task {
  key: string;
  steps: ('insert' | 'update' | 'remove' | 'move')[];
}

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
 * Returns what the plan needs to reorder a list: the live and desired items by key, and the goal, which is the complete list at the end, with our
 * items and those of others. `anchor`: where our items belong (`$position`).
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
  const goal = new Map(goalKeys.map((key) => [key, (desired.get(key) ?? live.get(key)!).decides]));
  return { before, live, desired, foreign, goal };
}

/**
 * Returns the tasks that turn the live list into the desired one, in three groups: insertions and moves toward the front, updates, then
 * removals and moves toward the end. `superseded`: the items that are updated by inserting a copy and removing the old item, because an
 * update in place may not be safe.
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
  const movesForward = (key: string) =>
    unmovedList
      .slice(0, unmovedList.indexOf(key))
      .some((other) => settled.has(other) && goalIndex.get(other)! > goalIndex.get(key)!);

  const early: Task[] = [];
  const middle: Task[] = [];
  const late: Task[] = [];
  const addTask = (group: Task[], key: string, ...steps: (Task['steps'][number] | false)[]) => {
    const doneSteps = steps.filter((step) => step !== false);
    if (doneSteps.length > 0) group.push({ key, steps: doneSteps });
  };
  for (const key of desired.keys()) {
    const move = !settled.has(key) && 'move';
    if (isInserted(key)) {
      addTask(early, key, 'insert', move);
      continue;
    }
    const [liveItem, desiredItem] = [live.get(key)!, desired.get(key)!];
    const update = liveItem.content !== desiredItem.content && 'update';
    const groupOfMove = movesForward(key) ? early : late;
    if (liveItem.decides === desiredItem.decides) addTask(move ? groupOfMove : early, key, move, update);
    // An item that does not decide can move freely: before it begins to decide, or after it has ceased to.
    else if (liveItem.decides === null) addTask(early, key, move, update);
    else if (desiredItem.decides === null) addTask(late, key, update, move);
    else {
      addTask(middle, key, update);
      addTask(groupOfMove, key, move);
    }
  }
  for (const key of live.keys()) if (isRemoved(key)) addTask(late, key, 'remove');

  const liveIndex = new Map(before.map((item, index) => [item.key, index]));
  late.sort((a, b) => liveIndex.get(b.key)! - liveIndex.get(a.key)!);
  return {
    start: before.map(({ key, decides }) => ({ key, decides, leaving: isRemoved(key) })),
    goal,
    settled,
    tasks: [...early, ...middle, ...late],
  };
}

/**
 * Returns as many of our items as possible that can stay where `list` has them, so that few are moved. Items of others (`foreign`) never
 * move. `goalIndex`: the position of each item at the end.
 */
function findUnmoved(
  list: string[],
  goalIndex: ReadonlyMap<string, number>,
  foreign: ReadonlySet<string>,
): string[] {
  const rank = (key: string) => goalIndex.get(key)!;
  // Keys that are on the same side of each foreign item in the list and in the goal.
  const candidates = list.filter(
    (key, index) =>
      !foreign.has(key) &&
      list.every((other, position) => !foreign.has(other) || position < index === rank(other) < rank(key)),
  );
  return longestRun(candidates.map(rank)).map((index) => candidates[index]!);
}

/**
 * Returns the indices of the longest run of increasing numbers, which need not be neighbours; of several runs, the one that begins earliest.
 * Used to find the items that need no move.
 */
export function longestRun(values: readonly number[]): number[] {
  // The length of the longest run that begins at each index.
  const lengths = values.map(() => 1);
  for (let i = values.length - 1; i >= 0; i--)
    for (let j = i + 1; j < values.length; j++)
      if (values[j]! > values[i]!) lengths[i] = Math.max(lengths[i]!, lengths[j]! + 1);

  const run: number[] = [];
  let remainingLength = lengths.reduce((longest, length) => Math.max(longest, length), 0);
  for (let i = 0; i < values.length; i++) {
    if (lengths[i] !== remainingLength || (run.length > 0 && values[i]! < values[run.at(-1)!]!)) continue;
    run.push(i);
    remainingLength--;
  }
  return run;
}

/**
 * Returns the keys of a list after the plan has reordered it: our items at the anchor (`$position`), and the items of others in their live order,
 * which a run must not change.
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
 * Weaves the keys of our items, in the order of the configuration, into those of others in a list that several stacks share, so that a plan moves few
 * items. The longest run of our keys keeps its places among the foreign ones. A key that must move passes as few foreign keys as possible. A new key
 * stands right before the next key that stays, or at the end.
 */
function weave(list: readonly string[], desired: readonly string[], foreign: ReadonlySet<string>): string[] {
  const desiredIndex = new Map(desired.map((key, index) => [key, index]));
  const listIndex = new Map(list.map((key, index) => [key, index]));
  const common = list.filter((key) => desiredIndex.has(key));
  const staying = new Set(
    longestRun(common.map((key) => desiredIndex.get(key)!)).map((index) => common[index]!),
  );

  const woven: string[] = [];
  const fixed = list.filter((key) => foreign.has(key) || staying.has(key));
  let lastStayingIndex = -1;
  const advanceTo = (key: string | undefined) => {
    while (fixed.length > 0 && fixed[0] !== key) woven.push(fixed.shift()!);
  };
  desired.forEach((key, index) => {
    const from = listIndex.get(key) ?? Number.POSITIVE_INFINITY;
    // A key from farther behind, or a new one, goes as far back as it may. A key from the front goes no farther than needed.
    if (staying.has(key) || from > lastStayingIndex)
      advanceTo(desired.slice(index).find((next) => staying.has(next)));
    if (!staying.has(key)) woven.push(key);
    else {
      woven.push(fixed.shift()!);
      lastStayingIndex = from;
    }
  });
  return [...woven, ...fixed];
}
