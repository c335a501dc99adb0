import { isSeq } from 'yaml';
import type { LoadedBlock } from '../config/blocks/block.ts';
import { spotsIn } from '../config/yaml/nodes.ts';
import type { Spot } from '../config/yaml/source.ts';
import { type SlotIndex, spotId } from './slot-index.ts';
import {
  enclosingSlots,
  endOffsetOf,
  isCsvFile,
  type Slot,
  scalarText,
  topKeyOf,
  type YamlFile,
} from './yaml-file.ts';

/*
 * Finds the row of data from which `$each` makes a block, so that `accept` can remove it if the objects of the row were deleted outside.
 */

/** A row of data: the row of a CSV file, or an entry or item of a YAML or JSON file, of a variable, of `use:`, or of an `$each`. */
export interface DataRow {
  file: YamlFile;
  /** The entry or item; undefined for the row of a CSV file. */
  slot?: Slot;
  /** Where it is written. */
  spot: Spot;
  /** Its name, for people. */
  name: string;
}

/** Returns the id of a row, by which its removal can be refused. */
export const idOfRow = ({ spot }: DataRow): string => `row ${spotId(spot)}`;

/**
 * True if a value of a block comes from a row of data, such as a line of a CSV file. `accept` removes a row only if all blocks made from it
 * are removed.
 */
export const isMadeFrom = (
  { block: { key, fieldEntries, settingEntries } }: LoadedBlock,
  row: DataRow,
): boolean =>
  [...(key ? [key] : []), ...[...fieldEntries, ...settingEntries].map(({ value }) => value)]
    .flatMap(spotsIn)
    .some(
      ({ source, start }) => source.file === row.file.name && start >= row.spot.start && start < row.spot.end,
    );

/**
 * Returns the row of data from which `$each` made a block: that of the block's name, because every member of `$each` makes blocks with
 * other names. Returns undefined if the name comes from no data.
 */
export function findRow(
  { block: { key, kind, fieldEntries } }: LoadedBlock,
  slots: SlotIndex,
): DataRow | undefined {
  const names = fieldEntries.filter((entry) => kind.key.includes(entry.key.text)).map(({ value }) => value);
  for (const spot of (key ? [key] : names).flatMap(spotsIn)) {
    const row = rowAt(spot, slots);
    if (row) return row;
  }
  return undefined;
}

/**
 * Returns the row of data (a line of a CSV file, an item of a list, or an entry of a map) with a name at a place; undefined if there is no
 * data. `$each` makes a block with this name from the row, and `accept` removes the row with the block.
 */
function rowAt(spot: Spot, slots: SlotIndex): DataRow | undefined {
  const file = slots.fileOf(spot);
  if (!file) return undefined;
  const text = file.text.slice(spot.cell?.start ?? spot.start, spot.cell?.end ?? spot.end);
  if (isCsvFile(file)) return { file, spot, name: text };
  const nameSlot = slots.slotAt(spot) ?? file.valueAt(spot.start);
  if (!nameSlot || !isData(nameSlot, slots)) return undefined;
  // The name is a value in a map, as in `- name: web`, and not the key of an entry, as in `web: …`. Then the item of the list is the row.
  const isValueInMap = nameSlot.key !== undefined && nameSlot.key.range?.[0] !== spot.start;
  const slot = isValueInMap
    ? [...enclosingSlots(nameSlot)].find(({ parent }) => isSeq(parent?.node))
    : nameSlot;
  const start = (slot?.key ?? slot?.node)?.range?.[0];
  if (!slot?.parent || start === undefined) return undefined;
  const rowSpot = { source: file.source, start, end: endOffsetOf(slot) };
  return { file, slot, spot: rowSpot, name: slot.key ? scalarText(slot.key) : text };
}

/**
 * True for a place in a file that holds data from which blocks are made: in a data file, in a variable, in an entry of `use:`, or in an
 * `$each`.
 */
function isData(slot: Slot, slots: SlotIndex): boolean {
  if (!slots.holdsBlocks(slot.file)) return true;
  const topKey = topKeyOf(slot);
  if (topKey === 'variables' || topKey === 'use') return true;
  // An `$each` in a template is repeated wherever the template is used.
  if (topKey === 'templates') return false;
  return [...enclosingSlots(slot)].some(({ key }) => key && scalarText(key) === '$each');
}
