import { isSeq, type Scalar } from 'yaml';
import type { ReadBlock } from '../config/blocks/block.ts';
import type { ConfigurationText } from '../config/configuration.ts';
import { escapeExpressions } from '../export/write-field.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { groupBy } from '../model/graph.ts';
import { collectionId, type Desired, groupByCollection, type Live } from '../model/resource.ts';
import type { ChangedFile } from './accept.ts';
import { ChangeWriter } from './change-writer.ts';
import { CannotEditHere, replaceText } from './edit-collection.ts';
import type { WrittenValue } from './edit-value.ts';
import type { PatchCollector } from './patches.ts';
import type { SlotIndex } from './slot-index.ts';
import { composeEntry } from './split-entry.ts';
import {
  applyTextEdits,
  endOffsetOf,
  findEntry,
  isLiteral,
  itemsOf,
  type Slot,
  scalarText,
  topKeyOf,
  type YamlFile,
} from './yaml-file.ts';
import { formatKey, formatValue } from './yaml-text.ts';

/** A list whose order is to be the one that it has in the account. */
export interface NewOrder {
  kind: string;
  /** The declared items, in their new order. */
  addresses: Address[];
  /** True if somebody is known to have changed it outside. */
  isChangedOutside: boolean;
}

/** The lists in whose order the account differs. What is not there yet stays behind what it is declared behind. */
export function findReorderedLists(
  changes: readonly Change[],
  {
    desired,
    live,
    kinds,
  }: { desired: Pick<Desired, 'resources'>; live: Pick<Live, 'resources'>; kinds: Kinds },
): NewOrder[] {
  const moved = changes.filter(({ kind, moves }) => moves && kinds.get(kind)!.shape.orderDecides);
  const lists = groupBy(moved, ({ kind, parent }) => collectionId(kind, parent));
  return [...lists].map(([id, moving]) => {
    const declared = [...(groupByCollection(desired.resources).get(id) ?? [])].sort(
      (a, b) => a.index - b.index,
    );
    const resources = declared.filter(({ address }) => live.resources.has(address));
    const inOrder = [...resources].sort(
      (a, b) => live.resources.get(a.address)!.index - live.resources.get(b.address)!.index,
    );
    for (const [at, one] of declared.entries()) {
      if (live.resources.has(one.address)) continue;
      const before = declared[at - 1];
      inOrder.splice(before ? inOrder.indexOf(before) + 1 : 0, 0, one);
    }
    return {
      kind: declared[0]!.kind,
      addresses: inOrder.map(({ address }) => address),
      isChangedOutside: moving.some(({ position }) => position?.cause === 'drift'),
    };
  });
}

/** Puts the items of lists into another order, each with its comments. What several layers make together is put in order in each of them. `refused`: the lists of which that cannot be done. Pure. */
export function reorderLists(
  orders: readonly NewOrder[],
  written: ConfigurationText,
  kinds: Kinds,
): { files: ChangedFile[]; refused: NewOrder[] } {
  const placing = new ChangeWriter(written, kinds);
  const { slots: places, patches } = placing;
  const refused = orders.filter(({ addresses }) => {
    const permuteAll = (addresses: Address[]) => permute(addresses, written, places);
    const inLayers = () => {
      const reads = addresses.map((address) => {
        const read = written.blocks.find(({ units }) => units.some((unit) => unit.address === address));
        if (!read) throw new CannotEditHere();
        return read;
      });
      const patchFile = (read: ReadBlock) => placing.targets.fileFor(read);
      orderInLayers(reads, { places, patches, stage: written.stage, patchFile, permute: permuteAll });
    };
    return !placing.slots.attempt(() => permuteAll(addresses)) && !placing.slots.attempt(inLayers);
  });
  if (refused.length === 0) patches.write();
  const files = places.files.flatMap(({ path, name, text, edits }) => {
    const after = applyTextEdits(text, edits);
    return after === text ? [] : [{ path, name, before: text, after }];
  });
  return { files, refused };
}

function permute(addresses: Address[], { blocks, stage }: ConfigurationText, places: SlotIndex): void {
  const slots = addresses.map((address) => {
    const read = blocks.find(({ units }) => units.some((unit) => unit.address === address));
    const slot = read && places.findBlockSlot(read);
    if (!slot || stage !== undefined || topKeyOf(slot) === 'patches') throw new CannotEditHere();
    return slot;
  });
  const list = slots[0]!.parent!;
  if (!isSeq(list.node) || slots.some(({ parent: up }) => up !== list)) throw new CannotEditHere();
  const own = itemsOf(list).filter((slot) => slots.includes(slot));
  const { file } = list;
  const stretch = list.node.flow ? inBrackets : asLines;
  const before = own.map((slot) => stretch(slot, file, slot === itemsOf(list)[0]));
  const after = slots.map((slot) => before[own.indexOf(slot)]!);
  for (const [at, { start, end }] of before.entries()) {
    const to = after[at]!;
    if (to === before[at]) continue;
    const text = file.text.slice(to.start, to.end);
    // The last line of a file may have no end.
    const isOpen = !text.endsWith('\n') && !list.node.flow;
    const isLast = end === file.text.length && !file.text.endsWith('\n') && !list.node.flow;
    file.edits.push({
      start,
      end,
      text: `${isOpen && !isLast ? `${text}\n` : isLast ? text.replace(/\r?\n$/, '') : text}`,
    });
  }
}

interface TextRange {
  start: number;
  end: number;
}

const inBrackets = ({ node, file }: Slot): TextRange => ({
  start: node!.range![0],
  end: endOffsetOf({ node, file }),
});

/** The lines of an item, with the comments above it; those above the first one may be about the whole list. */
function asLines({ node }: Slot, file: YamlFile, isFirst: boolean): TextRange {
  const dash = file.text.lastIndexOf('-', node!.range![0] - 1);
  let start = file.lineStart(dash);
  if (file.text.slice(start, dash).trim() !== '') throw new CannotEditHere();
  while (!isFirst && start > 0) {
    const above = file.lineStart(start - 1);
    if (!/^[ \t]*#/.test(file.text.slice(above, start))) break;
    start = above;
  }
  return { start, end: file.nextLine(endOffsetOf({ node, file })) };
}

/** An item of a list that several layers make, in the order in which it is to be. */
interface Item {
  read: ReadBlock;
  /** The name that its siblings use for it. */
  name: string;
  /** Its place, if it stands for this list alone. */
  home: Slot | undefined;
  /** Layers lie over those of a lower rank: templates, the block, patches. */
  rank: number;
  /** Its `$first`, `$after` and so on, where it has a place of its own that can be edited. */
  position: Slot | undefined;
  /** Its place in the list as it is. */
  index: number;
}

interface OrderInput {
  places: SlotIndex;
  patches: PatchCollector;
  stage: string | undefined;
  /** The file for a patch of what a block is in. */
  patchFile(read: ReadBlock): YamlFile;
  /** Puts the items of one list into another order. Throws `CannotEditHere` if the list is not written as it is read. */
  permute(addresses: Address[]): void;
}

/**
 * Writes a new order of items that come from several layers: items with a `$position` get another one, items of the lowest list change places in
 * it, and items of a template are removed and added again by a patch. Throws `CannotEditHere` if one of them cannot be written like that.
 */
function orderInLayers(reads: readonly ReadBlock[], given: OrderInput): void {
  const items = reads.map((read) => itemOf(read, given));
  const hasTemplates = items.some(({ rank }) => rank === 0);
  const loose = items.filter(({ position }) => !position);
  const isOwnList = given.stage === undefined && !hasTemplates;
  const moved = isOwnList ? [] : outOfOrder(loose);
  if (isOwnList && outOfOrder(loose).length > 0)
    given.permute(loose.map(({ read }) => read.units[0]!.address));
  for (const [at, one] of items.entries()) {
    if (!one.position) continue;
    const isLower = (item: Item) => item.rank <= one.rank && !moved.includes(item);
    const before = items.slice(0, at).findLast(isLower);
    const isLast = !items.slice(at + 1).some(isLower);
    writePosition(one, one.position, before, isLast);
  }
  for (const one of moved) putAnew(one, items[items.indexOf(one) - 1], given);
}

const positions = ['$first', '$last', '$before', '$after'];

function itemOf(read: ReadBlock, { places, stage }: OrderInput): Item {
  const { kind } = read.block;
  const home = stage === undefined ? places.findBlockSlot(read) : undefined;
  const [unit] = read.units;
  const position = home && positions.flatMap((name) => findEntry(home, name) ?? [])[0];
  return {
    read,
    name: String(unit!.fields[kind.key[0]!]),
    home,
    rank: home ? rankOf(home, places) : 0,
    position: position && isLiteral(position.node) ? position : undefined,
    index: unit!.index,
  };
}

/** Patches lie over the blocks, each over those before it. */
function rankOf(home: Slot, { files }: SlotIndex): number {
  if (topKeyOf(home) !== 'patches') return 1;
  return 2 + files.indexOf(home.file) + home.node!.range![0] / (home.file.text.length + 1);
}

/** As few as can be of the items without which the others are in order. */
function outOfOrder(items: Item[]): Item[] {
  const best: Item[][] = [];
  for (const [at, one] of items.entries()) {
    const before = best.slice(0, at).filter((run) => run.at(-1)!.index < one.index);
    const longest = before.reduce<Item[]>((long, run) => (run.length > long.length ? run : long), []);
    best.push([...longest, one]);
  }
  const stays = best.reduce<Item[]>((long, run) => (run.length > long.length ? run : long), []);
  return items.filter((item) => !stays.includes(item));
}

function writePosition({ home }: Item, slot: Slot, before: Item | undefined, isLast: boolean): void {
  const key = scalarText(slot.key!);
  const value = scalarText(slot.node as Scalar);
  if (
    before
      ? (key === '$after' && value === escapeExpressions(before.name)) || (key === '$last' && isLast)
      : key === '$first'
  )
    return;
  const { file } = slot;
  const around = {
    isFlow: file.isJson || (home!.node as { flow?: boolean }).flow === true,
    isJson: file.isJson,
  };
  const [name, words]: [string, string | true] = before
    ? ['$after', escapeExpressions(before.name)]
    : ['$first', true];
  file.edit(slot.key!.range![0], slot.key!.range![1], formatKey(name, around));
  replaceText(slot, formatValue(words, around), file);
}

/** Takes an item out, and puts it in behind another one, by a patch of what the list is in. */
function putAnew({ read, name }: Item, before: Item | undefined, { patches, patchFile }: OrderInput): void {
  const { kind, parent, sections } = read.block;
  if (!parent || sections.length > 0) throw new CannotEditHere();
  const { address } = read.units[0]!;
  const file = patchFile(read);
  patches.addDrop(file, parent.address, address.slice(parent.address.length + 1));
  const words = {
    [kind.key[0]!]: escapeExpressions(name),
    ...(composeEntry(new Map(), read, undefined) as { [name: string]: WrittenValue }),
    ...(before ? { $after: escapeExpressions(before.name) } : { $first: true }),
  };
  patches.addItem(file, parent.address, kind.section, words);
}
