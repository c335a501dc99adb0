import type { Kind } from '../../kind/kind.ts';
import { type Address, addressOf } from '../../model/address.ts';
import { type Entry, type MapNode, memberOf, type Node, type ScalarNode } from '../yaml/nodes.ts';
import { keyNames } from './block.ts';

/**
 * Where a block is: its kind, its address, and the block around it. The address of an item of a list contains its names
 * only if all of them are written.
 */
export interface BlockPlace {
  kind: Kind;
  address: Address;
  parent: BlockPlace | undefined;
}

/**
 * Returns a section with each block replaced by the result of `change`, and without blocks for which that is undefined.
 * If the kind has no names, the whole section is its only block. A section of the wrong form is returned unchanged,
 * because `sectionEntries` reports it later. Used to rewrite sections before they are read, for example to expand globs
 * in names.
 */
export function mapBlocks(
  kind: Kind,
  section: Node,
  parent: BlockPlace | undefined,
  change: (block: Node, place: BlockPlace, key?: ScalarNode) => Node | undefined,
): Node | undefined {
  const placeOfBlock = (names: string[]): BlockPlace => ({
    kind,
    address: addressOf(parent?.address, kind.section, names),
    parent,
  });
  if (kind.key.length === 0) return change(section, placeOfBlock([]));
  if (section.type === 'list')
    return {
      ...section,
      items: section.items.flatMap((item) => change(item, placeOfBlock(listItemNames(kind, item))) ?? []),
    };
  if (section.type !== 'map' || kind.yaml.mapBy === undefined) return section;
  const entries = section.entries.flatMap(({ key, value }): Entry[] => {
    const blockPlace = placeOfBlock(keyNames(kind, key.text));
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
 * Returns a block with each child section of `kinds` replaced by the result of `change`, and each other entry by that
 * of `field`. Entries for which they return undefined are removed. Used with `mapBlocks` to rewrite nested sections.
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

/**
 * Returns the names in the address of a list item, from the fields of the key. Returns none if one of these fields is
 * missing or is no plain value, because no correct address can be built then.
 */
function listItemNames(kind: Kind, item: Node): string[] {
  const names = kind.key.flatMap((name) => {
    const value = memberOf(item, name);
    return value?.type === 'scalar' ? keyNames({ ...kind, key: [name] }, value.text) : [];
  });
  return names.length === kind.key.length ? names : [];
}
