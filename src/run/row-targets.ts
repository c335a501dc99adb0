import type { Kinds } from '../kind/kind.ts';
import { hasTargets, targetOf, wideningFields } from '../kind/row-target.ts';
import type { Address } from '../model/address.ts';
import type { Ledger, LedgerEntry } from '../model/ledger.ts';
import type { Plan } from '../model/plan.ts';
import type { Live } from '../model/resource.ts';
import type { KnownObjects } from './known-objects.ts';

/** A unit after a run: the rows that hold it, and the targets that it stands for in them. */
interface RowUnit {
  address: Address;
  kind: string;
  rows: readonly string[];
  targets: readonly string[];
}

interface AfterRun {
  plan: Pick<Plan, 'changes'>;
  live: Live;
  kinds: Kinds;
  known: KnownObjects;
  entries: Ledger['entries'];
}

/** Lists the units of all rows as a run leaves them. */
export function unitsAfter({ plan, live, kinds, known, entries }: AfterRun): RowUnit[] {
  const idOf = (address: Address) => known.attribute(address, 'id');
  const changeOf = new Map(plan.changes.map((change) => [change.address, change]));
  const addresses = new Set([...live.resources.keys(), ...changeOf.keys()]);
  return [...addresses].flatMap((address): RowUnit[] => {
    const [found, change] = [live.resources.get(address), changeOf.get(address)];
    const name = (change ?? found)!.kind;
    const kind = kinds.get(name);
    const rows = [...known.idsOf(address)].sort();
    if (!kind || !hasTargets(kind) || rows.length === 0) return [];
    const fields = { ...found?.fields, ...change?.after?.fields };
    // A field that somebody switched on and that no change has switched off yet is not known.
    const isKnown = (field: string) =>
      change?.declared?.includes(field) ||
      rows.every((row) => entries[address]?.targets?.[row]?.includes(field) ?? true);
    const widening = wideningFields(kind, fields).filter(isKnown);
    return [{ address, kind: name, rows, targets: [targetOf(kind, fields, idOf), ...widening] }];
  });
}

/**
 * Returns the targets of the rows behind each entry, by the id of the row, where the entry has others. A unit that joined outside and is
 * still there does not count.
 */
export function rowTargets({
  units,
  entries,
  joined,
}: {
  units: readonly RowUnit[];
  entries: Ledger['entries'];
  joined: ReadonlySet<Address>;
}): Map<Address, NonNullable<LedgerEntry['targets']>> {
  const targetsOf = new Map<string, Set<string>>();
  for (const { address, kind, rows, targets } of units)
    for (const row of joined.has(address) && !entries[address] ? [] : rows) {
      const name = `${kind} ${row}`;
      targetsOf.set(name, new Set([...(targetsOf.get(name) ?? []), ...targets]));
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
      return Object.keys(targets).length > 0 && !isSame(entry.targets, targets)
        ? [[address, targets] as const]
        : [];
    }),
  );
}

const isSame = (a: LedgerEntry['targets'], b: LedgerEntry['targets']): boolean =>
  JSON.stringify(a) === JSON.stringify(b);
