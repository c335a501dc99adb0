/** Returns all subsets of some items, the empty one included. */
export const subsetsOf = <T>(items: readonly T[]): T[][] =>
  items.reduce<T[][]>((subsets, item) => subsets.flatMap((subset) => [subset, [...subset, item]]), [[]]);

/** Puts every node after those it depends on; ties keep the order given. A cycle is returned instead of an order. */
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

/** Like `topologicalOrder`, for nodes that may have cycles: each cycle is cut at the node that was reached first. */
export const orderDespiteCycles = <T>(nodes: T[], needs: (node: T) => Iterable<T>): T[] =>
  visitDepthFirst(nodes, needs, () => 'continue');

/** Returns the nodes in the order in which all that they need was visited. `onCycle` can get the nodes of a cycle, and decides whether to go on. */
function visitDepthFirst<T>(
  nodes: T[],
  needs: (node: T) => Iterable<T>,
  onCycle: (path: () => T[]) => 'stop' | 'continue',
): T[] {
  const order: T[] = [];
  const state = new Map<T, 'open' | 'done'>();
  // An explicit stack: configurations may be deeper than the call stack.
  for (const root of nodes) {
    if (state.has(root)) continue;
    const stack: { node: T; rest: Iterator<T> }[] = [{ node: root, rest: needs(root)[Symbol.iterator]() }];
    state.set(root, 'open');
    while (stack.length > 0) {
      const top = stack[stack.length - 1]!;
      const next = top.rest.next();
      if (next.done) {
        state.set(top.node, 'done');
        order.push(top.node);
        stack.pop();
      } else if (state.get(next.value) === 'open') {
        const path = () =>
          stack.map(({ node }) => node).slice(stack.findIndex(({ node }) => node === next.value));
        if (onCycle(path) === 'stop') return order;
      } else if (!state.has(next.value)) {
        state.set(next.value, 'open');
        stack.push({ node: next.value, rest: needs(next.value)[Symbol.iterator]() });
      }
    }
  }
  return order;
}

/** Items by key, in the order in which keys were first met (Node 20 lacks Map.groupBy). */
export function groupBy<T, K>(items: Iterable<T>, key: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) addTo(groups, key(item), item);
  return groups;
}

/** Appends a value to the others of its key. */
export function addTo<K, T>(lists: Map<K, T[]>, key: K, value: T): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** The order of texts by their code units: the same on every machine, whatever its language. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The order of entries by their keys. */
export const byKey = ([a]: readonly [string, ...unknown[]], [b]: readonly [string, ...unknown[]]): number =>
  byText(a, b);
