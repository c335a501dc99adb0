import type { ReadBlock } from '../config/blocks/block.ts';
import type { ConfigurationText } from '../config/configuration.ts';
import type { YamlValue } from '../export/print.ts';
import { escapeExpressions } from '../export/write-field.ts';
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
} from './accepted-change.ts';
import { BlockRemover } from './block-remover.ts';
import { CannotEditHere, insertItem } from './edit-collection.ts';
import { FieldWriter } from './field-writer.ts';
import { PatchCollector, PatchTargets } from './patches.ts';
import { SlotIndex } from './slot-index.ts';
import { composeEntry, splitEntry } from './split-entry.ts';
import { explainManualRename, writeNewName } from './write-new-name.ts';
import { itemsOf, topKeyOf } from './yaml-file.ts';

/**
 * Puts what is taken over where it stands: a literal in its place, what comes from a template into the block that uses it, everything
 * else into a patch.
 */
export class ChangeWriter {
  readonly slots: SlotIndex;
  readonly unplaced: Unplaced[] = [];
  readonly patches: PatchCollector;
  readonly targets: PatchTargets;
  readonly #inBlocks: FieldWriter;
  readonly #removal: BlockRemover;
  readonly #stage: string | undefined;
  readonly #blocks: readonly ReadBlock[];
  readonly #renamed: AcceptedName[] = [];
  /** Names that are not written, and why. */
  readonly notRenamed: LeftOut[] = [];

  constructor(written: ConfigurationText, kinds: Kinds) {
    this.slots = new SlotIndex(written, kinds);
    this.#stage = written.stage;
    this.#blocks = written.blocks;
    this.patches = new PatchCollector(written.stage);
    const { slots: places, patches, unplaced } = this;
    this.targets = new PatchTargets(places, written.blocks, patches);
    this.#inBlocks = new FieldWriter(places, written.blocks, this.targets);
    this.#removal = new BlockRemover({ ...written, places, patches, targets: this.targets, unplaced });
  }

  /** The edits beside fields, for people: `remove gb, sites.csv:12`. */
  get said(): readonly string[] {
    return this.#removal.removedRows;
  }

  write(accepted: AcceptedChange): void {
    this.#inBlocks.discardPendingExpansions();
    if (accepted.type === 'gone') this.#removal.add(accepted);
    else if (accepted.type === 'set') this.#set(accepted);
    else if (accepted.type === 'split') this.#split(accepted);
    else if (accepted.type === 'renamed') this.#renamed.push(accepted);
    else {
      for (const field of accepted.fields) this.#field(accepted, field);
      this.#inBlocks.expandShorthands();
    }
  }

  /** All edits are known. */
  finish(): void {
    this.#removal.removeGeneratedBlocks();
    // What is in something else first: its address has the old name of that.
    for (const acceptedName of this.#renamed.sort((a, b) => b.from.length - a.from.length))
      this.#rename(acceptedName);
    this.#inBlocks.writeOverrides();
    this.#removal.removeWrittenBlocks();
    this.patches.write();
  }

  /** A set: each member where it stands, or all of them in a patch. */
  #set({ address, addresses, changed, gone, added, allMembers: whole, blocks }: AcceptedSet): void {
    const { block } = blocks[0]!;
    const isPlaced = this.slots.attempt(() => {
      for (const one of changed)
        for (const field of one.fields) if (!this.#isInBlock(one.block, field)) throw new CannotEditHere();
      this.#inBlocks.expandShorthands();
      const homes = blocks.map((block) => this.slots.findBlockSlot(block)?.parent);
      const list = homes.at(-1);
      if (this.#stage !== undefined || !list || homes.some((home) => !home || topKeyOf(home) === 'patches'))
        throw new CannotEditHere();
      for (const words of added) insertItem(list, words as YamlValue, itemsOf(list).length - 1);
    });
    if (isPlaced) {
      this.#removal.add(...gone.map((readBlock) => ({ block: readBlock, addresses })));
      return;
    }
    const isPatched = this.slots.attempt(() => {
      const parent = block.parent!.address;
      const file = this.targets.fileFor(blocks[0]!);
      this.patches.addDrop(file, parent, address.slice(parent.length + 1));
      this.patches.setField(file, parent, [block.kind.section], whole);
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
    const isWritten = this.slots.attempt(() => {
      const home = this.#stage === undefined ? this.slots.findBlockSlot(read) : undefined;
      if (!home || topKeyOf(home) === 'patches') throw new CannotEditHere();
      if (read.block.kind.yaml.mapBy !== field.path[0]) this.#inBlocks.writeInPlace(read, field);
      writeNewName(renamed, home, this.slots, this.#blocks);
    });
    if (isWritten) this.patches.moves.push({ from, to, renamedBy: to });
    else
      this.notRenamed.push({
        address: from,
        reason: explainManualRename(renamed, this.slots, this.#blocks),
      });
  }

  /** Entries beside the one that all of them were, or, of one that is generated, all of them in a patch. */
  #split({ block: read, addresses, fields, added, allEntries: whole }: AcceptedSplit): void {
    const { kind, parent, key } = read.block;
    const isPlaced = this.slots.attempt(() => {
      const home = this.#stage === undefined ? this.slots.findBlockSlot(read) : undefined;
      if (!home || topKeyOf(home) === 'patches') throw new CannotEditHere();
      const rows = added.map((one) => composeEntry(one, read, home));
      const shorten = () => {
        for (const field of fields)
          if (
            !this.slots.attempt(() => this.#inBlocks.writeInPlace(read, field)) &&
            !this.slots.attempt(() => this.#inBlocks.writeInBlock(read, field))
          )
            throw new CannotEditHere();
        this.#inBlocks.expandShorthands();
      };
      splitEntry(home, shorten, rows);
    });
    if (isPlaced) return;
    const isPatched = this.slots.attempt(() => {
      if (!parent || !key || this.targets.hasSiblings(read.block)) throw new CannotEditHere();
      const entries = whole.map((one) => composeEntry(one, read, undefined));
      this.patches.setField(
        this.targets.fileFor(read),
        parent.address,
        [kind.section, escapeExpressions(key.text)],
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
      (this.slots.attempt(() => this.#inBlocks.writeInPlace(block, field)) ||
        this.slots.attempt(() => this.#inBlocks.writeInBlock(block, field)) ||
        this.slots.attempt(() => this.#inBlocks.collectOverride(block, field)))
    );
  }

  #field({ block, addresses }: { block: ReadBlock; addresses: Address[] }, field: AcceptedField): void {
    if (this.#isInBlock(block, field) || this.slots.attempt(() => this.targets.setField(block, field)))
      return;
    this.unplaced.push({
      addresses,
      reason: `\`${field.path.join('.')}\` can be written neither in place nor as a patch`,
    });
  }
}
