import { type Entry, entryOf, type MapNode, type Node } from '../config/yaml/nodes.ts';
import type { Spot } from '../config/yaml/source.ts';

/**
 * Finds the value at a path of names and indexes in a YAML file, such as `['tests', 0, 'expect']`, for messages about it. If the file lacks
 * a part of the path, returns the last value that it has on the path.
 *
 * `node`: the value. `spot`: its place. `keySpot`: the place of its name; for an item of a list, which has no name, that of the item.
 */
export function locate(
  root: MapNode,
  path: readonly (string | number)[],
): { node: Node; spot: Spot; keySpot: Spot } {
  let node: Node = root;
  let keySpot = root.at;
  for (const step of path) {
    const item: Node | undefined = node.type === 'list' ? node.items[Number(step)] : undefined;
    const entry: Entry | undefined = entryOf(node, String(step));
    if (item) {
      node = item;
      keySpot = item.at;
    } else if (entry) {
      node = entry.value;
      keySpot = entry.key.at;
    } else break;
  }
  return { node, spot: node.at, keySpot };
}
