import type { ReadBlock } from '../config/blocks/block.ts';
import type { ConfigurationText } from '../config/configuration.ts';
import type { Written } from '../export/print.ts';
import { escaped } from '../export/write-field.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import type {
  AcceptedChange,
  AcceptedField,
  AcceptedName,
  AcceptedSet,
  AcceptedSplit,
  LeftOut,
  Unplaced,
} from './accepted.ts';
import { CannotEditHere, insertItem } from './edit-collection.ts';
import { InBlocks } from './in-blocks.ts';
import { Patches, PatchTargets } from './patches.ts';
import { Places } from './places.ts';
import { Removal } from './removal.ts';
import { whatToWrite, writeName } from './rename.ts';
import { entryWords, splitEntry } from './split.ts';
import { itemsOf, topKeyOf } from './yaml-file.ts';

/**
 * Puts what is taken over where it stands: a literal in its place, what comes from a template into the block that uses it, everything
 * else into a patch.
 */
export class Placing {
  readonly places: Places;
  readonly unplaced: Unplaced[] = [];
  readonly patches: Patches;
  readonly targets: PatchTargets;
  readonly #inBlocks: InBlocks;
  readonly #removal: Removal;
  readonly #stage: string | undefined;
  readonly #blocks: readonly ReadBlock[];
  readonly #renamed: AcceptedName[] = [];
  /** Names that are not written, and why. */
  readonly unnamed: LeftOut[] = [];

  constructor(written: ConfigurationText, kinds: Kinds) {
    this.places = new Places(written, kinds);
    this.#stage = written.stage;
    this.#blocks = written.blocks;
    this.patches = new Patches(written.stage);
    const { places, patches, unplaced } = this;
    this.targets = new PatchTargets(places, written.blocks, patches);
    this.#inBlocks = new InBlocks(places, written.blocks, this.targets);
    this.#removal = new Removal({ ...written, places, patches, targets: this.targets, unplaced });
  }

  /** The edits beside fields, for people: `remove gb, sites.csv:12`. */
  get said(): readonly string[] {
    return this.#removal.said;
  }

  put(accepted: AcceptedChange): void {
    this.#inBlocks.forgetBesideValues();
    if (accepted.type === 'gone') this.#removal.add(accepted);
    else if (accepted.type === 'set') this.#set(accepted);
    else if (accepted.type === 'split') this.#split(accepted);
    else if (accepted.type === 'renamed') this.#renamed.push(accepted);
    else {
      for (const field of accepted.fields) this.#field(accepted, field);
      this.#inBlocks.writeBesideValues();
    }
  }

  /** All edits are known. */
  finish(): void {
    this.#removal.remove();
    // What is in something else first: its address has the old name of that.
    for (const acceptedName of this.#renamed.sort((a, b) => b.from.length - a.from.length))
      this.#rename(acceptedName);
    this.#inBlocks.writeOver();
    this.#removal.finish();
    this.patches.write();
  }

  /** A set: each member where it stands, or all of them in a patch. */
  #set({ address, addresses, changed, gone, added, allMembers: whole, blocks }: AcceptedSet): void {
    const { block } = blocks[0]!;
    const isPlaced = this.places.attempt(() => {
      for (const one of changed)
        for (const field of one.fields) if (!this.#isInBlock(one.block, field)) throw new CannotEditHere();
      this.#inBlocks.writeBesideValues();
      const homes = blocks.map((block) => this.places.homeOf(block)?.parent);
      const list = homes.at(-1);
      if (this.#stage !== undefined || !list || homes.some((home) => !home || topKeyOf(home) === 'patches'))
        throw new CannotEditHere();
      for (const words of added) insertItem(list, words as Written, itemsOf(list).length - 1);
    });
    if (isPlaced) {
      this.#removal.add(...gone.map((readBlock) => ({ block: readBlock, addresses })));
      return;
    }
    const isPatched = this.places.attempt(() => {
      const parent = block.parent!.address;
      const file = this.targets.fileFor(blocks[0]!);
      this.patches.drop(file, parent, address.slice(parent.length + 1));
      this.patches.set(file, parent, [block.kind.section], whole);
    });
    if (!isPatched)
      this.unplaced.push({
        addresses,
        reason: 'its members can be written neither in place nor as a patch',
      });
  }

  /** The new name where the old one stands, and wherever that is meant; where it does not stand by itself, it is told. */
  #rename(renamed: AcceptedName): void {
    const { block: read, field, from, to } = renamed;
    const isWritten = this.places.attempt(() => {
      const home = this.#stage === undefined ? this.places.homeOf(read) : undefined;
      if (!home || topKeyOf(home) === 'patches') throw new CannotEditHere();
      if (read.block.kind.yaml.mapBy !== field.path[0]) this.#inBlocks.inPlace(read, field);
      writeName(renamed, home, this.places, this.#blocks);
    });
    if (isWritten) this.patches.moves.push({ from, to, by: to });
    else
      this.unnamed.push({
        address: from,
        reason: whatToWrite(renamed, this.places, this.#blocks),
      });
  }

  /** Entries beside the one that all of them were, or, of one that is generated, all of them in a patch. */
  #split({ block: read, addresses, fields, added, allEntries: whole }: AcceptedSplit): void {
    const { kind, parent, key } = read.block;
    const isPlaced = this.places.attempt(() => {
      const home = this.#stage === undefined ? this.places.homeOf(read) : undefined;
      if (!home || topKeyOf(home) === 'patches') throw new CannotEditHere();
      const rows = added.map((one) => entryWords(one, read, home));
      const shorten = () => {
        for (const field of fields)
          if (
            !this.places.attempt(() => this.#inBlocks.inPlace(read, field)) &&
            !this.places.attempt(() => this.#inBlocks.inHome(read, field))
          )
            throw new CannotEditHere();
        this.#inBlocks.writeBesideValues();
      };
      splitEntry(home, shorten, rows);
    });
    if (isPlaced) return;
    const isPatched = this.places.attempt(() => {
      if (!parent || !key || this.targets.hasSiblings(read.block)) throw new CannotEditHere();
      const entries = whole.map((one) => entryWords(one, read, undefined));
      this.patches.set(
        this.targets.fileFor(read),
        parent.address,
        [kind.section, escaped(key.text)],
        entries,
      );
    });
    if (!isPatched)
      this.unplaced.push({
        addresses,
        reason: 'only some targets of this generated entry changed: give those targets their own entry',
      });
  }

  #isInBlock(block: ReadBlock, field: AcceptedField): boolean {
    return (
      this.#stage === undefined &&
      (this.places.attempt(() => this.#inBlocks.inPlace(block, field)) ||
        this.places.attempt(() => this.#inBlocks.inHome(block, field)) ||
        this.places.attempt(() => this.#inBlocks.overTemplate(block, field)))
    );
  }

  #field({ block, addresses }: { block: ReadBlock; addresses: Address[] }, field: AcceptedField): void {
    if (this.#isInBlock(block, field) || this.places.attempt(() => this.targets.put(block, field))) return;
    this.unplaced.push({
      addresses,
      reason: `\`${field.path.join('.')}\` can be written neither in place nor as a patch`,
    });
  }
}
