import type { Kind } from '../../kind/kind.ts';
import { type Address, addressOf } from '../../model/address.ts';
import type { Entry, MapNode, Node, ScalarNode } from '../yaml/nodes.ts';
import { keyNames } from './block.ts';

/** The place of a block: an item of a list has its names in the address if all of them are written. */
export interface BlockPlace {
  kind: Kind;
  address: Address;
  parent: BlockPlace | undefined;
}

/**
 * A section with what `change` makes of each of its blocks; those that it makes nothing of are left out. Of a kind that is there once, the
 * section is the block. What is no section of the kind stays as it is: this reports nothing.
 */
export function mapBlocks(
  kind: Kind,
  section: Node,
  blockPlace: BlockPlace | undefined,
  change: (block: Node, place: BlockPlace, key?: ScalarNode) => Node | undefined,
): Node | undefined {
  const place = (names: string[]): BlockPlace => ({
    kind,
    address: addressOf(blockPlace?.address, kind.section, names),
    parent: blockPlace,
  });
  if (kind.key.length === 0) return change(section, place([]));
  if (section.type === 'list')
    return {
      ...section,
      items: section.items.flatMap((item) => change(item, place(listItemNames(kind, item))) ?? []),
    };
  if (section.type !== 'map' || kind.yaml.mapBy === undefined) return section;
  const entries = section.entries.flatMap(({ key, value }): Entry[] => {
    const blockPlace = place(keyNames(kind, key.text));
    if (kind.yaml.manyPerKey && value.type === 'list' && value.items.length > 0) {
      const items = value.items.flatMap((item) => change(item, blockPlace, key) ?? []);
      return items.length > 0 ? [{ key, value: { ...value, items } }] : [];
    }
    const changed = change(value, blockPlace, key);
    return changed ? [{ key, value: changed }] : [];
  });
  return { ...section, entries };
}

/** A block with what `change` makes of the sections in it, of these kinds, and `field` of its other entries; nothing leaves one out. */
export function mapSections(
  kinds: readonly Kind[],
  block: MapNode,
  change: (kind: Kind, section: Node) => Node | undefined,
  field: (entry: Entry) => Node | undefined = ({ value }) => value,
): MapNode {
  const children = new Map(kinds.map((kind) => [kind.section, kind]));
  const entries = block.entries.flatMap((entry): Entry[] => {
    const { key, value } = entry;
    const kind = children.get(key.text);
    const changed = kind ? change(kind, value) : field(entry);
    if (!changed) return [];
    return [changed === value ? entry : { key, value: changed }];
  });
  return { ...block, entries };
}

/** The names of an item of a list; none if one of them is not written. */
function listItemNames(kind: Kind, item: Node): string[] {
  if (item.type !== 'map') return [];
  const names = kind.key.flatMap((name) => {
    const value = item.entries.find(({ key }) => key.text === name)?.value;
    return value?.type === 'scalar' ? keyNames({ ...kind, key: [name] }, value.text) : [];
  });
  return names.length === kind.key.length ? names : [];
}
