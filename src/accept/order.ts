import { isSeq } from 'yaml';
import type { ReadBlock } from '../config/blocks/block.ts';
import type { WrittenDown } from '../config/load.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { groupBy } from '../model/graph.ts';
import { byCollection, collectionId, type Desired, type Live } from '../model/resource.ts';
import type { ChangedFile } from './accept.ts';
import { NotHere } from './edit-collection.ts';
import { orderInLayers } from './order-in-layers.ts';
import { Placing } from './place.ts';
import type { Places } from './places.ts';
import { edited } from './text-edit.ts';
import { endOf, itemsIn, type Slot, topKeyOf, type YamlFile } from './yaml-file.ts';

/** A list whose order is to be the one that it has in the account. */
export interface NewOrder {
  kind: string;
  /** The declared items, in their new order. */
  addresses: Address[];
}

/** The lists in whose order the account differs. What is not there yet stays behind what it is declared behind. */
export function ordersIn(
  changes: readonly Change[],
  {
    desired,
    live,
    kinds,
  }: { desired: Pick<Desired, 'resources'>; live: Pick<Live, 'resources'>; kinds: Kinds },
): NewOrder[] {
  const moved = changes.filter(({ kind, moves }) => moves && kinds.get(kind)!.shape.orderDecides);
  return [...groupBy(moved, ({ kind, parent }) => collectionId(kind, parent)).keys()].map((id) => {
    const declared = [...(byCollection(desired.resources).get(id) ?? [])].sort((a, b) => a.index - b.index);
    const found = declared.filter(({ address }) => live.resources.has(address));
    const inOrder = [...found].sort(
      (a, b) => live.resources.get(a.address)!.index - live.resources.get(b.address)!.index,
    );
    for (const [at, one] of declared.entries()) {
      if (live.resources.has(one.address)) continue;
      const before = declared[at - 1];
      inOrder.splice(before ? inOrder.indexOf(before) + 1 : 0, 0, one);
    }
    return { kind: declared[0]!.kind, addresses: inOrder.map(({ address }) => address) };
  });
}

/** Puts the items of lists into another order, each with its comments. What several layers make together is put in order in each of them. `refused`: the lists of which that cannot be done. Pure. */
export function reorder(
  orders: readonly NewOrder[],
  written: WrittenDown,
  kinds: Kinds,
): { files: ChangedFile[]; refused: NewOrder[] } {
  const placing = new Placing(written, kinds);
  const { places, patches } = placing;
  const refused = orders.filter(({ addresses }) => {
    const permuteAll = (some: Address[]) => permute(some, written, places);
    const inLayers = () => {
      const reads = addresses.map((address) => {
        const read = written.blocks.find(({ units }) => units.some((unit) => unit.address === address));
        if (!read) throw new NotHere();
        return read;
      });
      const patchFile = (read: ReadBlock) => placing.targets.fileFor(read);
      orderInLayers(reads, { places, patches, stage: written.stage, patchFile, permute: permuteAll });
    };
    return !placing.places.attempt(() => permuteAll(addresses)) && !placing.places.attempt(inLayers);
  });
  if (refused.length === 0) patches.write();
  const files = places.files.flatMap(({ path, name, text, edits }) => {
    const after = edited(text, edits);
    return after === text ? [] : [{ path, name, before: text, after }];
  });
  return { files, refused };
}

function permute(addresses: Address[], { blocks, stage }: WrittenDown, places: Places): void {
  const slots = addresses.map((address) => {
    const read = blocks.find(({ units }) => units.some((unit) => unit.address === address));
    const slot = read && places.homeOf(read);
    if (!slot || stage !== undefined || topKeyOf(slot) === 'patches') throw new NotHere();
    return slot;
  });
  const list = slots[0]!.up!;
  if (!isSeq(list.node) || slots.some(({ up }) => up !== list)) throw new NotHere();
  const own = itemsIn(list).filter((slot) => slots.includes(slot));
  const { file } = list;
  const stretch = list.node.flow ? inBrackets : asLines;
  const before = own.map((slot) => stretch(slot, file, slot === itemsIn(list)[0]));
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

interface Stretch {
  start: number;
  end: number;
}

const inBrackets = ({ node, file }: Slot): Stretch => ({
  start: node!.range![0],
  end: endOf({ node, file }),
});

/** The lines of an item, with the comments above it; those above the first one may be about the whole list. */
function asLines({ node }: Slot, file: YamlFile, isFirst: boolean): Stretch {
  const dash = file.text.lastIndexOf('-', node!.range![0] - 1);
  let start = file.lineStart(dash);
  if (file.text.slice(start, dash).trim() !== '') throw new NotHere();
  while (!isFirst && start > 0) {
    const above = file.lineStart(start - 1);
    if (!/^[ \t]*#/.test(file.text.slice(above, start))) break;
    start = above;
  }
  return { start, end: file.nextLine(endOf({ node, file })) };
}
