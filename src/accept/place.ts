import { isAlias, isMap, isScalar, isSeq } from 'yaml';
import type { ReadBlock } from '../config/blocks/block.ts';
import type { WrittenDown } from '../config/load.ts';
import type { Node as LaidNode } from '../config/yaml/nodes.ts';
import type { Spot } from '../config/yaml/source.ts';
import type { Written } from '../export/print.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import { groupBy } from '../model/graph.ts';
import { isPlainObject } from '../model/value.ts';
import { wholeAddress } from '../model/wholes.ts';
import type {
  Accepted,
  AcceptedField,
  AcceptedName,
  AcceptedSet,
  AcceptedSplit,
  LeftOut,
} from './accepted.ts';
import { insertEntry, insertItem, NotHere, removeAll, replaceWith } from './edit-collection.ts';
import { editValue, type Words } from './edit-value.ts';
import { Patches } from './patches.ts';
import { Places } from './places.ts';
import { whatToWrite, writeName } from './rename.ts';
import { entryWords, splitEntry } from './split.ts';
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
  readonly #blocks: readonly ReadBlock[];
  readonly #rows = new Set<string>();
  readonly #over = new Map<
    string,
    { home: Slot; section: Slot | undefined; name: string; blocks: { [name: string]: Words } }
  >();
  readonly #renamed: AcceptedName[] = [];
  /** Names that are not written, and why. */
  readonly unnamed: LeftOut[] = [];
  readonly #removed: { block: ReadBlock; addresses: Address[] }[] = [];
  readonly #gone: { slot: Slot; isInList: boolean; isSection: boolean }[] = [];

  constructor(written: WrittenDown, kinds: Kinds) {
    this.places = new Places(written, kinds);
    this.#stage = written.stage;
    this.#blocks = written.blocks;
    this.patches = new Patches(written.stage);
  }

  put(accepted: Accepted): void {
    if (accepted.type === 'gone') this.#removed.push(accepted);
    else if (accepted.type === 'set') this.#set(accepted);
    else if (accepted.type === 'split') this.#split(accepted);
    else if (accepted.type === 'renamed') this.#renamed.push(accepted);
    else for (const field of accepted.fields) this.#field(accepted, field);
  }

  /** All edits are known. */
  finish(): void {
    for (const one of this.#removed) this.#remove(one);
    // What is in something else first: its address has the old name of that.
    for (const one of this.#renamed.sort((a, b) => b.from.length - a.from.length)) this.#rename(one);
    this.#writeOver();
    this.#removeGone();
    this.patches.write();
  }

  /** A set: each member where it stands, or all of them in a patch. */
  #set({ address, addresses, changed, gone, added, whole, blocks }: AcceptedSet): void {
    const { block } = blocks[0]!;
    const isPlaced = this.attempt(() => {
      for (const one of changed)
        for (const field of one.fields) if (!this.#isInBlock(one.block, field)) throw new NotHere();
      const homes = blocks.map((one) => this.places.homeOf(one)?.up);
      const list = homes.at(-1);
      if (this.#stage !== undefined || !list || homes.some((one) => !one || topKeyOf(one) === 'patches'))
        throw new NotHere();
      for (const words of added) insertItem(list, words as Written, itemsIn(list).length - 1);
    });
    if (isPlaced) {
      this.#removed.push(...gone.map((one) => ({ block: one, addresses })));
      return;
    }
    const isPatched = this.attempt(() => {
      const parent = block.parent!.address;
      const file = this.patchFile(blocks[0]!);
      this.patches.drop(file, parent, address.slice(parent.length + 1));
      this.patches.set(file, parent, [block.kind.section], whole);
    });
    if (!isPatched)
      this.unplaced.push({
        addresses,
        why: 'its members can be written neither in their places nor into a patch',
      });
  }

  /** The new name where the old one stands, and wherever that is meant; where it does not stand by itself, it is told. */
  #rename(renamed: AcceptedName): void {
    const { block: read, field, from, to } = renamed;
    const isWritten = this.attempt(() => {
      const home = this.#stage === undefined ? this.places.homeOf(read) : undefined;
      if (!home || topKeyOf(home) === 'patches') throw new NotHere();
      if (read.block.kind.yaml.mapBy !== field.path[0]) this.#inPlace(read, field);
      writeName(renamed, home, this.places, this.#blocks);
    });
    if (isWritten) this.patches.moves.push({ from, to, by: to });
    else
      this.unnamed.push({
        address: from,
        why: whatToWrite(renamed, this.places, this.#blocks),
      });
  }

  /** Entries beside the one that all of them were, or, of one that is generated, all of them in a patch. */
  #split({ block: read, addresses, fields, added, whole }: AcceptedSplit): void {
    const { kind, parent, key } = read.block;
    const isPlaced = this.attempt(() => {
      const home = this.#stage === undefined ? this.places.homeOf(read) : undefined;
      if (!home || topKeyOf(home) === 'patches') throw new NotHere();
      const rows = added.map((one) => entryWords(one, read, home));
      const shorten = () => {
        for (const field of fields)
          if (
            !this.attempt(() => this.#inPlace(read, field)) &&
            !this.attempt(() => this.#inHome(read, field))
          )
            throw new NotHere();
      };
      splitEntry(home, shorten, rows);
    });
    if (isPlaced) return;
    const isPatched = this.attempt(() => {
      if (!parent || !key || this.#hasSiblings(read.block)) throw new NotHere();
      const entries = whole.map((one) => entryWords(one, read, undefined));
      this.patches.set(this.patchFile(read), parent.address, [kind.section, escaped(key.text)], entries);
    });
    if (!isPatched)
      this.unplaced.push({
        addresses,
        why: 'it was changed in a part of the places of its entry, which is made elsewhere: write entries of its own for them',
      });
  }

  #isInBlock(block: ReadBlock, field: AcceptedField): boolean {
    return (
      this.#stage === undefined &&
      (this.attempt(() => this.#inPlace(block, field)) ||
        this.attempt(() => this.#inHome(block, field)) ||
        this.attempt(() => this.#overTemplate(block, field)))
    );
  }

  #field({ block, addresses }: { block: ReadBlock; addresses: Address[] }, field: AcceptedField): void {
    if (this.#isInBlock(block, field) || this.attempt(() => this.#inPatch(block, field))) return;
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
      editValue(home, entry.value, change);
      return;
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
      if (change.after !== undefined) {
        editValue(slot, laid, change);
        return;
      }
      if (!isLiteral(slot.node) && !isAlias(slot.node)) throw new NotHere();
      removeAll([slot], slot.file, slot.up!);
      return;
    }
    if (isAlias(slot.node) || laid.type !== 'map' || !isMap(slot.node)) throw new NotHere();
    const entry = laid.entries.find(({ key }) => key.text === name);
    const own = entry && entryIn(slot, escaped(name));
    if (own && own.key!.range![0] === entry.key.at.start && this.places.isAlone(own, entry.key.at, address)) {
      this.#into(own, entry.value, rest, change, address);
      return;
    }
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
    if (isScalar(home.node) && !isUnwritten(home.node)) {
      this.#unfolded(home, read, name, nested(rest, after));
      return;
    }
    if (isSeq(home.node)) throw new NotHere();
    const sections = new Set(this.places.sectionsOf(read.block.kind));
    insertEntry(home, escaped(name), nested(rest, after) as Written, (key) => !sections.has(key));
  }

  /** Into the block around it, in which it is made by a template: as an entry that lies over what that says. */
  #overTemplate(read: ReadBlock, { path, after }: AcceptedField): void {
    const { block } = read;
    const { kind, parent, key } = block;
    const above = parent && this.#blocks.find((one) => one.block === parent);
    const home = above && this.places.homeOf(above);
    if (!home || !isMap(home.node) || after === undefined || this.#hasSiblings(block)) throw new NotHere();
    if (kind.key.length > 0 && (kind.yaml.mapBy === undefined || !key)) throw new NotHere();
    const entry = block.own.find((one) => one.key.text === path[0]);
    const spots = [block.at, key?.at, entry?.key.at].flatMap((spot) => (spot ? [spot] : []));
    // Only over a template: what a patch says goes before all blocks.
    if (spots.some((spot) => !this.places.isInTemplate(spot))) throw new NotHere();
    const name = key ? escaped(key.text) : undefined;
    const section = entryIn(home, kind.section);
    if (
      section &&
      (isAlias(section.node) || section.isShared || !(isMap(section.node) || isUnwritten(section.node)))
    )
      throw new NotHere();
    if (section && name !== undefined && entryIn(section, name)) throw new NotHere();
    const id = `${home.file.path}:${home.key?.range?.[0]}:${kind.section}`;
    const known = this.#over.get(id) ?? { home, section, name: kind.section, blocks: {} };
    this.#over.set(id, known);
    let at = known.blocks;
    for (const step of [...(name === undefined ? [] : [name]), ...path.slice(0, -1).map(escaped)]) {
      if (!isPlainObject(at[step])) at[step] = {};
      at = at[step] as typeof at;
    }
    at[escaped(path.at(-1)!)] = after;
  }

  /** Writes what lies over templates. */
  #writeOver(): void {
    for (const { home, section, name, blocks } of this.#over.values())
      if (section)
        for (const [key, value] of Object.entries(blocks)) insertEntry(section, key, value as Written);
      else insertEntry(home, name, blocks as Written);
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
      replaceWith(
        { file, node, key } as Slot,
        `\n${' '.repeat(indent)}${name1}: ${text}\n${entryText(name, value as Written, indent).trimEnd()}`,
        file,
      );
      return;
    }
    file.edit(range[0], range[1], `{ ${name1}: ${kept}, ${more} }`);
  }

  /** Into a patch at exactly this address, over all that is said elsewhere. */
  #inPatch(read: ReadBlock, { path, after }: AcceptedField): void {
    if (read.block.kind.shape.merged) throw new NotHere();
    const file = this.patchFile(read, path[0]!);
    const address = this.patchAddress(read);
    if (after === undefined) {
      if (!path.every((name) => /^[\w.-]+$/.test(name))) throw new NotHere();
      this.patches.drop(file, address, path.join('/'));
    } else this.patches.set(file, address, path.map(escaped), after);
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
    const whole = wholeAddress(first);
    // The only entry of its name is meant by that.
    if (!this.#hasSiblings(block)) return whole;
    const places = [first, ...others].map((address) => address.slice(address.lastIndexOf('@') + 1));
    if (places.length === 1) return first;
    return `${first.slice(0, first.lastIndexOf('@'))}@{${places.join(',')}}`;
  }

  /** True if there are several entries of one name. */
  #hasSiblings = ({ kind, key, parent }: ReadBlock['block']): boolean =>
    this.#blocks.filter(
      ({ block: one }) => one.kind === kind && one.parent === parent && one.key?.text === key?.text,
    ).length > 1;

  #remove({ block, addresses }: { block: ReadBlock; addresses: Address[] }): void {
    const home = this.#stage === undefined ? this.places.homeOf(block) : undefined;
    if (home?.up && topKeyOf(home) !== 'patches') {
      const isInList = block.block.kind.yaml.manyPerKey === true && isSeq(home.up.node);
      this.#gone.push({ slot: home, isInList, isSection: block.block.kind.key.length === 0 });
      return;
    }
    const { parent } = block.block;
    if (this.#isInGone(block)) return;
    if (this.#stage === undefined && this.attempt(() => this.#removeRow(block))) return;
    const isDropped =
      parent !== undefined &&
      this.attempt(() => {
        const address = this.patchAddress(block);
        this.patches.drop(this.patchFile(block), parent.address, address.slice(parent.address.length + 1));
      });
    if (!isDropped)
      this.unplaced.push({
        addresses,
        why: 'it is made by a template or `$each`, and neither a row of data nor a patch takes it out',
      });
  }

  /** True for what is in something that goes as well. */
  #isInGone({ block }: ReadBlock): boolean {
    for (let { parent } = block; parent; parent = parent.parent)
      if (this.#removed.some((one) => one.block.block === parent)) return true;
    return false;
  }

  /** The member of the data that a block was made for, if nothing else was that stays. */
  #removeRow(read: ReadBlock): void {
    const going = new Set(this.#removed.map(({ block }) => block.block));
    const [spot] = this.#membersOf(read);
    if (!spot) throw new NotHere();
    const id = `${spot.source.file}:${spot.start}`;
    const isGoing = ({ block }: ReadBlock): boolean => {
      for (let one: typeof block | undefined = block; one; one = one.parent) if (going.has(one)) return true;
      return false;
    };
    const users = this.#blocks.filter((one) =>
      spotsIn(one).some(({ source, start }) => `${source.file}:${start}` === id),
    );
    if (!users.every(isGoing)) throw new NotHere();
    if (this.#rows.has(id)) return;
    const file = this.places.fileOf(spot)!;
    const name = this.#takeOut(spot, file);
    this.#rows.add(id);
    const { line } = spot.source.position(spot.start);
    this.said.push(`remove ${name}, ${file.name}:${line}`);
  }

  /** Takes a member of the data out; its name. */
  #takeOut(spot: Spot, file: YamlFile): string {
    if (/\.csv$/i.test(file.path)) {
      const start = file.lineStart(spot.start);
      file.edit(start, file.nextLine(Math.max(start, spot.end - 1)), '');
      return file.text.slice(spot.start, spot.end).split(',')[0]!.trim();
    }
    const slot = this.places.slotAt(spot);
    if (!slot?.up || slot.isShared || !isLiteral(slot.node)) throw new NotHere();
    removeAll([slot], file, slot.up);
    return slot.key ? textOf(slot.key) : file.text.slice(spot.start, spot.end);
  }

  /** Where the members of data stand that make up the name of a block. */
  #membersOf({ block: { key } }: ReadBlock): Spot[] {
    return (key?.literals ?? []).filter((spot) => {
      const file = this.places.fileOf(spot);
      if (!file) return false;
      if (/\.csv$/i.test(file.path)) return true;
      const slot = this.places.slotAt(spot);
      const top = slot && topKeyOf(slot);
      return slot?.up !== undefined && (top === 'variables' || !this.places.isPart(file));
    });
  }

  /** Takes away the blocks that are gone, and the lists and sections that hold nothing then. */
  #removeGone(): void {
    const lists = this.#gone.flatMap(({ slot, isInList }) => (isInList ? [slot.up!] : []));
    const alone = new Set(this.#gone.flatMap(({ slot, isSection }) => (isSection ? [slot] : [])));
    const entries = withoutEmptied(
      this.#gone.map(({ slot }) => slot),
      lists,
    );
    const sections = entries.filter((slot) => !alone.has(slot)).map(({ up }) => up!);
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

/** All places that something of a block came from. */
function spotsIn({ block: { key, own } }: ReadBlock): Spot[] {
  const spots: Spot[] = [...(key?.literals ?? [])];
  const add = (node: LaidNode): void => {
    spots.push(node.at);
    if (node.type === 'scalar' || node.type === 'expression') spots.push(...(node.literals ?? []));
    if (node.type === 'list') node.items.forEach(add);
    if (node.type === 'map') for (const { value } of node.entries) add(value);
  };
  for (const { value } of own) add(value);
  return spots;
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
