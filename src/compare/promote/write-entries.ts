import { findEditedFiles } from '../../accept/accept.ts';
import type { AcceptedChange } from '../../accept/acceptance.ts';
import { ChangeWriter } from '../../accept/change-writer.ts';
import { composeEntry } from '../../accept/compose-entry.ts';
import { CannotEditHere } from '../../accept/edit-yaml.ts';
import type { ConfigurationText } from '../../config/configuration.ts';
import { type Address, isWithin } from '../../model/address.ts';
import { addressWithoutTarget } from '../../model/logical-changes.ts';
import type { ComparedObject } from '../compared-side.ts';
import { toBlockChanges } from './block-changes.ts';
import { CannotPromote } from './copy-value.ts';
import { declareObjects } from './new-blocks.ts';
import type { PromotedEntry, PromotionState } from './promotion-state.ts';
import type { CandidateEdit } from './stage-edits.ts';

/** How entries are written: where their values are written now, or into patches. */
export type WritingWay = 'in place' | 'patch';

/**
 * Returns the edit that writes entries where their values are written now, or into patches, which are for the stage of B if it has one.
 * Returns undefined if one of them cannot be written in this way, and the reason in `state.why` if the user should know it.
 */
export function writeEntries(
  entries: readonly PromotedEntry[],
  state: PromotionState,
  way: WritingWay,
): CandidateEdit | undefined {
  const written = state.progress.configuration.written();
  const isStaged = written.stage !== undefined;
  // With a stage, the writer edits no text of a block, because that is for all stages. Here the proof decides whether that does harm.
  const stage = way === 'patch' ? written.stage : undefined;
  const { onlyInA, b } = state.progress.comparison;
  const writer = new ChangeWriter({ ...written, stage }, state.sides.kinds);
  const writing: EntryWriting = {
    state,
    written: { ...written, stage },
    writer,
    way,
    chosen: onlyInA.filter(({ address }) => state.isChosen(address)),
    namesInB: new Set([...b.objects.keys()].map(addressWithoutTarget)),
  };
  try {
    for (const entry of entries) writeEntry(entry, writing);
  } catch (error) {
    if (error instanceof CannotPromote) state.why = error.message;
    // If only the text of an entry cannot be edited, another way of writing is tried, so there is no reason for the user yet.
    else if (!(error instanceof CannotEditHere)) throw error;
    return undefined;
  }
  writer.finish();
  const [unplaced] = writer.unplaced;
  if (unplaced) state.why = unplaced.reason;
  // Without a stage, the writer adds patches for all stages, and the patches of the other way are for one.
  const hasPatchForAllStages = way === 'in place' && isStaged && writer.patches.addresses().length > 0;
  const files = findEditedFiles(writer.slots.files);
  // Without an id, so that the edit is tried again after others.
  return unplaced || hasPatchForAllStages || files.length === 0 ? undefined : { id: '', files };
}

interface EntryWriting {
  state: PromotionState;
  written: ConfigurationText;
  writer: ChangeWriter;
  way: WritingWay;
  /** The chosen objects that B lacks. */
  chosen: readonly ComparedObject[];
  /** The addresses of all objects of B, without targets. */
  namesInB: ReadonlySet<Address>;
}

/**
 * Writes one entry of side A (an object, or all targets of a variable) into the YAML of side B, for `trueup diff --promote`: changes the
 * blocks of objects that B has, or declares new ones, with the objects in them. Throws `CannotPromote` or `CannotEditHere` if it cannot be
 * written in this way.
 */
function writeEntry(entry: PromotedEntry, writing: EntryWriting): void {
  const { state, written, writer, way, chosen, namesInB } = writing;
  const { progress } = state;
  const { kinds } = state.sides;
  // B has the object or, of a variable, other targets.
  const isInB = entry.pairs.length > 0 || namesInB.has(progress.toB(entry.address));
  if (isInB) {
    for (const change of toBlockChanges(entry, progress, kinds))
      if (way === 'patch') writeAsPatch(change, writer);
      else writer.write(change);
    return;
  }
  // The new block of an object declares those inside it as well.
  const isInNewObject = chosen.some(
    ({ address }) => address !== entry.address && isWithin(entry.address, address),
  );
  if (!isInNewObject) declareObjects(entry.added, chosen, { ...progress, written, kinds, writer });
}

/**
 * Writes a change of fields, or the split of an entry, into a patch (an entry of `patches:`), even if it could be written elsewhere.
 * `trueup diff --promote` does that for a value that is only for one stage. The writer of `accept` chooses the place of other changes.
 * Throws `CannotEditHere` if a patch cannot express it.
 */
function writeAsPatch(change: AcceptedChange, writer: ChangeWriter): void {
  const { patches, targets } = writer;
  if (change.type === 'fields') for (const field of change.fields) targets.setField(change.block, field);
  else if (change.type === 'split') {
    const { kind, parent, key } = change.block.block;
    // `$drop` names an entry by a plain key, and would also drop other entries with that key.
    if (!parent || !key || !/^[\w-]+$/.test(key.text) || targets.hasSiblings(change.block.block))
      throw new CannotEditHere();
    const file = targets.fileFor(change.block);
    const entries = change.allEntries.map((values) =>
      composeEntry(values, { loaded: change.block, slot: undefined, newAddressOf: (address) => address }),
    );
    // The new entries would inherit fields that they do not state from an old one with the same key.
    patches.addDrop(file, parent.address, `${kind.section}/${key.text}`);
    patches.setField(file, parent.address, [kind.section, key.text], entries);
  } else writer.write(change);
}
