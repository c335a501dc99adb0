import { isMap, isSeq } from 'yaml';
import type { WrittenValue } from '../../accept/edit-value.ts';
import { CannotEditHere, insertEntry, insertItem } from '../../accept/edit-yaml.ts';
import { findEntry, isUnwritten, itemSlotsOf, type Slot } from '../../accept/yaml-file.ts';
import { escapeExpressions } from '../../config/expressions/parse-expressions.ts';
import { CommentedMap, type YamlValue } from '../../export/print-yaml.ts';
import { isSingleton } from '../../kind/define-kind.ts';
import type { Kind } from '../../kind/kind.ts';
import { type Address, unescapeName } from '../../model/address.ts';
import type { SideComparison } from '../compare-sides.ts';
import type { ComparedObject } from '../compared-side.ts';
import { composeNewEntry, composeSection, type DeclarationContext } from './compose-blocks.ts';
import { CannotPromote } from './copy-value.ts';

/*
 * Declares objects in B that only A has: in the section of the block around them, or in a patch of that block. With a stage, a block would
 * be for all stages, so it is a patch with a condition, or a block with a condition.
 */

/**
 * Declares objects that only side A of `trueup diff --promote` has (one object, or all targets of a variable) in the YAML of side B, with
 * those of `promotedObjects` that are inside of them, because one new block is easier to read than many insertions. Throws `CannotPromote`
 * if they have no place there, with the reason.
 */
export function declareObjects(
  objects: readonly ComparedObject[],
  promotedObjects: readonly ComparedObject[],
  declaration: DeclarationContext,
): void {
  const { comparison, kinds, toB, writer } = declaration;
  const [first] = objects as [ComparedObject, ...ComparedObject[]];
  const kind = kinds.get(first.kind)!;
  const parent = first.parent === undefined ? undefined : toB(first.parent);
  if (parent !== undefined && !comparison.b.objects.has(parent))
    throw new CannotPromote(`${parent} is not in B: promote it as well`);
  const { key, contents } = composeNewEntry(objects, promotedObjects, declaration);
  const blockPlace: NewBlockPlace = { kind, parent, first, ...declaration };
  const isWritten =
    writer.slots.attempt(() => writeIntoSection(blockPlace, key, contents)) ||
    writer.slots.attempt(() => writeIntoPatch(blockPlace, key, contents));
  if (!isWritten) throw new CannotPromote('there is no place in the YAML of B for a new block');
}

/** Where the blocks of an entry go. */
interface NewBlockPlace extends DeclarationContext {
  kind: Kind;
  parent: Address | undefined;
  /** One of the objects. */
  first: ComparedObject;
}

/**
 * Writes blocks of objects that only side A has into the section of their parent in the YAML of side B, or at the top of a file if they
 * have no parent. A missing section is created. If B is a stage, only blocks at the top get there, with a condition for this stage. Throws
 * `CannotEditHere` if there is no such place; then a patch is tried.
 */
function writeIntoSection(
  { kind, parent, written, writer, comparison, first }: NewBlockPlace,
  key: string | undefined,
  contents: WrittenValue[],
): void {
  const { slots } = writer;
  const { stage } = written;
  // Inside the block of a parent, it would be for all stages.
  if (stage !== undefined && parent !== undefined) throw new CannotEditHere();
  // A slot is a place in a file that can be edited. The text of a shared one has an anchor, and aliases repeat it elsewhere.
  const parents =
    parent === undefined
      ? slots.files.filter(slots.holdsBlocks).flatMap(({ roots }) => roots)
      : slots.findBlockSlots(parent);
  const editable = parents.filter(({ node, isShared }) => !isShared && (isMap(node) || isUnwritten(node)));
  const blocks = stage === undefined ? contents : contents.map((content) => withCondition(content, stage));
  const section = editable
    .flatMap((slot) => findEntry(slot, kind.section) ?? [])
    .find(({ node }) => isMap(node) || isSeq(node));
  if (section && !isSingleton(kind)) {
    writeIntoExisting(section, key, blocks, previousIndexIn(section, { kind, comparison, first, writer }));
    return;
  }
  const [parentSlot] = editable;
  // A section that is no map or list, or that has its only block already, cannot take another one.
  if (!parentSlot || section || findEntry(parentSlot, kind.section)) throw new CannotEditHere();
  insertEntry(parentSlot, kind.section, toLines(composeSection(kind, key, blocks)));
}

/**
 * Adds blocks to a section of side B that a file has already: as one entry under a key, or as items of a list, behind the item at
 * `previousIndex`. Throws `CannotEditHere` if the section has the key already.
 */
function writeIntoExisting(
  section: Slot,
  key: string | undefined,
  blocks: WrittenValue[],
  previousIndex: number,
): void {
  if (isSeq(section.node)) {
    // Insertions at one place keep their order.
    for (const block of blocks) insertItem(section, toLines(block), previousIndex);
    return;
  }
  if (key === undefined || findEntry(section, escapeExpressions(key))) throw new CannotEditHere();
  insertEntry(section, escapeExpressions(key), toLines(blocks.length === 1 ? blocks[0] : blocks));
}

/**
 * Returns the index of the list item of B behind which a new item goes (`first`, an object that only A has): the last one, or in an ordered
 * list the partner of the nearest item before it in A; -1 for the start. Throws `CannotEditHere` if that one is not written in this list.
 */
function previousIndexIn(
  section: Slot,
  { kind, comparison, first, writer }: Pick<NewBlockPlace, 'kind' | 'comparison' | 'first' | 'writer'>,
): number {
  const items = itemSlotsOf(section);
  if (!kind.shape.orderDecides) return items.length - 1;
  const previous = findPreviousInB(comparison, first);
  if (!previous) return -1;
  const [read] = comparison.b.blocksOf.get(previous.address) ?? [];
  const slot = read && writer.slots.findBlockSlot(read);
  const index = items.findIndex(({ node }) => node === slot?.node);
  if (index < 0) throw new CannotEditHere();
  return index;
}

/**
 * Returns the object of side B behind which `diff --promote` adds an item of an ordered list that only side A has: the partner of the
 * nearest item before it in A that B has as well. Undefined if there is none.
 */
function findPreviousInB(
  { pairs }: SideComparison,
  { parent, kind, index }: ComparedObject,
): ComparedObject | undefined {
  const before = pairs.filter(({ a }) => a.parent === parent && a.kind === kind && a.index < index);
  return before.sort((a, b) => b.a.index - a.a.index)[0]?.b;
}

/** The length of a map in JSON up to which it stays on one line. */
const maxInlineLength = 60;

/**
 * Returns a value in the form in which people write YAML, to insert it into a file: a map that is long, or has maps in it, takes a line for
 * each entry.
 */
function toLines(value: WrittenValue): YamlValue {
  if (Array.isArray(value)) return value.map((item) => toLines(item) as never);
  if (typeof value !== 'object' || value === null) return value as YamlValue;
  const members = Object.entries(value);
  const isFlat = members.every(
    ([, member]) => typeof member !== 'object' || member === null || Array.isArray(member),
  );
  if (isFlat && JSON.stringify(value).length <= maxInlineLength) return value as YamlValue;
  const map = new CommentedMap();
  for (const [name, member] of members) map.add(name, toLines(member));
  return map;
}

/** Adds a condition for a stage to a block. */
const withCondition = (content: WrittenValue, stage: string): WrittenValue => {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) throw new CannotEditHere();
  return { $when: { stage }, ...content };
};

/**
 * Adds blocks to an object of side B by a patch (an entry of `patches:`), because no section of its own text can take them. Throws
 * `CannotEditHere` without such an object, or if no block declares it.
 */
function writeIntoPatch(
  { kind, parent, comparison, writer, first }: NewBlockPlace,
  key: string | undefined,
  contents: WrittenValue[],
): void {
  const read = parent === undefined ? undefined : comparison.b.blocksOf.get(parent)?.[0];
  if (parent === undefined || !read) throw new CannotEditHere();
  const file = writer.targets.fileFor(read);
  const { patches } = writer;
  if (isSingleton(kind)) {
    patches.setField(file, parent, [kind.section], contents[0]);
    return;
  }
  if (key !== undefined) {
    const value = contents.length === 1 ? contents[0] : contents;
    patches.setField(file, parent, [kind.section, escapeExpressions(key)], value);
    return;
  }
  const orderKeys = orderKeysFor(kind, comparison, first);
  for (const content of contents)
    patches.addItem(file, parent, kind.section, { ...(content as object), ...orderKeys } as WrittenValue);
}

/**
 * Returns the `$` keys, such as `$after: NAME`, with which a patch puts a new item of an ordered list behind the item that precedes it on
 * side A; none for lists without an order.
 */
function orderKeysFor(
  kind: Kind,
  comparison: SideComparison,
  object: ComparedObject,
): { [name: string]: WrittenValue } {
  if (!kind.shape.orderDecides) return {};
  const previous = findPreviousInB(comparison, object);
  return previous
    ? { $after: unescapeName(previous.address.slice(previous.address.lastIndexOf('/') + 1)) }
    : { $first: true };
}
