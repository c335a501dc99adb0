import type { LoadedBlock } from '../config/blocks/block.ts';
import { omitMembers } from '../kind/compare.ts';
import type { Kind } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import { type Change, isDeletedOutside, isJoinedOutside } from '../model/change.ts';
import { groupBy } from '../model/graph.ts';
import type { Fields, Value } from '../model/value.ts';
import { type EntryValues, wholeObject } from './acceptance.ts';
import type { AcceptanceBuilder } from './acceptance-builder.ts';
import {
  leaveOutIfJoinedUnitsDiffer,
  leaveOutRenamedEntry,
  leaveOutUnplacedEntry,
} from './leave-out-entries.ts';
import { comparableText } from './written-values.ts';

/*
 * Accepts changes of entries.
 *
 *   entry    a block that declares several units, such as one variable for the targets `production` and `preview`
 *   unit     one of these objects; its address ends with its target: `projects/web/env/API_URL@preview`
 *   row      the fields of units together, in the form of an entry (`kind.shape.rowOf`)
 *   joined   a unit that somebody added outside to an object of ours, such as a target to a variable (`isJoinedOutside`)
 *
 * The account is read unit by unit. If all units of an entry changed alike, the entry changes. If only some of them did, or they changed in
 * different ways, the entry is split: units with equal values share one of the new entries.
 */

/**
 * The declared fields of an entry's units with the accepted live values, and the accepted paths of each unit
 * (`wholeObject` for a unit that was deleted or added outside).
 */
interface LiveUnits {
  units: Map<Address, Fields>;
  acceptedPaths: Map<Address, string[]>;
}

/**
 * Decides for `trueup accept` how the outside changes of an entry are written into the YAML. An entry is a block that declares several
 * units (single objects), such as a variable with three targets. Takes the live values of its units, without deleted ones and with added
 * ones, and groups the units with equal values. One group changes the entry, several split it, and an entry without units is removed.
 * Records why if the entry cannot be written. An entry whose object was renamed outside, or is in no place any more, is always left out.
 * @param changes the changes of this entry's units
 */
export function acceptEntry(
  builder: AcceptanceBuilder,
  kind: Kind,
  block: LoadedBlock,
  changes: readonly Change[],
): void {
  if (leaveOutRenamedEntry(builder, kind, changes) || leaveOutUnplacedEntry(builder, kind, changes)) return;
  const addresses = changes.map(({ address }) => address);
  const { units, acceptedPaths } = readLiveUnits(builder, kind, block, changes);
  if (units.size === 0 && leaveOutIfJoinedUnitsDiffer(builder, kind, block, changes)) return;
  // Adds to both maps.
  addUnitsJoinedOutside(builder, { kind, block, changes }, { units, acceptedPaths });
  if (acceptedPaths.size === 0) return;
  if (units.size === 0) builder.result.accepted.push({ type: 'deleted', addresses, block });
  else {
    // `wholeObject` stands for a unit that was added or deleted, so it names no field.
    const changedNames = new Set([...acceptedPaths.values()].flat().filter((path) => path !== wholeObject));
    const groups = groupEqualUnits([...units.values()], block.units[0]!.fields, [...changedNames]);
    const isWritable = acceptGroups(builder, kind, { block, addresses, changes, groups });
    if (!isWritable) return;
  }
  for (const [address, paths] of acceptedPaths) for (const path of paths) builder.markAccepted(address, path);
}

/**
 * Returns the units of an entry (the objects that one block declares) with the accepted live values in their
 * fields, without the units that were deleted outside. `trueup accept` writes them into the YAML as the new
 * values of the entry. `acceptedPaths` has the changed fields of each unit, or `wholeObject` for a deleted one.
 */
function readLiveUnits(
  builder: AcceptanceBuilder,
  kind: Kind,
  block: LoadedBlock,
  changes: readonly Change[],
): LiveUnits {
  const changeByAddress = new Map<Address, Change>(changes.map((change) => [change.address, change]));
  const units = new Map<Address, Fields>();
  const acceptedPaths = new Map<Address, string[]>();
  for (const { address, fields } of block.units) {
    const change = changeByAddress.get(address);
    if (change && isDeletedOutside(change)) acceptedPaths.set(address, [wholeObject]);
    else {
      const liveValues = change ? readChangedValues(builder, kind, change) : [];
      units.set(address, { ...fields, ...Object.fromEntries(liveValues) });
      if (liveValues.length > 0)
        acceptedPaths.set(
          address,
          liveValues.map(([path]) => path),
        );
    }
  }
  return { units, acceptedPaths };
}

/** Returns the live values of the fields that were changed outside, without those that must not be written, such as possible secrets. */
const readChangedValues = (
  builder: AcceptanceBuilder,
  kind: Kind,
  change: Change,
): [path: string, value: Value][] =>
  builder.fieldsChangedOutside(change).flatMap(({ path }): [string, Value][] => {
    const live = builder.readLiveValue(kind, change, path);
    return live ? [[path, live.value as Value]] : [];
  });

/**
 * Adds to `live` a unit (single object) for each target that somebody added to a variable outside, so that its entry lists it. On the
 * platform it shares one value with other targets. So it gets only its target from the account, and all other fields from a unit of the
 * entry: from one that shares its id, else from the first one, or the declared fields if all units were deleted outside.
 */
function addUnitsJoinedOutside(
  builder: AcceptanceBuilder,
  { kind, block, changes }: { kind: Kind; block: LoadedBlock; changes: readonly Change[] },
  live: LiveUnits,
): void {
  const declaredFields = block.units[0]!.fields;
  const { addressFields } = kind.shape;
  for (const change of changes.filter(isJoinedOutside)) {
    if (!change.before) continue;
    const liveFields = change.before.fields;
    const siblingAddresses = builder.unitsInRow(change).map(({ address }) => address);
    const addresses = [...live.units.keys()];
    const siblingAddress = addresses.find((address) => siblingAddresses.includes(address)) ?? addresses[0];
    const siblingFields = siblingAddress === undefined ? declaredFields : live.units.get(siblingAddress)!;
    const targetNames = addressFields.filter((name) => liveFields[name] !== undefined);
    live.units.set(change.address, {
      ...omitMembers(siblingFields, addressFields),
      ...Object.fromEntries(targetNames.map((name) => [name, liveFields[name]!])),
    });
    live.acceptedPaths.set(change.address, [wholeObject]);
  }
}

/**
 * Groups the units (single resources) of an entry whose accepted fields are equal, because `accept` writes one entry for each group. The
 * first group keeps the block: the one whose values did not change, else the largest.
 */
function groupEqualUnits(units: Fields[], before: Fields, changedNames: string[]): Fields[][] {
  const changedValuesOf = (fields: Fields) => changedNames.map((name) => comparableText(fields[name])).join();
  const oldValues = changedValuesOf(before);
  const rank = ([first, ...others]: Fields[]) =>
    changedValuesOf(first!) === oldValues ? Number.MAX_VALUE : others.length;
  return [...groupBy(units, changedValuesOf).values()].sort((a, b) => rank(b) - rank(a));
}

/**
 * Records the change of an entry (a block that declares several objects) for `trueup accept`. `groups`: its
 * objects, grouped by equal accepted values. With one group, the fields of the entry change. With several,
 * the entry keeps the first group, and each other group becomes a new entry, for example if only the target
 * `preview` of a variable changed. Returns false, and records why, if a value cannot be written.
 */
function acceptGroups(
  builder: AcceptanceBuilder,
  kind: Kind,
  input: { block: LoadedBlock; addresses: Address[]; changes: readonly Change[]; groups: Fields[][] },
): boolean {
  const { block, addresses, changes, groups } = input;
  const rowOf = kind.shape.rowOf!;
  // If the entry relies on a default for its targets, that default may not hold with more targets (`target` has none beside
  // `customEnvironmentIds`). Leaving it out of the old fields makes the new entry state its targets.
  const defaultedNames = changes.some(isJoinedOutside)
    ? kind.shape.addressFields.filter((name) => block.fields[name] === undefined)
    : [];
  // `rowOf` merges the fields of several objects into those of one entry: `target: [production, preview]`.
  const oldRow = omitMembers(rowOf(block.units.map(({ fields }) => fields)), defaultedNames);
  const newRows = groups.map((units) => rowOf(units));
  const fields = builder.diffFields(kind, oldRow, newRows[0]!, addresses[0]!);
  if (!fields) return false;
  // All units still have equal values, so the entry stays one.
  if (newRows.length === 1) {
    builder.result.accepted.push({ type: 'fields', addresses, block, fields });
    return true;
  }
  // Returns the new values of an entry. The names (`kind.key`) are the same in all entries, so they are not compared.
  const valuesOf = (row: Fields): EntryValues | undefined => {
    const oldFields = omitMembers(oldRow, kind.key);
    const rowFields = builder.diffFields(kind, oldFields, omitMembers(row, kind.key), addresses[0]!);
    return rowFields && new Map(rowFields.map(({ path, after }) => [path[0]!, after]));
  };
  const allEntries = newRows.flatMap((row) => valuesOf(row) ?? []);
  const areAllWritable = allEntries.length === newRows.length;
  if (!areAllWritable) return false;
  const added = allEntries.slice(1);
  builder.result.accepted.push({ type: 'split', addresses, block, fields, added, allEntries });
  return true;
}
