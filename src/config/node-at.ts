import type { Entry, Node } from './nodes.ts';
import type { Finding } from './reading.ts';

/** The node that a finding is about, or the nearest one around it. */
export function nodeAt(entries: Entry[], { path, node, onKey }: Finding): Node | undefined {
  if (node) return node;
  let found: Node | undefined;
  let at: Node | undefined;
  path.forEach((step, i) => {
    const inside: Entry[] | undefined = i === 0 ? entries : at?.type === 'map' ? at.entries : undefined;
    const entry = inside?.find(({ key }) => key.text === step);
    if (i > 0 && !at) return;
    at = entry?.value ?? (at?.type === 'list' ? at.items[Number(step)] : undefined);
    if (entry && (onKey || entry.value.type === 'map')) found = entry.key;
    else if (at) found = at;
  });
  return found;
}
