/**
 * Runs a task for each item, at most `limit` at once, and returns the results in the order of the items. Rejects with the error of the first task that
 * fails; tasks that are under way then go on.
 */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  limit: number,
  task: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  const remaining = items.entries();
  const work = async () => {
    for (const [index, item] of remaining) results[index] = await task(item);
  };
  await Promise.all(Array.from({ length: limit }, work));
  return results;
}
