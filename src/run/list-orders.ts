import type { Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { groupBy } from '../model/graph.ts';
import type { Ledger } from '../model/ledger.ts';
import type { Plan } from '../model/plan.ts';
import { type CollectionId, collectionId } from '../model/resource.ts';

interface ListOrdersOptions {
  plan: Pick<Plan, 'changes'>;
  kinds: Kinds;
}

/**
 * Keeps the applied orders of ordered lists in the ledger. A later plan compares with them: if the account still has the recorded order, a
 * different desired order is an edit, otherwise somebody else has reordered the list.
 *
 * While a run moves items of a list, no order is recorded for it: an interrupted run leaves an order that is neither the old nor the new
 * one.
 */
export class ListOrders {
  readonly #ledger: Pick<Ledger, 'orders'>;
  /** The changes of each ordered list. */
  readonly #changesOf: ReadonlyMap<CollectionId, Change[]>;
  /** The list of each item that the run moves or inserts again. */
  readonly #listOfMovedItem: ReadonlyMap<Address, CollectionId>;

  /**
   * Prepares a run to record the orders of lists whose order has a meaning, such as the rules of a firewall, in the ledger. From such a
   * record, a later plan can tell our own order from a reordering by somebody else. Finds the changes of each list, and the list of each
   * item that the run moves: while it moves items, the record of that list is removed.
   */
  constructor(ledger: Pick<Ledger, 'orders'>, { plan, kinds }: ListOrdersOptions) {
    this.#ledger = ledger;
    const changesInLists = plan.changes.filter(({ kind }) => kinds.get(kind)?.shape.orderDecides);
    this.#changesOf = groupBy(changesInLists, ({ kind, parent }) => collectionId(kind, parent));
    // A `reinserted` item is changed by inserting a changed copy and removing the old item.
    const movedItems = changesInLists.filter(({ moves, reinserted }) => moves || reinserted);
    this.#listOfMovedItem = new Map(
      movedItems.map(({ address, kind, parent }) => [address, collectionId(kind, parent)]),
    );
  }

  /**
   * Removes from the ledger the recorded orders of the lists in which a write is about to move items or insert them
   * again, and returns the lists that had one: the caller stores the ledger before the write is sent. If the run is
   * killed while it moves items, neither the old nor the new order is true.
   */
  recordSending(addresses: readonly Address[]): CollectionId[] {
    const { orders } = this.#ledger;
    if (!orders || this.#listOfMovedItem.size === 0) return [];
    const lists = new Set(addresses.flatMap((address) => this.#listOfMovedItem.get(address) ?? []));
    const movedLists = [...lists].filter((id) => orders[id]);
    if (movedLists.length > 0) this.#setOrders(Object.entries(orders).filter(([id]) => !lists.has(id)));
    return movedLists;
  }

  /**
   * Records in the ledger the orders of the lists whose changes are all done, at the end of a run. Later plans need them to tell an edit
   * from a change outside. `isDone`: true if the change of an address is done. Only items that are ours now count, also in the orders of
   * other lists, and a list with fewer than two of them has no order.
   */
  close(isDone: (address: Address) => boolean, entries: Ledger['entries']): void {
    const finished = [...this.#changesOf].filter(([, changes]) =>
      changes.every(({ action, address }) => action === 'noop' || isDone(address)),
    );
    const orders = { ...this.#ledger.orders };
    for (const [id, changes] of finished) orders[id] = desiredOrder(changes);
    const isOwned = (address: Address) => entries[address] !== undefined && !entries[address].existing;
    this.#setOrders(
      Object.entries(orders)
        .map(([id, addresses]) => [id, addresses.filter(isOwned)] as const)
        .filter(([, addresses]) => addresses.length > 1),
    );
  }

  /** Sets the recorded orders in the ledger. Without any, removes the member, because a ledger has no empty members. */
  #setOrders(orders: (readonly [CollectionId, Address[]])[]): void {
    if (orders.length > 0) this.#ledger.orders = Object.fromEntries(orders);
    else delete this.#ledger.orders;
  }
}

/**
 * Returns the addresses of the items of one list in the order of the configuration. The ledger records it
 * once all changes of the list are done, so that a later plan can tell a reordering by somebody else.
 */
const desiredOrder = (changes: readonly Change[]): Address[] =>
  changes
    .flatMap(({ address, after }) => (after ? [{ address, index: after.index }] : []))
    .sort((a, b) => a.index - b.index)
    .map(({ address }) => address);
