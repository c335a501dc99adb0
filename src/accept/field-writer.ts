import { isAlias, isMap, isScalar, isSeq, type Scalar } from 'yaml';
import type { LoadedBlock } from '../config/blocks/block.ts';
import { isShorthandEntry } from '../config/blocks/section-entries.ts';
import { escapeExpressions } from '../config/expressions/parse-expressions.ts';
import type { Node as ReadNode } from '../config/yaml/nodes.ts';
import { maxLengthInBrackets, type YamlValue } from '../export/print-yaml.ts';
import { isSingleton } from '../kind/define-kind.ts';
import type { Address } from '../model/address.ts';
import type { AcceptedField } from './acceptance.ts';
import { editValue, setInMaps, type WrittenValue } from './edit-value.ts';
import { CannotEditHere, insertEntry, removeSlots, replaceText } from './edit-yaml.ts';
import { formatEntry, formatValue, nestedIndent } from './format-yaml-text.ts';
import type { PatchTargets } from './patches.ts';
import type { SlotIndex } from './slot-index.ts';
import {
  findEntry,
  inBrackets,
  isLiteral,
  isUnwritten,
  type Slot,
  surroundingsOf,
  topKeyOf,
} from './yaml-file.ts';

type WrittenFields = { [name: string]: WrittenValue };

/** A section, or an entry in it, that is written into a block to override what a template has there. */
interface SectionOverride {
  /** The slot of the block that contains the section. */
  blockSlot: Slot;
  /** The slot of the section, if the block has it already. */
  section: Slot | undefined;
  sectionName: string;
  /** The content of the section: for a section that is a map, blocks by their keys. */
  content: WrittenFields;
}

/** A shorthand that becomes a map, because fields beside its value are accepted. */
interface PendingExpansion {
  slot: Slot;
  block: LoadedBlock;
  fields: WrittenFields;
}

/** The texts for a shorthand that becomes a map. */
interface ExpandedTexts {
  /** The field that the shorthand stands for. */
  fieldName: string;
  /** The value as it is written now. */
  value: string;
  /** The same value, quoted if it could not stand in braces otherwise. */
  valueInBraces: string;
  /** The new fields, as they are written in braces. */
  fieldsInBraces: string;
}

/**
 * Writes accepted fields into the YAML blocks that declare them. `writeInPlace`, `writeInBlock` and `collectOverride` each try one way of
 * editing, and throw `CannotEditHere` if that way does not fit; the caller then tries another one, and finally a patch.
 *
 *   shorthand   a block that is only a value, such as `API_URL: https://...`; the value stands for one field of the block
 *   override    an entry of a block that goes before an entry with the same key in the template that the block uses
 */
export class FieldWriter {
  readonly #slots: SlotIndex;
  readonly #blocks: readonly LoadedBlock[];
  readonly #hasSiblings: PatchTargets['hasSiblings'];
  /** The addresses of the blocks with fields that `writeOverrides` writes, for messages. */
  readonly overriddenAddresses: Address[] = [];
  readonly #overrides = new Map<string, SectionOverride>();
  /** By the node of the shorthand. */
  readonly #pendingExpansions = new Map<Slot['node'], PendingExpansion>();
  /** The nodes of shorthands whose value was edited in its place. */
  readonly #editedShorthands = new Set<Slot['node']>();

  /**
   * Creates the writer that puts accepted values into the YAML blocks that declare them, for `accept`.
   * `slots`: finds where each value is written. `targets`: tells if a block has siblings in other targets,
   * which an edit would change too.
   */
  constructor(slots: SlotIndex, blocks: readonly LoadedBlock[], targets: PatchTargets) {
    this.#slots = slots;
    this.#blocks = blocks;
    this.#hasSiblings = targets.hasSiblings;
  }

  /**
   * Replaces the text of a field by the value that `accept` takes over, where the field is written now. The
   * text may also be a shorthand: a single value instead of the map of the block's fields. Throws
   * `CannotEditHere` if the field is not written for this block alone, for example in a template; then
   * `accept` tries another way.
   */
  writeInPlace(loaded: LoadedBlock, { path, ...change }: AcceptedField): void {
    const [name, ...innerPath] = path;
    const { block, units } = loaded;
    const entry = block.fieldEntries.find(({ key }) => key.text === name);
    if (!entry) throw new CannotEditHere();
    if (isShorthandEntry(entry)) {
      const blockSlot = this.#slots.findBlockSlot(loaded);
      if (!blockSlot || innerPath.length > 0 || isMap(blockSlot.node) || change.after === undefined)
        throw new CannotEditHere();
      editValue(blockSlot, entry.value, change);
      this.#editedShorthands.add(blockSlot.node);
      return;
    }
    const address = units[0]?.address ?? block.address;
    const slot = this.#slots.slotAt(entry.key.at);
    if (!slot?.key || !this.#slots.holdsOneValueOf(slot, entry.key.at, address)) throw new CannotEditHere();
    this.#editInside(slot, entry.value, innerPath, change, address);
  }

  /**
   * Edits the YAML value at a path inside the value of a slot (a place in a file), so that it becomes the live value that `accept` takes
   * over. Goes down one name of the path per call. Inserts missing maps, and removes the entry if there is no new value. Throws
   * `CannotEditHere` if a value on the way is written elsewhere or for other objects, too.
   * @param read the value of the slot as the configuration reads it, to recognize members that are written elsewhere
   */
  #editInside(
    slot: Slot,
    read: ReadNode,
    [name, ...innerPath]: string[],
    change: Omit<AcceptedField, 'path'>,
    address: Address,
  ): void {
    if (name === undefined) {
      if (change.after !== undefined) {
        editValue(slot, read, change);
        return;
      }
      if (!isLiteral(slot.node) && !isAlias(slot.node)) throw new CannotEditHere();
      removeSlots([slot], slot.file, slot.parent!);
      return;
    }
    if (isAlias(slot.node) || read.type !== 'map' || !isMap(slot.node)) throw new CannotEditHere();
    const entry = read.entries.find(({ key }) => key.text === name);
    const entrySlot = entry && findEntry(slot, escapeExpressions(name));
    if (!entrySlot) {
      // The value is absent, or comes from elsewhere (a template): it can be overridden here, but not removed.
      if (change.after === undefined) throw new CannotEditHere();
      insertEntry(slot, escapeExpressions(name), nestInMaps(innerPath, change.after) as YamlValue);
      return;
    }
    const isReadFromHere = entrySlot.key!.range![0] === entry.key.at.start;
    const isOnlyUse = this.#slots.holdsOneValueOf(entrySlot, entry.key.at, address);
    if (!isReadFromHere || !isOnlyUse) throw new CannotEditHere();
    this.#editInside(entrySlot, entry.value, innerPath, change, address);
  }

  /**
   * Inserts an accepted field into the text of its block, where it overrides the value from a template or
   * merged map. A block written as a shorthand becomes a map for that. Throws `CannotEditHere` if the block
   * has the field already, or if the value comes from a patch, which would override the block; then `accept`
   * tries another way.
   */
  writeInBlock(loaded: LoadedBlock, { path, after }: AcceptedField): void {
    const blockSlot = this.#slots.findBlockSlot(loaded);
    if (!blockSlot || after === undefined || isAlias(blockSlot.node)) throw new CannotEditHere();
    const [name, ...innerPath] = path as [string, ...string[]];
    const entry = loaded.block.fieldEntries.find(({ key }) => key.text === name);
    // The shorthand would stand for the field a second time.
    if (entry && isShorthandEntry(entry)) throw new CannotEditHere();
    const currentSlot = entry && this.#slots.slotAt(entry.key.at);
    const isInPatch = (slot: Slot) => topKeyOf(slot) === 'patches';
    // A block of its own is overridden by the patch; a block inside `patches:` may get the field.
    if (currentSlot && isInPatch(currentSlot) && !isInPatch(blockSlot)) throw new CannotEditHere();
    const key = escapeExpressions(name);
    if (findEntry(blockSlot, key)) throw new CannotEditHere();
    const value = nestInMaps(innerPath, after);
    if (isScalar(blockSlot.node) && !isUnwritten(blockSlot.node)) {
      this.#addToExpansion(blockSlot, loaded, { [name]: value });
      return;
    }
    if (isSeq(blockSlot.node)) throw new CannotEditHere();
    const childSections = new Set(this.#slots.childSectionsOf(loaded.block.kind));
    insertEntry(blockSlot, key, value as YamlValue, (otherKey) => !childSections.has(otherKey));
  }

  /**
   * Collects an accepted field of a block that a template makes. `writeOverrides` later writes all fields together: into the parent of the
   * block, as a block with the same key (a section that is a single block has none), which overrides the one of the template. Throws
   * `CannotEditHere`, so that the caller tries another way, if the parent has no text of its own, if the section cannot be extended, or if
   * the value does not come from a template.
   */
  collectOverride({ block }: LoadedBlock, { path, after }: AcceptedField): void {
    const { kind, parent, key } = block;
    const readParent = parent && this.#blocks.find((other) => other.block === parent);
    const parentSlot = readParent && this.#slots.findBlockSlot(readParent);
    if (!parentSlot || !isMap(parentSlot.node) || after === undefined) throw new CannotEditHere();
    if (!this.#isOverridable(block, path[0]!)) throw new CannotEditHere();
    const blockKey = key && escapeExpressions(key.text);
    const section = findEntry(parentSlot, kind.section);
    if (section && !canExtend(section, blockKey)) throw new CannotEditHere();
    // One for each section of each parent block. The place of its key identifies that block.
    const id = `${parentSlot.file.path}:${parentSlot.key?.range?.[0]}:${kind.section}`;
    const override = this.#overrides.get(id) ?? {
      blockSlot: parentSlot,
      section,
      sectionName: kind.section,
      content: {},
    };
    this.#overrides.set(id, override);
    this.overriddenAddresses.push(block.address);
    const fieldPath = path.map(escapeExpressions);
    setInMaps(override.content, blockKey === undefined ? fieldPath : [blockKey, ...fieldPath], after);
  }

  /**
   * True if a block with the same key can override a field of this block: the block has a key of its own, and the field is from a template.
   */
  #isOverridable(block: LoadedBlock['block'], fieldName: string): boolean {
    const { kind, key, fieldEntries } = block;
    // The items of a list have no key by which another block could override them.
    const isListItem = !isSingleton(kind) && (kind.yaml.mapBy === undefined || !key);
    if (isListItem || this.#hasSiblings(block)) return false;
    const entry = fieldEntries.find((fieldEntry) => fieldEntry.key.text === fieldName);
    const spots = [block.at, key?.at, entry?.key.at].flatMap((spot) => spot ?? []);
    // A value from a patch could not be overridden in this way, because patches go before blocks.
    return spots.every((spot) => this.#slots.isInTemplate(spot));
  }

  /**
   * Writes the shorthands that become maps because of `writeInBlock`. Called after all fields of a block, since each shorthand is one edit.
   */
  expandShorthands(): void {
    for (const expansion of this.#pendingExpansions.values()) expand(expansion);
    this.discardPendingExpansions();
  }

  /**
   * Discards shorthands that were to become maps. Called before each change, because the edits of the last one may have been taken back.
   */
  discardPendingExpansions(): void {
    this.#pendingExpansions.clear();
  }

  /**
   * Writes the collected overrides (accepted fields of blocks that a template makes) into the YAML: as a new section, or as entries of the
   * existing one. `accept` calls it at the end, when all fields of an override are collected.
   */
  writeOverrides(): void {
    for (const { blockSlot, section, sectionName, content } of this.#overrides.values())
      if (section)
        for (const [key, value] of Object.entries(content)) insertEntry(section, key, value as YamlValue);
      else insertEntry(blockSlot, sectionName, content as YamlValue);
  }

  /**
   * Collects fields that `accept` adds to a block written as a shorthand (`LOG_LEVEL: info` instead of a map
   * of fields). The shorthand becomes a map later, once and with all of its fields, because two edits of one
   * text must not overlap. Throws `CannotEditHere` if it cannot become a map, so that the caller writes a
   * patch instead.
   */
  #addToExpansion(slot: Slot, block: LoadedBlock, fields: WrittenFields): void {
    const { node } = slot;
    if (this.#editedShorthands.has(node)) throw new CannotEditHere();
    const pending = this.#pendingExpansions.get(node);
    const expansion = { slot, block, fields: { ...pending?.fields, ...fields } };
    // Called for its check: the caller can only try another way before the other fields are written.
    if (!pending) expandedTextsOf(expansion);
    this.#pendingExpansions.set(node, expansion);
  }
}

/**
 * True if `accept` can add a block with this key to a section of a YAML file, to override a block that a template makes. `blockKey` is
 * undefined for a section that is a single block: it gets fields instead of a block. No edit is possible if the section is an alias, is
 * repeated by one, or has the key already.
 */
function canExtend(section: Slot, blockKey: string | undefined): boolean {
  if (isAlias(section.node) || section.isShared) return false;
  const isMapOrEmpty = isMap(section.node) || isUnwritten(section.node);
  const hasKey = blockKey !== undefined && findEntry(section, blockKey) !== undefined;
  return isMapOrEmpty && !hasKey;
}

/**
 * Writes a shorthand as a map, so that it can have more fields: on one line, as in `{ value: info, comment: x }`, or on several lines if a
 * new field is a long list or map. It is one edit, because edits must not overlap.
 */
function expand(expansion: PendingExpansion): void {
  const { slot, fields } = expansion;
  const { file, node, key } = slot;
  const { fieldName, value, valueInBraces, fieldsInBraces } = expandedTextsOf(expansion);
  const isLong = Object.values(fields).some(
    (fieldValue) =>
      typeof fieldValue === 'object' && JSON.stringify(fieldValue).length >= maxLengthInBrackets,
  );
  // Inside brackets, a value cannot have lines of its own.
  if (!isLong || surroundingsOf(slot).isFlow) {
    const [start, end] = node!.range!;
    file.edit(start, end, `{ ${fieldName}: ${valueInBraces}, ${fieldsInBraces} }`);
    return;
  }
  const indent = nestedIndent(file.columnOf(key!.range![0]));
  // Each entry ends with a line feed.
  const entries = Object.entries(fields).map(([name, fieldValue]) =>
    formatEntry(name, fieldValue as YamlValue, indent),
  );
  const firstLine = `${' '.repeat(indent)}${fieldName}: ${value}`;
  replaceText(slot, `\n${firstLine}\n${entries.join('').trimEnd()}`, file);
}

/**
 * Returns the texts for writing a shorthand (a value alone instead of a map of fields) as a map, because `accept`
 * adds `fields`: `LOG_LEVEL: info` becomes `LOG_LEVEL: { value: info, comment: x }`, or a map in lines if it is
 * long. The value has a text for each of these forms, because characters such as `,` need quotes only in braces.
 * Throws `CannotEditHere` unless the value is a plain or quoted text on one line, without an anchor, and has a key.
 */
function expandedTextsOf({ slot, block: { block }, fields }: PendingExpansion): ExpandedTexts {
  const { file, node, key } = slot;
  // The key of the block counts as a field, too (`mapBy`), but the shorthand does not stand for it.
  const field = block.fieldEntries.find(
    (entry) => isShorthandEntry(entry) && entry.key.text !== block.kind.yaml.mapBy,
  );
  const scalar = node as Scalar;
  const { type } = scalar;
  const isText = type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE' || type === 'PLAIN';
  const value = file.text.slice(scalar.range![0], scalar.range![1]);
  if (!field || !key || !isText || scalar.anchor !== undefined || value.includes('\n'))
    throw new CannotEditHere();
  const braces = inBrackets(file);
  const needsQuotes = type === 'PLAIN' && /[,[\]{}]/.test(value);
  // `formatValue` puts the fields in braces of their own.
  const withoutBraces = (text: string) => text.replace(/^\{ ?| ?\}$/g, '');
  return {
    fieldName: file.isJson ? JSON.stringify(field.key.text) : field.key.text,
    value,
    valueInBraces: needsQuotes ? formatValue(String(scalar.value), braces) : value,
    fieldsInBraces: withoutBraces(formatValue(fields as YamlValue, braces)),
  };
}

/** Returns a value inside one map per name of a path, so that it can be inserted at that path. */
const nestInMaps = (path: string[], value: WrittenValue): WrittenValue =>
  path.reduceRight<WrittenValue>((inner, name) => ({ [escapeExpressions(name)]: inner }), value);
