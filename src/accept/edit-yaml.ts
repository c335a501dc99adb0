import { isMap, isScalar, isSeq, type Node, type Pair, type Scalar, type YAMLMap } from 'yaml';
import type { YamlValue } from '../export/print-yaml.ts';
import {
  formatEntry,
  formatItem,
  formatKey,
  formatValue,
  nestedIndent,
  toPlainData,
} from './format-yaml-text.ts';
import {
  endOffsetOf,
  inBrackets,
  isUnwritten,
  offsetAfterColon,
  type Slot,
  scalarText,
  type TextEdit,
  type YamlFile,
} from './yaml-file.ts';

/*
 * Adds and removes entries of maps and items of lists in a YAML file, by edits of its text. A collection is written either in block style,
 * an entry per line, or in flow style, in brackets. Each function handles both.
 */

/**
 * Thrown if a change cannot be made at this place of a file. `SlotIndex.attempt` catches it and undoes the edits, and the caller tries
 * another way.
 */
export class CannotEditHere extends Error {}

/**
 * Inserts an entry into the map at a slot (a value in a YAML file), so that `trueup accept` adds fields, blocks and patches. A slot without
 * a value gets a map with this entry. Throws `CannotEditHere` if the slot has a value of another type, or no key to write below; then the
 * caller tries another way.
 * @param isAlike if an entry outside of brackets has such a key, the new one is inserted after the last of these: fields above child
 * sections, for example. Otherwise it is inserted at the end
 */
export function insertEntry(
  slot: Slot,
  name: string,
  value: YamlValue,
  isAlike: (key: string) => boolean = () => true,
): void {
  const { file, node } = slot;
  if (isUnwritten(node)) {
    startMap(slot, name, value);
    return;
  }
  if (!isMap(node)) throw new CannotEditHere();
  if (node.flow) {
    insertFlowMember(slot, `${formatKey(name, inBrackets(file))}: ${formatInBrackets(file, value)}`);
    return;
  }
  const indent = indentOf(node, file);
  const last = (node.items as Pair<Scalar, Node | null>[]).findLast(
    ({ key }) => isScalar(key) && isAlike(scalarText(key)),
  );
  const end = last ? endOffsetOf({ node: last.value, key: last.key, file }) : endOffsetOf(slot);
  const lines = formatEntry(name, value, indent);
  insertLines(file, end, lines, { collection: node, text: lines });
}

/**
 * Inserts an item into a list of a file, behind the item with an index, or at the start if that is -1. Used
 * by `trueup accept` for new list items, such as patches. Throws `CannotEditHere` if the slot (place in the
 * file) has no list, or if an anchor or tag is behind the first dash.
 */
export function insertItem(slot: Slot, value: YamlValue, previousIndex: number): void {
  const { file, node } = slot;
  if (!isSeq(node)) throw new CannotEditHere();
  if (node.flow) {
    insertFlowMember(slot, formatInBrackets(file, value), previousIndex);
    return;
  }
  // A list without items is written in brackets.
  const items = node.items as Node[];
  const dash = dashOffset(items[0]!, file);
  const lines = formatItem(value, file.columnOf(dash));
  const newMember = { collection: node, text: lines };
  if (previousIndex < 0) file.edit(file.lineStart(dash), file.lineStart(dash), lines, newMember);
  else insertLines(file, endOffsetOf({ node: items[previousIndex]!, file }), lines, newMember);
}

/**
 * Removes several entries or items of one collection (`parent`) from a file, with the comments directly above
 * them, for `accept`. All have to be removed in one call, because the edits depend on the members that stay.
 * A collection that loses all its members becomes `[]` or `{}`. Throws `CannotEditHere` if one of them shares its
 * line with text that stays.
 */
export function removeSlots(slots: readonly Slot[], file: YamlFile, parent: Slot): void {
  const collection = parent.node as YAMLMap;
  const members = collectionMembersOf(parent);
  const removedNodes = new Set(slots.map(({ key, node }) => (key ?? node) as Node));
  const isRemoved = ({ start }: Member) => removedNodes.has(start);
  const newMembers = file.newMembersOf(collection);
  // In block style, new lines stay as they are, so it is enough to remove the old ones.
  const keepsNewLines = !collection.flow && newMembers.length > 0;
  if (members.every(isRemoved) && !keepsNewLines) {
    writeEmptied(parent, newMembers);
    return;
  }
  if (collection.flow) {
    removeFlowMembers(parent, members, isRemoved);
    return;
  }
  for (const [index, member] of members.entries())
    if (isRemoved(member)) removeBlockMember(parent, members, index);
}

/**
 * Removes one entry or item of a collection in block style with the comments directly above it. Comments above the first member stay,
 * because they may be about the whole collection. Throws `CannotEditHere` if it shares its line with text that stays.
 */
function removeBlockMember({ file, node }: Slot, members: Member[], index: number): void {
  const member = members[index]!;
  const next = members[index + 1];
  const start = isSeq(node) ? dashOffset(member.start, file) : member.start.range![0];
  const lineStart = file.lineStart(start);
  const isOnOwnLines = file.text.slice(lineStart, start).trim() === '';
  if (isOnOwnLines)
    file.edit(index > 0 ? includeCommentsAbove(file, lineStart) : lineStart, file.nextLine(member.end), '');
  // The first entry of a list item is on the line of the dash, and the dash must stay.
  else if (next && !isSeq(node)) file.edit(start, next.start.range![0], '');
  else throw new CannotEditHere();
}

/**
 * Returns the offset of the dash in front of a list item, where its lines start. `accept` inserts or removes whole lines there. Throws
 * `CannotEditHere` if other text is between dash and item.
 */
function dashOffset(item: Node, { text }: YamlFile): number {
  const start = item.range![0];
  const dash = text.lastIndexOf('-', start - 1);
  if (dash < 0 || text.slice(dash + 1, start).trim() !== '') throw new CannotEditHere();
  return dash;
}

/** An entry or item of a collection: the node that it starts with (its key, or the item itself) and its end offset. */
interface Member {
  start: Node;
  end: number;
}

/**
 * Returns the entries of a map or the items of a list in the order of the file, each with the node at its start and its end offset, so that
 * the commands that change files edit both by the same code. The slot must be that of a map or a list.
 */
function collectionMembersOf({ node, file }: Slot): Member[] {
  if (isSeq(node))
    return (node.items as Node[]).map((item) => ({ start: item, end: endOffsetOf({ node: item, file }) }));
  return ((node as YAMLMap).items as Pair<Scalar, Node | null>[]).map(({ key, value }) => ({
    start: key,
    end: endOffsetOf({ node: value, key, file }),
  }));
}

/**
 * Replaces a collection that loses all its members by one that has only the new members, such as `[]` or `{ $was: web }`, so that its
 * key or dash keeps a value of the same type. Used when `trueup accept` removes the last entry.
 */
function writeEmptied(slot: Slot, newMembers: readonly string[]): void {
  const { file, node } = slot;
  const content = newMembers.join(', ');
  const mapText = content === '' ? '{}' : `{ ${content} }`;
  const { start, end, text } = replacementOf(slot, isSeq(node) ? `[${content}]` : mapText, file);
  // An edit with an empty text is a removal, and it takes the other edits inside the collection with it.
  file.edit(start, start, text);
  file.edit(start, end, '');
}

/**
 * Replaces the text of a value, or adds it to a key without a value. The new text starts on the line of the key or dash, unless it begins
 * with a line feed. Used by `trueup accept` to write a live value over a declared one.
 */
export function replaceText(slot: Slot, text: string, file: YamlFile): void {
  const edit = replacementOf(slot, text, file);
  file.edit(edit.start, edit.end, edit.text);
}

/**
 * Returns the edit that replaces the value of a slot (a place in a YAML file) by a text. A text that begins with a line feed gets lines of
 * its own below the key; any other starts on the line of the key or dash. Throws `CannotEditHere` for a list item without a value.
 */
function replacementOf(slot: Slot, text: string, file: YamlFile): TextEdit {
  const { node, key } = slot;
  const end = endOffsetOf(slot);
  const textAfterColon = text.startsWith('\n') ? text : ` ${text}`;
  if (isUnwritten(node)) {
    if (!key) throw new CannotEditHere();
    return { start: end, end, text: textAfterColon };
  }
  // The range of a block scalar includes its last line feed, but that line feed must stay.
  const lineEnd = /\r?\n$/.exec(file.text.slice(Math.max(0, end - 2), end))?.[0] ?? '';
  const endOfValue = end - lineEnd.length;
  // If the old or the new value is on lines below the key, the text is replaced from the colon on.
  const isBelowKey = (isMap(node) || isSeq(node)) && !node.flow;
  if (key && (isBelowKey || text.startsWith('\n')))
    return { start: offsetAfterColon(key, file), end: endOfValue, text: textAfterColon };
  return { start: node!.range![0], end: endOfValue, text };
}

/**
 * Returns the start of the comments directly above a line. They are about the member on that line, so they are removed or moved with it.
 * Not used for the first member of a collection, because comments above it may be about the whole collection.
 */
export function includeCommentsAbove(file: YamlFile, lineStart: number): number {
  let start = lineStart;
  while (start > 0) {
    const above = file.lineStart(start - 1);
    if (!/^[ \t]*#/.test(file.text.slice(above, start))) break;
    start = above;
  }
  return start;
}

/**
 * Removes members of a YAML collection in brackets, each with the comma behind it, for `trueup accept`. Members at the end are removed with
 * the comma in front of them. The caller makes sure that at least one member stays. Throws `CannotEditHere` if there is no comma between a
 * removed member and the next one.
 */
function removeFlowMembers(
  { file, node }: Slot,
  members: Member[],
  isRemoved: (member: Member) => boolean,
): void {
  const afterBracket = node!.range![0] + 1;
  for (const [index, member] of members.entries()) {
    if (!isRemoved(member)) continue;
    const { text } = file;
    const start = member.start.range![0];
    const isEndRemoved = members.slice(index + 1).every(isRemoved);
    if (isEndRemoved) {
      const lastRemaining = members.slice(0, index).findLast((other) => !isRemoved(other))!;
      file.edit(lastRemaining.end, members.at(-1)!.end, '');
      return;
    }
    const nextStart = members[index + 1]!.start.range![0];
    file.edit(Math.max(afterBracket, start), nextStart, '');
    if (!text.slice(member.end, nextStart).includes(',')) throw new CannotEditHere();
  }
}

/**
 * Inserts a member into a YAML collection in brackets, and keeps a trailing comma. Used by `trueup accept` for values that were added
 * outside.
 * @param previousIndex the index of the member in front of it; -1 for the start, by default the last member
 */
function insertFlowMember({ file, node }: Slot, text: string, previousIndex?: number): void {
  const { items, range } = node as YAMLMap;
  if (items.length === 0) {
    insertFirstFlowMember(file, node!, text);
    return;
  }
  const members = collectionMembersOf({ file, node } as Slot);
  const newMember = { collection: node!, text };
  if (previousIndex !== undefined && previousIndex < 0) {
    const start = members[0]!.start.range![0];
    file.edit(start, start, `${text}, `, newMember);
    return;
  }
  const { end } = previousIndex === undefined ? members.at(-1)! : members[previousIndex]!;
  const isAtEnd = previousIndex === undefined || previousIndex === members.length - 1;
  const hasTrailingComma = isAtEnd && file.text.slice(end, range![1]).trimStart().startsWith(',');
  const offset = hasTrailingComma ? file.text.indexOf(',', end) + 1 : end;
  file.edit(offset, offset, hasTrailingComma ? ` ${text},` : `, ${text}`, newMember);
}

/**
 * Inserts a member into an empty collection in brackets. The brackets are replaced one by one, so that further members fit between them:
 * two edits of the same text would overlap.
 */
function insertFirstFlowMember(file: YamlFile, collection: Node, text: string): void {
  const [start, end] = collection.range!;
  const [open, close] = isSeq(collection) ? ['[', ']'] : ['{ ', ' }'];
  const newMember = { collection, text };
  // Another member was inserted before, so this one follows it, before the closing bracket.
  if (file.newMembersOf(collection).length > 0) {
    file.edit(end - 1, end - 1, `, ${text}`, newMember);
    return;
  }
  file.edit(start, end - 1, `${open}${text}`, newMember);
  file.edit(end - 1, end, close!);
}

/** Formats a value for a collection in brackets. Maps with comments lose them, since a line in brackets has no room for comments. */
const formatInBrackets = (file: YamlFile, value: YamlValue): string =>
  typeof value === 'object' && value !== null
    ? formatValue(toPlainData(value) as YamlValue, inBrackets(file))
    : formatValue(value, inBrackets(file));

/**
 * Writes a map with its first entry below a key that has no value. Throws `CannotEditHere` for an item of a list, because it has no key.
 * Used when `trueup accept` adds the first entry.
 */
function startMap({ file, key, node }: Slot, name: string, value: YamlValue): void {
  if (!key) throw new CannotEditHere();
  const end = endOffsetOf({ file, node, key });
  const indent = file.columnOf(key.range![0]);
  insertLines(file, end, formatEntry(name, value, nestedIndent(indent)));
}

/**
 * Inserts whole lines behind the line that a text ends on. Used for new entries and items in block style. Called when `trueup accept` adds
 * values to a YAML file.
 */
export function insertLines(
  file: YamlFile,
  end: number,
  lines: string,
  newMember?: TextEdit['newMember'],
): void {
  const index = file.nextLine(end);
  // In a file without a line feed at its end, the new last line has none either.
  const isAtOpenEnd = index === file.text.length && !file.text.endsWith('\n') && file.text !== '';
  file.edit(index, index, isAtOpenEnd ? `\n${lines.replace(/\n$/, '')}` : lines, newMember);
}

/**
 * Returns the column of the entries of a block map, so that a new entry gets the same. Throws `CannotEditHere` if no key is free of anchors
 * and tags. Used when `trueup accept` adds an entry.
 */
function indentOf({ items }: YAMLMap, file: YamlFile): number {
  const keys = (items as Pair<Scalar, Node>[]).map(({ key }) => key);
  const plainKey = keys.find(({ range, anchor, tag }) => range && anchor === undefined && tag === undefined);
  if (!plainKey) throw new CannotEditHere();
  return file.columnOf(plainKey.range![0]);
}
