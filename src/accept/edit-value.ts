import { diffArrays } from 'diff';
import { isAlias, isMap, isScalar, isSeq, type Scalar } from 'yaml';
import type { Node as LaidNode } from '../config/yaml/nodes.ts';
import type { Written } from '../export/print.ts';
import { canonical } from '../model/canonical.ts';
import { isPlainObject } from '../model/value.ts';
import { CannotEditHere, insertEntry, insertItem, removeSlots, replaceText } from './edit-collection.ts';
import { findEntry, isLiteral, itemsOf, type Slot, scalarText } from './yaml-file.ts';
import { formatEntry, formatItem, formatValue, unescapeText } from './yaml-text.ts';

/** A value as plain data in the words of the YAML: texts escaped, references as they are written. Absent: there is none. */
export type WrittenValue =
  | Exclude<Written, object>
  | WrittenValue[]
  | { [name: string]: WrittenValue }
  | undefined;

const isSame = (a: WrittenValue, b: WrittenValue): boolean =>
  a === b || (a !== undefined && b !== undefined && canonical(a) === canonical(b));

/** The new form of a value. */
interface Change {
  before: WrittenValue;
  after: WrittenValue;
  /** Lists in it have no order. */
  isUnordered?: boolean;
}

/**
 * Writes a value where another one stands, with as little as can be changed: what is equal keeps its text. Throws `NotHere` where it
 * stands for something else, as an expression does.
 * @param laid what the configuration reads there
 */
export function editValue(slot: Slot, laid: LaidNode | undefined, change: Change): void {
  const { before, after } = change;
  if (isSame(before, after)) return;
  const { node } = slot;
  if (
    isMap(node) &&
    laid?.type === 'map' &&
    isPlainObject(before) &&
    isPlainObject(after) &&
    haveCommon(slot, after)
  ) {
    editMap(slot, laid, { ...change, before, after });
    return;
  }
  if (
    isSeq(node) &&
    laid?.type === 'list' &&
    Array.isArray(before) &&
    Array.isArray(after) &&
    after.length > 0
  ) {
    const isParallel = node.items.length === before.length && laid.items.length === before.length;
    if (isParallel && before.length > 0) {
      editList(slot, laid.items, { ...change, before: asWritten(before, laid.items), after });
      return;
    }
  }
  replace(slot, laid, change);
}

/** True if something of a map stays, or nothing comes: else the whole is replaced. */
const haveCommon = (slot: Slot, after: object): boolean =>
  Object.keys(after).length === 0 || Object.keys(after).some((name) => findEntry(slot, name) !== undefined);

/** The laid entry that is written at this very place. */
const isWrittenAt = ({ key }: Slot, spot: LaidNode['at']): boolean => key?.range?.[0] === spot.start;

function editMap(
  slot: Slot,
  laid: LaidNode & { type: 'map' },
  {
    before,
    after,
    isUnordered = false,
  }: Change & { before: { [name: string]: WrittenValue }; after: { [name: string]: WrittenValue } },
): void {
  const slots: Slot[] = [];
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (isSame(before[name], after[name])) continue;
    const key = unescapeText(name);
    const entry = laid.entries.find((entry) => entry.key.text === key);
    const own = findEntry(slot, name);
    const isHere = own !== undefined && entry !== undefined && isWrittenAt(own, entry.key.at);
    if (own && !isHere) throw new CannotEditHere();
    if (own && after[name] !== undefined)
      editValue(own, entry!.value, { before: before[name], after: after[name], isUnordered });
    else if (own) slots.push(own);
    // It comes from elsewhere, and what is written here goes before that.
    else if (after[name] !== undefined) insertEntry(slot, name, after[name] as Written);
    else if (entry) throw new CannotEditHere();
  }
  if (slots.some(({ node }) => !isLiteral(node))) throw new CannotEditHere();
  if (slots.length > 0) removeSlots(slots, slot.file, slot);
}

function editList(
  slot: Slot,
  laid: LaidNode[],
  { before, after, isUnordered = false }: Change & { before: WrittenValue[]; after: WrittenValue[] },
): void {
  const slots = itemsOf(slot);
  if (slots.length !== before.length) throw new CannotEditHere();
  const steps = diffArrays(
    before.map(wordsOf),
    (isUnordered ? inOldOrder(before, after) : after).map(wordsOf),
  );
  const goal = isUnordered ? inOldOrder(before, after) : after;
  if (steps.every(({ added, removed }) => added || removed) && goal.length !== before.length)
    return void replace(slot, { type: 'list', at: laid[0]!.at, items: laid }, { before, after: goal });
  const gone: Slot[] = [];
  let [from, to] = [0, 0];
  for (const [at, { added, removed, count }] of steps.entries()) {
    if (!added && !removed) {
      from += count;
      to += count;
    } else if (removed) {
      const next = steps[at + 1];
      // What goes and what comes in one place is one that was changed.
      const pairs = next?.added ? Math.min(count, next.count) : 0;
      for (let i = 0; i < pairs; i++)
        editValue(slots[from + i]!, laid[from + i], {
          before: before[from + i],
          after: goal[to + i],
          isUnordered,
        });
      gone.push(...slots.slice(from + pairs, from + count));
      from += count;
      to += pairs;
      if (next?.added) next.count -= pairs;
    } else {
      for (let i = 0; i < count; i++) insertItem(slot, goal[to + i] as Written, from - 1);
      to += count;
    }
  }
  if (gone.some(({ node }) => isAlias(node) || !isLiteral(node))) throw new CannotEditHere();
  if (gone.length > 0) removeSlots(gone, slot.file, slot);
}

/** The items of a list in the order in which they are written: the normal form of a set has one of its own. */
function asWritten(items: WrittenValue[], laid: LaidNode[]): WrittenValue[] {
  const rest = [...items];
  const inOrder = laid.map((node) => {
    const index = rest.findIndex((item) => says(node, item));
    return index < 0 ? undefined : rest.splice(index, 1)[0];
  });
  return rest.length === 0 ? inOrder : items;
}

/** True if a node is read as this value, as far as that can be told without its schema. */
function says(node: LaidNode, value: WrittenValue): boolean {
  if (node.type === 'scalar')
    return typeof value === 'string' ? unescapeText(value) === node.text : value === node.value;
  if (node.type === 'list')
    return (
      Array.isArray(value) &&
      value.length === node.items.length &&
      node.items.every((item, index) => says(item, value[index]))
    );
  if (node.type !== 'map' || !isPlainObject(value)) return false;
  return node.entries.every(({ key, value: item }) =>
    says(item, (value as { [name: string]: WrittenValue })[key.text]),
  );
}

const wordsOf = (value: WrittenValue): string => canonical(value ?? null);

/** The new items of a set: what stays first, as it was. */
function inOldOrder(before: WrittenValue[], after: WrittenValue[]): WrittenValue[] {
  const rest = after.map((value) => ({ value, words: wordsOf(value) }));
  const kept = before.filter((value) => {
    const index = rest.findIndex(({ words }) => words === wordsOf(value));
    if (index >= 0) rest.splice(index, 1);
    return index >= 0;
  });
  return [...kept, ...rest.map(({ value }) => value)];
}

function replace(slot: Slot, laid: LaidNode | undefined, { before, after }: Change): void {
  const { node, file, key, collection: holder } = slot;
  if (!isLiteral(node) || after === undefined) throw new CannotEditHere();
  const isInBrackets = (holder as { flow?: boolean } | undefined)?.flow === true || file.isJson;
  const around = { isFlow: isInBrackets, isJson: file.isJson };
  const indent = file.columnOf((key ?? node)!.range![0]);
  if (isScalar(node) && asUnquoted(node, laid, before, after)) {
    replaceText(slot, after as string, file);
    return;
  }
  const isLong = typeof after === 'object' && after !== null && canonical(after).length >= 80;
  if (!isLong || isInBrackets) {
    replaceText(
      slot,
      formatValue(after as Written, around, { like: isScalar(node) ? node : undefined, indent }),
      file,
    );
    return;
  }
  if (key) {
    const text = formatEntry('k', after as Written, indent).trimEnd();
    replaceText(slot, text.slice(text.indexOf(':') + 1).replace(/^ /, ''), file);
    return;
  }
  const text = formatItem(after as Written, indent - 2).trimEnd();
  replaceText(slot, text.trimStart().replace(/^- /, ''), file);
}

/** True for a text that may stand without quotes as the one before it did, although both look like numbers: their field takes text. */
function asUnquoted(
  node: Scalar,
  laid: LaidNode | undefined,
  before: WrittenValue,
  after: WrittenValue,
): boolean {
  if (typeof before !== 'string' || typeof after !== 'string' || laid?.type !== 'scalar') return false;
  const isNumber = /^(0|[1-9]\d*)(\.\d+)?$/;
  return (
    node.type === 'PLAIN' &&
    typeof node.value === 'number' &&
    isNumber.test(scalarText(node)) &&
    isNumber.test(after)
  );
}
