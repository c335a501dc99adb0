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
 * the platform, and a unit is its part in one target, with an address of its own. Used to record which
 * targets each row has now, so that a later plan notices one that somebody adds. `objects`: the ids after the
 * run; `entries`: the ledger's entries after it.
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
    // A field such as "all custom environments" counts as a target. If it was switched on outside and this run does not set it, it is not ours.
    const isApplied = (field: string) =>
      change?.declared?.includes(field) ||
      rows.every((row) => entries[address]?.targets?.[row]?.includes(field) ?? true);
    const widening = wideningFields(kind, fields).filter(isApplied);
    return [{ address, kind: kindName, rows, targets: [targetOf(kind, fields, idOf), ...widening] }];
  });
}

/**
 * Returns the targets by row id for each ledger entry whose recorded targets differ from those after a run. A
 * row is one variable of the platform with several targets. Used to update the ledger, so that a later plan
 * notices a target that somebody adds. A unit in `joinedUnits` without an entry was added outside, so its target
 * does not count: the next plan must still see it as foreign.
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
  const targetsOf = new Map<string, Set<string>>();
  const wasAddedOutside = (address: Address) => joinedUnits.has(address) && !entries[address];
  for (const { address, kind, rows, targets } of units) {
    if (wasAddedOutside(address)) continue;
    for (const row of rows) {
      const rowKey = `${kind} ${row}`;
      targetsOf.set(rowKey, new Set([...(targetsOf.get(rowKey) ?? []), ...targets]));
    }
  }
  return new Map(
    units.flatMap(({ address, kind, rows }) => {
      const entry = entries[address];
      if (!entry || entry.existing || entry.kind !== kind) return [];
      const targets = Object.fromEntries(
        rows
          .filter((row) => entry.ids.includes(row))
          .map((row) => [row, [...targetsOf.get(`${kind} ${row}`)!].sort()]),
      );
      return Object.keys(targets).length > 0 && !areSameTargets(entry.targets, targets)
        ? [[address, targets] as const]
        : [];
    }),
  );
}

/** True if two records of targets are equal. Both have their targets in order, so that their texts can be compared. */
const areSameTargets = (a: LedgerEntry['targets'], b: LedgerEntry['targets']): boolean =>
  JSON.stringify(a) === JSON.stringify(b);
