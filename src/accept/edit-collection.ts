import { isMap, isScalar, isSeq, type Node, type Pair, type Scalar, type YAMLMap } from 'yaml';
import type { YamlValue } from '../export/print.ts';
import {
  endOffsetOf,
  isUnwritten,
  offsetAfterColon,
  type Slot,
  scalarText,
  type YamlFile,
} from './yaml-file.ts';
import { formatEntry, formatItem, formatKey, formatValue, nestedIndent, toPlainData } from './yaml-text.ts';

/*
 * Adds and removes entries of maps and items of lists in a YAML file, by edits of its text. A collection is written either in block style,
 * an entry per line, or in flow style, in brackets. Each function handles both.
 */

/** Thrown if a change cannot be made in this place of the file. The caller undoes its edits and tries another place or a patch. */
export class CannotEditHere extends Error {}

const surroundings = (file: YamlFile, isFlow: boolean) => ({
  isFlow: isFlow || file.isJson,
  isJson: file.isJson,
});

/**
 * Inserts an entry into the map of a slot: after the last entry whose key satisfies `isAlike`, by default at the end. A slot without a
 * value gets a map with this entry. Throws `CannotEditHere` if the slot has a value of another type.
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
    insertFlowMember(slot, `${formatKey(name, surroundings(file, true))}: ${formatFlow(file, value)}`);
    return;
  }
  const indent = indentOf(node, file);
  const last = (node.items as Pair<Scalar, Node | null>[]).findLast(
    ({ key }) => isScalar(key) && isAlike(scalarText(key)),
  );
  const end = last ? endOffsetOf({ node: last.value, key: last.key, file }) : endOffsetOf(slot);
  insertLines(file, end, formatEntry(name, value, indent));
}

/** Inserts an item into the list of a slot, after the item with the index `after`, or at the start if that is -1. */
export function insertItem(slot: Slot, value: YamlValue, after: number): void {
  const { file, node } = slot;
  if (!isSeq(node)) throw new CannotEditHere();
  if (node.flow) {
    insertFlowMember(slot, formatFlow(file, value), after);
    return;
  }
  const items = node.items as Node[];
  const dash = dashOffset(items[0]!, file);
  const indent = file.columnOf(dash);
  if (after < 0) file.edit(file.lineStart(dash), file.lineStart(dash), formatItem(value, indent));
  else insertLines(file, endOffsetOf({ node: items[after]!, file }), formatItem(value, indent));
}

/**
 * Removes several entries or items of one collection, with the comments directly above them.
 * @param parent the slot of the collection
 */
export function removeSlots(slots: readonly Slot[], file: YamlFile, parent: Slot): void {
  const collection = parent.node as YAMLMap;
  const members = collectionMembersOf(parent);
  const removedNodes = new Set(slots.map(({ key, node }) => (key ?? node) as Node));
  const isRemoved = ({ start }: Member) => removedNodes.has(start);
  if (members.every(isRemoved)) {
    writeEmpty(parent);
    return;
  }
  if (collection.flow) {
    removeFlowMembers(parent, members, isRemoved);
    return;
  }
  for (const [index, member] of members.entries()) {
    if (!isRemoved(member)) continue;
    const start = isSeq(collection) ? dashOffset(member.start, file) : member.start.range![0];
    const lineStart = file.lineStart(start);
    const next = members[index + 1];
    if (file.text.slice(lineStart, start).trim() === '')
      file.edit(includeCommentsAbove(file, lineStart, index), file.nextLine(member.end), '');
    // The first entry of a list item is on the line of the dash, which must stay.
    else if (next && !isSeq(collection)) file.edit(start, next.start.range![0], '');
    else throw new CannotEditHere();
  }
}

/** Returns the offset of the dash in front of a list item. Throws `CannotEditHere` if other text is between them. */
function dashOffset(item: Node, { text }: YamlFile): number {
  const start = item.range![0];
  const dash = text.lastIndexOf('-', start - 1);
  if (dash < 0 || text.slice(dash + 1, start).trim() !== '') throw new CannotEditHere();
  return dash;
}

/** An entry or item of a collection, by its key or item node and its end offset. */
interface Member {
  start: Node;
  end: number;
}

/** Returns the entries or items of a collection in the order of the file. */
function collectionMembersOf({ node, file }: Slot): Member[] {
  if (isSeq(node))
    return (node.items as Node[]).map((item) => ({ start: item, end: endOffsetOf({ node: item, file }) }));
  return ((node as YAMLMap).items as Pair<Scalar, Node | null>[]).map(({ key, value }) => ({
    start: key,
    end: endOffsetOf({ node: value, key, file }),
  }));
}

/** Writes `[]` or `{}` in the place of a collection that lost all its members, so that its key or dash keeps a value of the same type. */
function writeEmpty(slot: Slot): void {
  const { file, node } = slot;
  replaceText(slot, isSeq(node) ? '[]' : '{}', file);
}

/** Replaces the text of a value. The new text starts on the line of the key or dash, unless it begins with a line feed. */
export function replaceText(slot: Slot, text: string, file: YamlFile): void {
  const { node, key } = slot;
  const end = endOffsetOf(slot);
  if (isUnwritten(node)) {
    if (!key) throw new CannotEditHere();
    file.edit(end, end, text.startsWith('\n') ? text : ` ${text}`);
    return;
  }
  const isBlock = (isMap(node) || isSeq(node)) && !node.flow;
  const isOnOwnLine = key !== undefined && (isBlock || text.startsWith('\n'));
  const start = isOnOwnLine ? offsetAfterColon(key, file) : node!.range![0];
  // The range of a block scalar includes its last line feed, which must stay.
  const isWholeLine = file.text[end - 1] === '\n';
  file.edit(
    start,
    isWholeLine ? end - (file.text[end - 2] === '\r' ? 2 : 1) : end,
    isOnOwnLine && !text.startsWith('\n') ? ` ${text}` : text,
  );
}

/**
 * Returns the start of the comments directly above a member, since they are about this member and must be removed with it. Comments above
 * the first member (`index` 0) may be about the whole collection, so they stay.
 */
function includeCommentsAbove(file: YamlFile, lineStart: number, index: number): number {
  let start = lineStart;
  while (index > 0 && start > 0) {
    const above = file.lineStart(start - 1);
    if (!/^[ \t]*#/.test(file.text.slice(above, start))) break;
    start = above;
  }
  return start;
}

/** Removes members of a collection in brackets, each with the comma after it, or before it at the end. At least one member stays. */
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

/** Inserts a member into a collection in brackets: after the member with the index `after`, at the start for -1, else at the end. */
function insertFlowMember({ file, node }: Slot, text: string, after?: number): void {
  const { items, range } = node as YAMLMap;
  if (items.length === 0) {
    const isList = isSeq(node as Node);
    file.edit(range![0], range![1], isList ? `[${text}]` : `{ ${text} }`);
    return;
  }
  const members = collectionMembersOf({ file, node } as Slot);
  if (after !== undefined && after < 0) {
    const start = members[0]!.start.range![0];
    file.edit(start, start, `${text}, `);
    return;
  }
  const { end } = after === undefined ? members.at(-1)! : members[after]!;
  const isAtEnd = after === undefined || after === members.length - 1;
  const hasTrailingComma = isAtEnd && file.text.slice(end, range![1]).trimStart().startsWith(',');
  const offset = hasTrailingComma ? file.text.indexOf(',', end) + 1 : end;
  file.edit(offset, offset, hasTrailingComma ? ` ${text},` : `, ${text}`);
}

/** Formats a value for a collection in brackets. */
const formatFlow = (file: YamlFile, value: YamlValue): string =>
  typeof value === 'object' && value !== null
    ? formatValue(toPlainData(value) as YamlValue, surroundings(file, true))
    : formatValue(value, surroundings(file, true));

/** Writes a map with its first entry as the value of a key that has none. */
function startMap({ file, key, node }: Slot, name: string, value: YamlValue): void {
  if (!key) throw new CannotEditHere();
  const end = endOffsetOf({ file, node, key });
  const indent = file.columnOf(key.range![0]);
  insertLines(file, end, formatEntry(name, value, nestedIndent(indent)));
}

/** Inserts whole lines after the line that contains the offset `end`. */
export function insertLines(file: YamlFile, end: number, lines: string): void {
  const index = file.nextLine(end);
  // In a file without a line feed at its end, the new last line has none either.
  const isAtOpenEnd = index === file.text.length && !file.text.endsWith('\n') && file.text !== '';
  file.edit(index, index, isAtOpenEnd ? `\n${lines.replace(/\n$/, '')}` : lines);
}

/** Returns the column of a block map's entries, from a key without anchor and tag. Throws `CannotEditHere` if there is none. */
function indentOf({ items }: YAMLMap, file: YamlFile): number {
  const keys = (items as Pair<Scalar, Node>[]).map(({ key }) => key);
  const plainKey = keys.find(({ range, anchor, tag }) => range && anchor === undefined && tag === undefined);
  if (!plainKey) throw new CannotEditHere();
  return file.columnOf(plainKey.range![0]);
}
