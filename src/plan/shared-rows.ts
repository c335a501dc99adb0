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
 *   was there at our last apply, or that is not known        leaves it; says so when we adopt or drop the rest of the row
 */
import type { Kind } from '../kind/kind.ts';
import { hasTargets, targetOf, wideningFields } from '../kind/row-target.ts';
import { type Address, lastNameOf } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { addTo } from '../model/graph.ts';
import type { LedgerEntry } from '../model/ledger.ts';
import { addressWithoutTarget, unitSuffixOf } from '../model/logical-changes.ts';
import { createIdLookup, type LiveResource } from '../model/resource.ts';
import type { Fields } from '../model/value.ts';
import { isClaim } from './claims.ts';
import type { JoinedUnits } from './comparison.ts';
import type { PlanInput } from './input.ts';
import { repeatReasons } from './unkept-writes.ts';

/** The name of a row: its kind and its id. */
type RowName = string;
const rowName = (kind: string, id: string): RowName => `${kind} ${id}`;

/**
 * Finds the targets that somebody added to our rows since the last apply, so that the plan can remove them. Returns the address of the
 * unit in each added target, with our units of the same row. A target counts as added if the ledger does not have it for that row and no
 * other stack owns it. With an unverified ledger nothing counts, since anybody may have written it.
 */
export function findJoinedUnits(input: PlanInput): JoinedUnits {
  const { live, ledger, desired, kinds, unverifiedReason } = input;
  const joined = new Map<Address, Address[]>();
  const recorded = unverifiedReason === undefined ? recordedRows(input) : new Map<RowName, RecordedRow>();
  if (recorded.size === 0) return joined;
  const idOf = createIdLookup(live);
  const isOwned = ownedByOthers(input);
  for (const unit of live.resources.values()) {
    const { address, kind: name, ids, fields, alternatives } = unit;
    const kind = kinds.get(name);
    if (!kind || !hasTargets(kind) || alternatives) continue;
    if (desired.resources.has(address) || ledger.entries[address] || ledger.begun?.[address]) continue;
    const row = ids.flatMap((id) => recorded.get(rowName(name, id)) ?? [])[0];
    if (!row || row.targets.has(targetOf(kind, fields, idOf))) continue;
    if (hasRealTarget(kind, fields, idOf) && !isOwned(unit)) joined.set(address, row.units);
  }
  return joined;
}

/** True if a configuration could declare the target of a unit: an answer with one that does not exist says nothing about the row. */
function hasRealTarget(kind: Kind, unit: Fields, idOf: Parameters<typeof targetOf>[2]): boolean {
  const { rowOf, units } = kind.shape;
  const target = targetOf(kind, unit, idOf);
  return units(rowOf!([unit]), {}).some((fields) => targetOf(kind, fields, idOf) === target);
}

/**
 * Returns the test if another stack owns a unit. Stacks may call its project or its environment by other names, so the row and the sort of
 * target decide: a custom environment, a branch, or production.
 */
function ownedByOthers({ otherStacks = [], kinds }: PlanInput): (unit: LiveResource) => boolean {
  const sortOf = (kind: Kind, address: Address) =>
    kind.shape.rowPositionsOf!(address.slice(address.lastIndexOf('/') + 1)).at(-1);
  const owned = new Set<string>();
  for (const { entries } of otherStacks)
    for (const [address, entry] of Object.entries(entries)) {
      const kind = isClaim(entry) && !entry.existing ? kinds.get(entry.kind) : undefined;
      if (!kind || !hasTargets(kind)) continue;
      for (const id of entry.ids) owned.add(`${rowName(entry.kind, id)} ${sortOf(kind, address)}`);
    }
  return ({ kind: name, address, ids }) => {
    const kind = kinds.get(name);
    return kind !== undefined && ids.some((id) => owned.has(`${rowName(name, id)} ${sortOf(kind, address)}`));
  };
}

/** A row as the last apply left it. */
interface RecordedRow {
  /** Our units in it that are not let go. */
  units: Address[];
  targets: ReadonlySet<string>;
}

function recordedRows({ ledger, desired, kinds }: PlanInput): ReadonlyMap<RowName, RecordedRow> {
  const rows = new Map<RowName, { units: Address[]; targets: Set<string> }>();
  for (const [address, { kind, ids, targets, existing }] of Object.entries(ledger.entries)) {
    const meta = desired.resources.get(address)?.meta;
    if (!targets || existing || meta?.forget || meta?.existing || !kinds.get(kind)) continue;
    for (const id of ids) {
      const recorded = targets[id];
      if (!recorded) continue;
      const name = rowName(kind, id);
      const row = rows.get(name) ?? { units: [], targets: new Set<string>() };
      row.units.push(address);
      for (const target of recorded) row.targets.add(target);
      rows.set(name, row);
    }
  }
  return rows;
}

/**
 * Returns the fields that somebody switched on in a row of ours, so that its value reaches more targets. `declared`: the fields that the
 * configuration names: they are compared like any other field.
 */
export function findWidenedFields(
  kind: Kind,
  { found, entry, declared }: { found: LiveResource; entry: LedgerEntry | undefined; declared: string[] },
): string[] {
  const recorded = found.ids.flatMap((id) => entry?.targets?.[id] ?? []);
  if (recorded.length === 0) return [];
  return wideningFields(kind, found.fields).filter(
    (name) => !declared.includes(name) && !recorded.includes(name),
  );
}

/** The change that takes a joined unit out of a row again. `change`: its deletion; `isRepeated`: the platform did not keep the last one. */
export const narrowRow = (change: Change, ours: readonly Address[], isRepeated: boolean): Change => ({
  ...change,
  ...(isRepeated
    ? { reason: repeatReasons.narrowing }
    : { reason: `added outside to ${ours.join(', ')}, which has the same value`, outside: true }),
  grade: 'disruptive',
  gradeReason: `${unitSuffixOf(change.address)} loses ${lastNameOf(addressWithoutTarget(change.address))}`,
});

/** Returns the changes with a note if a row has its value in undeclared targets, too: when we adopt the row, and when our part of it goes. */
export function noteOtherTargets(changes: readonly Change[], input: PlanInput): Change[] {
  const { live, ledger, desired, kinds } = input;
  const isNoted = ({ action, address, kind, before, outside }: Change) =>
    hasTargets(kinds.get(kind)!) &&
    before !== undefined &&
    !outside &&
    (action === 'delete' ||
      ((action === 'adopt' || action === 'update') &&
        before.ids.some((id) => !ledger.entries[address]?.ids.includes(id))));
  if (!changes.some(isNoted)) return [...changes];
  const going = new Set(changes.flatMap(({ action, address }) => (action === 'delete' ? address : [])));
  const isOwned = ownedByOthers(input);
  const isUndeclared = (unit: LiveResource) =>
    !going.has(unit.address) &&
    !desired.resources.has(unit.address) &&
    !ledger.entries[unit.address] &&
    !isOwned(unit);
  const undeclared = unitsByRow(live.resources.values(), kinds, isUndeclared);
  return changes.map((change) => {
    const units = isNoted(change)
      ? change.before!.ids.flatMap((id) => undeclared.get(rowName(change.kind, id)) ?? [])
      : [];
    if (units.length === 0) return change;
    const places = units.map(unitSuffixOf).join(', ');
    const note =
      change.action === 'delete'
        ? `its value stays in ${places}, which nothing here declares`
        : `its value is also in ${places}, which nothing here declares`;
    return { ...change, reason: [change.reason, note].filter(Boolean).join('; ') };
  });
}

function unitsByRow(
  units: Iterable<LiveResource>,
  kinds: ReadonlyMap<string, Kind>,
  isMeant: (unit: LiveResource) => boolean,
): Map<RowName, Address[]> {
  const rows = new Map<RowName, Address[]>();
  for (const unit of units) {
    const kind = kinds.get(unit.kind);
    if (!kind || !hasTargets(kind) || !isMeant(unit)) continue;
    for (const id of unit.ids) addTo(rows, rowName(unit.kind, id), unit.address);
  }
  return rows;
}
