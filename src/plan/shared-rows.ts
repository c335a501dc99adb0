/**
 * Rows of the platform that hold more units than this stack declares.
 *
 * Terms: a row is one object of the platform, for example one environment variable. It has one value for several targets, such as
 * production and preview. A unit is a row in one target. Stacks declare and own units, not rows.
 *
 * Somebody who adds a target to a row of ours in the dashboard therefore gives our value to that target, for example a production secret
 * to preview builds. The ledger keeps the targets that each of our rows had at the last apply:
 *
 *   a live target of our row that nothing here declares      what the plan does
 *   joined after our last apply, and no stack owns it        removes it: drift, disruptive
 *   joined, but the store cannot list other stacks           leaves it, with a warning
 *   was there at our last apply, or that is unknown          leaves it; says so when we adopt the row, or delete our units in it
 */
import type { Kind } from '../kind/kind.ts';
import { hasTargets, targetOf, wideningFields } from '../kind/row-target.ts';
import { type Address, lastNameOf } from '../model/address.ts';
import type { DecidedChange } from '../model/change.ts';
import { createRemovalFinder } from '../model/find-removal.ts';
import { addTo } from '../model/graph.ts';
import type { LedgerEntry } from '../model/ledger.ts';
import { addressWithoutTarget, unitSuffixOf } from '../model/logical-changes.ts';
import { createIdLookup, type LiveResource } from '../model/resource.ts';
import type { Fields } from '../model/value.ts';
import { isClaim } from './claims.ts';
import type { JoinedUnits } from './comparison.ts';
import type { PlanInput } from './input.ts';
import { repeatReasons } from './unkept-writes.ts';

/** The name of a row in the maps of this file: its kind and its id. */
type RowName = string;
const rowName = (kind: string, id: string): RowName => `${kind} ${id}`;

/**
 * Finds the targets that somebody added in the account to our rows since the last apply (a row is one object
 * of the platform that gives a variable to several targets, and a unit is a row in one target), so that the
 * plan can remove them: they get a value that no stack declared for them. Returns the address of each added
 * unit, with those of our units in the row. If the key of this run does not verify the ledger, no target
 * counts as added, since anybody may have written it.
 */
export function findJoinedUnits(input: PlanInput): JoinedUnits {
  const { live, ledger, kinds, unverifiedReason } = input;
  const joined = new Map<Address, Address[]>();
  if (unverifiedReason !== undefined) return joined;
  // Without those whose name several objects have, and those that an interrupted run of ours may have added (`begun`).
  const possiblyJoined = findUndeclaredUnits(input).filter(
    ({ address, alternatives }) => !alternatives && !ledger.begun?.[address],
  );
  // Usually there are none, and then the ledger need not be searched.
  if (possiblyJoined.length === 0) return joined;
  const recorded = recordedRows(input);
  const idOf = createIdLookup(live);
  const isOwnedByOthers = createOwnedByOthersTest(input);
  for (const unit of possiblyJoined) {
    const { address, kind: name, ids, fields } = unit;
    const kind = kinds.get(name)!;
    // The row as the last apply left it, if it is ours.
    const row = ids.flatMap((id) => recorded.get(rowName(name, id)) ?? [])[0];
    if (!row || row.targets.has(targetOf(kind, fields, idOf))) continue;
    if (hasDeclarableTarget(kind, fields, idOf) && !isOwnedByOthers(unit)) joined.set(address, row.units);
  }
  return joined;
}

/**
 * Returns the live units (a variable in one target) that this stack neither declares nor has in its ledger. Among them are the targets that
 * somebody added to our rows, which the plan removes, and targets that stay with our value, which it mentions.
 */
const findUndeclaredUnits = ({ live, ledger, desired, kinds }: PlanInput): LiveResource[] =>
  [...live.resources.values()].filter(({ address, kind: name }) => {
    const kind = kinds.get(name);
    const isUnit = kind !== undefined && hasTargets(kind);
    return isUnit && !desired.resources.has(address) && !ledger.entries[address];
  });

/**
 * True if a configuration could declare the target of a unit (a variable in one environment), so that the unit counts as added by somebody
 * else. A target that trueup does not know is left alone: it is lost if the unit is converted to a row (one object of the platform that
 * gives a variable to several targets) and back.
 */
function hasDeclarableTarget(kind: Kind, unit: Fields, idOf: Parameters<typeof targetOf>[2]): boolean {
  const { rowOf, units } = kind.shape;
  const target = targetOf(kind, unit, idOf);
  const convertedUnits = units(rowOf!([unit]), {});
  return convertedUnits.some((fields) => targetOf(kind, fields, idOf) === target);
}

/**
 * Creates the test if another stack owns a unit (a variable in one target), so that the plan does not remove
 * it as an outside addition to our row. Stacks may name its project or its environment differently, so the
 * row and the sort of target are compared: a custom environment, a branch, or production.
 */
function createOwnedByOthersTest({ otherStacks = [], kinds }: PlanInput): (unit: LiveResource) => boolean {
  // The last row position is the roughest, without the name of a branch or environment: `preview:` for `projects/web/env/A@preview:x`.
  const targetSortOf = (kind: Kind, address: Address) =>
    kind.shape.rowPositionsOf!(address.slice(address.lastIndexOf('/') + 1)).at(-1);
  const ownedKeys = new Set<string>();
  for (const { entries } of otherStacks)
    for (const [address, entry] of Object.entries(entries)) {
      const kind = isClaim(entry) && !entry.existing ? kinds.get(entry.kind) : undefined;
      if (!kind || !hasTargets(kind)) continue;
      for (const id of entry.ids) ownedKeys.add(`${rowName(entry.kind, id)} ${targetSortOf(kind, address)}`);
    }
  return ({ kind: name, address, ids }) => {
    const kind = kinds.get(name);
    return (
      kind !== undefined &&
      ids.some((id) => ownedKeys.has(`${rowName(name, id)} ${targetSortOf(kind, address)}`))
    );
  };
}

/** A row of the platform as the last apply left it, by the ledger. */
interface RecordedRow {
  /** The addresses of our units in the row, except those that the configuration releases or declares with `$existing`. */
  units: Address[];
  /** All targets of the row after our last write, also those of other stacks. */
  targets: ReadonlySet<string>;
}

/**
 * Returns the rows of the platform in which this stack owns targets, with all targets that each row had after our last write. One row may
 * be a variable for several targets, such as production and preview. A target that the row has today and not here was added later by
 * somebody else, and the plan removes that target. Entries that the plan releases or forgets, and those with `$existing`, do not count.
 */
function recordedRows({ ledger, desired, kinds }: PlanInput): ReadonlyMap<RowName, RecordedRow> {
  const findRemoval = createRemovalFinder(desired.removed);
  const rows = new Map<RowName, { units: Address[]; targets: Set<string> }>();
  for (const [address, { kind, ids, targets, existing }] of Object.entries(ledger.entries)) {
    const meta = desired.resources.get(address)?.meta;
    if (!targets || existing || meta?.forget || meta?.existing || !kinds.get(kind)) continue;
    if (findRemoval(address)?.deletes === false) continue;
    for (const id of ids) {
      const recordedTargets = targets[id];
      if (!recordedTargets) continue;
      const name = rowName(kind, id);
      const row = rows.get(name) ?? { units: [], targets: new Set<string>() };
      row.units.push(address);
      for (const target of recordedTargets) row.targets.add(target);
      rows.set(name, row);
    }
  }
  return rows;
}

/**
 * Returns the fields that somebody switched on in a variable of ours, so that its value reaches more targets,
 * such as "all custom environments". The plan switches them off again. `declared`: the fields that the
 * configuration names. They are compared like any other field. The ledger has the targets of each row after our
 * last write, among them the names of such fields. Without that record, nothing counts as switched on.
 */
export function findWidenedFields(
  kind: Kind,
  { live, entry, declared }: { live: LiveResource; entry: LedgerEntry | undefined; declared: string[] },
): string[] {
  const recordedTargets = live.ids.flatMap((id) => entry?.targets?.[id] ?? []);
  if (recordedTargets.length === 0) return [];
  return wideningFields(kind, live.fields).filter(
    (name) => !declared.includes(name) && !recordedTargets.includes(name),
  );
}

/**
 * Returns the change that removes a target which somebody added to our row (one object of the platform that
 * gives a variable to several targets), with a reason for people. `change`: the deletion of the added target.
 * `ourUnits`: the addresses of our targets in the row. `isRepeated`: true if an earlier apply removed the
 * target and the platform did not keep that.
 */
export const narrowRow = (
  change: DecidedChange,
  ourUnits: readonly Address[],
  isRepeated: boolean,
): DecidedChange => ({
  ...change,
  ...(isRepeated
    ? { reason: repeatReasons.narrowing }
    : { reason: `added outside to ${ourUnits.join(', ')}, which has the same value`, outside: true }),
  grade: 'disruptive',
  // For example: "preview loses API_URL".
  gradeReason: `${unitSuffixOf(change.address)} loses ${lastNameOf(addressWithoutTarget(change.address))}`,
});

/**
 * Adds a note to each change of a row (one object of the platform that gives a variable to several targets)
 * whose value is also in targets that nothing here declares. Otherwise a person would not expect, when we
 * adopt the row, that its value reaches further, or when our targets in it are deleted, that the value stays.
 */
export function noteOtherTargets(changes: readonly DecidedChange[], input: PlanInput): DecidedChange[] {
  const { ledger, kinds } = input;
  const needsNote = ({ action, address, kind, before, outside }: DecidedChange): boolean => {
    if (!before || outside || !hasTargets(kinds.get(kind)!)) return false;
    const isNewRow = before.ids.some((id) => !ledger.entries[address]?.ids.includes(id));
    return action === 'delete' || ((action === 'adopt' || action === 'update') && isNewRow);
  };
  if (!changes.some(needsNote)) return [...changes];
  const unownedUnits = findUnownedUnits(changes, input);
  return changes.map((change) => {
    const units = needsNote(change)
      ? change.before!.ids.flatMap((id) => unownedUnits.get(rowName(change.kind, id)) ?? [])
      : [];
    if (units.length === 0) return change;
    const targets = units.map(unitSuffixOf).join(', ');
    const note =
      change.action === 'delete'
        ? `its value stays in ${targets}, which nothing here declares`
        : `its value is also in ${targets}, which nothing here declares`;
    return { ...change, reason: [change.reason, note].filter(Boolean).join('; ') };
  });
}

/**
 * Returns the addresses of the units (a variable in one target) that stay in the account although no stack declares or owns them, by the
 * rows of the platform that contain them. Used to note at a change of a row in which targets its value is as well.
 */
function findUnownedUnits(
  changes: readonly DecidedChange[],
  input: PlanInput,
): ReadonlyMap<RowName, Address[]> {
  const deleted = new Set(changes.flatMap(({ action, address }) => (action === 'delete' ? address : [])));
  const isOwnedByOthers = createOwnedByOthersTest(input);
  const addressesByRow = new Map<RowName, Address[]>();
  for (const unit of findUndeclaredUnits(input)) {
    if (deleted.has(unit.address) || isOwnedByOthers(unit)) continue;
    for (const id of unit.ids) addTo(addressesByRow, rowName(unit.kind, id), unit.address);
  }
  return addressesByRow;
}
