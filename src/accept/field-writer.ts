import { isAlias, isMap, isScalar, isSeq, type Scalar } from 'yaml';
import type { ReadBlock } from '../config/blocks/block.ts';
import type { Node as LaidNode } from '../config/yaml/nodes.ts';
import type { YamlValue } from '../export/print.ts';
import { escapeExpressions } from '../export/write-field.ts';
import type { Address } from '../model/address.ts';
import { isPlainObject } from '../model/value.ts';
import type { AcceptedField } from './accepted-change.ts';
import { CannotEditHere, insertEntry, removeSlots, replaceText } from './edit-collection.ts';
import { editValue, type WrittenValue } from './edit-value.ts';
import type { PatchTargets } from './patches.ts';
import type { SlotIndex } from './slot-index.ts';
import { findEntry, isLiteral, isUnwritten, type Slot, topKeyOf } from './yaml-file.ts';
import { formatEntry, formatValue, nestedIndent } from './yaml-text.ts';

/**
 * Writes accepted fields into the blocks of the YAML that declare them. Each method throws `CannotEditHere` if its way of editing does not fit; the
 * caller then tries another one, and finally a patch.
 */
export class FieldWriter {
  readonly #places: SlotIndex;
  readonly #blocks: readonly ReadBlock[];
  readonly #hasSiblings: PatchTargets['hasSiblings'];
  readonly #over = new Map<
    string,
    { home: Slot; section: Slot | undefined; name: string; blocks: { [name: string]: WrittenValue } }
  >();
  /** The fields that shorthands get beside their values, by the node of the shorthand. */
  readonly #besideValues = new Map<
    Slot['node'],
    { home: Slot; read: ReadBlock; more: { [name: string]: WrittenValue } }
  >();
  /** Shorthands whose values are edited. */
  readonly #editedValues = new Set<Slot['node']>();

  constructor(places: SlotIndex, blocks: readonly ReadBlock[], targets: PatchTargets) {
    this.#places = places;
    this.#blocks = blocks;
    this.#hasSiblings = targets.hasSiblings;
  }

  /** The place of the value, if it stands for this block alone. */
  writeInPlace(read: ReadBlock, { path, ...change }: AcceptedField): void {
    const [name, ...rest] = path;
    const { block } = read;
    const entry = block.fieldEntries.find(({ key }) => key.text === name);
    if (!entry) throw new CannotEditHere();
    const address = addressOfBlock(read);
    if (entry.key.at === entry.value.at) {
      // A shorthand: its value stands for the block.
      const home = this.#places.findBlockSlot(read);
      if (!home || rest.length > 0 || isMap(home.node) || change.after === undefined)
        throw new CannotEditHere();
      editValue(home, entry.value, change);
      this.#editedValues.add(home.node);
      return;
    }
    const slot = this.#places.slotAt(entry.key.at);
    if (!slot?.key || !this.#places.holdsOneValueOf(slot, entry.key.at, address)) throw new CannotEditHere();
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
      if (!isLiteral(slot.node) && !isAlias(slot.node)) throw new CannotEditHere();
      removeSlots([slot], slot.file, slot.parent!);
      return;
    }
    if (isAlias(slot.node) || laid.type !== 'map' || !isMap(slot.node)) throw new CannotEditHere();
    const entry = laid.entries.find(({ key }) => key.text === name);
    const own = entry && findEntry(slot, escapeExpressions(name));
    if (
      own &&
      own.key!.range![0] === entry.key.at.start &&
      this.#places.holdsOneValueOf(own, entry.key.at, address)
    ) {
      this.#into(own, entry.value, rest, change, address);
      return;
    }
    if (change.after === undefined || own) throw new CannotEditHere();
    insertEntry(slot, escapeExpressions(name), nested(rest, change.after) as YamlValue);
  }

  /** Into the block, over what templates and merged maps say. */
  writeInBlock(read: ReadBlock, { path, after }: AcceptedField): void {
    const home = this.#places.findBlockSlot(read);
    if (!home || after === undefined || isAlias(home.node)) throw new CannotEditHere();
    const [name, ...rest] = path as [string, ...string[]];
    const entry = read.block.fieldEntries.find(({ key }) => key.text === name);
    const from = entry && this.#places.slotAt(entry.key.at);
    // A patch goes before the block.
    if (from && topKeyOf(from) === 'patches' && topKeyOf(home) !== 'patches') throw new CannotEditHere();
    if (findEntry(home, escapeExpressions(name))) throw new CannotEditHere();
    if (isScalar(home.node) && !isUnwritten(home.node)) {
      this.#putBeside(home, read, { [name]: nested(rest, after) });
      return;
    }
    if (isSeq(home.node)) throw new CannotEditHere();
    const sections = new Set(this.#places.childSectionsOf(read.block.kind));
    insertEntry(home, escapeExpressions(name), nested(rest, after) as YamlValue, (key) => !sections.has(key));
  }

  /** Into the block around it, in which it is made by a template: as an entry that lies over what that says. */
  collectOverride(read: ReadBlock, { path, after }: AcceptedField): void {
    const { block } = read;
    const { kind, parent, key } = block;
    const above = parent && this.#blocks.find((block) => block.block === parent);
    const home = above && this.#places.findBlockSlot(above);
    if (!home || !isMap(home.node) || after === undefined || this.#hasSiblings(block))
      throw new CannotEditHere();
    if (kind.key.length > 0 && (kind.yaml.mapBy === undefined || !key)) throw new CannotEditHere();
    const entry = block.fieldEntries.find((entry) => entry.key.text === path[0]);
    const spots = [block.at, key?.at, entry?.key.at].flatMap((spot) => (spot ? [spot] : []));
    // Only over a template: what a patch says goes before all blocks.
    if (spots.some((spot) => !this.#places.isInTemplate(spot))) throw new CannotEditHere();
    const name = key ? escapeExpressions(key.text) : undefined;
    const section = findEntry(home, kind.section);
    if (
      section &&
      (isAlias(section.node) || section.isShared || !(isMap(section.node) || isUnwritten(section.node)))
    )
      throw new CannotEditHere();
    if (section && name !== undefined && findEntry(section, name)) throw new CannotEditHere();
    const id = `${home.file.path}:${home.key?.range?.[0]}:${kind.section}`;
    const known = this.#over.get(id) ?? { home, section, name: kind.section, blocks: {} };
    this.#over.set(id, known);
    let at = known.blocks;
    for (const step of [...(name === undefined ? [] : [name]), ...path.slice(0, -1).map(escapeExpressions)]) {
      if (!isPlainObject(at[step])) at[step] = {};
      at = at[step] as typeof at;
    }
    at[escapeExpressions(path.at(-1)!)] = after;
  }

  /** Writes the shorthands that get more fields. All fields of a shorthand are one edit. */
  expandShorthands(): void {
    for (const { home, read, more } of this.#besideValues.values()) this.#unfold(home, read, more);
    this.discardPendingExpansions();
  }

  /** Forgets fields whose other edits were taken back. */
  discardPendingExpansions(): void {
    this.#besideValues.clear();
  }

  /** Writes what lies over templates. */
  writeOverrides(): void {
    for (const { home, section, name, blocks } of this.#over.values())
      if (section)
        for (const [key, value] of Object.entries(blocks)) insertEntry(section, key, value as YamlValue);
      else insertEntry(home, name, blocks as YamlValue);
  }

  /** Collects fields that a shorthand has to get, so that it is written as a map once. Throws `CannotEditHere` if it cannot become a map. */
  #putBeside(home: Slot, read: ReadBlock, more: { [name: string]: WrittenValue }): void {
    const { node } = home;
    if (this.#editedValues.has(node)) throw new CannotEditHere();
    const known = this.#besideValues.get(node)?.more;
    const all = { home, read, more: { ...known, ...more } };
    if (!known) unfolded(home, read, all.more);
    this.#besideValues.set(node, all);
  }

  #unfold(
    { file, node, key, collection: holder }: Slot,
    read: ReadBlock,
    more: { [name: string]: WrittenValue },
  ): void {
    const { name, kept, text, inBraces } = unfolded(
      { file, node, key, collection: holder } as Slot,
      read,
      more,
    );
    const isLong = Object.values(more).some(isLongList);
    if (isLong && !(holder as { flow?: boolean }).flow && !file.isJson) {
      const indent = nestedIndent(file.columnOf(key!.range![0]));
      const lines = Object.entries(more).map(([field, value]) =>
        formatEntry(field, value as YamlValue, indent),
      );
      replaceText(
        { file, node, key } as Slot,
        `\n${' '.repeat(indent)}${name}: ${text}\n${lines.join('').trimEnd()}`,
        file,
      );
      return;
    }
    const [start, end] = node!.range!;
    file.edit(start, end, `{ ${name}: ${kept}, ${inBraces} }`);
  }
}

/**
 * Returns the texts that turn a shorthand (`web: value`) into a map (`web: { field: value, ... }`), because a shorthand has no room for more fields.
 * Throws `CannotEditHere` if the shorthand is not a plain or quoted text on one line.
 */
function unfolded({ file, node, key }: Slot, { block }: ReadBlock, more: { [name: string]: WrittenValue }) {
  const field = block.fieldEntries.find(
    (entry) => entry.key.at === entry.value.at && entry.key.text !== block.kind.yaml.mapBy,
  );
  const { range, type, value, anchor } = node as Scalar & { range: [number, number, number] };
  const isText = type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE' || type === 'PLAIN';
  const text = file.text.slice(range[0], range[1]);
  if (!field || !key || !isText || anchor !== undefined || text.includes('\n')) throw new CannotEditHere();
  const isFlow = { isFlow: true, isJson: file.isJson };
  const isSafe = type !== 'PLAIN' || !/[,[\]{}]/.test(text);
  return {
    name: file.isJson ? JSON.stringify(field.key.text) : field.key.text,
    /** The value as it is written. */
    text,
    /** The same value, quoted if braces would end it. */
    kept: isSafe ? text : formatValue(String(value), isFlow),
    inBraces: formatValue(more as YamlValue, isFlow).replace(/^\{ ?| ?\}$/g, ''),
  };
}

const nested = (path: string[], value: WrittenValue): WrittenValue =>
  path.reduceRight<WrittenValue>((inner, name) => ({ [escapeExpressions(name)]: inner }), value);

const isLongList = (value: WrittenValue): boolean =>
  typeof value === 'object' && JSON.stringify(value).length >= 80;

/** An address of a block, for which its places are checked. */
const addressOfBlock = ({ block, units }: ReadBlock): Address => units[0]?.address ?? block.address;
