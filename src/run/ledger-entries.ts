import { type Address, ancestorsAmong } from '../model/address.ts';
import type { Ledger, LedgerEntry } from '../model/ledger.ts';
import { addressBefore, type Move, renameInLedger } from '../model/move.ts';
import type { Plan } from '../model/plan.ts';
import { type CollectionId, collectionId, collectionParts } from '../model/resource.ts';

/**
 * The ledger's entries while a run changes them.
 *
 * A configuration can rename a block, which renames the addresses in it. The account follows during the run, one change after the other. In
 * memory, all entries have the addresses of the configuration. In the stored ledger, an entry has its old address until its rename is done
 * in the account, so that the ledger is correct if the run is interrupted.
 *
 * An entry is touched if it has changed since it was stored. The journal stores only touched entries.
 */
export class LedgerEntries {
  /** The entries by the addresses of the configuration. */
  readonly byAddress: Record<Address, LedgerEntry>;
  readonly #desiredAddresses: ReadonlySet<Address>;
  /** Parents that are not ours. Their entries stay until the last child is gone, or as long as they are declared. */
  readonly #existingParents: ReadonlySet<Address>;
  /** The addresses of the entries in each object. Absent until they are asked for the first time: most runs delete no parent. */
  #contents: Map<Address, Set<Address>> | undefined;
  readonly #touched = new Set<Address>();
  /** The renames that the account does not have yet. */
  #moves: readonly Move[];

  /**
   * Copies the entries of the ledger for an apply, which updates them as its changes are done. Entries of
   * objects that the plan renames move to their new addresses at once, before anything is sent, because all
   * changes of the plan use the new ones.
   */
  constructor(
    { changes }: Pick<Plan, 'changes'>,
    recordedEntries: Ledger['entries'],
    moves: readonly Move[],
  ) {
    this.#moves = moves;
    this.byAddress = { ...recordedEntries };
    for (const { address, recordedAddress, before } of changes) {
      if (recordedAddress === undefined) continue;
      // If the object was renamed outside, planning has already moved its entry.
      const hasMoved = before?.ids.some((id) => recordedEntries[address]?.ids.includes(id)) ?? false;
      if (!hasMoved && this.byAddress[recordedAddress]) {
        this.byAddress[address] = this.byAddress[recordedAddress];
        delete this.byAddress[recordedAddress];
      }
      this.touch(recordedAddress);
      this.touch(address);
    }
    this.#desiredAddresses = new Set(changes.flatMap(({ address, after }) => (after ? [address] : [])));
    this.#existingParents = new Set(
      Object.keys(this.byAddress).filter((address) => this.byAddress[address]!.existing),
    );
  }

  /** Sets the ledger entry of an address, and marks it as changed, so that the next write of the ledger stores it. */
  put(address: Address, entry: LedgerEntry): void {
    this.touch(address);
    this.byAddress[address] = entry;
    if (this.#contents) addToContents(this.#contents, address);
  }

  /** Removes the ledger entry of one address, for example after a deletion. Entries of objects in it or around it stay. */
  remove(address: Address): void {
    this.touch(address);
    delete this.byAddress[address];
    if (this.#contents)
      for (const container of containersIn(address)) this.#contents.get(container)?.delete(address);
  }

  /**
   * Removes the ledger entry of an object that is gone, and the entries of parents that this stack does not own, if
   * the ledger had them only because of this object. Called once an object is deleted, forgotten or released, so that
   * the ledger lists nothing that is no longer needed.
   */
  removeWithParents(address: Address): void {
    this.remove(address);
    // The nearest parent comes first, so that an outer one has lost its last content when its turn comes.
    for (const parent of ancestorsAmong(address, this.#existingParents)) {
      if (this.#desiredAddresses.has(parent)) continue;
      if (this.#contentsOf(parent).size === 0) this.remove(parent);
    }
  }

  /**
   * Returns the addresses of all ledger entries of objects inside one object. When an apply has deleted that object, it removes these
   * entries, too, because the platform deletes the objects together.
   */
  addressesWithin(parent: Address): Address[] {
    return [...this.#contentsOf(parent)];
  }

  /** Returns the addresses of the entries in an object, from an index: a search among all entries for each deleted object would be slow. */
  #contentsOf(parent: Address): ReadonlySet<Address> {
    if (!this.#contents) {
      this.#contents = new Map();
      for (const address of Object.keys(this.byAddress)) addToContents(this.#contents, address);
    }
    return this.#contents.get(parent) ?? noAddresses;
  }

  /**
   * Marks the ledger entry of an address for storing: the journal of a run stores only entries that have changed since it was written
   * last. An entry is stored under its old address until its rename is done in the account (`#moves`).
   */
  touch(address: Address): void {
    this.#touched.add(addressBefore(address, this.#moves));
  }

  /**
   * Marks an ordered or staged list for storing, because its recorded order or its recorded staged version has
   * changed. Its id is stored with the old address of a parent that is not renamed yet.
   */
  touchList(id: CollectionId): void {
    const [parent, kind] = collectionParts(id);
    this.#touched.add(collectionId(kind, parent && addressBefore(parent, this.#moves)));
  }

  /**
   * Returns the stored addresses of the ledger entries that changed since the last call, and clears these marks. The journal (the file
   * beside the ledger that survives an interrupted run) then stores only these entries.
   */
  takeTouched(): Address[] {
    const touched = [...this.#touched];
    this.#touched.clear();
    return touched;
  }

  /**
   * Returns the ledger in the form in which it is stored while the run is under way: objects that the plan
   * renames keep their old addresses until they are renamed in the account. If the run is killed, the stored ledger then fits the account.
   */
  toStored(ledger: Ledger): Ledger {
    return this.#moves.length === 0
      ? ledger
      : renameInLedger(ledger, (address) => addressBefore(address, this.#moves));
  }

  /**
   * Called by an apply when the change of an address is done. If that change renamed an object on the platform (`$was`), the ledger stores
   * the object and everything in it under the new addresses from now on. Until then it stores the old ones, so that it fits the account if
   * the run is killed. Marks the old and new addresses for storing. `otherAddresses`: returns those that the ledger has outside of its
   * entries, in the notes of creations; called only after a rename.
   */
  recordRenameDone(changedAddress: Address, otherAddresses: () => Address[]): void {
    // A move takes an entry from the old to the new address. `renamedBy`: the address whose change renames it in the account.
    const remainingMoves = this.#moves.filter(({ renamedBy }) => renamedBy !== changedAddress);
    if (remainingMoves.length === this.#moves.length) return;
    // The stored address of an object is its address before all renames that the account does not have yet.
    for (const address of [...Object.keys(this.byAddress), ...otherAddresses()]) {
      const addressInStore = addressBefore(address, this.#moves);
      const nextAddressInStore = addressBefore(address, remainingMoves);
      if (addressInStore !== nextAddressInStore) this.#touched.add(addressInStore).add(nextAddressInStore);
    }
    this.#moves = remainingMoves;
  }
}

const noAddresses: ReadonlySet<Address> = new Set();

/** Returns the addresses of everything in which an object lies, as its own address names them. */
const containersIn = (address: Address): Address[] =>
  ancestorsAmong(address, { has: (ancestor) => ancestor !== address });

/**
 * Adds an address to the contents of each object around it, an index by which the run finds all entries in a container at once. `contents`:
 * the addresses in an object, by its address.
 */
function addToContents(contents: Map<Address, Set<Address>>, address: Address): void {
  for (const container of containersIn(address)) {
    const addresses = contents.get(container);
    if (addresses) addresses.add(address);
    else contents.set(container, new Set([address]));
  }
}
