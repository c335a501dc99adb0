import { idOf, updatedAtOf } from '../kind/define-kind.ts';
import type { ApiObject, Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import type { Ledger, LedgerEntry } from '../model/ledger.ts';
import type { Plan } from '../model/plan.ts';

/** When our objects were last written, for the ledger: by us, as far as the platform says. */
export interface UpdatedAt {
  /** An answer to a write: the objects in it say when they were written. */
  note(kind: string, answer: unknown): void;
  /** Of an object whose change was carried out and that has these ids now. */
  of(change: Change, ids: string[]): number | undefined;
}

/**
 * Takes the times of all that the plan writes out of `entries`: until an answer tells it, be it never heard, nobody knows when it
 * was written, and our own write must not look like somebody else's. An object that was touched keeps the time of before.
 */
export function openUpdatedAt(
  { changes, operations }: Pick<Plan, 'changes' | 'operations'>,
  entries: Ledger['entries'],
  kinds: Kinds,
  put: (address: Address, entry: LedgerEntry) => void,
): UpdatedAt {
  const told = new Map<string, number>();
  const changeOf = new Map(changes.map((change) => [change.address, change]));
  const kept = new Map(
    changes.flatMap(({ address, touched }) => (touched ? [[address, entries[address]?.updatedAt]] : [])),
  );
  const written = new Set(operations.flatMap((operation) => operation.changes));
  const nameOf = (kind: string, id: string) => `${kind} ${id}`;
  const toldOf = (kind: string, ids: string[]): number | undefined =>
    ids
      .flatMap((id) => told.get(nameOf(kind, id)) ?? [])
      .sort((a, b) => a - b)
      .at(-1);
  // Some objects serve several addresses: a write for one of them is a write to all.
  const set = (address: Address, updatedAt: number | undefined) => {
    const { updatedAt: _, ...entry } = entries[address]!;
    put(address, { ...entry, ...(updatedAt === undefined ? {} : { updatedAt }) });
  };

  /** The addresses that an object serves, by its id; what is made by this run is in it once it is recorded. */
  const holders = new Map<string, Set<Address>>();
  const hold = (address: Address, kind: string, ids: string[]) => {
    for (const id of ids) {
      const known = holders.get(nameOf(kind, id));
      if (known) known.add(address);
      else holders.set(nameOf(kind, id), new Set([address]));
    }
  };
  for (const [address, { kind, ids }] of Object.entries(entries)) hold(address, kind, ids);

  const going = new Set(
    [...written].flatMap((address) => {
      const { kind, before } = changeOf.get(address) ?? {};
      return kind === undefined ? [] : (before?.ids ?? []).map((id) => nameOf(kind, id));
    }),
  );
  for (const [address, { kind, ids, updatedAt }] of Object.entries(entries))
    if (updatedAt !== undefined && !kept.has(address) && ids.some((id) => going.has(nameOf(kind, id))))
      set(address, undefined);

  return {
    note(kind, answer) {
      const of = kinds.get(kind)!;
      if (of.updatedAt === undefined) return;
      const ids = new Set<string>();
      for (const object of objectsIn(answer)) {
        const updatedAt = updatedAtOf(of, object);
        if (updatedAt === undefined) continue;
        const id = idOf(of, object);
        ids.add(id);
        told.set(nameOf(kind, id), Math.max(updatedAt, told.get(nameOf(kind, id)) ?? 0));
      }
      for (const address of new Set([...ids].flatMap((id) => [...(holders.get(nameOf(kind, id)) ?? [])]))) {
        const entry = entries[address];
        if (entry && !kept.has(address) && entry.ids.some((id) => ids.has(id)))
          set(address, toldOf(kind, entry.ids));
      }
    },
    of: ({ address, kind, before }, ids) => {
      hold(address, kind, ids);
      if (kept.has(address)) return kept.get(address);
      return toldOf(kind, ids) ?? (written.has(address) ? undefined : before?.updatedAt);
    },
  };
}

/** The objects of an answer, wherever in it they are. */
function objectsIn(answer: unknown): ApiObject[] {
  if (typeof answer !== 'object' || answer === null) return [];
  const inside = Object.values(answer).flatMap(objectsIn);
  return Array.isArray(answer) ? inside : [answer as ApiObject, ...inside];
}
