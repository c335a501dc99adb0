import type { LoadedBlock } from '../config/blocks/block.ts';
import type { Kind } from '../kind/kind.ts';
import { lastNameOf } from '../model/address.ts';
import { type Change, isJoinedOutside } from '../model/change.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
import type { AcceptanceBuilder } from './acceptance-builder.ts';
import { findDifferingNames } from './written-values.ts';

/*
 * Entries that `trueup accept` leaves out as a whole, each with the reason. `accept-entry.ts` explains entries and their units.
 */

/**
 * Leaves an entry (a block that declares several objects, such as a variable with three targets) out of `trueup accept` if its object was
 * renamed outside, and tells the user to write the new name by hand: the objects share one name in the block, and perhaps only some of them
 * were renamed. Returns false if none was renamed.
 */
export function leaveOutRenamedEntry(
  builder: AcceptanceBuilder,
  kind: Kind,
  changes: readonly Change[],
): boolean {
  const renamed = changes.find(
    (change) =>
      change.before?.renamedTo !== undefined &&
      builder.fieldsChangedOutside(change).some(({ path }) => kind.key.includes(path)),
  );
  if (!renamed) return false;
  const [oldName, newName] = [renamed.address, renamed.before!.renamedTo!].map((address) =>
    lastNameOf(addressWithoutTarget(address)),
  );
  builder.leaveOut(
    renamed.address,
    `it is called \`${newName}\` in the account: write that name instead of \`${oldName}\`, and nothing is sent for it`,
  );
  return true;
}

/**
 * Leaves an entry out of `trueup accept` if its object is in no place any more, such as a variable that somebody took out of all its targets.
 * No configuration declares that. Returns false if the object is in a place.
 */
export function leaveOutUnplacedEntry(
  builder: AcceptanceBuilder,
  { shape: { addressFields } }: Kind,
  changes: readonly Change[],
): boolean {
  if (addressFields.length === 0) return false;
  const unplaced = changes.find(
    ({ before: live }) => live && addressFields.every((name) => live.fields[name] === undefined),
  );
  if (!unplaced) return false;
  builder.leaveOut(
    unplaced.address,
    'it is in no target in the account, which cannot be declared: the next apply gives it its targets back; to delete it instead, remove its block',
  );
  return true;
}

/**
 * Leaves out an entry, such as a variable, whose targets were all replaced outside, if its new (joined) targets also have other values.
 * Returns true if so; then the user has to edit it by hand.
 *
 * Example: somebody gave a variable for `production` the target `preview`, so `production` was deleted and `preview` joined. `accept` would
 * give `preview` the declared value. But the plan did not compare the live value of `preview` with it, because the configuration does not
 * declare that target. If the value was changed as well, `accept` would write the wrong one.
 */
export function leaveOutIfJoinedUnitsDiffer(
  builder: AcceptanceBuilder,
  kind: Kind,
  block: LoadedBlock,
  changes: readonly Change[],
): boolean {
  const declaredFields = block.units[0]!.fields;
  const joinedUnits = changes.filter(isJoinedOutside);
  const differingNames = new Set(
    joinedUnits.flatMap(({ before: live }) =>
      live ? findDifferingNames(kind, declaredFields, live.fields) : [],
    ),
  );
  if (differingNames.size === 0) return false;
  builder.leaveOut(
    joinedUnits[0]!.address,
    `it has other targets in the account, where \`${[...differingNames].join('`, `')}\` differs, too: edit it by hand`,
  );
  return true;
}
