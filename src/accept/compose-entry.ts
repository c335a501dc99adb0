import { isMap, isScalar, isSeq, type Node, type Pair, type Scalar, visit } from 'yaml';
import type { LoadedBlock } from '../config/blocks/block.ts';
import { isShorthandEntry } from '../config/blocks/section-entries.ts';
import { escapeExpressions } from '../config/expressions/parse-expressions.ts';
import type { Node as ReadNode } from '../config/yaml/nodes.ts';
import { type Address, lastNameOf } from '../model/address.ts';
import {
  type Fields,
  holesIn,
  isHole,
  isPlainObject,
  isRef,
  isSecret,
  mapRefs,
  refsIn,
  type Value,
} from '../model/value.ts';
import { containsValue, visitMembers } from '../model/walk.ts';
import type { EntryValues } from './acceptance.ts';
import type { WrittenValue } from './edit-value.ts';
import { CannotEditHere } from './edit-yaml.ts';
import { unescapeText } from './format-yaml-text.ts';
import { writeDesiredValue } from './written-values.ts';
import { type Slot, scalarText, type YamlFile } from './yaml-file.ts';

/*
 * Composes the new entries when `accept` splits one entry for several units (`split-entry.ts`): the values that differ, and copies of the
 * others. A copy is the text of the old entry, so that expressions stay expressions, but with the new names of renamed objects.
 */

/** The entry that `accept` splits. */
interface OldEntry {
  loaded: LoadedBlock;
  /**
   * The place of the entry in the file; undefined if it has no text of its own. Then an expression or a `$` key cannot be copied, and
   * `CannotEditHere` is thrown.
   */
  slot: Slot | undefined;
  /** Returns the address of an object after the accepted renames, because the copies name it by that. */
  newAddressOf(address: Address): Address;
}

/**
 * Returns a new entry for an entry that `accept` splits, for example because only one of two targets of a
 * variable changed outside. The new entry has the values of `differing`, and copies all others from the text
 * of the old one, also expressions. Also used to declare a list item again in a patch.
 * @param differing the values that differ from the old entry; undefined for a field that the new entry does
 * not have
 */
export function composeEntry(differing: EntryValues, oldEntry: OldEntry): WrittenValue {
  const { loaded } = oldEntry;
  const { fieldEntries, settingEntries, kind } = loaded.block;
  const oldNames = [...fieldEntries, ...settingEntries]
    .map(({ key }) => key.text)
    .filter((name) => !kind.key.includes(name));
  const entries = [...new Set([...oldNames, ...differing.keys()])].map((name): [string, WrittenValue] => [
    name,
    differing.has(name) ? differing.get(name) : copyOldValue(name, oldEntry),
  ]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/**
 * Returns a value of an old entry for a new entry that is split from it, in the form that it has in the YAML: with the new names of renamed
 * objects, as it is written in the old entry (`entrySlot`), or as the value that comes from elsewhere. Throws `CannotEditHere` for an
 * expression or a `$` key that comes from elsewhere: one from a template may have another meaning in the new entry.
 */
function copyOldValue(name: string, { loaded, slot: entrySlot, newAddressOf }: OldEntry): WrittenValue {
  const { block, fields } = loaded;
  const entry = [...block.fieldEntries, ...block.settingEntries].find(({ key }) => key.text === name)!;
  const { key, value } = entry;
  // A shorthand is the value alone, so the entry has no member for the field.
  const slot = isShorthandEntry(entry)
    ? entrySlot
    : entrySlot && findMemberSlot(entrySlot, key.at.start, key.at.source.file);
  if (slot && name === '$dependsOn')
    return [toPlainValue(slot.node, undefined, { isField: false })]
      .flat()
      .map((address) => newAddressOf(String(address)));
  if (slot) {
    const renamed = findRenamedLinks(loaded, slot.file, newAddressOf);
    return toPlainValue(slot.node, fields[name], { isField: !name.startsWith('$'), renamed });
  }
  const isRenamed = refsIn(fields[name]).some((address) => newAddressOf(address) !== address);
  const isFixedValue = !hasExpression(value) && holesIn(fields[name]).length === 0;
  const canCopy = isRenamed ? hasOnlyReferences(fields[name]!) : isFixedValue;
  if (!canCopy || name.startsWith('$')) throw new CannotEditHere();
  const copy = (part: Value | undefined) => writeDesiredValue(block.kind.fields[name], part);
  const copied = mapRefs(fields[name], newAddressOf);
  // Each item on its own, so that names keep their order.
  return Array.isArray(copied) ? copied.map(copy) : copy(copied);
}

/** A name in the text of an entry that refers to an object, with the old and the new address of that object. */
interface RenamedLink {
  from: Address;
  to: Address;
}

/** Returns the references of an entry to renamed objects that are written in this file, by the offset of their texts. */
function findRenamedLinks(
  { links }: LoadedBlock,
  file: YamlFile,
  newAddressOf: OldEntry['newAddressOf'],
): ReadonlyMap<number, RenamedLink> {
  const linksToRenamed = links.filter(({ to, at }) => at.file === file.name && newAddressOf(to) !== to);
  return new Map(linksToRenamed.map(({ to, at }) => [file.offsetOf(at), { from: to, to: newAddressOf(to) }]));
}

/** Returns the new text for a name or an address of a renamed object. Throws `CannotEditHere` for an expression. */
function renameText(text: string, { from, to }: RenamedLink): string {
  if (text === from) return escapeExpressions(to);
  if (text === lastNameOf(from)) return escapeExpressions(lastNameOf(to));
  throw new CannotEditHere();
}

/** True if the only values for later (holes) in a value are references. Others, such as secrets, cannot be written as a copy. */
const hasOnlyReferences = (value: Value): boolean =>
  !containsValue(value, (part) => isSecret(part) || (isHole(part) ? !isRef(part) : visitMembers));

/**
 * True if a value contains an expression (`${...}`), so that it has no fixed value. Used to refuse a copy of a value that is not written
 * in the old entry itself: an expression from a template may have another meaning in the new one.
 */
function hasExpression(node: ReadNode): boolean {
  if (node.type === 'list') return node.items.some(hasExpression);
  if (node.type === 'map') return node.entries.some(({ value }) => hasExpression(value));
  return node.type !== 'scalar';
}

/**
 * Finds the member of an entry whose key starts at an offset of a file; undefined if the key is not written
 * in the entry itself, but for example in a template. If `accept` splits the entry for several targets, it
 * copies expressions only from members that are written there.
 */
function findMemberSlot(entrySlot: Slot, start: number, file: string): Slot | undefined {
  if (entrySlot.file.name !== file) return undefined;
  const slot = entrySlot.file.entryAt(start);
  return slot?.parent === entrySlot ? slot : undefined;
}

/** True if a YAML node has no alias, no anchor and no tag other than YAML's own (`!!str`), so that a copy of its data loses nothing. */
function isPlainData(node: Node): boolean {
  let isPlain = true;
  const reject = () => {
    isPlain = false;
  };
  visit(node, {
    Alias: reject,
    Node: (_, { anchor, tag }) => {
      if (anchor !== undefined || (tag !== undefined && !tag.startsWith('tag:yaml.org'))) reject();
    },
  });
  return isPlain;
}

/**
 * Returns the plain data of a YAML node, with expressions as texts. Used if `accept` splits an entry for
 * several targets, because the new entry repeats values of the old one. Throws `CannotEditHere` if the node
 * has an alias, an anchor or a tag other than YAML's own (`!!str`), because a copy of the data would lose it.
 * `desired`, `options`: see `convertToPlain`.
 */
function toPlainValue(node: Node | null, desired: Value | undefined, options: PlainOptions): WrittenValue {
  if (node && !isPlainData(node)) throw new CannotEditHere();
  return convertToPlain(node, desired, options);
}

interface PlainOptions {
  /**
   * True for the value of a field, false for that of a `$` key. YAML takes the version `1.10` for a number, and printing that number
   * would make it `1.1`. So a scalar of a field that would be printed in another way is copied as the text `1.10`, unless the field is
   * a number or a boolean. A `$` key takes no such texts: `$protect: True` stays a boolean.
   */
  isField: boolean;
  /** The references to renamed objects, by the offset of their texts. The copy has the new names. */
  renamed?: ReadonlyMap<number, RenamedLink>;
}

/**
 * Converts a YAML node without aliases and anchors to plain data. `desired`: the value that the configuration reads from the node, if it
 * is a field. A scalar of a text field that looks like a number keeps its text: `1.10` does not become `1.1`.
 */
function convertToPlain(node: Node | null, desired: Value | undefined, options: PlainOptions): WrittenValue {
  if (isSeq(node)) {
    const desiredItems = Array.isArray(desired) ? desired : [];
    return (node.items as (Node | null)[]).map((item, index) =>
      convertToPlain(item, desiredItems[index], options),
    );
  }
  if (isMap(node)) {
    const desiredMembers = (isPlainObject(desired) ? desired : {}) as Fields;
    const members = (node.items as Pair<Scalar, Node | null>[]).map(({ key, value }) => {
      const name = scalarText(key);
      return [name, convertToPlain(value, desiredMembers[name], options)] as const;
    });
    return Object.fromEntries(members);
  }
  if (!isScalar(node) || node.value === null) return null;
  const { value } = node;
  const text = scalarText(node);
  const link = options.renamed?.get(node.range![0]);
  if (link) return renameText(unescapeText(text), link);
  const isTyped = typeof desired === 'number' || typeof desired === 'boolean';
  const wouldLoseText = String(value) !== text;
  return options.isField && !isTyped && wouldLoseText ? text : (value as WrittenValue);
}
