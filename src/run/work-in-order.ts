/**
 * Does `work` for each stack as soon as the stacks that it needs are done, and for as many stacks as possible at once. Used to plan and to apply
 * several stacks. `stacks`: each after those that it needs. `work` gets the results of the needed stacks by id. Returns all results by id.
 */
export async function workInOrder<S extends { id: string; needs: string[] }, T>(
  stacks: readonly S[],
  work: (stack: S, needed: ReadonlyMap<string, T>) => Promise<T>,
): Promise<Map<string, T>> {
  const started = new Map<string, Promise<T>>();
  for (const stack of stacks) {
    // A needed stack that is not among `stacks` is not waited for.
    const needs = stack.needs.filter((id) => started.has(id));
    const workAfterNeeds = async () => {
      const needed = await Promise.all(needs.map(async (id) => [id, await started.get(id)!] as const));
      return work(stack, new Map(needed));
    };
    started.set(stack.id, workAfterNeeds());
  }
  const results = new Map<string, T>();
  for (const [id, result] of started) results.set(id, await result);
  return results;
}
