import { childKinds, isSingleton } from '../../kind/define-kind.ts';
import type { Kind, Kinds } from '../../kind/kind.ts';
import { mayHoldSecret, schemaOfField } from '../fields/schema-options.ts';
import { entriesOf, itemsOrSelf, maskUnread, type Node } from '../yaml/nodes.ts';

/**
 * Masks a block that no reader has looked at, such as one whose name has an error. Values of fields that are never secret stay readable, so
 * that a quoted line still shows what it means, and so do texts for which `isRead` is true.
 */
export function maskUnreadBlock(
  node: Node,
  kind: Kind,
  kinds: Kinds,
  isRead?: (text: Node) => boolean,
): void {
  if (node.type !== 'map') {
    maskUnread(node, isRead);
    return;
  }
  const children = new Map(childKinds(kinds, kind.name).map((child) => [child.section, child]));
  for (const { key, value } of node.entries) {
    const child = children.get(key.text);
    const schema = schemaOfField(kind.fields, key.text);
    if (child) maskUnreadSection(value, child, kinds, isRead);
    else if (!key.text.startsWith('$') && (!schema || mayHoldSecret(schema))) maskUnread(value, isRead);
  }
}

/** Masks the values of a section that no reader has looked at, like `maskUnreadBlock`, because nothing tells which of them are secrets. */
function maskUnreadSection(section: Node, kind: Kind, kinds: Kinds, isRead?: (text: Node) => boolean): void {
  const { mapBy } = kind.yaml;
  if (isSingleton(kind)) maskUnreadBlock(section, kind, kinds, isRead);
  else if (mapBy === undefined || section.type !== 'map')
    for (const item of itemsOrSelf(section)) maskUnreadBlock(item, kind, kinds, isRead);
  else
    for (const { value } of entriesOf(section))
      for (const item of itemsOrSelf(value)) maskUnreadBlock(item, kind, kinds, isRead);
}
