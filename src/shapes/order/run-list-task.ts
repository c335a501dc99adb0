import type { ListSlot, Task } from './reorder.ts';

/** The list after one step. */
export interface ListState {
  list: ListSlot[];
  step: Task['steps'][number];
  key: string;
  /** The index that the step gave, or took away. */
  index: number;
}

/** The list at the end: the verdicts of its items by key, and the index of each. */
interface ListGoal {
  verdicts: ReadonlyMap<string, string | null>;
  indexes: ReadonlyMap<string, number>;
}

/** Returns the goal with the index of each item. `verdicts`: what each item at the end decides, in order. */
export const createListGoal = (verdicts: ReadonlyMap<string, string | null>): ListGoal => ({
  verdicts,
  indexes: new Map([...verdicts.keys()].map((key, index) => [key, index])),
});

/**
 * Returns the list after each step of a task (a move, for example), as the platform would have it, to check that no visitor notices a state
 * in between. A new item is appended to the end. A moved one is put right behind the settled items (those that stay where they are) which
 * precede it in the final list (`goal`). An updated one stays in its place.
 */
export function runListTask(
  { key, steps }: Task,
  start: ListSlot[],
  settled: ReadonlySet<string>,
  goal: ListGoal,
): ListState[] {
  let list = start;
  return steps.map((step): ListState => {
    const newSlot: ListSlot = { key, verdict: goal.verdicts.get(key) ?? null, leaving: false };
    if (step === 'insert') {
      list = [...list, newSlot];
      return { list, step, key, index: list.length - 1 };
    }
    // An item can have two copies for a while. A removal takes the old one (`leaving`), every other step is about the new one.
    const oldIndex = list.findIndex((slot) => slot.key === key && slot.leaving === (step === 'remove'));
    const oldSlot = list[oldIndex]!;
    const otherSlots = list.toSpliced(oldIndex, 1);
    const index = step === 'move' ? indexBehindSettled(otherSlots, key, settled, goal) : oldIndex;
    if (step === 'remove') list = otherSlots;
    else list = otherSlots.toSpliced(index, 0, step === 'move' ? oldSlot : newSlot);
    return { list, step, key, index };
  });
}

/**
 * Returns the index right behind the settled items (those that stay where they are) that precede a key at the end. A moved item goes there.
 * Items that are not settled will leave this place later.
 */
const indexBehindSettled = (
  slots: ListSlot[],
  key: string,
  settled: ReadonlySet<string>,
  { indexes }: ListGoal,
): number =>
  slots.findLastIndex(
    (slot) => !slot.leaving && settled.has(slot.key) && indexes.get(slot.key)! < indexes.get(key)!,
  ) + 1;

/**
 * True if the settled items of a list (those that will not move any more) have the order that they have at the end. The search for a safe
 * order of moves drops all other lists.
 */
export function isInGoalOrder(
  list: readonly ListSlot[],
  settled: ReadonlySet<string>,
  { indexes }: ListGoal,
): boolean {
  const settledKeys = list.flatMap(({ key, leaving }) => (!leaving && settled.has(key) ? [key] : []));
  return settledKeys.every(
    (key, index) => index === 0 || indexes.get(settledKeys[index - 1]!)! < indexes.get(key)!,
  );
}
