import { type Entry, entryOf, type MapNode, type Node } from '../config/yaml/nodes.ts';
import type { Spot } from '../config/yaml/source.ts';

/**
 * Finds the value at a path of names and indexes in a YAML file, such as `['tests', 0, 'expect']`, for messages about it. If a part of the path is
 * missing, returns the places of the innermost value on the way. `node`: the value. `keySpot`: the place of its name, or of the value if it is an item of a list.
 */
export function locate(
  root: MapNode,
  path: readonly (string | number)[],
): { node: Node; spot: Spot; keySpot: Spot } {
  let node: Node = root;
  let keySpot = root.at;
  for (const step of path) {
    if (node.type === 'list' && node.items[Number(step)]) {
      node = node.items[Number(step)]!;
      keySpot = node.at;
      continue;
    }
    const entry: Entry | undefined = entryOf(node, String(step));
    if (!entry) break;
    node = entry.value;
    keySpot = entry.key.at;
  }
  return { node, spot: node.at, keySpot };
}
