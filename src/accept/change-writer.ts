import type { LoadedBlock } from '../config/blocks/block.ts';
import type { ConfigurationText } from '../config/configuration.ts';
import { escapeExpressions } from '../config/expressions/parse-expressions.ts';
import type { YamlValue } from '../export/print-yaml.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import { addressAfter, type Move } from '../model/move.ts';
import { pathOfNames } from '../model/value.ts';
import type {
  AcceptedChange,
  AcceptedField,
  AcceptedName,
  AcceptedSet,
  AcceptedSplit,
  LeftOut,
  Unplaced,
} from './acceptance.ts';
import { BlockRemover } from './block-remover.ts';
import { composeEntry } from './compose-entry.ts';
import { CannotEditHere, insertItem } from './edit-yaml.ts';
import { FieldWriter } from './field-writer.ts';
import type { RefusedOrigins } from './origin-edit.ts';
import { OriginWriter } from './origin-writer.ts';
import { PatchCollector, PatchTargets } from './patches.ts';
import { SlotIndex } from './slot-index.ts';
import { splitEntry } from './split-entry.ts';
import { explainManualRename, renameInEntry, writeAddresses, writeNewName } from './write-new-names.ts';
import { itemSlotsOf, type Slot, topKeyOf } from './yaml-file.ts';

interface WriterOptions {
  renames?: readonly Move[];
  refused?: RefusedOrigins;
  cutsPatches?: boolean;
}

/**
 * Writes accepted changes into the texts of the configuration's files, in memory. Each change is written in the first way that fits:
 *
 *   1. where the value is written now,
 *   2. where its data is, such as a cell of a CSV file, if nothing else uses it,
 *   3. in the block, over a value that comes from a template,
 *   4. in a patch (an entry of `patches:`), which overrides everything else.
 *
 * With a stage (`--stage`), only the variables of this stage and a patch for it may be written, because a block is for all stages.
 */
export class ChangeWriter {
  readonly slots: SlotIndex;
  readonly patches: PatchCollector;
  readonly targets: PatchTargets;
  readonly origins: OriginWriter;
  /** Changes that fit nowhere. */
  readonly unplaced: Unplaced[] = [];
  /** Renamed objects whose new name has to be written by hand, and how. */
  readonly notRenamed: LeftOut[] = [];
  readonly #fieldWriter: FieldWriter;
  readonly #remover: BlockRemover;
  readonly #stage: string | undefined;
  readonly #blocks: readonly LoadedBlock[];
  readonly #renamed: AcceptedName[] = [];
  readonly #newAddressOf: (address: Address) => Address;

  /**
   * Creates the writer that edits a configuration so that it declares other values or objects: for `accept`, `diff --promote` and the
   * removal of blocks. It tries to edit a value where it is written, then its data, then the block, and finally a patch (an entry of
   * `patches:`), and collects all edits until the end. `renames`: the renames that will be accepted, for copies of texts that name these
   * objects. `refused`: edits of data that must not be made, with the reasons. `cutsPatches`: true if blocks in `patches:` may be cut from
   * the file, too.
   */
  constructor(
    written: ConfigurationText,
    kinds: Kinds,
    { renames = [], refused = new Map(), cutsPatches }: WriterOptions = {},
  ) {
    const { stage, blocks } = written;
    this.#newAddressOf = (address) => addressAfter(address, renames);
    this.#stage = stage;
    this.#blocks = blocks;
    this.slots = new SlotIndex(written, kinds);
    this.patches = new PatchCollector(stage);
    this.targets = new PatchTargets(this.slots, blocks, this.patches);
    this.#fieldWriter = new FieldWriter(this.slots, blocks, this.targets);
    const { slots, patches, targets, unplaced } = this;
    this.origins = new OriginWriter({ slots, blocks, stage, refused });
    this.#remover = new BlockRemover({
      stage,
      blocks,
      slots,
      patches,
      targets,
      unplaced,
      refused,
      cutsPatches,
    });
  }

  /** The removed rows of data files, for people: `removes the entry gb, sites.csv:12`. */
  get removedRows(): readonly string[] {
    return this.#remover.removedRows;
  }

  /** Why data stays as it is although accepted changes concern it, for people. */
  get originNotes(): readonly { address: Address; text: string }[] {
    return [...this.origins.notes, ...this.#remover.notes];
  }

  /**
   * Finds the row of data from which `$each` makes a block, with the blocks made from it that are not removed; see `BlockRemover.findRow`.
   */
  findRow = (block: LoadedBlock): ReturnType<BlockRemover['findRow']> => this.#remover.findRow(block);

  /**
   * Writes a change of the account into the configuration, for `accept`. Removals, renames, overrides of templates and patches are only
   * collected until `finish`, because how they are edited depends on the other changes.
   */
  write(change: AcceptedChange): void {
    // The last change may have collected some, and then its edits were taken back.
    this.#fieldWriter.discardPendingExpansions();
    if (change.type === 'deleted') this.#remover.add(change);
    else if (change.type === 'set') this.#writeSet(change);
    else if (change.type === 'split') this.#writeSplit(change);
    else if (change.type === 'renamed') this.#renamed.push(change);
    else {
      for (const field of change.fields) this.#writeField(change, field);
      this.#fieldWriter.expandShorthands();
    }
  }

  /**
   * Makes the edits that `write` has only collected, for `accept`: removals, renames, entries that override a template, and patches. Called
   * once, after all calls of `write`, because these edits depend on the other changes: a section goes only if everything in it goes.
   */
  finish(): void {
    this.#remover.removeGeneratedBlocks();
    this.#writeNames();
    this.#writeOverrides();
    this.#remover.removeWrittenBlocks();
    this.#writePatches();
  }

  /**
   * Writes the accepted new names of objects that were renamed outside: into their blocks, and into the addresses elsewhere in the
   * configuration that contain them.
   */
  #writeNames(): void {
    // The address of a child contains the old name of its parent, so children are renamed first.
    const childrenFirst = this.#renamed.sort((a, b) => b.from.length - a.from.length);
    for (const change of childrenFirst) this.#writeName(change);
    writeAddresses(this.slots, this.patches.moves);
  }

  /**
   * Writes the entries that override values of templates with accepted ones. If the text cannot be edited, reports all of them as unplaced,
   * and `accept` asks the user to edit them by hand.
   */
  #writeOverrides(): void {
    if (!this.slots.attempt(() => this.#fieldWriter.writeOverrides()))
      this.unplaced.push({
        addresses: this.#fieldWriter.overriddenAddresses,
        reason: 'its block cannot get entries that override its template',
      });
  }

  /**
   * Writes the patches (entries of `patches:`) of the changes that fit nowhere else. If `patches:` cannot be edited, reports all of them as
   * unplaced, so that `accept`, for example, asks the user to edit them by hand.
   */
  #writePatches(): void {
    if (!this.slots.attempt(() => this.patches.write()))
      this.unplaced.push({
        addresses: this.patches.addresses(),
        reason: '`patches:` cannot get new entries',
      });
  }

  /**
   * Writes the accepted members of a set (one resource that several blocks declare together, such as the DNS records of one name) into the
   * YAML: each in its block, else all of them in a patch that replaces the set. Reports it as unplaced if neither is possible.
   */
  #writeSet(change: AcceptedSet): void {
    const { addresses, removed } = change;
    if (this.slots.attempt(() => this.#writeSetInBlocks(change))) {
      this.#remover.add(...removed.map((block) => ({ block, addresses })));
      return;
    }
    if (!this.slots.attempt(() => this.#writeSetAsPatch(change)))
      this.unplaced.push({
        addresses,
        reason: 'its members can be written neither in place nor as a patch',
      });
  }

  /**
   * Writes the changed fields of a set's members into their blocks, and inserts members that were added outside into the list of the last
   * block. Throws `CannotEditHere` if the text cannot be edited; then `accept` adds a patch.
   */
  #writeSetInBlocks({ changed, added, blocks }: AcceptedSet): void {
    for (const { block, fields } of changed)
      for (const field of fields) if (!this.#writeFieldInBlock(block, field)) throw new CannotEditHere();
    this.#fieldWriter.expandShorthands();
    if (added.length === 0) return;
    const slots = blocks.map((block) => this.#blockSlot(block));
    const list = slots.at(-1)?.parent;
    if (!list || slots.some(({ parent }) => !parent)) throw new CannotEditHere();
    for (const member of added) insertItem(list, member as YamlValue, itemSlotsOf(list).length - 1);
  }

  /**
   * Adds a patch (an entry of `patches:`) that drops all members of a set, such as the DNS records of one
   * name, and declares the new ones. Used if the blocks of the members cannot be edited. A patch cannot
   * change single members, because they have no names.
   */
  #writeSetAsPatch({ address, allMembers, blocks }: AcceptedSet): void {
    const { block } = blocks[0]!;
    const parent = block.parent!.address;
    const file = this.targets.fileFor(blocks[0]!);
    // All members have the address of the set, so one `$drop` is for all.
    this.patches.addDrop(file, parent, address.slice(parent.length + 1));
    for (const member of allMembers) this.patches.addItem(file, parent, block.kind.section, member);
  }

  /**
   * Writes the new name of an object that was renamed in the account into its block and into all references to
   * it. If one of them is an expression, it reports what to write by hand, because a wrong edit would break the
   * configuration.
   */
  #writeName(change: AcceptedName): void {
    const { block, field, from, to } = change;
    const isWritten = this.slots.attempt(() => {
      const slot = this.#blockSlot(block);
      // A name that is the key of the block is written by `writeNewName`; any other name is a field.
      if (block.block.kind.yaml.mapBy !== field.path[0]) this.#fieldWriter.writeInPlace(block, field);
      writeNewName(change, slot, this.slots, this.#blocks);
    });
    if (isWritten) this.patches.moves.push({ from, to, renamedBy: to });
    else
      this.notRenamed.push({
        address: from,
        reason: explainManualRename(change, this.slots, this.#blocks),
      });
  }

  /**
   * Splits an entry of the configuration for several targets into several ones, because the account now has different values for them.
   * Writes the new entries beside it or, if a template makes it, all entries in a patch (an entry of `patches:`, which overrides blocks).
   * Reports it as unplaced if neither is possible, so that the user edits it by hand.
   */
  #writeSplit(change: AcceptedSplit): void {
    if (this.slots.attempt(() => this.#splitInBlock(change))) return;
    if (!this.slots.attempt(() => this.#splitInPatch(change)))
      this.unplaced.push({
        addresses: change.addresses,
        reason: 'only some targets of this generated entry changed: give those targets their own entry',
      });
  }

  /**
   * Writes new entries beside an entry for several targets, such as those of a variable, because its targets
   * now have different values in the account. Throws `CannotEditHere` if the old entry has no text of its
   * own; then `accept` adds a patch.
   */
  #splitInBlock({ block, fields, added }: AcceptedSplit): void {
    const slot = this.#blockSlot(block);
    const newAddressOf = this.#newAddressOf;
    const newEntries = added.map((values) => composeEntry(values, { loaded: block, slot, newAddressOf }));
    const editOldEntry = () => {
      for (const field of fields) {
        const isWritten =
          this.slots.attempt(() => this.#fieldWriter.writeInPlace(block, field)) ||
          this.slots.attempt(() => this.#fieldWriter.writeInBlock(block, field));
        if (!isWritten) throw new CannotEditHere();
      }
      // `splitEntry` can replace the text of the entry as a whole, and the edits of all renames at the end (`#writeNames`) do not reach it.
      renameInEntry(block, slot, this.slots, newAddressOf);
      this.#fieldWriter.expandShorthands();
    };
    // Runs `editOldEntry`, and moves its edits along if the entry becomes an item of a list.
    splitEntry(slot, editOldEntry, newEntries);
  }

  /**
   * Adds a patch (an entry of `patches:`) with all entries that `accept` splits an entry for several targets
   * into, if its own text cannot be edited. Throws `CannotEditHere` if other entries have the same key, which
   * the patch would replace.
   */
  #splitInPatch({ block: loaded, allEntries }: AcceptedSplit): void {
    const { kind, parent, key } = loaded.block;
    if (!parent || !key || this.targets.hasSiblings(loaded.block)) throw new CannotEditHere();
    const newAddressOf = this.#newAddressOf;
    const entries = allEntries.map((values) =>
      composeEntry(values, { loaded, slot: undefined, newAddressOf }),
    );
    const path = [kind.section, escapeExpressions(key.text)];
    this.patches.setField(this.targets.fileFor(loaded), parent.address, path, entries);
  }

  /**
   * Returns the slot (place in a YAML file) where `accept` can edit a block. Throws `CannotEditHere` if the block is a patch (an entry of
   * `patches:`) or has no text of its own, and with `--stage`, because the text also counts for other stages.
   */
  #blockSlot(block: LoadedBlock): Slot {
    const slot = this.#stage === undefined ? this.slots.findBlockSlot(block) : undefined;
    if (!slot || topKeyOf(slot) === 'patches') throw new CannotEditHere();
    return slot;
  }

  /**
   * Writes an accepted field into the YAML in one of the ways that need no patch: where it is written, where
   * its data is, in its block, or as an override of a template. Returns false, without edits, if none fits;
   * then the caller adds a patch. With `--stage`, only data is written, because the text of a block is for
   * all stages.
   */
  #writeFieldInBlock(block: LoadedBlock, field: AcceptedField): boolean {
    const isForAllStages = this.#stage === undefined;
    const tryInText = (edit: () => void) => isForAllStages && this.slots.attempt(edit);
    return (
      tryInText(() => this.#fieldWriter.writeInPlace(block, field)) ||
      this.origins.write(block, field) ||
      tryInText(() => this.#fieldWriter.writeInBlock(block, field)) ||
      tryInText(() => this.#fieldWriter.collectOverride(block, field))
    );
  }

  /**
   * Writes an accepted field into the YAML in the first way that fits, else reports it as unplaced. `accept` writes nothing to disk if a
   * change is unplaced.
   */
  #writeField(
    { block, addresses }: { block: LoadedBlock; addresses: Address[] },
    field: AcceptedField,
  ): void {
    if (this.#writeFieldInBlock(block, field)) return;
    if (this.slots.attempt(() => this.targets.setField(block, field))) return;
    this.unplaced.push({
      addresses,
      reason: `\`${pathOfNames(field.path)}\` can be written neither in place nor as a patch`,
    });
  }
}
