import { isMap, isScalar, isSeq, type Node, type Pair, type Scalar, type YAMLMap } from 'yaml';
import type { Written } from '../export/print.ts';
import {
  endOffsetOf,
  isUnwritten,
  offsetAfterColon,
  type Slot,
  scalarText,
  type YamlFile,
} from './yaml-file.ts';
import { formatEntry, formatItem, formatKey, formatValue, nestedIndent, toPlainData } from './yaml-text.ts';

/** Thrown where something cannot be written into a place as it is. */
export class CannotEditHere extends Error {}

const surroundings = (file: YamlFile, isFlow: boolean) => ({
  isFlow: isFlow || file.isJson,
  isJson: file.isJson,
});

/**
 * Puts an entry into the map at a place, behind all others, or behind the last one of which `isAlike` holds. Nothing, and an empty map,
 * become one with this entry.
 */
export function insertEntry(
  slot: Slot,
  name: string,
  value: Written,
  isAlike: (key: string) => boolean = () => true,
): void {
  const { file, node } = slot;
  if (isUnwritten(node)) {
    startMap(slot, name, value);
    return;
  }
  if (!isMap(node)) throw new CannotEditHere();
  if (node.flow) {
    insertFlow(slot, `${formatKey(name, surroundings(file, true))}: ${flow(file, value)}`);
    return;
  }
  const indent = indentOf(node, file);
  const last = (node.items as Pair<Scalar, Node | null>[]).findLast(
    ({ key }) => isScalar(key) && isAlike(scalarText(key)),
  );
  const end = last ? endOffsetOf({ node: last.value, key: last.key, file }) : endOffsetOf(slot);
  insertLines(file, end, formatEntry(name, value, indent));
}

/** Puts an item into the list at a place: behind the item of this index, or in front of all. */
export function insertItem(slot: Slot, value: Written, after: number): void {
  const { file, node } = slot;
  if (!isSeq(node)) throw new CannotEditHere();
  if (node.flow) {
    insertFlow(slot, flow(file, value), after);
    return;
  }
  const items = node.items as Node[];
  const dash = dashOf(items[0]!, file);
  const indent = file.columnOf(dash);
  if (after < 0) file.edit(file.lineStart(dash), file.lineStart(dash), formatItem(value, indent));
  else insertLines(file, endOffsetOf({ node: items[after]!, file }), formatItem(value, indent));
}

/** Takes several entries or items of one place away. */
export function removeSlots(slots: readonly Slot[], file: YamlFile, up: Slot): void {
  const holder = up.node as YAMLMap;
  const parts = partsOf(up);
  const gone = new Set(slots.map(({ key, node }) => (key ?? node) as Node));
  const isGone = ({ start }: Part) => gone.has(start);
  if (parts.every(isGone)) {
    emptied(up);
    return;
  }
  if (holder.flow) {
    removeFlow(up, parts, isGone);
    return;
  }
  for (const [at, part] of parts.entries()) {
    if (!isGone(part)) continue;
    const start = isSeq(holder) ? dashOf(part.start, file) : part.start.range![0];
    const from = file.lineStart(start);
    const next = parts[at + 1];
    if (file.text.slice(from, start).trim() === '')
      file.edit(commentsAbove(file, from, at), file.nextLine(part.end), '');
    // The first entry of an item stands behind its dash.
    else if (next && !isSeq(holder)) file.edit(start, next.start.range![0], '');
    else throw new CannotEditHere();
  }
}

/** The dash of an item. */
function dashOf(item: Node, { text }: YamlFile): number {
  const start = item.range![0];
  const dash = text.lastIndexOf('-', start - 1);
  if (dash < 0 || text.slice(dash + 1, start).trim() !== '') throw new CannotEditHere();
  return dash;
}

interface Part {
  start: Node;
  end: number;
}

/** The entries or items of a collection. */
function partsOf({ node, file }: Slot): Part[] {
  if (isSeq(node))
    return (node.items as Node[]).map((item) => ({ start: item, end: endOffsetOf({ node: item, file }) }));
  return ((node as YAMLMap).items as Pair<Scalar, Node | null>[]).map(({ key, value }) => ({
    start: key,
    end: endOffsetOf({ node: value, key, file }),
  }));
}

/** Nothing is left in a collection: an entry that is a section goes with what was in it; in a list `[]` or `{}` stays. */
function emptied(slot: Slot): void {
  const { file, node } = slot;
  replaceText(slot, isSeq(node) ? '[]' : '{}', file);
}

/** Puts a text in the place of a value, on the line of its key or dash. */
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
  // A block of text ends with its line; so does what takes its place.
  const isWholeLine = file.text[end - 1] === '\n';
  file.edit(
    start,
    isWholeLine ? end - (file.text[end - 2] === '\r' ? 2 : 1) : end,
    isOnOwnLine && !text.startsWith('\n') ? ` ${text}` : text,
  );
}

/** The comments directly above a line, which are about what begins there; of the first entry they may be about all. */
function commentsAbove(file: YamlFile, from: number, index: number): number {
  let start = from;
  while (index > 0 && start > 0) {
    const above = file.lineStart(start - 1);
    if (!/^[ \t]*#/.test(file.text.slice(above, start))) break;
    start = above;
  }
  return start;
}

function removeFlow({ file, node }: Slot, all: Part[], isGone: (part: Part) => boolean): void {
  const open = node!.range![0] + 1;
  for (const [at, part] of all.entries()) {
    if (!isGone(part)) continue;
    const { text } = file;
    const start = part.start.range![0];
    const isLast = all.slice(at + 1).every(isGone);
    if (isLast) {
      const before = all.slice(0, at).findLast((one) => !isGone(one))!;
      file.edit(before.end, all.at(-1)!.end, '');
      return;
    }
    const next = all[at + 1]!.start.range![0];
    file.edit(Math.max(open, start), next, '');
    if (!text.slice(part.end, next).includes(',')) throw new CannotEditHere();
  }
}

/** A list or map in brackets with one more. */
function insertFlow({ file, node }: Slot, text: string, after?: number): void {
  const { text: all } = file;
  const { items, range } = node as YAMLMap;
  if (items.length === 0) {
    const isList = isSeq(node as Node);
    file.edit(range![0], range![1], isList ? `[${text}]` : `{ ${text} }`);
    return;
  }
  const parts = partsOf({ file, node } as Slot);
  if (after !== undefined && after < 0) {
    const start = parts[0]!.start.range![0];
    file.edit(start, start, `${text}, `);
    return;
  }
  const end = (after === undefined ? parts.at(-1)! : parts[after]!).end;
  const isClosed =
    all.slice(end, range![1]).trimStart().startsWith(',') &&
    (after === undefined || after === parts.length - 1);
  const index = isClosed ? all.indexOf(',', end) + 1 : end;
  file.edit(index, index, isClosed ? ` ${text},` : `, ${text}`);
}

const flow = (file: YamlFile, value: Written): string =>
  typeof value === 'object' && value !== null
    ? formatValue(toPlainData(value) as Written, surroundings(file, true))
    : formatValue(value, surroundings(file, true));

function startMap({ file, key, node }: Slot, name: string, value: Written): void {
  if (!key) throw new CannotEditHere();
  const end = endOffsetOf({ file, node, key });
  const indent = file.columnOf(key.range![0]);
  insertLines(file, end, formatEntry(name, value, nestedIndent(indent)));
}

/** Puts lines behind the one on which something ends. */
export function insertLines(file: YamlFile, end: number, lines: string): void {
  const index = file.nextLine(end);
  const isOpen = index === file.text.length && !file.text.endsWith('\n') && file.text !== '';
  // A last line without a line end stays the last one, and without.
  file.edit(index, index, isOpen ? `\n${lines.replace(/\n$/, '')}` : lines);
}

/** The indentation of a block map's entries. */
function indentOf({ items }: YAMLMap, file: YamlFile): number {
  const keys = (items as Pair<Scalar, Node>[]).map(({ key }) => key);
  const bareKey = keys.find(({ range, anchor, tag }) => range && anchor === undefined && tag === undefined);
  if (!bareKey) throw new CannotEditHere();
  return file.columnOf(bareKey.range![0]);
}
