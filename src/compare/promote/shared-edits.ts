import { findEditedFiles } from '../../accept/accept.ts';
import type { AcceptedField } from '../../accept/acceptance.ts';
import { editValue } from '../../accept/edit-value.ts';
import { CannotEditHere, removeSlots } from '../../accept/edit-yaml.ts';
import { SlotIndex } from '../../accept/slot-index.ts';
import type { Slot } from '../../accept/yaml-file.ts';
import type { LoadedBlock } from '../../config/blocks/block.ts';
import { isShorthandEntry } from '../../config/blocks/section-entries.ts';
import type { Spot } from '../../config/yaml/source.ts';
import { toBlockChanges } from './block-changes.ts';
import { CannotPromote } from './copy-value.ts';
import type { PromotedEntry, PromotionState } from './promotion-state.ts';
import type { CandidateEdit } from './stage-edits.ts';

/**
 * Returns the edits that write the values of side A where those of side B are written, even if such a text makes values of several objects,
 * as a patch of `projects/site-*` does. If all of these objects are promoted by `trueup diff --promote`, one edit serves all of them. Each
 * edit is proved later, and dropped if it changes other objects. Empty if a value cannot be copied (`CannotPromote`).
 */
export function findSharedEdits(entry: PromotedEntry, state: PromotionState): CandidateEdit[] {
  const { configuration } = state.progress;
  const { kinds } = state.sides;
  const written = configuration.written();
  try {
    const changes = entry.pairs.length > 0 ? toBlockChanges(entry, state.progress, kinds) : [];
    // Each edit is proved alone, so each has its own index, which collects the edits.
    const createIndex = () => new SlotIndex(written, kinds);
    return changes.flatMap((change) => {
      if (change.type !== 'fields') return [];
      return change.fields.flatMap((field) => editWhereWritten(change.block, field, createIndex) ?? []);
    });
  } catch (error) {
    if (!(error instanceof CannotPromote)) throw error;
    return [];
  }
}

/**
 * Returns the edit with which `trueup diff --promote` writes the new value of a field where its value is written now, or removes it if
 * there is no new value. `createIndex`: reads the files again, without the edits of other candidates. Undefined if no text can be edited
 * so, or if the field is a member of another one.
 */
function editWhereWritten(
  { block }: LoadedBlock,
  { path, before, after, isUnordered }: AcceptedField,
  createIndex: () => SlotIndex,
): CandidateEdit | undefined {
  const fieldEntry = block.fieldEntries.find(({ key }) => key.text === path[0]);
  if (!fieldEntry || path.length > 1) return undefined;
  const index = createIndex();
  const { key, value } = fieldEntry;
  const isShorthand = isShorthandEntry(fieldEntry);
  const slot = isShorthand ? findValueSlot(index, value.at) : index.slotAt(key.at);
  if (!slot || slot.isShared) return undefined;
  const isWritten = index.attempt(() => {
    if (after !== undefined) editValue(slot, value, { before, after, isUnordered });
    else if (isShorthand) throw new CannotEditHere();
    else removeSlots([slot], slot.file, slot.parent!);
  });
  // Equal for other objects whose value comes from the same text, so that their common edit is tried once.
  const id = `value ${slot.file.name}:${slot.key?.range?.[0]} ${JSON.stringify(after)}`;
  return isWritten ? { id, files: findEditedFiles(index.files) } : undefined;
}

/**
 * Finds the slot (place that can be edited) of a value that begins at a spot, for a block written as a shorthand (`LOG_LEVEL: info`). A
 * shorthand has no key for its field, and the key of its block may be in another layer, such as a template.
 */
const findValueSlot = (index: SlotIndex, spot: Spot): Slot | undefined =>
  index
    .fileOf(spot)
    ?.slots()
    .find(({ node }) => node?.range?.[0] === spot.start);
