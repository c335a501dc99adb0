import {
  compareLists,
  type ListChange,
  type ListItem,
  planReorder,
  type Reorder,
  type Slot,
  type Standing,
  type Task,
} from './reorder.ts';

export type { ListItem };

/** One request, live at once. Where a key has two copies for a while, a step is about the new one, but for `superseded`. */
export type ListStep =
  /** Appends the desired version to the end of the whole list. */
  | { type: 'insert'; key: string }
  /** The desired version takes the old one's place. */
  | { type: 'update'; key: string }
  /** Superseded: the old copy goes, since the new one was inserted. */
  | { type: 'remove'; key: string; superseded?: true }
  /** To an index in the whole list once the rule has been taken out. */
  | { type: 'move'; key: string; to: number };

/**
 * The steps from the live list (ours and others') to one that has exactly `after` of ours, in that order. At every
 * moment each request is treated as at the start or as at the end: there always is such a way.
 *
 * **A way that always works.** Some unchanged rules and all foreign ones stay; of the rest, each comes, leaves, goes
 * forward or goes backward. First, in the new order: what comes is appended and put into its last place, what goes
 * forward is put there. Then, in reverse old order: what goes backward is put into its last place, what leaves is
 * removed. In the first half, whatever was put already has before it all that comes before it in the end: the earlier
 * ones were put, those that stay are in place, those that will go backward are still farther in front. Every other rule
 * still has before it all that was before it at the start, since things only came or went forward. That is what
 * `eitherVerdict` asks for. The second half is the first one of the way back, read backward, and what is asked is symmetric.
 * Equal verdicts do no harm: telling them apart only asks for more.
 *
 * **Updates.** One that does not change the verdict is free, one that begins to decide is a coming in place, one that
 * ceases to is a leaving in place. One that turns p into q, verdicts that no other rule has, takes p away and brings q
 * at once. Just before, q is missing: so nothing that comes stands behind q, and nothing has left yet (a request that
 * matches only that and q would fall through). Just after, p is missing: so nothing that leaves stands behind p, and
 * everything has come. Hence at most one such update can be made in place, the last that comes and the last that
 * leaves; the others are made by inserting a copy before the old one is removed.
 *
 * **Few steps.** Each coming, leaving and update is a step, and so is each move. What need not move is a longest run of
 * ours between the foreign ones, where what comes counts as standing at the end, for there the server puts it. The way
 * above takes no step more. What remains is to try doubtful updates in place: cheapest first, their order is searched.
 */
export function transition(
  before: readonly ListItem[],
  after: readonly ListItem[],
  standing?: Standing,
): ListStep[] {
  const change = compareLists(before, after, standing);
  const allowance = { tries: 3000 };
  for (const { way, isProven } of ways(change)) {
    const states = safeOrder(way, isProven ? { tries: way.tasks.length } : allowance);
    if (!states) continue;
    return states.map(({ does, key, at }): ListStep => {
      if (does === 'move') return { type: 'move', key, to: at };
      if (does === 'remove' && change.wanted.has(key)) return { type: 'remove', key, superseded: true };
      return { type: does, key };
    });
  }
  throw new Error('unreachable: the way without doubtful updates is safe in the order given');
}

/** The keys of the last list, in order. */
export const arrival = (
  before: readonly ListItem[],
  after: readonly ListItem[],
  standing?: Standing,
): string[] => [...compareLists(before, after, standing).goal.keys()];

/** Lowerings to make the change, best first: few steps, then few new copies (an update keeps the rule's id). */
function ways(change: ListChange): { way: Reorder; isProven: boolean }[] {
  const doubtful = [...change.wanted.keys()].filter((key) => {
    const [old, desired] = [change.found.get(key)?.decides, change.wanted.get(key)!.decides];
    return old != null && desired !== null && old !== desired;
  });
  const worthTrying = doubtful.filter((key) => mayStay(change, key)).slice(0, 4);

  return subsets(worthTrying)
    .map((inPlace) => {
      const way = planReorder(change, new Set(doubtful.filter((key) => !inPlace.includes(key))));
      const steps = way.tasks.reduce((sum, { does }) => sum + does.length, 0);
      return { way, isProven: inPlace.length === 0, steps, inPlace: inPlace.length };
    })
    .sort((a, b) => a.steps - b.steps || b.inPlace - a.inPlace);
}

/** True if the reasoning above leaves a chance to update this rule in place. */
function mayStay({ before, found, goal }: ListChange, key: string): boolean {
  const last = [...goal.values()].map((decides) => ({ decides }));
  const [p, q] = [found.get(key)!.decides, goal.get(key)!];
  const isAlone = [...before, ...last].filter(({ decides }) => decides === p || decides === q).length === 2;
  const [old, desired] = [ranking(before), ranking(last)];
  const isLast = (verdict: string | null, list: Ranking, ranking: Ranking) =>
    list.slice(list.indexOf(verdict) + 1).every((behind) => ranking.includes(behind));
  return !isAlone || (isLast(p, old, desired) && isLast(q, desired, old));
}

function subsets<T>(items: T[]): T[][] {
  let sets: T[][] = [[]];
  for (const item of items) sets = sets.flatMap((set) => [set, [...set, item]]);
  return sets;
}

/** The list after one step. */
interface ListState {
  list: Slot[];
  does: Task['does'][number];
  key: string;
  /** The place that the step gave, or took away. */
  at: number;
}

/**
 * Runs the tasks in an order in which no state gives a third verdict: depth first, preferring the order given. Nothing
 * if there is no such order, or none was found before the allowance of tasks to try ran out.
 */
function safeOrder(reorder: Reorder, allowance: { tries: number }): ListState[] | undefined {
  const slots = [...reorder.goal].map(([key, decides]) => ({ key, decides }));
  const place = new Map(slots.map(({ key }, index) => [key, index]));
  const before = ranking(reorder.start);
  const after = ranking(slots);
  const deadEnds = new Set<string>();

  const onward = (list: Slot[], settled: ReadonlySet<string>, tasks: Task[]): ListState[] | undefined => {
    if (tasks.length === 0) return [];
    const here = JSON.stringify(list.map((slot) => [slot.key, slot.decides, slot.leaving]));
    if (deadEnds.has(here)) return undefined;
    for (const task of tasks) {
      if (allowance.tries-- <= 0) return undefined;
      const states = run(task, list, settled);
      const next = states.at(-1)!.list;
      const placed = task.does.includes('move') ? new Set([...settled, task.key]) : settled;
      if (!states.every((state) => isSafe(ranking(state.list))) || !isInOrder(next, placed)) continue;
      const listStates = onward(
        next,
        placed,
        tasks.filter((other) => other !== task),
      );
      if (listStates) return [...states, ...listStates];
    }
    deadEnds.add(here);
    return undefined;
  };

  const isSafe = (ranking: Ranking) => eitherVerdict(ranking, before, after);

  /** True if every rule that was appended for good comes in its turn. */
  const isInOrder = (list: Slot[], settled: ReadonlySet<string>) => {
    const placed = list.filter((slot) => !slot.leaving && settled.has(slot.key));
    return placed.every(
      ({ key }, index) => index === 0 || place.get(placed[index - 1]!.key)! < place.get(key)!,
    );
  };

  const run = ({ key, does }: Task, start: Slot[], settled: ReadonlySet<string>): ListState[] => {
    let list = start;
    return does.map((step) => {
      const slot = { key, decides: reorder.goal.get(key) ?? null, leaving: false };
      const old = list.findIndex((slot) => slot.key === key && slot.leaving === (step === 'remove'));
      const slots = step === 'insert' ? list : list.toSpliced(old, 1);
      let index = step === 'insert' ? list.length : old;
      if (step === 'move') index = slotAfter(slots, key, settled);
      if (step === 'remove') list = slots;
      else list = slots.toSpliced(index, 0, step === 'move' ? list[old]! : slot);
      return { list, does: step, key, at: index };
    });
  };

  /** Right behind those that are placed for good and come earlier in the end; the rest will get out of the way. */
  const slotAfter = (slots: Slot[], key: string, settled: ReadonlySet<string>): number =>
    slots.findLastIndex(
      (slot) => !slot.leaving && settled.has(slot.key) && place.get(slot.key)! < place.get(key)!,
    ) + 1;

  return onward(reorder.start, reorder.settled, reorder.tasks);
}

/**
 * When is a list that is half way between two others as good as either of them?
 *
 * A request is given the verdict of the first rule that matches it. Nothing is known about what matches together, so
 * any subset of the verdicts may apply to some request, and equal verdicts always apply together: only the order of
 * first occurrence counts, and the fate of a request that nothing matches is one more verdict, at the end of every list.
 *
 * List X answers a request with x. That is neither the old answer nor the new one exactly if the request also matches
 * some a that stands before x in the old list but not in X, and some b that stands before x in the new list but not in
 * X (a or b is not needed where that list lacks x). The request that matches just {x, a, b} then goes wrong, and so no
 * request goes wrong unless one of three verdicts does. X is good if for each of its x
 *
 *     everything before x in the old list is before x in X, or everything before x in the new list is.
 *
 * With the places that X gives to the old list written down in the old list's order, the first half says that the
 * place of x is the greatest so far: a record. Each x must be a record in one of two sequences, one walk each.
 */
export function eitherVerdict(now: Ranking, before: Ranking, after: Ranking): boolean {
  const place = new Map(now.map((verdict, index) => [verdict, index]));
  const covered = new Set<string | null>();
  for (const ranking of [before, after]) {
    let latest = -1;
    for (const verdict of ranking) {
      const found = place.get(verdict) ?? Number.POSITIVE_INFINITY;
      if (found <= latest) continue;
      latest = found;
      covered.add(verdict);
    }
  }
  return now.every((verdict) => covered.has(verdict));
}

/** The verdicts of a first-match list, strongest first, each once; null, "no rule decided", is the last of every list. */
type Ranking = (string | null)[];

/** Ranks the verdicts of a list, strongest first. */
export function ranking(list: readonly { decides: string | null }[]): Ranking {
  const verdicts = new Set<string | null>();
  for (const { decides } of list) if (decides !== null) verdicts.add(decides);
  return [...verdicts, null];
}
