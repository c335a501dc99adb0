import type { Reorder, Slot, Task } from './reorder.ts';
import { eitherVerdict, type Ranking, ranking } from './verdict.ts';

/** The list after one step. */
export interface ListState {
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
export function safeOrder(reorder: Reorder, allowance: { tries: number }): ListState[] | undefined {
  const slots = [...reorder.goal].map(([key, decides]) => ({ key, decides }));
  const place = new Map(slots.map(({ key }, index) => [key, index]));
  const before = ranking(reorder.start);
  const after = ranking(slots);
  const deadEnds = new Set<string>();

  const onward = (list: Slot[], settled: ReadonlySet<string>, left: Task[]): ListState[] | undefined => {
    if (left.length === 0) return [];
    const here = JSON.stringify(list.map((slot) => [slot.key, slot.decides, slot.leaving]));
    if (deadEnds.has(here)) return undefined;
    for (const task of left) {
      if (allowance.tries-- <= 0) return undefined;
      const states = run(task, list, settled);
      const next = states.at(-1)!.list;
      const placed = task.does.includes('move') ? new Set([...settled, task.key]) : settled;
      if (!states.every((state) => isSafe(ranking(state.list))) || !isInOrder(next, placed)) continue;
      const rest = onward(
        next,
        placed,
        left.filter((other) => other !== task),
      );
      if (rest) return [...states, ...rest];
    }
    deadEnds.add(here);
    return undefined;
  };

  const isSafe = (now: Ranking) => eitherVerdict(now, before, after);

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
      const old = list.findIndex((other) => other.key === key && other.leaving === (step === 'remove'));
      const others = step === 'insert' ? list : list.toSpliced(old, 1);
      let at = step === 'insert' ? list.length : old;
      if (step === 'move') at = slotAfter(others, key, settled);
      if (step === 'remove') list = others;
      else list = others.toSpliced(at, 0, step === 'move' ? list[old]! : slot);
      return { list, does: step, key, at };
    });
  };

  /** Right behind those that are placed for good and come earlier in the end; the rest will get out of the way. */
  const slotAfter = (others: Slot[], key: string, settled: ReadonlySet<string>): number =>
    others.findLastIndex(
      (slot) => !slot.leaving && settled.has(slot.key) && place.get(slot.key)! < place.get(key)!,
    ) + 1;

  return onward(reorder.start, reorder.settled, reorder.tasks);
}
