/**
 * Runs a task for each item, at most `limit` at once, and returns the results in the order of the items. Rejects with the error of the
 * first task that fails: no further task is started then, and those that are under way go on.
 */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  limit: number,
  task: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  // All workers take their items from one generator. A loop that ends with an error closes it, so the other loops over it end as well.
  const remaining = (function* () {
    yield* items.entries();
  })();
  const work = async () => {
    for (const [index, item] of remaining) results[index] = await task(item);
  };
  await Promise.all(Array.from({ length: limit }, work));
  return results;
}
