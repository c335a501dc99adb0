import { isMap, isScalar, isSeq, type Scalar } from 'yaml';
import { removeSlots } from '../accept/edit-yaml.ts';
import type { SlotIndex } from '../accept/slot-index.ts';
import { slotText } from '../accept/write-new-names.ts';
import { endOffsetOf, findEntry, itemSlotsOf, type Slot, scalarText } from '../accept/yaml-file.ts';
import { type Address, isWithinAny } from '../model/address.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';

/**
 * Removes the patches (entries of `patches:`) that change only removed objects, for `trueup remove`. Without these objects they would be
 * errors, because there is nothing at their `$at`, or they have lost their whole content. A list that loses all its patches is removed with
 * its key. Patches with a glob stay, because they may also be about other objects. Called after all other edits, because these can add
 * patches. `declared`: the addresses of all objects before the removal.
 */
export function removePatchesOf(
  slots: SlotIndex,
  removed: ReadonlySet<Address>,
  declared: Iterable<Address>,
): void {
  const remaining = new Set(
    [...declared].filter((address) => !removed.has(address)).map(addressWithoutTarget),
  );
  // An address without target names an object in all its targets, so it is removed if none of these remains.
  const withoutTargets = new Set(
    [...removed].map(addressWithoutTarget).filter((address) => !remaining.has(address)),
  );
  const isRemoved = (patch: Slot): boolean => {
    if (isEmptied(patch)) return true;
    const address = findEntry(patch, '$at');
    if (!address || !isScalar(address.node)) return false;
    const text = slotText(address);
    return isWithinAny(text, removed) || isWithinAny(text, withoutTargets);
  };
  const roots = slots.files.flatMap((file) => file.roots);
  for (const root of roots) removePatchesIn(slots, root, isRemoved);
}

/** Removes the patches of one map for which `isRemoved` is true: the whole key `patches` if none is left. */
function removePatchesIn(slots: SlotIndex, root: Slot, isRemoved: (patch: Slot) => boolean): void {
  const { file } = root;
  const list = findEntry(root, 'patches');
  if (!list || !isSeq(list.node)) return;
  const items = itemSlotsOf(list);
  const removedItems = items.filter(isRemoved);
  if (removedItems.length === 0) return;
  const losesAll = removedItems.length === items.length && file.newMembersOf(list.node).length === 0;
  // A patch that shares its line with other text stays, and is reported as a mention.
  slots.attempt(() => (losesAll ? removeSlots([list], file, root) : removeSlots(removedItems, file, list)));
}

/** True if the edits remove all entries of a patch that change something, so that only its address and its condition are left. */
function isEmptied(patch: Slot): boolean {
  const { file, node } = patch;
  if (!isMap(node)) return false;
  const entries = node.items.flatMap(({ key }) => findEntry(patch, scalarText(key as Scalar)) ?? []);
  const changing = entries.filter(({ key }) => !['$at', '$when'].includes(scalarText(key!)));
  const isCut = (entry: Slot): boolean => {
    const [start, end] = [entry.key!.range![0], endOffsetOf(entry)];
    return file.edits.some((edit) => edit.text === '' && edit.start <= start && edit.end >= end);
  };
  return changing.length > 0 && changing.every(isCut);
}
