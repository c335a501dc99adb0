/*
 * Finds the targets of shared rows after a run, for the ledger.
 *
 * Terms
 * - row: one object of the platform that several addresses can share, for example one environment variable for preview and production.
 * - unit: the part of one address in its rows. Each unit stands for one target (`production`).
 * - widening field: a field that adds a target to the whole row, no matter to which unit it belongs.
 *
 * The ledger records the targets of each row, so that a later plan can tell a target that was added outside from one of ours.
 */
import type { Kinds } from '../kind/kind.ts';
import { hasTargets, targetOf, wideningFields } from '../kind/row-target.ts';
import { type Address, indexByAddress } from '../model/address.ts';
import type { Ledger, LedgerEntry } from '../model/ledger.ts';
import type { Plan } from '../model/plan.ts';
import type { Live } from '../model/resource.ts';
import type { KnownObjects } from './known-objects.ts';

/** A unit after a run, with the ids of its rows and the targets that it stands for in them. */
interface RowUnit {
  address: Address;
  kind: string;
  rows: readonly string[];
  targets: readonly string[];
}

/** A run at its end. */
interface FinishedRun {
  plan: Pick<Plan, 'changes'>;
  live: Live;
  kinds: Kinds;
  objects: KnownObjects;
  entries: Ledger['entries'];
}

/**
 * Returns the units of all rows with targets after a run, each with its rows and targets: a row is one variable of
 * the platform, and a unit is its part in one target, with an address of its own. A widening field ("all custom
 * environments") counts as a target. Used to record which targets each row has now, so that a later plan notices
 * one that somebody adds. `objects`: the ids after the run; `entries`: the ledger's entries after it.
 */
export function unitsAfterRun({ plan, live, kinds, objects, entries }: FinishedRun): RowUnit[] {
  const idOf = (address: Address) => objects.attribute(address, 'id');
  const changeOf = indexByAddress(plan.changes);
  const addresses = new Set([...live.resources.keys(), ...changeOf.keys()]);
  return [...addresses].flatMap((address): RowUnit[] => {
    const resource = live.resources.get(address);
    const change = changeOf.get(address);
    const kindName = (change ?? resource)!.kind;
    const kind = kinds.get(kindName);
    const rows = [...objects.idsOf(address)].sort();
    if (!kind || !hasTargets(kind) || rows.length === 0) return [];
    const fields = { ...resource?.fields, ...change?.after?.fields };
    // A widening field that was switched on outside is not ours, unless this run sets it.
    const recordedTargets = entries[address]?.targets;
    const isRecordedOrUnknown = (row: string, field: string) =>
      recordedTargets?.[row]?.includes(field) ?? true;
    const isOurs = (field: string) =>
      change?.declared?.includes(field) || rows.every((row) => isRecordedOrUnknown(row, field));
    const widening = wideningFields(kind, fields).filter(isOurs);
    return [{ address, kind: kindName, rows, targets: [targetOf(kind, fields, idOf), ...widening] }];
  });
}

/**
 * Returns the targets by row id for each ledger entry whose recorded targets differ from those after a run. A
 * row is one variable of the platform with several targets. Used to update the ledger, so that a later plan
 * notices a target that somebody adds. A unit of `joinedUnits` (they joined a row of ours since the last apply) that
 * still has no entry was added outside, so its target does not count: the next plan must still see it as foreign.
 */
export function findChangedRowTargets({
  units,
  entries,
  joinedUnits,
}: {
  units: readonly RowUnit[];
  entries: Ledger['entries'];
  joinedUnits: ReadonlySet<Address>;
}): Map<Address, NonNullable<LedgerEntry['targets']>> {
  const wasAddedOutside = ({ address }: RowUnit) => joinedUnits.has(address) && !entries[address];
  const targetsOf = collectTargets(units.filter((unit) => !wasAddedOutside(unit)));
  return new Map(
    units.flatMap(({ address, kind, rows }) => {
      const entry = entries[address];
      if (!entry || entry.existing || entry.kind !== kind) return [];
      const recordedRows = rows.filter((row) => entry.ids.includes(row));
      const targets = Object.fromEntries(
        recordedRows.map((row) => [row, [...targetsOf.get(rowKey(kind, row))!].sort()]),
      );
      const isChanged = recordedRows.length > 0 && !areSameTargets(entry.targets, targets);
      return isChanged ? [[address, targets] as const] : [];
    }),
  );
}

/** Identifies a row by its kind and id. */
const rowKey = (kind: string, row: string): string => `${kind} ${row}`;

/** Returns the targets of all these units in each row, by `rowKey`. */
function collectTargets(units: readonly RowUnit[]): Map<string, Set<string>> {
  const targetsOf = new Map<string, Set<string>>();
  for (const { kind, rows, targets } of units)
    for (const row of rows) {
      const key = rowKey(kind, row);
      targetsOf.set(key, new Set([...(targetsOf.get(key) ?? []), ...targets]));
    }
  return targetsOf;
}

/** True if two records of targets are equal. Both have their targets in order, so that their texts can be compared. */
const areSameTargets = (a: LedgerEntry['targets'], b: LedgerEntry['targets']): boolean =>
  JSON.stringify(a) === JSON.stringify(b);
