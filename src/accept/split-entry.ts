import { isMap, isScalar, isSeq, type Node, type Pair, type Scalar, visit } from 'yaml';
import type { LoadedBlock } from '../config/blocks/block.ts';
import type { Node as ReadNode } from '../config/yaml/nodes.ts';
import type { YamlValue } from '../export/print-yaml.ts';
import type { Address } from '../model/address.ts';
import { type Fields, holesIn, isPlainObject, mapRefs, refsIn, type Value } from '../model/value.ts';
import type { EntryValues } from './acceptance.ts';
import type { WrittenValue } from './edit-value.ts';
import { CannotEditHere, insertItem, insertLines } from './edit-yaml.ts';
import { formatItem, formatValue, indentLines, nestedIndent } from './format-yaml-text.ts';
import { writeDesiredValue } from './written-values.ts';
import {
  applyTextEdits,
  endOffsetOf,
  inBrackets,
  itemSlotsOf,
  offsetAfterColon,
  type Slot,
  scalarText,
  surroundingsOf,
  type TextEdit,
  type YamlFile,
} from './yaml-file.ts';

/*
 * Splits an entry that stands for several units, such as a variable for three targets, if only some of them changed. Several entries with
 * one key are a list in the YAML, so an entry that has its key alone becomes a list first:
 *
 *   API_URL:                              API_URL:
 *     value: https://a.example     ->       - value: https://a.example
 *     target: [preview, production]           target: [production]
 *                                           - value: https://b.example
 *                                             target: [preview]
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
 * Returns a value of an old entry for a new entry that is split from it, in the form that it has in the YAML: with renamed references, as
 * it is written in the old entry (`entrySlot`), or as the value that comes from elsewhere. Throws `CannotEditHere` for an expression or a
 * `$` key that comes from elsewhere: one from a template may have another meaning in the new entry.
 */
function copyOldValue(name: string, { loaded, slot: entrySlot, newAddressOf }: OldEntry): WrittenValue {
  const { block, fields } = loaded;
  const schema = block.kind.fields[name];
  if (refsIn(fields[name]).some((reference) => newAddressOf(reference) !== reference))
    return writeDesiredValue(schema, mapRefs(fields[name], newAddressOf));
  const { key, value } = [...block.fieldEntries, ...block.settingEntries].find(
    (entry) => entry.key.text === name,
  )!;
  // A shorthand is the value alone, so the entry has no member for the field.
  const isShorthand = key.at === value.at;
  const slot = isShorthand
    ? entrySlot
    : entrySlot && findMemberSlot(entrySlot, key.at.start, key.at.source.file);
  if (slot && name === '$dependsOn')
    return [toPlainValue(slot.node, undefined, { isField: false })]
      .flat()
      .map((address) => newAddressOf(String(address)));
  if (slot) return toPlainValue(slot.node, fields[name], { isField: !name.startsWith('$') });
  const isFixedValue = !hasExpression(value) && holesIn(fields[name]).length === 0;
  if (!isFixedValue || name.startsWith('$')) throw new CannotEditHere();
  return writeDesiredValue(schema, fields[name]);
}

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
  const isTyped = typeof desired === 'number' || typeof desired === 'boolean';
  const wouldLoseText = String(value) !== text;
  return options.isField && !isTyped && wouldLoseText ? text : (value as WrittenValue);
}

/**
 * Inserts new entries behind an entry, because its objects now have different values in the account: into the
 * list that contains it, or into a new list with the old entry as its first item. So `API_URL: { value: a,
 * target: [production, preview] }` becomes a list of two items. Used by `accept`; throws `CannotEditHere` if
 * the entry shares its line with other text, is repeated by an alias, or is edited outside of its text.
 * @param editOldEntry edits the fields of the old entry; its edits are moved along when the entry becomes a
 * list item
 */
export function splitEntry(slot: Slot, editOldEntry: () => void, newEntries: WrittenValue[]): void {
  const { parent } = slot;
  if (!parent) throw new CannotEditHere();
  // The entry is an item of a list already.
  if (isSeq(parent.node)) {
    editOldEntry();
    const index = itemSlotsOf(parent).indexOf(slot);
    for (const entry of newEntries) insertItem(parent, entry as YamlValue, index);
    return;
  }
  if (!slot.key || !slot.node || slot.isShared) throw new CannotEditHere();
  const { file, key, node } = slot;
  const hasOwnLines = isMap(node) && !node.flow;
  const start = hasOwnLines ? file.lineStart(node.range![0]) : node.range![0];
  const end = hasOwnLines ? file.nextLine(endOffsetOf(slot)) : endOffsetOf(slot);
  const oldEntry: EntryText = { file, key, start, end, text: editedText(slot, editOldEntry, start, end) };
  if (surroundingsOf(slot).isFlow) makeListInBrackets(oldEntry, newEntries);
  else if (hasOwnLines) makeListOfLines(oldEntry, node.range![0], newEntries);
  else makeListBelowKey(oldEntry, newEntries);
}

/** The text of an entry that becomes a list, with the edits of its fields applied, and the part of the file that it replaces. */
interface EntryText {
  file: YamlFile;
  key: Scalar;
  start: number;
  end: number;
  text: string;
}

/** Writes an entry in brackets or JSON as the first item of a new list in brackets. */
function makeListInBrackets({ file, start, end, text }: EntryText, newEntries: WrittenValue[]): void {
  const entries = newEntries.map((entry) => formatValue(entry as YamlValue, inBrackets(file)));
  file.edit(start, end, `[${[text, ...entries].join(', ')}]`);
}

/**
 * Writes an entry that is a map with a line for each field as the first item of a new list: its lines become those of an item.
 * `firstKeyStart`: the offset of its first key. Throws `CannotEditHere` if other text is on that line.
 */
function makeListOfLines(oldEntry: EntryText, firstKeyStart: number, newEntries: WrittenValue[]): void {
  const { file, start, end, text } = oldEntry;
  if (file.text.slice(start, firstKeyStart).trim() !== '') throw new CannotEditHere();
  const indent = itemIndentOf(oldEntry);
  const lines = formatItems(newEntries, indent);
  const item = toListItem(text, indent);
  // If the old entry ends a file without a line feed, the new entries end it in the same way.
  const itemAndLines = item.endsWith('\n') ? item + lines : `${item}\n${lines.replace(/\n$/, '')}`;
  file.edit(start, end, itemAndLines);
}

/**
 * Writes an entry that is a value on the line of its key as the first item of a new list: it moves to a line of its own, behind a dash.
 * Throws `CannotEditHere` if other text, such as an anchor, is between key and value.
 */
function makeListBelowKey(oldEntry: EntryText, newEntries: WrittenValue[]): void {
  const { file, key, start, end, text } = oldEntry;
  const indent = itemIndentOf(oldEntry);
  const colonEnd = offsetAfterColon(key, file);
  if (file.text.slice(colonEnd, start).trim() !== '') throw new CannotEditHere();
  file.edit(colonEnd, end, `\n${' '.repeat(indent)}- ${indentLines(text, 2, { isInline: true })}`);
  // Does not overlap with the edit before, because an insertion may be at its end.
  insertLines(file, end, formatItems(newEntries, indent));
}

/** Returns the column of the dashes of a list below the key of an entry. */
const itemIndentOf = ({ file, key }: EntryText): number => nestedIndent(file.columnOf(key.range![0]));

const formatItems = (entries: WrittenValue[], indent: number): string =>
  entries.map((entry) => formatItem(entry as YamlValue, indent)).join('');

/**
 * Runs `edit`, takes its edits out of the file again, and returns the text from `start` to `end` with these edits applied. Used when
 * `accept` splits an entry for several targets: the caller replaces this text, and the edits of a file must not overlap. The text has plain
 * line feeds, since `YamlFile.edit` restores the line ends of the file. Throws `CannotEditHere` for an edit outside of that text.
 */
function editedText({ file }: Slot, edit: () => void, start: number, end: number): string {
  const editCount = file.edits.length;
  edit();
  const edits = file.edits.splice(editCount);
  if (edits.some((textEdit) => textEdit.start < start || textEdit.end > end)) throw new CannotEditHere();
  const movedEdits = edits.map(
    (textEdit): TextEdit => ({ ...textEdit, start: textEdit.start - start, end: textEdit.end - start }),
  );
  return applyTextEdits(file.text.slice(start, end), movedEdits).replaceAll('\r\n', '\n');
}

/**
 * Converts the lines of a block map to a list item, because `accept` splits an entry into a list of several.
 * The lines `value: a` and `target: b` become `- value: a` and `  target: b` at the new indentation. Comments
 * above the first key stay where they are.
 * @param indent the column of the dash
 */
function toListItem(text: string, indent: number): string {
  const lines = text.split('\n');
  const firstKeyIndex = lines.findIndex((line) => line.trim() !== '' && !/^\s*#/.test(line));
  const oldIndent = indentOfLine(lines[firstKeyIndex]!);
  const addedIndent = indent + 2 - oldIndent;
  const moveLine = (line: string): string => {
    if (line.trim() === '') return line;
    if (addedIndent >= 0) return ' '.repeat(addedIndent) + line;
    // Moves to the left, but cuts no text off.
    return line.slice(Math.min(-addedIndent, indentOfLine(line)));
  };
  const movedLines = lines.map((line, index) => {
    if (index === firstKeyIndex) return `${' '.repeat(indent)}- ${line.slice(oldIndent)}`;
    return index < firstKeyIndex ? line : moveLine(line);
  });
  return movedLines.join('\n');
}

/** Returns the number of spaces at the start of a line. */
const indentOfLine = (line: string): number => /^ */.exec(line)![0].length;
