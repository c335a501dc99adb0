import { isMap, isScalar } from 'yaml';
import { keyNames, type LoadedBlock, spotOfBlock } from '../config/blocks/block.ts';
import type { ConfigurationText } from '../config/configuration.ts';
import type { Entry } from '../config/yaml/nodes.ts';
import type { Spot } from '../config/yaml/source.ts';
import { childKinds, isSingleton } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { type Address, addressOf } from '../model/address.ts';
import { addTo } from '../model/graph.ts';
import { CannotEditHere } from './edit-yaml.ts';
import { unescapeText } from './format-yaml-text.ts';
import {
  enclosingSlots,
  findEntry,
  isLiteralText,
  type Slot,
  scalarText,
  topKeyOf,
  YamlFile,
} from './yaml-file.ts';

/**
 * Finds where the blocks and values of a configuration are written, so that they can be edited there.
 *
 *   slot   a value in a file that can be edited (`Slot`)
 *   spot   a part of a file by offsets, as the reader of the configuration records it; often in a file that cannot be edited
 *
 * Premise: one text can produce many values. A template is used by many blocks, `$each` makes many objects of one block, and an alias
 * repeats a value. An edit must change one object only, so the slot of a block or field is checked with `isOnlyFor` before it is edited.
 */
export class SlotIndex {
  /** The files that can be edited: the configuration, and data files that git tracks. */
  readonly files: YamlFile[];
  readonly #kinds: Kinds;
  readonly #fileByName: ReadonlyMap<string, YamlFile>;
  /** The paths of files with blocks, as opposed to data. */
  readonly #configurationPaths: ReadonlySet<string>;
  /** The paths of data files, in which `${` means nothing. */
  readonly #dataPaths: ReadonlySet<string>;
  /** The names of files that hold only templates. */
  readonly #templateFiles: ReadonlySet<string>;
  /** The slots with the address of each block, by the keys around them; one object can have blocks in several files. */
  readonly #slotsByAddress = new Map<Address, Slot[]>();
  /** The number of values that were read from each spot: more than one if several blocks use a template, for example. */
  readonly #useCounts = new Map<string, number>();
  /** The sections at the top of a file. */
  readonly #rootSections: ReadonlySet<string>;

  /**
   * Parses the configuration files, and indexes all values that `accept` may edit in them. Included templates are left out, because an edit
   * would change all their users, and so are data files outside git. Also counts how often each text is read as a field, because a text
   * that is read for several objects must not be edited for one.
   */
  constructor({ files, blocks }: ConfigurationText, kinds: Kinds) {
    this.#kinds = kinds;
    this.#templateFiles = new Set(
      files.flatMap(({ role, source }) => (role === 'included' ? [source.file] : [])),
    );
    this.#configurationPaths = new Set(files.flatMap(({ role, path }) => (role === 'part' ? [path] : [])));
    this.#dataPaths = new Set(files.flatMap(({ role, path }) => (role === 'data' ? [path] : [])));
    this.files = files
      // A data file that git does not track differs from machine to machine, so it is not edited.
      .filter(({ role, source }) => role !== 'included' && (role !== 'data' || !source.isOutside))
      .map((file) => new YamlFile(file));
    this.#fileByName = new Map(this.files.map((file) => [file.name, file]));
    const rootKinds = childKinds(kinds, undefined);
    this.#rootSections = new Set(rootKinds.map(({ section }) => section));
    for (const root of this.files.filter(this.holdsBlocks).flatMap(({ roots }) => roots))
      for (const kind of rootKinds) {
        const section = findEntry(root, kind.section);
        if (section) this.#indexSection(kind, section, undefined);
      }
    for (const { block } of blocks)
      for (const { key, value } of block.fieldEntries) {
        this.#countUse(key.at);
        // The key of a shorthand has the place of its value, and that place is counted already.
        if (value.at.start !== key.at.start) this.#countUses(value);
      }
  }

  /** Counts a value that was read from a spot. */
  #countUse(spot: Spot): void {
    const id = spotId(spot);
    this.#useCounts.set(id, (this.#useCounts.get(id) ?? 0) + 1);
  }

  /**
   * Counts how often each value inside a map was read for some object, by the position of its key in the
   * file. A value that was read more than once comes from a template, for example, so `accept` must not edit its
   * text for one object.
   */
  #countUses(node: Entry['value']): void {
    if (node.type !== 'map') return;
    for (const { key, value } of node.entries) {
      this.#countUse(key.at);
      this.#countUses(value);
    }
  }

  /**
   * Indexes the blocks of a section (`projects:`) by their addresses, so that `accept` finds the text of an
   * object. A section of a kind without a key is a single block, and a section with keys is a map of blocks.
   * Blocks in a list have no key to make an address from, so they are found by their positions in the file.
   */
  #indexSection(kind: Kind, section: Slot, parent: Address | undefined): void {
    const { node, file } = section;
    if (isSingleton(kind)) {
      this.#indexBlock(kind, section, addressOf(parent, kind.section, []));
      return;
    }
    if (kind.yaml.mapBy === undefined || !isMap(node)) return;
    for (const { key } of node.items) {
      if (!isScalar(key) || !isLiteralText(scalarText(key))) continue;
      const names = keyNames(kind, unescapeText(scalarText(key)));
      this.#indexBlock(kind, file.entryAt(key.range![0])!, addressOf(parent, kind.section, names));
    }
  }

  /**
   * Indexes a block, and the blocks in its child sections that have a literal key, by their addresses, at the
   * places in the files where they are written. `trueup accept` finds and edits the block of an object there.
   */
  #indexBlock(kind: Kind, slot: Slot, address: Address): void {
    addTo(this.#slotsByAddress, address, slot);
    for (const child of childKinds(this.#kinds, kind.name)) {
      const section = findEntry(slot, child.section);
      if (section) this.#indexSection(child, section, address);
    }
  }

  /**
   * Runs `write`. If it throws `CannotEditHere`, takes back its edits of texts and returns false, so that the caller can try another
   * way.
   */
  attempt(write: () => void): boolean {
    const editCounts = this.files.map((file) => file.edits.length);
    try {
      write();
      return true;
    } catch (error) {
      if (!(error instanceof CannotEditHere)) throw error;
      for (const [index, file] of this.files.entries()) file.edits.length = editCounts[index]!;
      return false;
    }
  }

  /** Returns the names of the sections that a block of a kind may contain. Used to insert fields above them. */
  childSectionsOf = ({ name }: Kind): string[] => childKinds(this.#kinds, name).map(({ section }) => section);

  /** True for a data file, in which `${` means nothing. */
  isDataFile = ({ path }: YamlFile): boolean => this.#dataPaths.has(path);

  /** True for a file of the configuration, false for a data file or a file of variables. */
  holdsBlocks = ({ path }: YamlFile): boolean => this.#configurationPaths.has(path);

  /**
   * True if a spot (a part of a file that a value was read from) is in a template, so that the block that
   * uses the template can override the value. Files that hold only templates are never edited, so they have
   * no slots and are known by their names.
   */
  isInTemplate(spot: Spot): boolean {
    if (!this.fileOf(spot)) return this.#templateFiles.has(spot.source.file);
    const slot = this.slotAt(spot);
    return slot !== undefined && topKeyOf(slot) === 'templates';
  }

  /**
   * Returns the file of a spot; undefined if it cannot be edited. Spots are in all files that the configuration was read from, also in
   * included ones.
   */
  fileOf = ({ source }: Spot): YamlFile | undefined => this.#fileByName.get(source.file);

  /**
   * Finds the slot of the map entry whose key begins at a spot, or of the list item that begins there. With `isItem`, only list items
   * count, since the first key of an item begins at the same offset. Connects values of the configuration with the texts that `trueup
   * accept` edits.
   */
  slotAt(spot: Spot, { isItem = false } = {}): Slot | undefined {
    const file = this.fileOf(spot);
    return (isItem ? undefined : file?.entryAt(spot.start)) ?? file?.itemAt(spot.start);
  }

  /**
   * Finds the place in a file where a block is written, so that `accept` can edit it. Returns undefined if
   * the block has no text of its own, because a template or `$each` makes it, or because the text is shared
   * with other blocks. Then `accept` writes a patch instead.
   */
  findBlockSlot({ block, units }: LoadedBlock): Slot | undefined {
    const { kind, key, at, address } = block;
    // An item of a list, also of one below the key of the block, as in `API_URL: [{ … }, { … }]`.
    const isListItem = !isSingleton(kind) && (key === undefined || at.start !== key.at.start);
    const slot = isListItem
      ? this.slotAt(at, { isItem: true })
      : (this.findBlockSlots(address)[0] ?? this.slotAt(spotOfBlock(block)));
    const addresses = [address, ...units.map((unit) => unit.address)];
    return slot && addresses.some((blockAddress) => this.isOnlyFor(slot, blockAddress)) ? slot : undefined;
  }

  /**
   * Returns all slots at the address of a block, also those that only contain blocks of its children. New children can be inserted there.
   */
  findBlockSlots = (address: Address): Slot[] =>
    (this.#slotsByAddress.get(address) ?? []).filter((slot) => this.isOnlyFor(slot, address));

  /** True if a slot, whose key is at a spot, produces one value of one object. Then the value can be edited in its place. */
  holdsOneValueOf = (slot: Slot, spot: Spot, address: Address): boolean =>
    (this.#useCounts.get(spotId(spot)) ?? 1) <= 1 && this.isOnlyFor(slot, address);

  /**
   * True if the text of a slot (place in a YAML file) is for the object at this address alone, so that `accept` can edit it. It must be in
   * a patch of this address, or in a section of blocks such as `projects` and so neither in a template nor in data. It must not be below
   * `$each` or an expression as a key, and no alias may repeat it.
   */
  isOnlyFor(slot: Slot, address: Address): boolean {
    if (slot.isShared || !this.holdsBlocks(slot.file)) return false;
    const slots = [slot, ...enclosingSlots(slot)];
    if (slots.some(({ key }) => key && !isLiteralText(scalarText(key)))) return false;
    if (slots.some((enclosing) => findEntry(enclosing, '$each') !== undefined)) return false;
    const topKey = topKeyOf(slot);
    if (topKey === 'patches') return isPatchOf(slots, address);
    return topKey !== undefined && this.#rootSections.has(topKey);
  }
}

/** Returns a key for a spot by its file and its start. */
export const spotId = ({ source, start }: Spot): string => `${source.file}:${start}`;

/**
 * True if a place in a file is in a patch (an entry of `patches:`, which overrides a block) whose `$at` is the address of this object, or
 * of one around it, without globs, so that `accept` can edit it for this object alone. An end such as `@{production,preview}` is allowed,
 * because it lists the targets of one object.
 * @param slots the place and those around it, innermost first
 */
function isPatchOf(slots: Slot[], address: Address): boolean {
  const addressSlot = slots.flatMap((slot) => findEntry(slot, '$at') ?? [])[0];
  const text = addressSlot && isScalar(addressSlot.node) ? scalarText(addressSlot.node) : '';
  const withoutTargets = text.replace(/@\{[^{}*?[\]!()]*\}$/, '');
  const isGlob = /[*?{}[\]!()]/.test(withoutTargets);
  const isAddress = text !== '' && isLiteralText(text) && !isGlob;
  // `projects/web` is not in front of `projects/web2`.
  return (
    isAddress &&
    address.startsWith(withoutTargets) &&
    /^(?:[/@]|$)/.test(address.slice(withoutTargets.length))
  );
}
