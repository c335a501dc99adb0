/** One rule of an ordered list in which the first match decides; no two have one key. */
export interface ListItem {
  key: string;
  /** The match and the effect: equal texts match the same requests. Null: it never decides (inactive, or only logs). */
  decides: string | null;
  /** Ours; what is not is never named in a step. */
  managed: boolean;
  /** A digest of all that an update would change, name and description included. */
  content: string;
}

/** One rule's slot in the list on the way; `leaving`: the old copy, where a key has two for a while. */
export interface Slot {
  key: string;
  decides: string | null;
  leaving: boolean;
}

/** The steps for one rule, done without a break. */
export interface Task {
  key: string;
  does: ('insert' | 'update' | 'remove' | 'move')[];
}

/** A first-match list and what is to be done to make it another. */
export interface Reorder {
  start: Slot[];
  /** The last list: each key with what it decides there, in order. */
  goal: ReadonlyMap<string, string | null>;
  /** Keys that never move: they have their place already, or are put there by their insertion. */
  settled: ReadonlySet<string>;
  tasks: Task[];
}

/** The input of `transition`, with what follows from it for every way to do it. */
export interface ListChange {
  before: readonly ListItem[];
  found: ReadonlyMap<string, ListItem>;
  wanted: ReadonlyMap<string, ListItem>;
  foreign: ReadonlySet<string>;
  goal: ReadonlyMap<string, string | null>;
}

/** The place of all of ours among the others: behind one, or in front of the first of these. */
export type Standing = 'last' | { before: ReadonlySet<string> } | undefined;

export function compareLists(
  before: readonly ListItem[],
  after: readonly ListItem[],
  standing?: Standing,
): ListChange {
  const found = new Map(before.map((item) => [item.key, item]));
  const wanted = new Map(after.map((item) => [item.key, item]));
  const foreign = new Set(before.filter((item) => !item.managed).map((item) => item.key));
  const last = placeWanted([...found.keys()], [...wanted.keys()], foreign, standing);
  const goal = new Map(last.map((key) => [key, (wanted.get(key) ?? found.get(key)!).decides]));
  return { before, found, wanted, foreign, goal };
}

/** The way to make the change, with the keys whose update is to be an insertion and a removal. */
export function planReorder(change: ListChange, superseded: ReadonlySet<string>): Reorder {
  const { before, found, wanted, foreign, goal } = change;
  const comes = (key: string) => wanted.has(key) && (!found.has(key) || superseded.has(key));
  const leaves = (key: string) => !foreign.has(key) && (!wanted.has(key) || superseded.has(key));

  const place = new Map([...goal.keys()].map((key, index) => [key, index]));
  const remaining = [...found.keys()].filter((key) => !leaves(key));
  const line = [...remaining, ...[...goal.keys()].filter(comes)];
  const settled = new Set([...foreign, ...unmoved(line, place, foreign)]);

  const goesForward = (key: string) =>
    line
      .slice(0, line.indexOf(key))
      .some((other) => settled.has(other) && place.get(other)! > place.get(key)!);
  const early: Task[] = [];
  const middle: Task[] = [];
  const late: Task[] = [];
  const task = (list: Task[], key: string, ...does: (Task['does'][number] | false)[]) => {
    const steps = does.filter((step) => step !== false);
    if (steps.length > 0) list.push({ key, does: steps });
  };

  for (const key of wanted.keys()) {
    const moves = !settled.has(key) && 'move';
    if (comes(key)) {
      task(early, key, 'insert', moves);
      continue;
    }
    const [old, desired] = [found.get(key)!, wanted.get(key)!];
    const updates = old.content !== desired.content && 'update';
    const direction = goesForward(key) ? early : late;
    if (old.decides === desired.decides) task(moves ? direction : early, key, moves, updates);
    // What does not decide moves freely: before it begins to, after it has ceased to.
    else if (old.decides === null) task(early, key, moves, updates);
    else if (desired.decides === null) task(late, key, updates, moves);
    else {
      task(middle, key, updates);
      task(direction, key, moves);
    }
  }
  for (const key of found.keys()) if (leaves(key)) task(late, key, 'remove');

  const origin = new Map(before.map((item, index) => [item.key, index]));
  late.sort((a, b) => origin.get(b.key)! - origin.get(a.key)!);
  return {
    start: before.map(({ key, decides }) => ({ key, decides, leaving: leaves(key) })),
    goal,
    settled,
    tasks: [...early, ...middle, ...late],
  };
}

/** The most of our keys that can stay where the line has them, now that foreign ones never move. */
function unmoved(line: string[], place: ReadonlyMap<string, number>, foreign: ReadonlySet<string>): string[] {
  const rank = (key: string) => place.get(key)!;
  const passable = line.filter(
    (key, index) =>
      !foreign.has(key) &&
      line.every((other, position) => !foreign.has(other) || position < index === rank(other) < rank(key)),
  );
  return longestRun(passable.map(rank)).map((index) => passable[index]!);
}

/** The longest run of increasing numbers (not necessarily neighbours), as indices; of several, the one that begins earliest. */
export function longestRun(values: readonly number[]): number[] {
  const length = values.map(() => 1);
  for (let i = values.length - 1; i >= 0; i--)
    for (let j = i + 1; j < values.length; j++)
      if (values[j]! > values[i]!) length[i] = Math.max(length[i]!, length[j]! + 1);

  const run: number[] = [];
  let left = length.reduce((most, one) => Math.max(most, one), 0);
  for (let i = 0; i < values.length; i++) {
    if (length[i] !== left || (run.length > 0 && values[i]! < values[run.at(-1)!]!)) continue;
    run.push(i);
    left--;
  }
  return run;
}

/** The list to arrive at, with ours where it has to stand: what is not ours keeps its order. */
function placeWanted(
  list: readonly string[],
  wanted: readonly string[],
  foreign: ReadonlySet<string>,
  standing: Standing,
): string[] {
  const others = list.filter((key) => foreign.has(key));
  if (standing === 'last') return [...others, ...wanted];
  const index = others.findIndex((key) => standing?.before.has(key));
  if (index < 0) return weave(list, wanted, foreign);
  const behind = new Set(others.slice(index));
  const front = list.filter((key) => !behind.has(key));
  return [...weave(front, wanted, foreign), ...behind];
}

/**
 * The list to arrive at: `wanted` in its order, woven into what is not ours (`foreign`). Whatever can stay, stays: the
 * longest run of wanted keys keeps its places among the foreign ones. What must move crosses as few foreign keys as
 * possible. What is new yields to them: it stands right before the next key that stays, or at the end.
 */
function weave(list: readonly string[], wanted: readonly string[], foreign: ReadonlySet<string>): string[] {
  const rank = new Map(wanted.map((key, index) => [key, index]));
  const place = new Map(list.map((key, index) => [key, index]));
  const common = list.filter((key) => rank.has(key));
  const stays = new Set(longestRun(common.map((key) => rank.get(key)!)).map((index) => common[index]!));

  const woven: string[] = [];
  const fixed = list.filter((key) => foreign.has(key) || stays.has(key));
  let passed = -1;
  const advance = (until: string | undefined) => {
    while (fixed.length > 0 && fixed[0] !== until) woven.push(fixed.shift()!);
  };
  wanted.forEach((key, index) => {
    const from = place.get(key) ?? Number.POSITIVE_INFINITY;
    // What comes from behind, or from nowhere, goes as far back as it may; what comes from the front no farther than needed.
    if (stays.has(key) || from > passed) advance(wanted.slice(index).find((next) => stays.has(next)));
    if (!stays.has(key)) woven.push(key);
    else {
      woven.push(fixed.shift()!);
      passed = from;
    }
  });
  return [...woven, ...fixed];
}
