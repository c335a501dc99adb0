import { type Address, isWithin } from '../model/address.ts';
import { type Change, createsObject } from '../model/change.ts';
import type { Outcome, RateLimit } from '../model/event.ts';
import { addTo } from '../model/graph.ts';
import type { Operation, Plan } from '../model/plan.ts';

/**
 * Counts the outcome of each change of a plan. A change is done once all of its operations are; one without requests at once, or together
 * with the object that has to be made before it means anything.
 */
export class Tally {
  readonly #changes: Change[];
  readonly #changeOf: ReadonlyMap<Address, Change>;
  readonly #onDone: (change: Change) => void;
  /** Operations that an address still waits for. */
  readonly #waitsFor = new Map<Address, number>();
  /** Changes without requests, by the address whose object is made first. */
  readonly #attached = new Map<Address, Change[]>();
  readonly #done: Address[] = [];
  readonly #failed = new Map<Address, unknown>();
  readonly #skipped = new Map<Address, string>();
  readonly #postponed = new Map<Operation, RateLimit>();
  readonly #overwritten: Address[] = [];

  /** `onDone` is called with each finished change, even if it does nothing. */
  constructor({ changes, operations }: Plan, onDone: (change: Change) => void) {
    this.#changes = changes;
    this.#changeOf = new Map(changes.map((change) => [change.address, change]));
    this.#onDone = onDone;
    for (const operation of operations)
      for (const address of operation.changes)
        this.#waitsFor.set(address, (this.#waitsFor.get(address) ?? 0) + 1);
  }

  /** Carries out the changes without requests. `isKnown`: the ledger has the address; `foundAgain`: these were to be forgotten, and still exist. */
  begin(isKnown: (address: Address) => boolean, foundAgain: ReadonlySet<Address>): void {
    // The nearest first.
    const makers = [...this.#waitsFor.keys()]
      .filter((address) => createsObject(this.#changeOf.get(address)))
      .sort((a, b) => b.length - a.length);
    for (const change of this.#changes) {
      const { address, action, after } = change;
      const isOurs = action !== 'noop' || isKnown(address) || after?.meta.existing;
      if (this.#waitsFor.has(address) || !isOurs) continue;
      const kept = action === 'forget' ? [...foundAgain].find((one) => isWithin(address, one)) : undefined;
      const maker = makers.find((maker) => isWithin(address, maker));
      if (kept === address) this.fail(address, new Error(`${address} was not gone; plan again`));
      else if (kept !== undefined) this.#skipped.set(address, kept);
      else if (maker !== undefined) addTo(this.#attached, maker, change);
      else this.#carriedOut(change);
    }
  }

  /** Called when all requests of an operation were answered; its failures were reported before. */
  finish(operation: Operation): void {
    for (const address of operation.changes) {
      const left = this.#waitsFor.get(address)! - 1;
      this.#waitsFor.set(address, left);
      const change = this.#changeOf.get(address);
      if (left > 0 || this.#failed.has(address) || this.#skipped.has(address) || !change) continue;
      this.#carriedOut(change);
    }
  }

  fail(address: Address, error: unknown): void {
    this.#failed.set(address, error);
  }

  skip(operation: Operation, because: string): void {
    for (const address of operation.changes)
      if (!this.#failed.has(address)) this.#skipped.set(address, because);
  }

  /** Leaves an operation to a later run. */
  postpone(operation: Operation, rateLimit: RateLimit): void {
    this.#postponed.set(operation, rateLimit);
  }

  /** The rate limit that an operation was left for. */
  postponedFor(operation: Operation): RateLimit | undefined {
    return this.#postponed.get(operation);
  }

  overwrote(addresses: Address[]): void {
    this.#overwritten.push(...addresses);
  }

  outcome(isStopped: boolean): Outcome {
    const failed = this.#failed;
    const skipped = new Map(this.#skipped);
    const limited = new Map<Address, RateLimit>();
    for (const [{ changes }, rateLimit] of this.#postponed)
      for (const address of changes) if (!failed.has(address)) limited.set(address, rateLimit);
    const done = new Set(this.#done);
    for (const [maker, changes] of this.#attached)
      for (const { address, action } of changes) {
        if (action === 'noop' || done.has(address)) continue;
        const rateLimit = limited.get(maker);
        if (rateLimit) limited.set(address, rateLimit);
        else skipped.set(address, maker);
      }
    return {
      done: this.#done
        .filter((address) => !failed.has(address) && !limited.has(address) && !skipped.has(address))
        .sort(),
      failed: [...failed].map(([address, error]) => ({ address, error })),
      left: [...limited].map(([address, rateLimit]) => ({ address, rateLimit })),
      skipped: [...skipped]
        .filter(([address]) => !failed.has(address) && !limited.has(address))
        .map(([address, because]) => ({ address, because })),
      overwritten: this.#overwritten,
      interrupted: isStopped && skipped.size + failed.size > 0,
    };
  }

  #carriedOut(change: Change): void {
    this.#onDone(change);
    if (change.action !== 'noop') this.#done.push(change.address);
    for (const other of this.#attached.get(change.address) ?? []) this.#carriedOut(other);
  }
}
