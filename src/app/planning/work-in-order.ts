/**
 * Works on each stack as soon as the stacks that it needs are done, and on as many as possible at once. `work` gets the results of the
 * needed stacks.
 */
export async function workInOrder<S extends { id: string; needs: string[] }, T>(
  stacks: readonly S[],
  work: (stack: S, needed: ReadonlyMap<string, T>) => Promise<T>,
): Promise<Map<string, T>> {
  const underWay = new Map<string, Promise<T>>();
  for (const stack of stacks) {
    const needs = stack.needs.filter((id) => underWay.has(id));
    const workAfterNeeds = async () => {
      const done = await Promise.all(needs.map(async (id) => [id, await underWay.get(id)!] as const));
      return work(stack, new Map(done));
    };
    underWay.set(stack.id, workAfterNeeds());
  }
  const results = new Map<string, T>();
  for (const [id, result] of underWay) results.set(id, await result);
  return results;
}
