import { type Address, ancestorsAmong, indexByAddress, isWithin } from '../model/address.ts';
import { type Change, createsObject } from '../model/change.ts';
import type { Outcome, RateLimit } from '../model/event.ts';
import { addTo } from '../model/graph.ts';
import type { Operation, Plan } from '../model/plan.ts';

/**
 * Works out the outcome of each change of a plan from the outcomes of its operations.
 *
 *   | state of a change | when                                                                                      |
 *   | done              | all of its operations are done                                                            |
 *   | failed            | one of its operations failed, or the platform refused its item of a batch                 |
 *   | postponed         | a rate limit would have made one of its operations wait for too long                      |
 *   | skipped           | an operation that one of its operations depends on is not done, or the run was stopped    |
 *
 * A change without operations only changes the ledger (`forget`, for example). It is done at the start of the run. If it is inside an
 * object that this run creates, it is attached to the change of that object (its creator), and done together with it.
 */
export class Tally {
  readonly #changes: Change[];
  readonly #changeOf: ReadonlyMap<Address, Change>;
  readonly #onDone: (change: Change) => void;
  /** The number of operations that each address still waits for. */
  readonly #remainingOperations = new Map<Address, number>();
  /** The changes without operations, by the address of the creator that they are attached to. */
  readonly #attached = new Map<Address, Change[]>();
  readonly #done: Address[] = [];
  readonly #failed = new Map<Address, unknown>();
  /** The skipped addresses, each with the reason: an address that is not done, or a text. */
  readonly #skipped = new Map<Address, string>();
  readonly #postponed = new Map<Operation, RateLimit>();
  readonly #overwritten: Address[] = [];

  /**
   * Counts how many operations each change waits for. `onDone` is called with each finished change, even if the
   * change does nothing, so that the ledger records it.
   */
  constructor({ changes, operations }: Plan, onDone: (change: Change) => void) {
    this.#changes = changes;
    this.#changeOf = indexByAddress(changes);
    this.#onDone = onDone;
    for (const operation of operations)
      for (const address of operation.changes)
        this.#remainingOperations.set(address, (this.#remainingOperations.get(address) ?? 0) + 1);
  }

  /**
   * Begins to count the changes of an apply. Changes that need no operation have nothing to send. Each of them is finished now (recorded in
   * the ledger), or waits for the creation of the object around it (`#attached`). Called before the first request. `hasEntry`: true if the
   * ledger has the address. `reappeared`: objects that the plan takes for deleted and that still exist, so that the run must not forget
   * them or anything in them.
   */
  start(hasEntry: (address: Address) => boolean, reappeared: ReadonlySet<Address>): void {
    const creators = new Set(
      [...this.#remainingOperations.keys()].filter((address) => createsObject(this.#changeOf.get(address))),
    );
    for (const change of this.#changes) {
      const { address, action, after } = change;
      if (this.#remainingOperations.has(address)) continue;
      // A `noop` for an object that the ledger does not have changes nothing.
      const changesLedger = action !== 'noop' || hasEntry(address) || after?.meta.existing;
      if (!changesLedger) continue;
      const reappearedAbove =
        action === 'forget' ? [...reappeared].find((other) => isWithin(address, other)) : undefined;
      const [creator] = ancestorsAmong(address, creators);
      if (reappearedAbove === address) this.fail(address, new Error(`${address} was not gone; plan again`));
      else if (reappearedAbove !== undefined) this.#skipped.set(address, reappearedAbove);
      else if (creator !== undefined) addTo(this.#attached, creator, change);
      else this.#finishChange(change);
    }
  }

  /**
   * Counts an operation all of whose writes have an outcome. A change is done once its last operation is. Failures in
   * the operation must be reported with `fail` before, so that they do not count as done.
   */
  finishOperation(operation: Operation): void {
    for (const address of operation.changes) {
      const remaining = this.#remainingOperations.get(address)! - 1;
      this.#remainingOperations.set(address, remaining);
      const change = this.#changeOf.get(address);
      const isNotDone = remaining > 0 || this.#failed.has(address) || this.#skipped.has(address);
      if (change && !isNotDone) this.#finishChange(change);
    }
  }

  fail(address: Address, error: unknown): void {
    this.#failed.set(address, error);
  }

  /**
   * Records that an operation was not started. `reason`: the address that failed before it, or a text for the report.
   * An address that has failed stays failed.
   */
  skip(operation: Operation, reason: string): void {
    for (const address of operation.changes)
      if (!this.#failed.has(address)) this.#skipped.set(address, reason);
  }

  /** Postpones an operation to a later run because of a rate limit. */
  postpone(operation: Operation, rateLimit: RateLimit): void {
    this.#postponed.set(operation, rateLimit);
  }

  /**
   * Returns the rate limit that an operation was postponed for, so that the operations that depend on it are postponed, too, and not
   * skipped.
   */
  postponedFor(operation: Operation): RateLimit | undefined {
    return this.#postponed.get(operation);
  }

  /** Adds addresses at which a write of somebody else may have been overwritten, for the report. */
  addOverwritten(addresses: Address[]): void {
    this.#overwritten.push(...addresses);
  }

  /**
   * Returns the outcome of the run, for the report and the history. An address with several operations can be in several states: failed
   * counts first, then postponed, then skipped. A change without requests of its own, inside an object that the run creates (`#attached`),
   * is done or postponed with that creation, and otherwise skipped. `isStopped`: true if the user stopped the run or its lease was lost. It
   * only counts as interrupted if changes were skipped or failed.
   */
  outcome(isStopped: boolean): Outcome {
    const failed = this.#failed;
    const skipped = new Map(this.#skipped);
    const postponed = new Map<Address, RateLimit>();
    for (const [{ changes }, rateLimit] of this.#postponed)
      for (const address of changes) if (!failed.has(address)) postponed.set(address, rateLimit);
    const done = new Set(this.#done);
    for (const [creator, changes] of this.#attached)
      for (const { address, action } of changes) {
        if (action === 'noop' || done.has(address)) continue;
        const rateLimit = postponed.get(creator);
        if (rateLimit) postponed.set(address, rateLimit);
        else skipped.set(address, creator);
      }
    return {
      done: this.#done
        .filter((address) => !failed.has(address) && !postponed.has(address) && !skipped.has(address))
        .sort(),
      failed: [...failed].map(([address, error]) => ({ address, error })),
      postponed: [...postponed].map(([address, rateLimit]) => ({ address, rateLimit })),
      skipped: [...skipped]
        .filter(([address]) => !failed.has(address) && !postponed.has(address))
        .map(([address, reason]) => ({ address, reason })),
      overwritten: this.#overwritten,
      interrupted: isStopped && skipped.size + failed.size > 0,
    };
  }

  /**
   * Marks a change as done, so that the ledger records it and the report counts it. The changes that were
   * attached to it, because they are inside its object, are then done as well.
   */
  #finishChange(change: Change): void {
    this.#onDone(change);
    if (change.action !== 'noop') this.#done.push(change.address);
    for (const attachedChange of this.#attached.get(change.address) ?? []) this.#finishChange(attachedChange);
  }
}
