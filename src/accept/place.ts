import { isAlias, isMap, isScalar, isSeq } from 'yaml';
import type { ReadBlock } from '../config/blocks/block.ts';
import type { WrittenDown } from '../config/load.ts';
import type { Node as LaidNode } from '../config/yaml/nodes.ts';
import type { Written } from '../export/print.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import { groupBy } from '../model/graph.ts';
import type { Accepted, AcceptedField } from './accepted.ts';
import { insertEntry, NotHere, removeAll, replaceWith } from './edit-collection.ts';
import { editValue, type Words } from './edit-value.ts';
import { Patches } from './patches.ts';
import { Places } from './places.ts';
import {
  entryIn,
  isLiteral,
  isUnwritten,
  itemsIn,
  type Slot,
  textOf,
  topKeyOf,
  type YamlFile,
} from './yaml-file.ts';
import { deeper, entryText, valueText } from './yaml-text.ts';

/** What cannot be written anywhere, and why. */
export interface Unplaced {
  addresses: Address[];
  why: string;
}

/**
 * Puts what is taken over where it stands: a literal in its place, what comes from a template into the block that uses it, everything
 * else into a patch.
 */
export class Placing {
  readonly places: Places;
  readonly unplaced: Unplaced[] = [];
  /** What is done beside fields, for people: `remove gb, sites.csv:12`. */
  readonly said: string[] = [];
  readonly patches: Patches;
  readonly #stage: string | undefined;
  readonly #gone: { slot: Slot; isInList: boolean }[] = [];

  constructor(written: WrittenDown, kinds: Kinds) {
    this.places = new Places(written, kinds);
    this.#stage = written.stage;
    this.patches = new Patches(written.stage);
  }

  put(accepted: Accepted): void {
    if (accepted.type === 'gone') return this.#remove(accepted);
    for (const field of accepted.fields) this.#field(accepted, field);
  }

  /** All edits are known. */
  finish(): void {
    this.#removeGone();
    this.patches.write();
  }

  #field({ block, addresses }: Accepted, field: AcceptedField): void {
    const isPlaced =
      this.#stage === undefined &&
      (this.attempt(() => this.#inPlace(block, field)) || this.attempt(() => this.#inHome(block, field)));
    if (isPlaced || this.attempt(() => this.#inPatch(block, field))) return;
    this.unplaced.push({
      addresses,
      why: `\`${field.path.join('.')}\` can be written neither in its place nor into a patch`,
    });
  }

  /** Does something whole or not at all: false where `NotHere` was thrown. */
  attempt(write: () => void): boolean {
    const before = this.places.files.map((file) => file.edits.length);
    try {
      write();
      return true;
    } catch (error) {
      if (!(error instanceof NotHere)) throw error;
      for (const [at, file] of this.places.files.entries()) file.edits.length = before[at]!;
      return false;
    }
  }

  /** Where the value is written, if it stands for this block alone. */
  #inPlace(read: ReadBlock, { path, ...change }: AcceptedField): void {
    const [name, ...rest] = path;
    const { block } = read;
    const entry = block.own.find(({ key }) => key.text === name);
    if (!entry) throw new NotHere();
    const address = addressIn(read);
    if (entry.key.at === entry.value.at) {
      // A shorthand: its value stands for the block.
      const home = this.places.homeOf(read);
      if (!home || rest.length > 0 || isMap(home.node) || change.after === undefined) throw new NotHere();
      return editValue(home, entry.value, change);
    }
    const slot = this.places.slotAt(entry.key.at);
    if (!slot?.key || !this.places.isAlone(slot, entry.key.at, address)) throw new NotHere();
    this.#into(slot, entry.value, rest, change, address);
  }

  #into(
    slot: Slot,
    laid: LaidNode,
    [name, ...rest]: string[],
    change: Omit<AcceptedField, 'path'>,
    address: Address,
  ): void {
    if (name === undefined) {
      if (change.after !== undefined) return editValue(slot, laid, change);
      if (!isLiteral(slot.node) && !isAlias(slot.node)) throw new NotHere();
      return removeAll([slot], slot.file, slot.up!);
    }
    if (isAlias(slot.node) || laid.type !== 'map' || !isMap(slot.node)) throw new NotHere();
    const entry = laid.entries.find(({ key }) => key.text === name);
    const own = entry && entryIn(slot, escaped(name));
    if (own && own.key!.range![0] === entry.key.at.start && this.places.isAlone(own, entry.key.at, address))
      return this.#into(own, entry.value, rest, change, address);
    if (change.after === undefined || own) throw new NotHere();
    insertEntry(slot, escaped(name), nested(rest, change.after) as Written);
  }

  /** Into the block, over what templates and merged maps say. */
  #inHome(read: ReadBlock, { path, after }: AcceptedField): void {
    const home = this.places.homeOf(read);
    if (!home || after === undefined || isAlias(home.node)) throw new NotHere();
    const [name, ...rest] = path as [string, ...string[]];
    const entry = read.block.own.find(({ key }) => key.text === name);
    const from = entry && this.places.slotAt(entry.key.at);
    // A patch goes before the block.
    if (from && topKeyOf(from) === 'patches' && topKeyOf(home) !== 'patches') throw new NotHere();
    if (entryIn(home, escaped(name))) throw new NotHere();
    if (isScalar(home.node) && !isUnwritten(home.node))
      return this.#unfolded(home, read, name, nested(rest, after));
    if (isSeq(home.node)) throw new NotHere();
    const sections = new Set(this.places.sectionsOf(read.block.kind));
    insertEntry(home, escaped(name), nested(rest, after) as Written, (key) => !sections.has(key));
  }

  /** A shorthand as the map that it stands for, with one field more. */
  #unfolded({ file, node, key, holder }: Slot, { block }: ReadBlock, name: string, value: Words): void {
    const field = block.own.find(
      (one) => one.key.at === one.value.at && one.key.text !== block.kind.yaml.mapBy,
    );
    const {
      range,
      type,
      value: own,
    } = node as { range: [number, number]; type?: string; value: unknown } & typeof node & object;
    const isText = type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE' || type === 'PLAIN';
    const text = file.text.slice(range[0], range[1]);
    if (!field || !key || !isText || text.includes('\n')) throw new NotHere();
    const isFlow = { isFlow: true, isJson: file.isJson };
    const isSafe = type !== 'PLAIN' || !/[,[\]{}]/.test(text);
    const kept = isSafe ? text : valueText(String(own), isFlow);
    const name1 = file.isJson ? JSON.stringify(field.key.text) : field.key.text;
    const more = valueText({ [name]: value } as Written, isFlow).replace(/^\{ ?| ?\}$/g, '');
    const isAnchored = (node as { anchor?: string }).anchor !== undefined;
    if (isAnchored) throw new NotHere();
    if (typeof value === 'object' && !(holder as { flow?: boolean }).flow && !file.isJson && isLong(value)) {
      const indent = deeper(file.columnOf(key.range![0]));
      return replaceWith(
        { file, node, key } as Slot,
        `\n${' '.repeat(indent)}${name1}: ${text}\n${entryText(name, value as Written, indent).trimEnd()}`,
        file,
      );
    }
    file.edit(range[0], range[1], `{ ${name1}: ${kept}, ${more} }`);
  }

  /** Into a patch at exactly this address, over all that is said elsewhere. */
  #inPatch(read: ReadBlock, { path, after }: AcceptedField): void {
    if (read.block.kind.shape.merged) throw new NotHere();
    const file = this.patchFile(read, path[0]!);
    const address = this.patchAddress(read);
    if (after === undefined) this.patches.drop(file, address, path.join('/'));
    else this.patches.set(file, address, path.map(escaped), after);
  }

  /** The file for a patch: that of the block, or that of the patch which says it now. */
  patchFile(read: ReadBlock, name?: string): YamlFile {
    const entry = read.block.own.find(({ key }) => key.text === name);
    const from = entry && this.places.slotAt(entry.key.at);
    const spots = [
      ...(from && topKeyOf(from) === 'patches' ? [entry.key.at] : []),
      read.block.key?.at ?? read.block.at,
      read.block.at,
    ];
    const home = this.places.homeOf(read);
    const files = [
      ...(from && topKeyOf(from) === 'patches' ? [from.file] : []),
      ...(home ? [home.file] : []),
      ...spots.flatMap((spot) => this.places.fileOf(spot) ?? []),
      ...this.places.files,
    ];
    const file = files.find(({ roots }) => roots.length > 0);
    if (!file) throw new NotHere();
    return file;
  }

  /** The address of all that an entry stands for. */
  patchAddress({ block, units }: ReadBlock): Address {
    const [first, ...others] = units.map(({ address }) => address);
    if (!block.kind.shape.byAddress || first === undefined) return first ?? block.address;
    const places = [first, ...others].map((address) => address.slice(address.lastIndexOf('@') + 1));
    if (places.length === 1) return first;
    return `${first.slice(0, first.lastIndexOf('@'))}@{${places.join(',')}}`;
  }

  #remove({ block, addresses }: Accepted): void {
    const home = this.#stage === undefined ? this.places.homeOf(block) : undefined;
    const isInPatch = home && topKeyOf(home) === 'patches';
    if (home?.up && !isInPatch) {
      const isInList = block.block.kind.yaml.manyPerKey === true && isSeq(home.up.node);
      this.#gone.push({ slot: home, isInList });
      return;
    }
    const { parent } = block.block;
    const isDropped =
      parent !== undefined &&
      this.attempt(() => {
        const address = this.patchAddress(block);
        this.patches.drop(this.patchFile(block), parent.address, address.slice(parent.address.length + 1));
      });
    if (!isDropped)
      this.unplaced.push({
        addresses,
        why: 'it is made by a template or `$each`, and nothing can take it out',
      });
  }

  /** Takes away the blocks that are gone, and the lists and sections that hold nothing then. */
  #removeGone(): void {
    const lists = this.#gone.flatMap(({ slot, isInList }) => (isInList ? [slot.up!] : []));
    const entries = withoutEmptied(
      this.#gone.map(({ slot }) => slot),
      lists,
    );
    const sections = entries.map(({ up }) => up!);
    const byHolder = groupBy(withoutEmptied(entries, sections), ({ up }) => up!);
    for (const [up, slots] of byHolder) removeAll(slots, up.file, up);
  }
}

/** What goes, with those of the holders in place of all that is in them of which nothing stays. */
function withoutEmptied(gone: readonly Slot[], holders: readonly Slot[]): Slot[] {
  const all = new Set(gone);
  const emptied = new Set(holders.filter((holder) => holder.up && isEmptied(holder, all)));
  return [...new Set(gone.map((slot) => (emptied.has(slot.up!) ? slot.up! : slot)))];
}

const isEmptied = (up: Slot, gone: ReadonlySet<Slot>): boolean =>
  isSeq(up.node)
    ? itemsIn(up).every((one) => gone.has(one))
    : isMap(up.node) && up.node.items.every(({ key }) => gone.has(entryIn(up, textOf(key as never))!));

const nested = (path: string[], value: Words): Words =>
  path.reduceRight<Words>((inner, name) => ({ [escaped(name)]: inner }), value);

const escaped = (text: string): string => text.replaceAll('${', () => '$${');

const isLong = (value: Words): boolean => JSON.stringify(value).length >= 80;

/** An address of a block, for which its places are checked. */
const addressIn = ({ block, units }: ReadBlock): Address => units[0]?.address ?? block.address;
