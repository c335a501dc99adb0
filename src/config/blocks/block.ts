import { isSingleton, namesOf } from '../../kind/define-kind.ts';
import type { Kind } from '../../kind/kind.ts';
import { kindWith } from '../../kind/load-on-use.ts';
import { type Address, addressOf, escapeName } from '../../model/address.ts';
import type { Diagnostic, Position } from '../../model/diagnostic.ts';
import type { FieldReference, Resource } from '../../model/resource.ts';
import type { Fields, Value } from '../../model/value.ts';
import {
  type Entry,
  type ListNode,
  type MapNode,
  memberOf,
  type Node,
  type ScalarNode,
} from '../yaml/nodes.ts';
import type { Spot } from '../yaml/source.ts';
import type { Section } from './section-entries.ts';

/**
 * An entry of a section whose keys are sorted into fields, `$` settings and child sections, but whose values are not read yet.
 *
 * `collectBlocks` creates it and `readBlock` reads it. The keys of the map have this place in it:
 *
 *   fieldEntries     the fields of its kind; for a section that is a map, the map key comes first as the field `mapBy`
 *   settingEntries   keys that begin with `$`
 *   sections         the sections of child kinds
 */
export interface Block {
  kind: Kind;
  parent: Block | undefined;
  /**
   * The address from its key. If one entry stands for several objects, or its name is invalid, only children and messages use
   * it.
   */
  address: Address;
  /** The key in the YAML map. */
  key?: ScalarNode;
  /** The key of the block, or the beginning of the list item. */
  at: Spot;
  fieldEntries: Entry[];
  settingEntries: Entry[];
  sections: Section[];
  /** True if a part of it could not be read. That was reported, so missing fields are not reported as well. */
  isInvalid?: true;
  /**
   * The fields that its unknown keys probably mean. The problems about these keys are reported, so the fields are not reported as missing
   * as well.
   */
  misspelledFields?: string[];
  /** The index of the entry in its section, for kinds whose order decides. */
  index: number;
  /** The object whose `$secretTo` declares this variable. */
  secretOf?: Address;
}

/** A block after reading: its resources, and the problems and references in its values. */
export interface LoadedBlock {
  block: Block;
  fields: Fields;
  /**
   * The resources that it declares: usually one, several if the kind splits an entry, such as a variable with
   * several targets, none after an error.
   */
  units: Resource[];
  diagnostics: Diagnostic[];
  /**
   * Other resources that it mentions, for the checks that they are declared and form no cycle, and for
   * `accept`, which finds the uses of an object by them.
   */
  links: Link[];
  /** The fields of its units that take secret or live values from fields of other resources. */
  references: FieldReference[];
  /** True if some of its values come from other resources that were not read yet. */
  needsSecondReading: boolean;
}

/** Returns the addresses of the objects that a block declares: several for an entry such as a variable with several targets. */
export const addressesOfUnits = ({ units }: LoadedBlock): Address[] => units.map(({ address }) => address);

/** Returns the value of a field, or of a member of it, as it is written in a block; undefined if it is not written there. */
export function findFieldNode(
  { fieldEntries }: Block,
  [field, ...names]: readonly string[],
): Node | undefined {
  const value = fieldEntries.find(({ key }) => key.text === field)?.value;
  return names.reduce<Node | undefined>(memberOf, value);
}

/** Returns the place that identifies the text of a block: its key or, without one, the block itself. */
export const spotOfBlock = ({ key, at }: Block): Spot => key?.at ?? at;

/** A mention of another resource in a block. */
export interface Link {
  to: Address;
  kind: string;
  at: Position;
  /**
   * `ref`: from an expression. `named`: a plain name that must be declared. `soft`: a plain name that may be
   * undeclared. `value`: from an expression whose value the configuration states, so that the block does not
   * need the resource itself.
   */
  type: 'ref' | 'named' | 'soft' | 'value';
}

/**
 * Returns the nearest block of a kind, from `start` outwards through its parents; undefined if there is none.
 * Used to find what a name in a block means: `web` in a variable is looked up under the project around the
 * variable, for example.
 */
export function nearestOfKind<T extends { kind: Kind; parent: T | undefined }>(
  start: T | undefined,
  kindName: string | undefined,
): T | undefined {
  let block = start;
  while (block && block.kind.name !== kindName) block = block.parent;
  return block;
}

/**
 * Returns the names that a map key stands for in an address, escaped and in the normal form of its kind, such
 * as a domain in lower case. Used wherever a key or a name in the configuration is compared with declared
 * addresses. If the kind rejects the key, the key itself is the name, so that the entry still has an address
 * for messages.
 */
export function keyNames(kind: Kind, text: string): string[] {
  // The names of a kind `byAddress`, such as variables, also depend on other fields (the target), so the key stays as it is.
  if (kind.shape.byAddress) return [escapeName(text)];
  // Undefined for a singleton: it has no names.
  const field = kind.yaml.mapBy ?? kind.key[0];
  const parsed = field === undefined ? undefined : kind.fields[field]?.safeParse(text);
  const value = (parsed?.success ? parsed.data : text) as Value;
  try {
    return field === undefined ? [] : namesOf(kind, { [field]: value });
  } catch {
    return [escapeName(text)];
  }
}

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
 * Returns a section with each block replaced by the result of `change`, and without blocks for which that is
 * undefined. Used by passes that rewrite sections before they are read, for example to expand globs. `change`
 * gets the block, its place (kind, address, parent) and its map key. The section of a singleton is its one
 * block, of whatever type. Otherwise a list is mapped item by item, and a scalar, or a map where a list is
 * needed, stays as it is, because a later reader reports it.
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
  if (isSingleton(kind)) return change(section, placeOfBlock([]));
  if (section.type === 'list')
    return {
      ...section,
      items: section.items.flatMap((item) => change(item, placeOfBlock(listItemNames(kind, item))) ?? []),
    };
  if (section.type !== 'map' || kind.yaml.mapBy === undefined) return section;
  const entries = section.entries.flatMap(({ key, value }): Entry[] => {
    const blockPlace = placeOfBlock(keyNames(kind, key.text));
    // The items of a list are blocks with the same key. An empty list is the value of a block.
    const hasSeveral = kind.yaml.manyPerKey && value.type === 'list' && value.items.length > 0;
    const changed = hasSeveral
      ? withItems(value, (item) => change(item, blockPlace, key))
      : change(value, blockPlace, key);
    return changed ? [{ key, value: changed }] : [];
  });
  return { ...section, entries };
}

/**
 * Returns a list with each item replaced by the result of `change`, without items for which that is undefined; undefined if none is left.
 */
function withItems(list: ListNode, change: (item: Node) => Node | undefined): ListNode | undefined {
  const items = list.items.flatMap((item) => change(item) ?? []);
  return items.length > 0 ? { ...list, items } : undefined;
}

/**
 * Returns a block in which the result of `change` replaces each child section, such as `env` in a project,
 * and the result of `field` each other entry. Entries for which they return undefined are removed. `kinds`:
 * the kinds of the sections. Used with `mapBlocks` by passes that rewrite a configuration, for example to
 * expand globs.
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
 * Returns the names in the address of a block that is an item of a YAML list, from its key fields, for passes that rewrite blocks before
 * they are read (such as the replacement of globs). Returns none if a key field is missing or is no plain value, because no correct
 * address can be built then.
 */
function listItemNames(kind: Kind, item: Node): string[] {
  const names = kind.key.flatMap((name) => {
    const value = memberOf(item, name);
    if (value?.type !== 'scalar') return [];
    // `keyNames` reads only the first key field, so each one is made the first.
    return keyNames(kindWith(kind, { key: [name] }), value.text);
  });
  return names.length === kind.key.length ? names : [];
}
