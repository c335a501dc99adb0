import { isSeq } from 'yaml';
import type { ReadBlock } from '../config/blocks/block.ts';
import { CommentedMap, type YamlValue } from '../export/print.ts';
import { escapeExpressions } from '../export/write-field.ts';
import type { Address } from '../model/address.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
import { addressAfter, type Move } from '../model/move.ts';
import { isPlainObject } from '../model/value.ts';
import type { AcceptedField } from './accepted-change.ts';
import { CannotEditHere, insertEntry, insertItem, insertLines, replaceText } from './edit-collection.ts';
import type { WrittenValue } from './edit-value.ts';
import type { SlotIndex } from './slot-index.ts';
import { endOffsetOf, findEntry, isUnwritten, topKeyOf, type YamlFile } from './yaml-file.ts';
import { formatEntry, formatItem, formatValue } from './yaml-text.ts';

interface WrittenPatch {
  drops: string[];
  fields: { [name: string]: WrittenValue };
}

/** Patches that are to be written behind those that a file has. */
export class PatchCollector {
  readonly #byFile = new Map<YamlFile, Map<Address, WrittenPatch>>();
  readonly #stage: string | undefined;
  /** The names that change. */
  readonly moves: Move[] = [];

  /** @param stage they are for this stage alone */
  constructor(stage: string | undefined) {
    this.#stage = stage;
  }

  /** The patch at an address, which is written once whatever is put into it. */
  #at(file: YamlFile, address: Address): WrittenPatch {
    const patches = this.#byFile.get(file) ?? new Map<Address, WrittenPatch>();
    this.#byFile.set(file, patches);
    const patch = patches.get(address) ?? { drops: [], fields: {} };
    patches.set(address, patch);
    return patch;
  }

  /** Says a field of the block at an address. */
  setField(file: YamlFile, address: Address, path: string[], value: WrittenValue): void {
    let at = this.#at(file, address).fields;
    for (const name of path.slice(0, -1)) {
      if (!isPlainObject(at[name])) at[name] = {};
      at = at[name] as typeof at;
    }
    at[path.at(-1)!] = value;
  }

  /** Puts an item into a list of the block at an address. */
  addItem(file: YamlFile, address: Address, section: string, item: WrittenValue): void {
    const { fields } = this.#at(file, address);
    fields[section] = [...((fields[section] as WrittenValue[] | undefined) ?? []), item];
  }

  /** Adds to the patch of a block that a field, or a block in it, is dropped. */
  addDrop(file: YamlFile, address: Address, path: string): void {
    this.#at(file, address).drops.push(path);
  }

  /** Writes all collected patches into the texts of their files, in memory. */
  write(): void {
    for (const [file, patches] of this.#byFile)
      this.#writeInto(
        file,
        [...patches].map((patch) => this.#written(patch)),
      );
  }

  /** Returns a patch as the entry of a `patches:` list. */
  #written([address, { drops, fields }]: [Address, WrittenPatch]): CommentedMap {
    const map = new CommentedMap().add('$at', addressAfter(address, this.moves));
    if (this.#stage !== undefined) map.add('$when', { stage: this.#stage });
    if (drops.length > 0) map.add('$drop', drops);
    for (const [name, value] of Object.entries(fields)) map.add(name, value as YamlValue);
    return map;
  }

  #writeInto(file: YamlFile, items: CommentedMap[]): void {
    const roots = file.roots.flatMap((root) => findEntry(root, 'patches') ?? []);
    const list = roots.at(-1);
    const root = file.roots.at(-1);
    if (!root) throw new CannotEditHere();
    if (!list) {
      newList(file, root, items);
      return;
    }
    if (isSeq(list.node) && list.node.items.length > 0) {
      for (const item of items) insertItem(list, item, list.node.items.length - 1);
      return;
    }
    if (!isUnwritten(list.node) && !(isSeq(list.node) && list.node.items.length === 0))
      throw new CannotEditHere();
    const lines = items.map((item) => formatItem(item, 2)).join('');
    const isBare = file.isJson || (root.node as { flow?: boolean }).flow;
    replaceText(list, isBare ? flowList(file, items) : `\n${lines.trimEnd()}`, file);
  }
}

function newList(file: YamlFile, root: YamlFile['roots'][number], items: CommentedMap[]): void {
  if (file.isJson || (root.node as { flow?: boolean }).flow) {
    insertEntry(root, 'patches', items);
    return;
  }
  const lines = formatEntry('patches', items, 0);
  const end = endOffsetOf(root);
  // Apart from what is above, as the sections of a file are.
  insertLines(file, end, `\n${lines}`);
}

const flowList = (file: YamlFile, items: CommentedMap[]): string =>
  formatValue(items, { isFlow: true, isJson: file.isJson });

/** Which patch speaks for a block: in what file, and at what address. */
export class PatchTargets {
  readonly #places: SlotIndex;
  readonly #blocks: readonly ReadBlock[];
  readonly #patches: PatchCollector;

  constructor(places: SlotIndex, blocks: readonly ReadBlock[], patches: PatchCollector) {
    this.#places = places;
    this.#blocks = blocks;
    this.#patches = patches;
  }

  /** Into a patch at exactly this address, over all that is said elsewhere. */
  setField(read: ReadBlock, { path, after }: AcceptedField): void {
    if (read.block.kind.shape.mergeRows) throw new CannotEditHere();
    const file = this.fileFor(read, path[0]!);
    const address = this.addressFor(read);
    if (after === undefined) {
      if (!path.every((name) => /^[\w.-]+$/.test(name))) throw new CannotEditHere();
      this.#patches.addDrop(file, address, path.join('/'));
    } else this.#patches.setField(file, address, path.map(escapeExpressions), after);
  }

  /** The file for a patch: that of the block, or that of the patch which says it now. */
  fileFor(read: ReadBlock, name?: string): YamlFile {
    const entry = read.block.fieldEntries.find(({ key }) => key.text === name);
    const from = entry && this.#places.slotAt(entry.key.at);
    const spots = [
      ...(from && topKeyOf(from) === 'patches' ? [entry.key.at] : []),
      read.block.key?.at ?? read.block.at,
      read.block.at,
    ];
    const home = this.#places.findBlockSlot(read);
    const files = [
      ...(from && topKeyOf(from) === 'patches' ? [from.file] : []),
      ...(home ? [home.file] : []),
      ...spots.flatMap((spot) => this.#places.fileOf(spot) ?? []),
      ...this.#places.files,
    ];
    const file = files.find(({ roots }) => roots.length > 0);
    if (!file) throw new CannotEditHere();
    return file;
  }

  /** The address of all that an entry stands for. */
  addressFor({ block, units }: ReadBlock): Address {
    const [first, ...others] = units.map(({ address }) => address);
    if (!block.kind.shape.byAddress || first === undefined) return first ?? block.address;
    const whole = addressWithoutTarget(first);
    // The only entry of its name is meant by that.
    if (!this.hasSiblings(block)) return whole;
    const places = [first, ...others].map((address) => address.slice(address.lastIndexOf('@') + 1));
    if (places.length === 1) return first;
    return `${first.slice(0, first.lastIndexOf('@'))}@{${places.join(',')}}`;
  }

  /** True if there are several entries of one name. */
  hasSiblings = ({ kind, key, parent }: ReadBlock['block']): boolean =>
    this.#blocks.filter(
      ({ block }) => block.kind === kind && block.parent === parent && block.key?.text === key?.text,
    ).length > 1;
}
