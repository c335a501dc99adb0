import { isMap, isSeq } from 'yaml';
import type { ReadBlock } from '../config/blocks/block.ts';
import type { WrittenDown } from '../config/load.ts';
import type { Node as LaidNode } from '../config/yaml/nodes.ts';
import type { Spot } from '../config/yaml/source.ts';
import type { Address } from '../model/address.ts';
import { groupBy } from '../model/graph.ts';
import type { Unplaced } from './accepted.ts';
import { NotHere, removeAll } from './edit-collection.ts';
import type { PatchTargets } from './patch-targets.ts';
import type { Patches } from './patches.ts';
import type { Places } from './places.ts';
import { entryIn, isLiteral, itemsIn, type Slot, textOf, topKeyOf, type YamlFile } from './yaml-file.ts';

/** A block that goes, and the addresses that go with it. */
interface Gone {
  block: ReadBlock;
  addresses: Address[];
}

interface Context extends Pick<WrittenDown, 'stage' | 'blocks'> {
  places: Places;
  patches: Patches;
  targets: PatchTargets;
  /** Gets what cannot be taken out. */
  unplaced: Unplaced[];
}

/** Takes blocks out: where they stand, with the row of data that they were made for, or with a patch. */
export class Removal {
  /** The edits beside blocks, for people: `remove gb, sites.csv:12`. */
  readonly said: string[] = [];
  readonly #context: Context;
  readonly #rows = new Set<string>();
  readonly #removed: Gone[] = [];
  readonly #gone: { slot: Slot; isInList: boolean; isSection: boolean }[] = [];

  constructor(context: Context) {
    this.#context = context;
  }

  add(...gone: Gone[]): void {
    this.#removed.push(...gone);
  }

  /** Removes all that was added; what stands by itself goes with `finish`. */
  remove(): void {
    for (const one of this.#removed) this.#remove(one);
  }

  #remove({ block, addresses }: Gone): void {
    const home = this.#context.stage === undefined ? this.#context.places.homeOf(block) : undefined;
    if (home?.up && topKeyOf(home) !== 'patches') {
      const isInList = block.block.kind.yaml.manyPerKey === true && isSeq(home.up.node);
      this.#gone.push({ slot: home, isInList, isSection: block.block.kind.key.length === 0 });
      return;
    }
    const { parent } = block.block;
    if (this.#isInGone(block)) return;
    if (this.#context.stage === undefined && this.#context.places.attempt(() => this.#removeRow(block)))
      return;
    const isDropped =
      parent !== undefined &&
      this.#context.places.attempt(() => {
        const address = this.#context.targets.addressFor(block);
        this.#context.patches.drop(
          this.#context.targets.fileFor(block),
          parent.address,
          address.slice(parent.address.length + 1),
        );
      });
    if (!isDropped)
      this.#context.unplaced.push({
        addresses,
        why: 'it is made by a template or `$each`, and neither a row of data nor a patch takes it out',
      });
  }

  /** True for what is in something that goes as well. */
  #isInGone({ block }: ReadBlock): boolean {
    for (let { parent } = block; parent; parent = parent.parent)
      if (this.#removed.some((one) => one.block.block === parent)) return true;
    return false;
  }

  /** The member of the data that a block was made for, if nothing else was that stays. */
  #removeRow(read: ReadBlock): void {
    const going = new Set(this.#removed.map(({ block }) => block.block));
    const [spot] = this.#membersOf(read);
    if (!spot) throw new NotHere();
    const id = `${spot.source.file}:${spot.start}`;
    const isGoing = ({ block }: ReadBlock): boolean => {
      for (let one: typeof block | undefined = block; one; one = one.parent) if (going.has(one)) return true;
      return false;
    };
    const users = this.#context.blocks.filter((one) =>
      spotsIn(one).some(({ source, start }) => `${source.file}:${start}` === id),
    );
    if (!users.every(isGoing)) throw new NotHere();
    if (this.#rows.has(id)) return;
    const file = this.#context.places.fileOf(spot)!;
    const name = this.#takeOut(spot, file);
    this.#rows.add(id);
    const { line } = spot.source.position(spot.start);
    this.said.push(`remove ${name}, ${file.name}:${line}`);
  }

  /** Takes a member of the data out; its name. */
  #takeOut(spot: Spot, file: YamlFile): string {
    if (/\.csv$/i.test(file.path)) {
      const start = file.lineStart(spot.start);
      file.edit(start, file.nextLine(Math.max(start, spot.end - 1)), '');
      return file.text.slice(spot.start, spot.end).split(',')[0]!.trim();
    }
    const slot = this.#context.places.slotAt(spot);
    if (!slot?.up || slot.isShared || !isLiteral(slot.node)) throw new NotHere();
    removeAll([slot], file, slot.up);
    return slot.key ? textOf(slot.key) : file.text.slice(spot.start, spot.end);
  }

  /** The places of the members of data that make up the name of a block. */
  #membersOf({ block: { key } }: ReadBlock): Spot[] {
    return (key?.literals ?? []).filter((spot) => {
      const file = this.#context.places.fileOf(spot);
      if (!file) return false;
      if (/\.csv$/i.test(file.path)) return true;
      const slot = this.#context.places.slotAt(spot);
      const top = slot && topKeyOf(slot);
      return slot?.up !== undefined && (top === 'variables' || !this.#context.places.isPart(file));
    });
  }

  /** Takes away the blocks that are gone, and the lists and sections that hold nothing then. */
  finish(): void {
    const lists = this.#gone.flatMap(({ slot, isInList }) => (isInList ? [slot.up!] : []));
    const alone = new Set(this.#gone.flatMap(({ slot, isSection }) => (isSection ? [slot] : [])));
    const entries = withoutEmptied(
      this.#gone.map(({ slot }) => slot),
      lists,
    );
    const sections = entries.filter((slot) => !alone.has(slot)).map(({ up }) => up!);
    const byHolder = groupBy(withoutEmptied(entries, sections), ({ up }) => up!);
    for (const [up, slots] of byHolder) removeAll(slots, up.file, up);
  }
}

/** The removed addresses, with a holder in place of all its content if none of that stays. */
function withoutEmptied(gone: readonly Slot[], holders: readonly Slot[]): Slot[] {
  const all = new Set(gone);
  const emptied = new Set(holders.filter((holder) => holder.up && isEmptied(holder, all)));
  return [...new Set(gone.map((slot) => (emptied.has(slot.up!) ? slot.up! : slot)))];
}

/** All places that something of a block came from. */
function spotsIn({ block: { key, own } }: ReadBlock): Spot[] {
  const spots: Spot[] = [...(key?.literals ?? [])];
  const add = (node: LaidNode): void => {
    spots.push(node.at);
    if (node.type === 'scalar' || node.type === 'expression') spots.push(...(node.literals ?? []));
    if (node.type === 'list') node.items.forEach(add);
    if (node.type === 'map') for (const { value } of node.entries) add(value);
  };
  for (const { value } of own) add(value);
  return spots;
}

const isEmptied = (up: Slot, gone: ReadonlySet<Slot>): boolean =>
  isSeq(up.node)
    ? itemsIn(up).every((one) => gone.has(one))
    : isMap(up.node) && up.node.items.every(({ key }) => gone.has(entryIn(up, textOf(key as never))!));
