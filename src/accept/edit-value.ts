import { diffArrays } from 'diff';
import { isAlias, isMap, isScalar, isSeq, type Scalar } from 'yaml';
import type { Node as ReadNode } from '../config/yaml/nodes.ts';
import { maxLengthInBrackets, type YamlValue } from '../export/print-yaml.ts';
import { canonicalJson } from '../model/digest.ts';
import { isPlainObject } from '../model/value.ts';
import { CannotEditHere, insertEntry, insertItem, removeSlots, replaceText } from './edit-yaml.ts';
import { formatEntry, formatItem, formatValue, unescapeText } from './format-yaml-text.ts';
import { findEntry, isLiteral, itemSlotsOf, type Slot, scalarText, surroundingsOf } from './yaml-file.ts';

/*
 * Changes one value in a YAML file with as few edits as possible, so that comments, order and style of everything else stay.
 *
 *   slot    the value in its file, with its YAML node as written
 *   read    the same value as the configuration reads it, after layers and templates. Its entries may come from other places in the file;
 *           only those that are written in the slot itself can be edited here
 *   before, after   the value as it is written now, and as it should be written
 */

/** A value as plain data in the form that the YAML has: texts escaped, references as they are written. Undefined: no value. */
export type WrittenValue =
  | Exclude<YamlValue, object>
  | WrittenValue[]
  | { [name: string]: WrittenValue }
  | undefined;

/**
 * Sets a value in nested maps, and creates the missing ones: `['build', 'command']` sets `fields.build.command`. Used by `accept` to
 * collect several fields that it then writes at once, as a patch (an entry of `patches:`) or a new block.
 */
export function setInMaps(
  fields: { [name: string]: WrittenValue },
  path: readonly string[],
  value: WrittenValue,
): void {
  let map = fields;
  for (const name of path.slice(0, -1)) {
    if (!isPlainObject(map[name])) map[name] = {};
    map = map[name] as typeof fields;
  }
  map[path.at(-1)!] = value;
}

const isSameWrittenValue = (a: WrittenValue, b: WrittenValue): boolean =>
  a === b || (a !== undefined && b !== undefined && canonicalJson(a) === canonicalJson(b));

/** A change of one written value. */
interface ValueChange {
  before: WrittenValue;
  after: WrittenValue;
  /** True if the order of lists in the value means nothing. */
  isUnordered?: boolean;
}

/**
 * Replaces the value at a place in a file (`slot`) by another one, in memory, for `accept` and `diff --promote`. Entries of maps and items
 * of lists that are equal in both keep their text. `before` and `after`: the value as it is written, and as it should be. Throws
 * `CannotEditHere` if the text cannot simply be replaced: it is an expression, for example, or comes from another place. The caller then
 * undoes edits made so far (`SlotIndex.attempt`), and writes the value elsewhere, such as in a patch.
 * @param read the value as the configuration reads it, with the positions of its parts
 */
export function editValue(slot: Slot, read: ReadNode | undefined, change: ValueChange): void {
  const { before, after } = change;
  if (isSameWrittenValue(before, after)) return;
  if (read?.type === 'map' && isPlainObject(before) && isPlainObject(after) && canEditEntries(slot, after))
    editMap(slot, read, { ...change, before, after });
  else if (
    read?.type === 'list' &&
    Array.isArray(before) &&
    Array.isArray(after) &&
    after.length > 0 &&
    canEditItems(slot, read.items, before)
  )
    editList(slot, read.items, { ...change, before: sortAsWritten(before, read.items), after });
  else replaceWhole(slot, read, change);
}

/**
 * True if a list has items that can be edited one by one. They are edited by their index, so the file, the reading and the declared value
 * must have equally many.
 */
const canEditItems = ({ node }: Slot, read: ReadNode[], before: WrittenValue[]): boolean =>
  isSeq(node) && before.length > 0 && node.items.length === before.length && read.length === before.length;

/**
 * True if a map keeps at least one of its entries, or becomes empty, so that it can be edited entry by entry. Else it is replaced as a
 * whole.
 */
function canEditEntries(slot: Slot, after: object): boolean {
  const names = Object.keys(after);
  return (
    isMap(slot.node) && (names.length === 0 || names.some((name) => findEntry(slot, name) !== undefined))
  );
}

/** True if the key of an entry that the configuration reads is the key that is written in this slot. */
const isWrittenAt = ({ key }: Slot, location: ReadNode['at']): boolean => key?.range?.[0] === location.start;

/**
 * Changes, adds and removes the entries of a YAML map that differ from the live value, for `trueup accept`; equal entries keep their text
 * and comments. Throws `CannotEditHere` if an entry is written elsewhere, such as in a merged map.
 */
function editMap(
  slot: Slot,
  read: ReadNode & { type: 'map' },
  {
    before,
    after,
    isUnordered = false,
  }: ValueChange & { before: { [name: string]: WrittenValue }; after: { [name: string]: WrittenValue } },
): void {
  const removedSlots: Slot[] = [];
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (isSameWrittenValue(before[name], after[name])) continue;
    const key = unescapeText(name);
    const readEntry = read.entries.find((entry) => entry.key.text === key);
    const entrySlot = findEntry(slot, name);
    const isReadFromHere =
      entrySlot !== undefined && readEntry !== undefined && isWrittenAt(entrySlot, readEntry.key.at);
    if (entrySlot && !isReadFromHere) throw new CannotEditHere();
    const isRemoved = after[name] === undefined;
    if (entrySlot && isRemoved) removedSlots.push(entrySlot);
    else if (entrySlot)
      editValue(entrySlot, readEntry!.value, { before: before[name], after: after[name], isUnordered });
    // An entry that comes from a template can be overridden by one that is written here, but not removed here.
    else if (!isRemoved) insertEntry(slot, name, after[name] as YamlValue);
    else if (readEntry) throw new CannotEditHere();
  }
  if (removedSlots.some(({ node }) => !isLiteral(node))) throw new CannotEditHere();
  if (removedSlots.length > 0) removeSlots(removedSlots, slot.file, slot);
}

/**
 * Changes, adds and removes the items of a YAML list that differ from the live value, for `trueup accept`;
 * equal items keep their text and comments. From `[a, b, c]` to `[a, x]`, the text of `b` is changed to `x`,
 * and `c` is removed. A list without any common item is replaced as a whole if its length changes. Throws
 * `CannotEditHere` if an item is written elsewhere.
 */
function editList(
  slot: Slot,
  read: ReadNode[],
  { before, after, isUnordered = false }: ValueChange & { before: WrittenValue[]; after: WrittenValue[] },
): void {
  const slots = itemSlotsOf(slot);
  if (slots.length !== before.length) throw new CannotEditHere();
  const newItems = isUnordered ? sortAsBefore(before, after) : after;
  const ranges = findDifferingRanges(before, newItems);
  const hasCommonItem = ranges.reduce((sum, { oldCount }) => sum + oldCount, 0) < before.length;
  if (!hasCommonItem && newItems.length !== before.length) {
    replaceWhole(slot, { type: 'list', at: read[0]!.at, items: read }, { before, after: newItems });
    return;
  }
  const removedSlots: Slot[] = [];
  for (const { oldStart, oldCount, newStart, newCount } of ranges) {
    const changedCount = Math.min(oldCount, newCount);
    for (let i = 0; i < changedCount; i++)
      editValue(slots[oldStart + i]!, read[oldStart + i], {
        before: before[oldStart + i],
        after: newItems[newStart + i],
        isUnordered,
      });
    removedSlots.push(...slots.slice(oldStart + changedCount, oldStart + oldCount));
    const previousIndex = oldStart + changedCount - 1;
    for (const item of newItems.slice(newStart + changedCount, newStart + newCount))
      insertItem(slot, item as YamlValue, previousIndex);
  }
  if (removedSlots.some(({ node }) => isAlias(node) || !isLiteral(node))) throw new CannotEditHere();
  if (removedSlots.length > 0) removeSlots(removedSlots, slot.file, slot);
}

/** A part of a list that differs from the new list: `oldCount` items from `oldStart` become `newCount` items from `newStart`. */
interface DifferingRange {
  oldStart: number;
  oldCount: number;
  newStart: number;
  newCount: number;
}

/**
 * Returns the parts in which two lists differ, so that `accept` edits only these items. From `[a, b, c]` to `[a, x]`, the items `b` and `c`
 * (two from index 1) become `x` (one from index 1).
 */
function findDifferingRanges(before: WrittenValue[], after: WrittenValue[]): DifferingRange[] {
  const steps = diffArrays(before.map(comparableTextOf), after.map(comparableTextOf));
  const ranges: DifferingRange[] = [];
  let oldStart = 0;
  let newStart = 0;
  for (const { added, removed, count } of steps) {
    const last = ranges.at(-1);
    // Added items directly behind removed ones replace them.
    if (added && last && last.newCount === 0 && last.oldStart + last.oldCount === oldStart)
      ranges.splice(-1, 1, { ...last, newCount: count });
    else if (added || removed)
      ranges.push({ oldStart, oldCount: removed ? count : 0, newStart, newCount: added ? count : 0 });
    if (!added) oldStart += count;
    if (!removed) newStart += count;
  }
  return ranges;
}

/**
 * Sorts the items of a list as they are written in the file, because items are edited by index, and a list without order has another order
 * after it was read. `read`: as many nodes, in the order of the file, by which the items are recognized. Returns the items unchanged if one
 * of them cannot be recognized.
 */
function sortAsWritten(items: WrittenValue[], read: ReadNode[]): WrittenValue[] {
  const unmatched = [...items];
  const sortedItems = read.map((node) => {
    const index = unmatched.findIndex((item) => isReadAs(node, item));
    return index < 0 ? undefined : unmatched.splice(index, 1)[0];
  });
  return unmatched.length === 0 ? sortedItems : items;
}

/**
 * True if the configuration reads a node as this value, as far as that is known without its schema: a map may have further members which
 * the node lacks. Used to recognize the items of a list, so that `trueup accept` edits only those that changed.
 */
function isReadAs(node: ReadNode, value: WrittenValue): boolean {
  if (node.type === 'scalar')
    return typeof value === 'string' ? unescapeText(value) === node.text : value === node.value;
  if (node.type === 'list')
    return (
      Array.isArray(value) &&
      value.length === node.items.length &&
      node.items.every((item, index) => isReadAs(item, value[index]))
    );
  if (node.type !== 'map' || !isPlainObject(value)) return false;
  return node.entries.every(({ key, value: item }) =>
    isReadAs(item, (value as { [name: string]: WrittenValue })[key.text]),
  );
}

const comparableTextOf = (value: WrittenValue): string => canonicalJson(value ?? null);

/**
 * Sorts the new items of an unordered list: items that it had before come first in their old order, so that they need no edit. `trueup
 * accept` then leaves their text and comments as they are.
 */
function sortAsBefore(before: WrittenValue[], after: WrittenValue[]): WrittenValue[] {
  const addedItems = after.map((value) => ({ value, text: comparableTextOf(value) }));
  const commonItems = before.filter((value) => {
    const index = addedItems.findIndex(({ text }) => text === comparableTextOf(value));
    if (index >= 0) addedItems.splice(index, 1);
    return index >= 0;
  });
  return [...commonItems, ...addedItems.map(({ value }) => value)];
}

/**
 * Replaces the whole text of a value, in the style of the text around it: on one line inside brackets and
 * JSON, a long collection on lines of its own. Long values are formatted with a key or dash in front, which
 * is then cut off, because the indentation depends on it. Throws `CannotEditHere` for expressions, and if
 * there is no new value.
 */
function replaceWhole(slot: Slot, read: ReadNode | undefined, { before, after }: ValueChange): void {
  const { node, file, key } = slot;
  if (!isLiteral(node) || after === undefined) throw new CannotEditHere();
  const surroundings = surroundingsOf(slot);
  const indent = file.columnOf((key ?? node)!.range![0]);
  if (isScalar(node) && staysUnquoted(node, read, before, after)) {
    replaceText(slot, after as string, file);
    return;
  }
  const isLong =
    typeof after === 'object' && after !== null && canonicalJson(after).length >= maxLengthInBrackets;
  if (!isLong || surroundings.isFlow) {
    replaceText(
      slot,
      formatValue(after as YamlValue, surroundings, { like: isScalar(node) ? node : undefined, indent }),
      file,
    );
    return;
  }
  if (key) {
    const text = formatEntry('k', after as YamlValue, indent).trimEnd();
    replaceText(slot, text.slice(text.indexOf(':') + 1).replace(/^ /, ''), file);
    return;
  }
  // The dash of an item is two columns in front of its value.
  const text = formatItem(after as YamlValue, indent - 2).trimEnd();
  replaceText(slot, text.trimStart().replace(/^- /, ''), file);
}

/**
 * True if `accept` may write a text without quotes although it looks like a number, because the old text was
 * written like that too: `1.20` in a field that takes text.
 */
function staysUnquoted(
  node: Scalar,
  read: ReadNode | undefined,
  before: WrittenValue,
  after: WrittenValue,
): boolean {
  // The field takes text, so the configuration reads the number in the YAML as text.
  const isTextField = typeof before === 'string' && typeof after === 'string' && read?.type === 'scalar';
  if (!isTextField) return false;
  const numberPattern = /^(0|[1-9]\d*)(\.\d+)?$/;
  const isWrittenAsNumber = node.type === 'PLAIN' && typeof node.value === 'number';
  return isWrittenAsNumber && numberPattern.test(scalarText(node)) && numberPattern.test(after);
}
