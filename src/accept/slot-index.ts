import { isMap, isScalar } from 'yaml';
import { keyNames, type ReadBlock } from '../config/blocks/block.ts';
import type { ConfigurationText } from '../config/configuration.ts';
import type { Entry } from '../config/yaml/nodes.ts';
import type { Spot } from '../config/yaml/source.ts';
import { childKinds } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { type Address, addressOf } from '../model/address.ts';
import { addTo } from '../model/graph.ts';
import { CannotEditHere } from './edit-collection.ts';
import {
  enclosingSlots,
  findEntry,
  isLiteralText,
  type Slot,
  scalarText,
  topKeyOf,
  YamlFile,
} from './yaml-file.ts';
import { unescapeText } from './yaml-text.ts';

/** Finds where the blocks and values of a configuration are written. */
export class SlotIndex {
  readonly files: YamlFile[];
  readonly #parts: ReadonlySet<string>;
  readonly #included: ReadonlySet<string>;
  readonly #kinds: Kinds;
  readonly #byFile: ReadonlyMap<string, YamlFile>;
  readonly #homes = new Map<Address, Slot[]>();
  /** The number of values written at a place. */
  readonly #uses = new Map<string, number>();
  readonly #roots: ReadonlySet<string>;

  constructor({ files, blocks }: ConfigurationText, kinds: Kinds) {
    this.#kinds = kinds;
    this.#included = new Set(files.flatMap(({ role, source }) => (role === 'included' ? [source.file] : [])));
    this.#parts = new Set(files.flatMap(({ role, path }) => (role === 'part' ? [path] : [])));
    this.files = files
      // What git does not keep is nobody's to edit.
      .filter(({ role, source }) => role === 'part' || (role === 'data' && !source.isOutside))
      .map((file) => new YamlFile(file));
    this.#byFile = new Map(this.files.map((file) => [file.name, file]));
    this.#roots = new Set(childKinds(kinds, undefined).map(({ section }) => section));
    for (const file of this.files)
      for (const root of file.roots)
        for (const kind of childKinds(kinds, undefined)) {
          const section = findEntry(root, kind.section);
          if (section) this.#noteSection(kind, section, undefined);
        }
    for (const { block } of blocks)
      for (const { key, value } of block.fieldEntries) {
        this.#noteUse(key.at);
        if (value.at.start !== key.at.start) this.#noteUses(value);
      }
  }

  /** A place with several sources counts once for each of them. */
  #noteUse({ source, start }: Spot): void {
    const at = `${source.file}:${start}`;
    this.#uses.set(at, (this.#uses.get(at) ?? 0) + 1);
  }

  #noteUses(node: Entry['value']): void {
    if (node.type !== 'map') return;
    for (const { key, value } of node.entries) {
      this.#noteUse(key.at);
      this.#noteUses(value);
    }
  }

  #noteSection(kind: Kind, section: Slot, parent: Address | undefined): void {
    const { node } = section;
    if (kind.key.length === 0) this.#noteBlock(kind, section, addressOf(parent, kind.section, []));
    else if (kind.yaml.mapBy !== undefined && isMap(node))
      for (const { key } of node.items)
        if (isScalar(key) && isLiteralText(scalarText(key))) {
          const slot = section.file.entryAt(key.range![0])!;
          this.#noteBlock(
            kind,
            slot,
            addressOf(parent, kind.section, keyNames(kind, unescapeText(scalarText(key)))),
          );
        }
  }

  #noteBlock(kind: Kind, slot: Slot, address: Address): void {
    addTo(this.#homes, address, slot);
    for (const child of childKinds(this.#kinds, kind.name)) {
      const section = findEntry(slot, child.section);
      if (section) this.#noteSection(child, section, address);
    }
  }

  /** Runs `write`. If it throws `CannotEditHere`, takes back all of its edits and returns false, so that the caller can try another way. */
  attempt(write: () => void): boolean {
    const before = this.files.map((file) => file.edits.length);
    try {
      write();
      return true;
    } catch (error) {
      if (!(error instanceof CannotEditHere)) throw error;
      for (const [at, file] of this.files.entries()) file.edits.length = before[at]!;
      return false;
    }
  }

  /** The sections that a block of a kind may hold. */
  childSectionsOf = ({ name }: Kind): string[] => childKinds(this.#kinds, name).map(({ section }) => section);

  /** True for a file that holds blocks: another one holds data. */
  holdsBlocks = ({ path }: YamlFile): boolean => this.#parts.has(path);

  /** True for a place in `templates:`, be it in a file that holds nothing else. */
  isInTemplate({ source, start }: Spot): boolean {
    const file = this.#byFile.get(source.file);
    if (!file) return this.#included.has(source.file);
    const slot = file.entryAt(start) ?? file.itemAt(start);
    return slot !== undefined && topKeyOf(slot) === 'templates';
  }

  /** The file that a place is in, of those that can be edited. */
  fileOf = ({ source }: Spot): YamlFile | undefined => this.#byFile.get(source.file);

  /** The place of an entry whose key, or of an item that, begins there. */
  slotAt({ source, start }: Spot, isItem = false): Slot | undefined {
    const file = this.#byFile.get(source.file);
    return isItem ? file?.itemAt(start) : (file?.entryAt(start) ?? file?.itemAt(start));
  }

  /** The place of the block itself, where nothing but this one is written there; undefined for one that is made by something. */
  findBlockSlot({ block, units }: ReadBlock): Slot | undefined {
    const { kind, key, at } = block;
    const isListed = key === undefined || at.start !== key.at.start;
    const own =
      kind.key.length > 0 && isListed
        ? this.slotAt(at, true)
        : (this.#homes.get(block.address)?.find((slot) => this.isOnlyFor(slot, block.address)) ??
          this.slotAt(key?.at ?? at));
    const addresses = [block.address, ...units.map(({ address }) => address)];
    return own && addresses.some((address) => this.isOnlyFor(own, address)) ? own : undefined;
  }

  /** The places that are written for this address in the sections, be it only for what is in it. */
  findBlockSlots = (address: Address): Slot[] =>
    (this.#homes.get(address) ?? []).filter((slot) => this.isOnlyFor(slot, address));

  /** True if a value of a block is written at this place, and nothing else is. */
  holdsOneValueOf = (slot: Slot, { source, start }: Spot, address: Address): boolean =>
    (this.#uses.get(`${source.file}:${start}`) ?? 1) <= 1 && this.isOnlyFor(slot, address);

  /** True if what is written at a place is for this address alone: no template, no instance of `$each`, nothing that is copied. */
  isOnlyFor(slot: Slot, address: Address): boolean {
    if (slot.isShared) return false;
    const ways = [slot, ...enclosingSlots(slot)];
    if (ways.some(({ key }) => key && !isLiteralText(scalarText(key)))) return false;
    if (ways.some((slot) => findEntry(slot, '$each') !== undefined)) return false;
    const top = topKeyOf(slot) ?? (slot.key && scalarText(slot.key));
    if (top === undefined) return false;
    if (top === 'patches') return this.#isPatchOf(ways, address);
    return this.#roots.has(top);
  }

  #isPatchOf(ways: Slot[], address: Address): boolean {
    const slot = ways.map((slot) => findEntry(slot, '$at')).find((slot) => slot !== undefined);
    const text = slot && isScalar(slot.node) ? scalarText(slot.node) : '';
    // `{a,b}` at the end names the units of one entry.
    const exact = text.replace(/@\{[^{}*?[\]!()]*\}$/, '');
    return text !== '' && isLiteralText(text) && !/[*?{}[\]!()]/.test(exact) && address.startsWith(exact);
  }
}
