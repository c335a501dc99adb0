import { idOf, updatedAtOf } from '../kind/define-kind.ts';
import type { ApiObject, Kind } from '../kind/kind.ts';
import { type Address, isWithin } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import type { Ledger, LedgerEntry } from '../model/ledger.ts';
import { addressBefore, type Move, renameInLedger } from '../model/move.ts';
import type { Plan } from '../model/plan.ts';
import { type CollectionId, collectionId, collectionParts } from '../model/resource.ts';
import { inside, walk } from '../model/walk.ts';

/**
 * The ledger's entries while a run changes them. The run uses the configuration's names; the stored ledger uses the account's names until
 * the renames are done.
 */
export class LedgerEntries {
  /** By the names of the configuration. */
  readonly of: Record<Address, LedgerEntry>;
  readonly #wanted: ReadonlySet<Address>;
  /** Parents that are not ours: kept until their last child goes, or because they are declared. */
  readonly #borrowed: readonly Address[];
  readonly #touched = new Set<Address>();
  #moves: readonly Move[];

  /** `moves`: the renames that the account does not have yet. */
  constructor({ changes }: Pick<Plan, 'changes'>, before: Ledger['entries'], moves: readonly Move[]) {
    this.#moves = moves;
    this.of = { ...before };
    for (const { address, recordedAddress, before: found } of changes) {
      if (recordedAddress === undefined) continue;
      // A rename outside was followed before the plan was made, so its entry has moved already.
      const hasMoved = found?.ids.some((id) => before[address]?.ids.includes(id)) ?? false;
      if (!hasMoved && this.of[recordedAddress]) {
        this.of[address] = this.of[recordedAddress];
        delete this.of[recordedAddress];
      }
      this.touch(recordedAddress);
      this.touch(address);
    }
    this.#wanted = new Set(changes.flatMap(({ address, after }) => (after ? [address] : [])));
    this.#borrowed = Object.keys(this.of).filter((address) => this.of[address]!.existing);
  }

  put(address: Address, entry: LedgerEntry): void {
    this.touch(address);
    this.of[address] = entry;
  }

  /** Removes this entry alone. */
  remove(address: Address): void {
    this.touch(address);
    delete this.of[address];
  }

  /** Removes an entry, and the parents that were kept for it. */
  drop(address: Address): void {
    this.remove(address);
    for (const parent of this.#borrowed)
      if (isWithin(address, parent) && !this.#wanted.has(parent) && this.below(parent).length === 0)
        this.remove(parent);
  }

  below(parent: Address): Address[] {
    return Object.keys(this.of).filter((address) => address !== parent && isWithin(address, parent));
  }

  touch(address: Address): void {
    this.#touched.add(addressBefore(address, this.#moves));
  }

  /** Notes that the recorded order of a list has ended, or what is staged of it has changed. The journal names it as it names an address. */
  touchList(id: CollectionId): void {
    const [parent, kind] = collectionParts(id);
    this.#touched.add(collectionId(kind, parent && addressBefore(parent, this.#moves)));
  }

  /** The stored addresses that were touched since the last call. */
  touched(): Address[] {
    const all = [...this.#touched];
    this.#touched.clear();
    return all;
  }

  /** The ledger to store now: entries that are not renamed yet under their old names. */
  kept(ledger: Ledger): Ledger {
    return this.#moves.length === 0
      ? ledger
      : renameInLedger(ledger, (address) => addressBefore(address, this.#moves));
  }

  /**
   * Called when the change at this address is done: from now on its rename is stored, too. `others`: addresses that are stored beside the
   * entries.
   */
  renameDone(address: Address, others: () => Address[]): void {
    const moves = this.#moves.filter(({ by }) => by !== address);
    if (moves.length === this.#moves.length) return;
    for (const one of [...Object.keys(this.of), ...others()]) {
      const [before, after] = [addressBefore(one, this.#moves), addressBefore(one, moves)];
      if (before !== after) this.#touched.add(before).add(after);
    }
    this.#moves = moves;
  }
}

/** An object of the platform: its kind and id. */
type Name = string;
const nameOf = (kind: string, id: string): Name => `${kind} ${id}`;

/**
 * Keeps the times of our own last writes, as far as the platform tells them. The times of all objects that the plan writes leave the
 * entries at once. Until an answer tells the time of our own write (and it may get lost), that write must not look like somebody else's.
 * An object that was only touched keeps its former time.
 */
export class UpdatedAt {
  readonly #entries: LedgerEntries;
  readonly #written: ReadonlySet<Address>;
  /** The times of touched objects. */
  readonly #kept: ReadonlyMap<Address, number | undefined>;
  readonly #told = new Map<Name, number>();
  /** The addresses that an object serves; objects made by this run are added once they are recorded. */
  readonly #holders = new Map<Name, Set<Address>>();

  constructor({ changes, operations }: Pick<Plan, 'changes' | 'operations'>, entries: LedgerEntries) {
    this.#entries = entries;
    this.#written = new Set(operations.flatMap((operation) => operation.changes));
    this.#kept = new Map(
      changes.flatMap(({ address, writtenOutside }) =>
        writtenOutside ? [[address, entries.of[address]?.updatedAt]] : [],
      ),
    );
    for (const [address, { kind, ids }] of Object.entries(entries.of)) this.#hold(address, kind, ids);
    const going = new Set(
      changes.flatMap(({ address, kind, before }) =>
        this.#written.has(address) ? (before?.ids ?? []).map((id) => nameOf(kind, id)) : [],
      ),
    );
    for (const [address, { kind, ids, updatedAt }] of Object.entries(entries.of))
      if (
        updatedAt !== undefined &&
        !this.#kept.has(address) &&
        ids.some((id) => going.has(nameOf(kind, id)))
      )
        this.#set(address, undefined);
  }

  /** Notes an answer to a write, whose objects tell when they were written. */
  note(kind: Kind, answer: unknown): void {
    if (kind.read.updatedAt === undefined) return;
    const ids = new Set<string>();
    for (const object of objectsIn(answer)) {
      const updatedAt = updatedAtOf(kind, object);
      if (updatedAt === undefined) continue;
      const id = idOf(kind, object);
      const name = nameOf(kind.name, id);
      ids.add(id);
      this.#told.set(name, Math.max(updatedAt, this.#told.get(name) ?? 0));
    }
    const holders = [...ids].flatMap((id) => [...(this.#holders.get(nameOf(kind.name, id)) ?? [])]);
    for (const address of new Set(holders)) {
      const entry = this.#entries.of[address];
      if (entry && !this.#kept.has(address) && entry.ids.some((id) => ids.has(id)))
        this.#set(address, this.#toldOf(kind.name, entry.ids));
    }
  }

  /** The time of an object, which now has these ids, after its change. */
  of({ address, kind, before }: Change, ids: string[]): number | undefined {
    this.#hold(address, kind, ids);
    if (this.#kept.has(address)) return this.#kept.get(address);
    return this.#toldOf(kind, ids) ?? (this.#written.has(address) ? undefined : before?.updatedAt);
  }

  #hold(address: Address, kind: string, ids: string[]): void {
    for (const id of ids) {
      const name = nameOf(kind, id);
      const holder = this.#holders.get(name);
      if (holder) holder.add(address);
      else this.#holders.set(name, new Set([address]));
    }
  }

  #toldOf(kind: string, ids: string[]): number | undefined {
    const told = ids.flatMap((id) => this.#told.get(nameOf(kind, id)) ?? []);
    return told.length > 0 ? Math.max(...told) : undefined;
  }

  /** Some objects serve several addresses: a write for one of them is a write to all. */
  #set(address: Address, updatedAt: number | undefined): void {
    const { updatedAt: _, ...entry } = this.#entries.of[address]!;
    this.#entries.put(address, { ...entry, ...(updatedAt === undefined ? {} : { updatedAt }) });
  }
}

/** All objects in an answer, at any depth. */
function objectsIn(answer: unknown): ApiObject[] {
  const objects: ApiObject[] = [];
  walk(answer, (one) => {
    if (typeof one === 'object' && one !== null && !Array.isArray(one)) objects.push(one as ApiObject);
    return inside;
  });
  return objects;
}
