import type { Scalar } from 'yaml';
import type { ReadBlock } from '../config/blocks/block.ts';
import { escaped } from '../export/write-field.ts';
import type { Address } from '../model/address.ts';
import { NotHere, replaceWith } from './edit-collection.ts';
import type { Words } from './edit-value.ts';
import type { Patches } from './patches.ts';
import type { Places } from './places.ts';
import { entryWords } from './split.ts';
import { entryIn, isLiteral, type Slot, textOf, topKeyOf, type YamlFile } from './yaml-file.ts';
import { keyText, valueText } from './yaml-text.ts';

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

interface Given {
  places: Places;
  patches: Patches;
  stage: string | undefined;
  /** The file for a patch of what a block is in. */
  patchFile(read: ReadBlock): YamlFile;
  /** Puts the items of one list into another order. Throws `NotHere`. */
  permute(addresses: Address[]): void;
}

/**
 * Writes an order of items that stand in several lists: those that say where they go say it anew, those of the lowest list change places
 * there, and what a template made is taken out and put in by a patch. Throws `NotHere` where that cannot be.
 */
export function orderInLayers(reads: readonly ReadBlock[], given: Given): void {
  const items = reads.map((read) => itemOf(read, given));
  const hasTemplates = items.some(({ rank }) => rank === 0);
  const loose = items.filter(({ position }) => !position);
  const isOwnList = given.stage === undefined && !hasTemplates;
  const moved = isOwnList ? [] : outOfOrder(loose);
  if (isOwnList && outOfOrder(loose).length > 0)
    given.permute(loose.map(({ read }) => read.units[0]!.address));
  for (const [at, one] of items.entries()) {
    if (!one.position) continue;
    const isLower = (other: Item) => other.rank <= one.rank && !moved.includes(other);
    const before = items.slice(0, at).findLast(isLower);
    const isLast = !items.slice(at + 1).some(isLower);
    writePosition(one, one.position, before, isLast);
  }
  for (const one of moved) putAnew(one, items[items.indexOf(one) - 1], given);
}

const positions = ['$first', '$last', '$before', '$after'];

function itemOf(read: ReadBlock, { places, stage }: Given): Item {
  const { kind } = read.block;
  const home = stage === undefined ? places.homeOf(read) : undefined;
  const [unit] = read.units;
  const position = home && positions.flatMap((name) => entryIn(home, name) ?? [])[0];
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
function rankOf(home: Slot, { files }: Places): number {
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
  return items.filter((one) => !stays.includes(one));
}

function writePosition({ home }: Item, slot: Slot, before: Item | undefined, isLast: boolean): void {
  const key = textOf(slot.key!);
  const value = textOf(slot.node as Scalar);
  if (
    before
      ? (key === '$after' && value === escaped(before.name)) || (key === '$last' && isLast)
      : key === '$first'
  )
    return;
  const { file } = slot;
  const around = {
    isFlow: file.isJson || (home!.node as { flow?: boolean }).flow === true,
    isJson: file.isJson,
  };
  const [name, words]: [string, string | true] = before ? ['$after', escaped(before.name)] : ['$first', true];
  file.edit(slot.key!.range![0], slot.key!.range![1], keyText(name, around));
  replaceWith(slot, valueText(words, around), file);
}

/** Takes an item out, and puts it in behind another one, by a patch of what the list is in. */
function putAnew({ read, name }: Item, before: Item | undefined, { patches, patchFile }: Given): void {
  const { kind, parent, sections } = read.block;
  if (!parent || sections.length > 0) throw new NotHere();
  const { address } = read.units[0]!;
  const file = patchFile(read);
  patches.drop(file, parent.address, address.slice(parent.address.length + 1));
  const words = {
    [kind.key[0]!]: escaped(name),
    ...(entryWords(new Map(), read, undefined) as { [name: string]: Words }),
    ...(before ? { $after: escaped(before.name) } : { $first: true }),
  };
  patches.add(file, parent.address, kind.section, words);
}
