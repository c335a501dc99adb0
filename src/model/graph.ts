/** Returns all subsets of some items, the empty one included. */
export const subsetsOf = <T>(items: readonly T[]): T[][] =>
  items.reduce<T[][]>((subsets, item) => subsets.flatMap((subset) => [subset, [...subset, item]]), [[]]);

/**
 * Returns the nodes with each one after those that it needs: a needed node that would come later moves in front of the
 * first one that needs it, otherwise the given order stays. If some need each other, returns one such cycle instead.
 * Used to order operations, and to find cycles in a configuration.
 */
export function topologicalOrder<T>(
  nodes: T[],
  needs: (node: T) => Iterable<T>,
): { order: T[] } | { cycle: T[] } {
  let cycle: T[] | undefined;
  const order = visitDepthFirst(nodes, needs, (path) => {
    cycle = path();
    return 'stop';
  });
  return cycle ? { cycle } : { order };
}

/**
 * Like `topologicalOrder`, for nodes that may have cycles: of a cycle, the node that was reached first comes
 * last. Used to read blocks again.
 */
export const orderDespiteCycles = <T>(nodes: T[], needs: (node: T) => Iterable<T>): T[] =>
  visitDepthFirst(nodes, needs, () => 'continue');

/**
 * Returns the nodes that are in a cycle. Each node needs at most one other (`needOf`). Used to tell list items that wait for each other
 * from items that only wait for one of these. The search calls back at each cycle, with its nodes as `path()`.
 */
export function findNodesInCycles<T>(nodes: T[], needOf: (node: T) => T | undefined): Set<T> {
  const nodesInCycles = new Set<T>();
  const needs = (node: T) => [needOf(node)].filter((need) => need !== undefined);
  visitDepthFirst(nodes, needs, (path) => {
    for (const node of path()) nodesInCycles.add(node);
    return 'continue';
  });
  return nodesInCycles;
}

/**
 * Returns the nodes, each after those that it needs, by a search that goes from each node to those that it needs. A node is open until all
 * of these are done. If a node needs an open one, that is a cycle: `onCycle` decides whether the search stops there, so that the result is
 * incomplete. It gets the nodes of the cycle by calling `path`.
 */
function visitDepthFirst<T>(
  nodes: T[],
  needs: (node: T) => Iterable<T>,
  onCycle: (path: () => T[]) => 'stop' | 'continue',
): T[] {
  const order: T[] = [];
  const state = new Map<T, 'open' | 'done'>();
  // The open nodes, each with the nodes that it needs and that were not visited yet. An explicit stack, because configurations may be
  // deeper than the call stack.
  const stack: { node: T; unvisited: Iterator<T> }[] = [];
  const open = (node: T) => {
    state.set(node, 'open');
    stack.push({ node, unvisited: needs(node)[Symbol.iterator]() });
  };
  const openNodesFrom = (first: T) => {
    const openNodes = stack.map(({ node }) => node);
    return openNodes.slice(openNodes.indexOf(first));
  };
  for (const root of nodes) {
    if (state.has(root)) continue;
    open(root);
    while (stack.length > 0) {
      const top = stack[stack.length - 1]!;
      const next = top.unvisited.next();
      if (next.done) {
        state.set(top.node, 'done');
        order.push(top.node);
        stack.pop();
      } else if (state.get(next.value) === 'open') {
        if (onCycle(() => openNodesFrom(next.value)) === 'stop') return order;
      } else if (!state.has(next.value)) open(next.value);
    }
  }
  return order;
}

/**
 * Does `work` for each stack as soon as the stacks in its `waitsFor` are done, and for as many stacks as possible at once. Used to plan and
 * to apply several stacks. `stacks`: each after those that it waits for. `work` gets the results of these by id. Returns all results by id.
 * Rejects with the error of the first stack that failed, once all have ended.
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
  // Waits for all, so that an error leaves no stack at work and no rejection unhandled.
  await Promise.allSettled(started.values());
  const results = new Map<string, T>();
  for (const [id, result] of started) results.set(id, await result);
  return results;
}

/**
 * Groups items by key, such as changes by collection. Groups and items keep the order in which they first appear. (Node 20 lacks
 * Map.groupBy.)
 */
export function groupBy<T, K>(items: Iterable<T>, key: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) addTo(groups, key(item), item);
  return groups;
}

/** Appends items to a list. `push(...items)` fails for more items than a call takes arguments, such as the problems of a very long list. */
export function appendAll<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}

/** Appends a value to the list of a key in `lists`, to collect items in groups. Creates the list if it is the first value. */
export function addTo<K, T>(lists: Map<K, T[]>, key: K, value: T): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/**
 * Compares two texts for sorting by their code units, so that the order is the same on every machine and in every
 * language.
 */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Compares two entries for sorting by their keys. */
export const byKey = ([a]: readonly [string, ...unknown[]], [b]: readonly [string, ...unknown[]]): number =>
  byText(a, b);

/**
 * Returns a function which computes a result once for each object, such as a schema or a change, because plans ask for it repeatedly. The
 * object must not change. The cache does not keep it alive.
 */
export function memoize<K extends object, T>(compute: (key: K) => T): (key: K) => T {
  const cache = new WeakMap<K, { value: T }>();
  return (key) => {
    let cached = cache.get(key);
    if (!cached) {
      cached = { value: compute(key) };
      cache.set(key, cached);
    }
    return cached.value;
  };
}

/** Returns a function which computes a value when it is first called, such as an index that is not always needed. */
export function computeOnce<T>(compute: () => T): () => T {
  let computed: { value: T } | undefined;
  return () => {
    computed ??= { value: compute() };
    return computed.value;
  };
}
