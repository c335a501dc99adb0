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
 * Keeps the orders of ordered lists in the ledger, so that a later plan can tell our edits of an order from changes outside.
 *
 * A list has no recorded order from before its first move until the run has finished all of its changes.
 */
export class ListOrders {
  readonly #ledger: Pick<Ledger, 'orders'>;
  readonly #lists: ReadonlyMap<CollectionId, Change[]>;
  readonly #listOf: ReadonlyMap<Address, CollectionId>;

  constructor(ledger: Pick<Ledger, 'orders'>, { plan, kinds }: ListOrdersOptions) {
    this.#ledger = ledger;
    this.#lists = groupBy(
      plan.changes.filter(({ kind }) => kinds.get(kind)?.shape.orderDecides),
      ({ kind, parent }) => collectionId(kind, parent),
    );
    this.#listOf = new Map(
      [...this.#lists].flatMap(([id, changes]) =>
        changes
          .filter(({ moves, reinserted }) => moves || reinserted)
          .map(({ address }) => [address, id] as const),
      ),
    );
  }

  /** Called before a write about these addresses. Returns the lists whose recorded order ends with it. */
  begins(addresses: readonly Address[]): CollectionId[] {
    const { orders } = this.#ledger;
    if (!orders || this.#listOf.size === 0) return [];
    const lists = new Set(addresses.flatMap((address) => this.#listOf.get(address) ?? []));
    const ending = [...lists].filter((id) => orders[id]);
    if (ending.length > 0) this.#put(Object.entries(orders).filter(([id]) => !lists.has(id)));
    return ending;
  }

  /** Called at the end of the run. `isDone` tells if the change of an address was carried out. */
  close(isDone: (address: Address) => boolean, entries: Ledger['entries']): void {
    const finished = [...this.#lists].filter(([, changes]) =>
      changes.every(({ action, address }) => action === 'noop' || isDone(address)),
    );
    const orders = { ...this.#ledger.orders };
    for (const [id, changes] of finished) orders[id] = appliedOrder(changes);
    const isOwned = (address: Address) => entries[address] !== undefined && !entries[address].existing;
    // One item has no order. A list whose items have left the ledger goes with them.
    this.#put(
      Object.entries(orders)
        .map(([id, addresses]) => [id, addresses.filter(isOwned)] as const)
        .filter(([, addresses]) => addresses.length > 1),
    );
  }

  #put(orders: (readonly [CollectionId, Address[]])[]): void {
    if (orders.length > 0) this.#ledger.orders = Object.fromEntries(orders);
    else delete this.#ledger.orders;
  }
}

/** The configured order of the items of one list. */
const appliedOrder = (changes: readonly Change[]): Address[] =>
  changes
    .flatMap(({ address, after }) => (after ? [{ address, index: after.index }] : []))
    .sort((a, b) => a.index - b.index)
    .map(({ address }) => address);
