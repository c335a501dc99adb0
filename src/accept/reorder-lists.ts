import { isSeq, type Scalar } from 'yaml';
import type { LoadedBlock } from '../config/blocks/block.ts';
import type { ConfigurationText } from '../config/configuration.ts';
import { escapeExpressions } from '../config/expressions/parse-expressions.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { groupBy } from '../model/graph.ts';
import { collectionId, type Desired, groupByCollection, type Live } from '../model/resource.ts';
import { findEditedFiles } from './accept.ts';
import { ChangeWriter } from './change-writer.ts';
import type { ChangedFile } from './changed-files.ts';
import { composeEntry } from './compose-entry.ts';
import type { WrittenValue } from './edit-value.ts';
import { CannotEditHere, includeCommentsAbove, replaceText } from './edit-yaml.ts';
import { formatKey, formatValue } from './format-yaml-text.ts';
import type { PatchCollector } from './patches.ts';
import type { SlotIndex } from './slot-index.ts';
import {
  endOffsetOf,
  findEntry,
  isLiteral,
  itemSlotsOf,
  type Slot,
  scalarText,
  surroundingsOf,
  topKeyOf,
  type YamlFile,
} from './yaml-file.ts';

/*
 * Accepts the order that ordered lists, such as firewall rules, have in the account.
 *
 * A list is written in one place, or its items come from several layers: templates first, then blocks, then patches. Each layer's items
 * follow those of the layers below, unless they have a position of their own (`$first`, `$last`, `$before`, `$after`).
 *
 *   list in one place   its items change places in the text
 *   several layers      items with a position get another one, items of the lowest layer change places, and other items are dropped and
 *                       declared again by a patch
 */

/** A list that gets the order that it has in the account. */
export interface NewOrder {
  kind: string;
  /** The declared items, in their new order. */
  addresses: Address[];
  /** True if the order was changed outside, false if it may also have been changed in the configuration. */
  isChangedOutside: boolean;
}

/**
 * Finds the ordered lists whose items the plan would move, with the order that they have in the account,
 * which `trueup accept` can write into the YAML. A declared item that does not exist in the account stays
 * behind the item that it is declared behind.
 */
export function findReorderedLists(
  changes: readonly Change[],
  {
    desired,
    live,
    kinds,
  }: { desired: Pick<Desired, 'resources'>; live: Pick<Live, 'resources'>; kinds: Kinds },
): NewOrder[] {
  const movedItems = changes.filter(({ kind, moves }) => moves && kinds.get(kind)!.shape.orderDecides);
  const movesByList = groupBy(movedItems, ({ kind, parent }) => collectionId(kind, parent));
  return [...movesByList].map(([listId, movesOfList]) => {
    const declared = [...(groupByCollection(desired.resources).get(listId) ?? [])].sort(
      (a, b) => a.index - b.index,
    );
    return {
      kind: declared[0]!.kind,
      addresses: orderAsLive(
        declared.map(({ address }) => address),
        live,
      ),
      isChangedOutside: movesOfList.some(({ position }) => position?.cause === 'drift'),
    };
  });
}

/**
 * Returns the items of a list in the order that they have in the account. Those that it does not have stay behind the item in front of
 * them.
 */
function orderAsLive(declared: readonly Address[], { resources }: Pick<Live, 'resources'>): Address[] {
  const order = declared
    .filter((address) => resources.has(address))
    .sort((a, b) => resources.get(a)!.index - resources.get(b)!.index);
  for (const [index, address] of declared.entries()) {
    if (resources.has(address)) continue;
    const previous = declared[index - 1];
    order.splice(previous === undefined ? 0 : order.indexOf(previous) + 1, 0, address);
  }
  return order;
}

/**
 * Writes ordered lists in another order, for `accept` when somebody has changed the order in the account. Items keep their comments. An
 * order is written among the items of a list, or among its layers (blocks, templates and patches) if the items come from several.
 * `refused`: the lists whose order cannot be written; then `files` is incomplete and must not be used. Pure: nothing is written to disk.
 */
export function reorderLists(
  orders: readonly NewOrder[],
  written: ConfigurationText,
  kinds: Kinds,
): { files: ChangedFile[]; refused: NewOrder[] } {
  const { slots, patches, targets } = new ChangeWriter(written, kinds);
  const writer = new OrderWriter(written, slots, patches, (loaded) => targets.fileFor(loaded));
  const refused = orders.filter(
    ({ addresses }) =>
      !slots.attempt(() => writer.reorderItems(addresses)) &&
      !slots.attempt(() => writer.reorderLayers(addresses)),
  );
  // If a list was refused, the files are not used, so the patches need not be written.
  const needsPatches = refused.length === 0;
  if (needsPatches && !slots.attempt(() => patches.write())) return { files: [], refused: [...orders] };
  return { files: findEditedFiles(slots.files), refused };
}

/** A part of a text, by offsets. */
interface TextRange {
  start: number;
  end: number;
}

/** An item of a list that comes from several layers. */
interface LayeredItem {
  loaded: LoadedBlock;
  /** The name by which `$before` and `$after` of other items refer to it. */
  name: string;
  /** The slot of its block, if it has a text of its own. */
  slot: Slot | undefined;
  /** The layer that it comes from. Items of higher layers come after those of lower ones: templates (0), blocks (1), patches. */
  layer: number;
  /** Its `$first`, `$last`, `$before` or `$after`, if that can be edited. */
  position: Slot | undefined;
  /** Its index in the current order. */
  index: number;
}

const positionKeys = ['$first', '$last', '$before', '$after'];

/** Writes the new order of lists. Each method throws `CannotEditHere` if it does not fit. */
class OrderWriter {
  readonly #written: ConfigurationText;
  readonly #slots: SlotIndex;
  readonly #patches: PatchCollector;
  readonly #patchFileFor: (loaded: LoadedBlock) => YamlFile;

  /**
   * Creates the writer that puts the items of a list into the order that somebody gave it in the account, for `accept`. It edits the list
   * itself or, if that does not fit, adds a patch (an entry of `patches:`) in the file that `patchFileFor` returns.
   */
  constructor(
    written: ConfigurationText,
    slots: SlotIndex,
    patches: PatchCollector,
    patchFileFor: (loaded: LoadedBlock) => YamlFile,
  ) {
    this.#written = written;
    this.#slots = slots;
    this.#patches = patches;
    this.#patchFileFor = patchFileFor;
  }

  /**
   * Exchanges the texts of list items, with the comments above them, so that they get the order of the account, for `trueup accept`. Throws
   * `CannotEditHere` if they are not all in one list, if they are in patches, and with `--stage`, because the texts are for all stages.
   */
  reorderItems(addresses: readonly Address[]): void {
    const newOrder = addresses.map((address) => {
      const slot = this.#slots.findBlockSlot(this.#findBlock(address));
      if (!slot || this.#written.stage !== undefined || topKeyOf(slot) === 'patches')
        throw new CannotEditHere();
      return slot;
    });
    const list = newOrder[0]!.parent!;
    if (!isSeq(list.node) || newOrder.some(({ parent }) => parent !== list)) throw new CannotEditHere();
    const { flow } = list.node;
    const allItems = itemSlotsOf(list);
    const oldOrder = allItems.filter((slot) => newOrder.includes(slot));
    const rangeBySlot = new Map(
      oldOrder.map((slot) => [slot, flow ? itemRange(slot) : lineRange(slot, slot === allItems[0])]),
    );
    for (const [index, oldSlot] of oldOrder.entries()) {
      const newSlot = newOrder[index]!;
      if (newSlot !== oldSlot)
        replaceRange(list.file, rangeBySlot.get(oldSlot)!, rangeBySlot.get(newSlot)!, flow === true);
    }
  }

  /**
   * Writes the order of the account for list items that come from several layers: templates (0), blocks (1), and entries of `patches:`
   * (above), for `trueup accept`. Used if the items are not all in one list, so that their texts cannot be exchanged.
   * - Items without a position exchange their texts, if these may be edited. Otherwise the misplaced ones are dropped and declared again by
   *   a patch, each behind the item that precedes it in the account.
   * - Items with a position (`$after`) get another one, unless it already puts them into their place.
   */
  reorderLayers(addresses: readonly Address[]): void {
    const items = addresses.map((address) => this.#toItem(this.#findBlock(address)));
    // 1. The items without a position: their place is that of their text.
    const unpositioned = items.filter(({ position }) => !position);
    const misplaced = findMisplaced(unpositioned);
    const hasTemplates = items.some(({ layer }) => layer === 0);
    // A text in a template is also for other blocks, and any text outside of patches is for all stages.
    const canEditLowestLayer = this.#written.stage === undefined && !hasTemplates;
    if (canEditLowestLayer && misplaced.length > 0)
      this.reorderItems(unpositioned.map(({ loaded }) => loaded.units[0]!.address));
    const redeclared = canEditLowestLayer ? [] : misplaced;
    // 2. The items with a position of their own.
    const unmoved = items.filter((item) => !redeclared.includes(item));
    const inPlace = findItemsInPlace(unmoved);
    for (const [index, item] of unmoved.entries())
      if (item.position && !inPlace.has(item)) writePosition(item.position, findPrevious(unmoved, index));
    // 3. The misplaced items whose text must stay where it is.
    for (const item of redeclared) {
      const previousItem = items[items.indexOf(item) - 1];
      this.#redeclare(item, previousItem);
    }
  }

  /**
   * Returns the block that declares an object. Throws `CannotEditHere` if there is none. Used by `trueup accept` to write a new order of a
   * list.
   */
  #findBlock(address: Address): LoadedBlock {
    const block = this.#written.blocks.find(({ units }) => units.some((unit) => unit.address === address));
    if (!block) throw new CannotEditHere();
    return block;
  }

  /**
   * Returns a block as an item of a list that `accept` reorders, with its layer (template, block or patch) and its position (`$first`,
   * `$after`), which decide its place. Without a slot (place in a file that can be edited), as always with `--stage`, it counts as made by
   * a template.
   */
  #toItem(loaded: LoadedBlock): LayeredItem {
    const { kind } = loaded.block;
    const slot = this.#written.stage === undefined ? this.#slots.findBlockSlot(loaded) : undefined;
    const [unit] = loaded.units;
    const position = slot && positionKeys.flatMap((key) => findEntry(slot, key) ?? [])[0];
    return {
      loaded,
      name: String(unit!.fields[kind.key[0]!]),
      slot,
      layer: slot ? layerOf(slot, this.#slots) : 0,
      position: position && isLiteral(position.node) ? position : undefined,
      index: unit!.index,
    };
  }

  /**
   * Adds a patch (an entry of `patches:`) that drops an item with `$drop`, and declares it again with the same values behind `previous`, so
   * that it gets the place that it has in the account. Used by `accept`; throws `CannotEditHere` if the item contains blocks, or a value
   * that cannot be copied.
   */
  #redeclare({ loaded, name }: LayeredItem, previous: LayeredItem | undefined): void {
    const { kind, parent, sections } = loaded.block;
    if (!parent || sections.length > 0) throw new CannotEditHere();
    const { address } = loaded.units[0]!;
    const file = this.#patchFileFor(loaded);
    // All values but the name (`kind.key`), unchanged.
    const values = composeEntry(new Map(), {
      loaded,
      slot: undefined,
      newAddressOf: (itemAddress) => itemAddress,
    }) as { [name: string]: WrittenValue };
    const position = previous ? { $after: escapeExpressions(previous.name) } : { $first: true };
    this.#patches.addDrop(file, parent.address, address.slice(parent.address.length + 1));
    this.#patches.addItem(file, parent.address, kind.section, {
      [kind.key[0]!]: escapeExpressions(name),
      ...values,
      ...position,
    });
  }
}

/**
 * Replaces the text of a list item by the text of another one, so that `accept` can write a new order. All edits are applied
 * together, so the ranges stay valid.
 */
function replaceRange(file: YamlFile, target: TextRange, source: TextRange, isFlow: boolean): void {
  let text = file.text.slice(source.start, source.end);
  // The last line of a file may have no line feed. If its item moves up it gets one, and the new last item loses its own.
  const targetIsLastLine = target.end === file.text.length && !file.text.endsWith('\n');
  if (!isFlow && targetIsLastLine) text = text.replace(/\r?\n$/, '');
  else if (!isFlow && !text.endsWith('\n')) text += '\n';
  file.edits.push({ ...target, text });
}

/** Returns the range of an item in brackets. */
const itemRange = ({ node, file }: Slot): TextRange => ({
  start: node!.range![0],
  end: endOffsetOf({ node, file }),
});

/**
 * Returns the range of a list item's lines, with the comments above it, which move together when `accept` writes a new order.
 * Throws `CannotEditHere` if the dash shares its line with text in front of it.
 * @param isFirst true for the first item, since the comments above it may be about the whole list
 */
function lineRange({ node, file }: Slot, isFirst: boolean): TextRange {
  const dash = file.text.lastIndexOf('-', node!.range![0] - 1);
  const lineStart = file.lineStart(dash);
  if (file.text.slice(lineStart, dash).trim() !== '') throw new CannotEditHere();
  const start = isFirst ? lineStart : includeCommentsAbove(file, lineStart);
  return { start, end: file.nextLine(endOffsetOf({ node, file })) };
}

/**
 * Returns the layer of a list item as a number, for `accept`: 1 for a block with a text of its own, more for
 * an item of a patch. Each of these counts as a layer above those before it, in the order of the files. `$after` can put an item
 * only behind items of its own layer or a lower one.
 */
function layerOf(slot: Slot, { files }: SlotIndex): number {
  if (topKeyOf(slot) !== 'patches') return 1;
  const { file, node } = slot;
  // Below 1, so that the place in a file never counts more than the file.
  const placeInFile = node!.range![0] / (file.text.length + 1);
  return 2 + files.indexOf(file) + placeInFile;
}

/**
 * Returns the fewest items that `accept` has to move so that a list has the order of the account. The others, a longest series with
 * ascending indexes, are in order already.
 */
function findMisplaced(items: LayeredItem[]): LayeredItem[] {
  const longestOf = (series: LayeredItem[][]) =>
    series.reduce<LayeredItem[]>((longest, next) => (next.length > longest.length ? next : longest), []);
  // For each item, the longest ascending series that ends with it.
  const seriesByEnd: LayeredItem[][] = [];
  for (const item of items) {
    const continued = seriesByEnd.filter((series) => series.at(-1)!.index < item.index);
    seriesByEnd.push([...longestOf(continued), item]);
  }
  const inOrder = new Set(longestOf(seriesByEnd));
  return items.filter((item) => !inOrder.has(item));
}

/**
 * Finds the item in front of another one when the layer of that one is read. A position can only name items of its own layer and lower
 * ones.
 */
const findPrevious = (items: readonly LayeredItem[], index: number): LayeredItem | undefined =>
  items.slice(0, index).findLast(({ layer }) => layer <= items[index]!.layer);

/** Finds the item behind another one when the layer of that one is read. */
const findNext = (items: readonly LayeredItem[], index: number): LayeredItem | undefined =>
  items.slice(index + 1).find(({ layer }) => layer <= items[index]!.layer);

/**
 * Returns the items whose position (`$after: web`) already puts them where they belong in the new order, so that `accept` does not edit it.
 *   - `$first` and `$after` are compared with the item in front, `$before` and `$last` with the item behind.
 *   - Items of one layer with equal positions keep their order, so one of them may also stand beside another that is in its place.
 */
function findItemsInPlace(items: readonly LayeredItem[]): Set<LayeredItem> {
  const inPlace = new Set<LayeredItem>();
  const check = (index: number, keys: readonly string[], neighbour: LayeredItem | undefined) => {
    const item = items[index]!;
    const position = keyAndAnchorOf(item);
    if (!position || !keys.includes(position.key)) return;
    // `$first` and `$last` have no anchor, and fit if there is no neighbour.
    const isBesideAnchor = position.anchor === (neighbour && escapeExpressions(neighbour.name));
    const hasSamePosition = (other: LayeredItem) =>
      other.layer === item.layer &&
      keyAndAnchorOf(other)!.key === position.key &&
      keyAndAnchorOf(other)!.anchor === position.anchor;
    const isBesideEqual = neighbour !== undefined && inPlace.has(neighbour) && hasSamePosition(neighbour);
    if (isBesideAnchor || isBesideEqual) inPlace.add(item);
  };
  // Each item is compared with a neighbour that was checked before it.
  for (const index of items.keys()) check(index, ['$first', '$after'], findPrevious(items, index));
  for (const index of [...items.keys()].reverse()) check(index, ['$before', '$last'], findNext(items, index));
  return inPlace;
}

/** Returns the position that an item has in its text. `anchor`: the name beside `$before` or `$after`. Undefined if it has none. */
function keyAndAnchorOf({ position }: LayeredItem): { key: string; anchor: string | undefined } | undefined {
  if (!position) return undefined;
  const key = scalarText(position.key!);
  const hasAnchor = key === '$before' || key === '$after';
  return { key, anchor: hasAnchor ? scalarText(position.node as Scalar) : undefined };
}

/**
 * Edits the position of an item, such as `$after: other`, so that it comes right behind `previous`, or first without one.
 * @param position the slot (place in the file) of `$first`, `$last`, `$before` or `$after`
 */
function writePosition(position: Slot, previous: LayeredItem | undefined): void {
  const previousName = previous && escapeExpressions(previous.name);
  const { file } = position;
  const surroundings = surroundingsOf(position);
  const [start, end] = position.key!.range!;
  file.edit(start, end, formatKey(previousName === undefined ? '$first' : '$after', surroundings));
  replaceText(position, formatValue(previousName ?? true, surroundings), file);
}
