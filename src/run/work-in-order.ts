/**
 * Does `work` for each stack as soon as the stacks in its `waitsFor` are done, and for as many stacks as possible at once. Used to plan and to apply
 * several stacks. `stacks`: each after those that it waits for. `work` gets the results of these by id. Returns all results by id.
 */
export async function workInOrder<S extends { id: string; waitsFor: readonly string[] }, T>(
  stacks: readonly S[],
  work: (stack: S, needed: ReadonlyMap<string, T>) => Promise<T>,
): Promise<Map<string, T>> {
  const started = new Map<string, Promise<T>>();
  for (const stack of stacks) {
    // For example, a stack that could not be planned is not among `stacks`.
    const awaitedIds = stack.waitsFor.filter((id) => started.has(id));
    const workAfterOthers = async () => {
      const needed = await Promise.all(awaitedIds.map(async (id) => [id, await started.get(id)!] as const));
      return work(stack, new Map(needed));
    };
    started.set(stack.id, workAfterOthers());
  }
  const results = new Map<string, T>();
  for (const [id, result] of started) results.set(id, await result);
  return results;
}
