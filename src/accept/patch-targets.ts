import type { ReadBlock } from '../config/blocks/block.ts';
import { escaped } from '../export/write-field.ts';
import type { Address } from '../model/address.ts';
import { wholeAddress } from '../model/wholes.ts';
import type { AcceptedField } from './accepted.ts';
import { NotHere } from './edit-collection.ts';
import type { Patches } from './patches.ts';
import type { Places } from './places.ts';
import { topKeyOf, type YamlFile } from './yaml-file.ts';

/** Which patch speaks for a block: in what file, and at what address. */
export class PatchTargets {
  readonly #places: Places;
  readonly #blocks: readonly ReadBlock[];
  readonly #patches: Patches;

  constructor(places: Places, blocks: readonly ReadBlock[], patches: Patches) {
    this.#places = places;
    this.#blocks = blocks;
    this.#patches = patches;
  }

  /** Into a patch at exactly this address, over all that is said elsewhere. */
  put(read: ReadBlock, { path, after }: AcceptedField): void {
    if (read.block.kind.shape.merged) throw new NotHere();
    const file = this.fileFor(read, path[0]!);
    const address = this.addressFor(read);
    if (after === undefined) {
      if (!path.every((name) => /^[\w.-]+$/.test(name))) throw new NotHere();
      this.#patches.drop(file, address, path.join('/'));
    } else this.#patches.set(file, address, path.map(escaped), after);
  }

  /** The file for a patch: that of the block, or that of the patch which says it now. */
  fileFor(read: ReadBlock, name?: string): YamlFile {
    const entry = read.block.own.find(({ key }) => key.text === name);
    const from = entry && this.#places.slotAt(entry.key.at);
    const spots = [
      ...(from && topKeyOf(from) === 'patches' ? [entry.key.at] : []),
      read.block.key?.at ?? read.block.at,
      read.block.at,
    ];
    const home = this.#places.homeOf(read);
    const files = [
      ...(from && topKeyOf(from) === 'patches' ? [from.file] : []),
      ...(home ? [home.file] : []),
      ...spots.flatMap((spot) => this.#places.fileOf(spot) ?? []),
      ...this.#places.files,
    ];
    const file = files.find(({ roots }) => roots.length > 0);
    if (!file) throw new NotHere();
    return file;
  }

  /** The address of all that an entry stands for. */
  addressFor({ block, units }: ReadBlock): Address {
    const [first, ...others] = units.map(({ address }) => address);
    if (!block.kind.shape.byAddress || first === undefined) return first ?? block.address;
    const whole = wholeAddress(first);
    // The only entry of its name is meant by that.
    if (!this.hasSiblings(block)) return whole;
    const places = [first, ...others].map((address) => address.slice(address.lastIndexOf('@') + 1));
    if (places.length === 1) return first;
    return `${first.slice(0, first.lastIndexOf('@'))}@{${places.join(',')}}`;
  }

  /** True if there are several entries of one name. */
  hasSiblings = ({ kind, key, parent }: ReadBlock['block']): boolean =>
    this.#blocks.filter(
      ({ block: one }) => one.kind === kind && one.parent === parent && one.key?.text === key?.text,
    ).length > 1;
}
