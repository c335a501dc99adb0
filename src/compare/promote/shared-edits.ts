import { findEditedFiles } from '../../accept/accept.ts';
import { editValue } from '../../accept/edit-value.ts';
import { CannotEditHere, removeSlots } from '../../accept/edit-yaml.ts';
import { SlotIndex } from '../../accept/slot-index.ts';
import type { Slot } from '../../accept/yaml-file.ts';
import type { Spot } from '../../config/yaml/source.ts';
import { toBlockChanges } from './block-changes.ts';
import { CannotPromote } from './copy-value.ts';
import type { PromotedEntry, PromotionState } from './promotion-state.ts';
import type { CandidateEdit } from './stage-edits.ts';

/**
 * Returns the edits that change a value of B in a text that makes it for several objects, such as a patch of `projects/site-*` for one stage. If
 * all of these objects are promoted, one edit serves all of them; the proof rejects any other.
 */
export function findSharedEdits(entry: PromotedEntry, state: PromotionState): CandidateEdit[] {
  const { configuration } = state.progress;
  const { kinds } = state.sides;
  const written = configuration.written();
  try {
    const changes = entry.pairs.length > 0 ? toBlockChanges(entry, state.progress, kinds) : [];
    return changes.flatMap((change) => {
      if (change.type !== 'fields') return [];
      const { block, fields } = change;
      return fields.flatMap(({ path, before, after, isUnordered }): CandidateEdit[] => {
        const read = block.block.fieldEntries.find(({ key }) => key.text === path[0]);
        if (!read || path.length > 1) return [];
        const isShorthand = read.key.at === read.value.at;
        const index = new SlotIndex(written, kinds);
        const slot = isShorthand ? findValueSlot(index, read.value.at) : index.slotAt(read.key.at);
        if (!slot || slot.isShared) return [];
        const isWritten = index.attempt(() => {
          if (after !== undefined) editValue(slot, read.value, { before, after, isUnordered });
          else if (isShorthand) throw new CannotEditHere();
          else removeSlots([slot], slot.file, slot.parent!);
        });
        const id = `value ${slot.file.name}:${slot.key?.range?.[0]} ${JSON.stringify(after)}`;
        return isWritten ? [{ id, files: findEditedFiles(index.files) }] : [];
      });
    });
  } catch (error) {
    if (!(error instanceof CannotPromote)) throw error;
    return [];
  }
}

/** Finds the slot of a value that begins at a spot. A shorthand has no key for its field, and the key of its block may be in another layer. */
const findValueSlot = (index: SlotIndex, spot: Spot): Slot | undefined =>
  index
    .fileOf(spot)
    ?.slots()
    .find(({ node }) => node?.range?.[0] === spot.start);
