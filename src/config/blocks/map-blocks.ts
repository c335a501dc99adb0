import type { Kind } from '../../kind/kind.ts';
import { type Address, addressOf } from '../../model/address.ts';
import type { Entry, MapNode, Node, ScalarNode } from '../yaml/nodes.ts';
import { keyNames } from './block.ts';

/**
 * Where a block is: its kind and address, and the block around it. An item of a list has names in its address only if all are
 * written.
 */
export interface BlockPlace {
  kind: Kind;
  address: Address;
  parent: BlockPlace | undefined;
}

/**
 * Returns a section with each block replaced by what `change` returns for it; blocks for which it returns undefined are removed.
 * If the kind has no names, the whole section is its only block. A section of the wrong form is returned as it is: the reader of
 * sections reports it. Used to rewrite sections before they are read, for example to expand globs in names.
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

/**
 * Returns a block with each section of `kinds` replaced by what `change` returns for it, and each other entry by what `field`
 * returns. Entries for which they return undefined are removed.
 */
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

/** Returns the names of an item of a list for its address; none if one of the fields with them is missing. */
function listItemNames(kind: Kind, item: Node): string[] {
  if (item.type !== 'map') return [];
  const names = kind.key.flatMap((name) => {
    const value = item.entries.find(({ key }) => key.text === name)?.value;
    return value?.type === 'scalar' ? keyNames({ ...kind, key: [name] }, value.text) : [];
  });
  return names.length === kind.key.length ? names : [];
}
