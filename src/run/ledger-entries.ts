import { type Address, isWithin } from '../model/address.ts';
import type { Ledger, LedgerEntry } from '../model/ledger.ts';
import { type Move, renamed, unmoved } from '../model/move.ts';
import type { Plan } from '../model/plan.ts';

/**
 * The ledger's entries while a run changes them. The run goes by the configuration's names; what is kept goes by the account's until
 * the renames are done.
 */
export class LedgerEntries {
  /** By the names of the configuration. */
  readonly of: Record<Address, LedgerEntry>;
  readonly #wanted: ReadonlySet<Address>;
  /** Parents that are not ours: kept for their last child, or because they are declared. */
  readonly #borrowed: readonly Address[];
  readonly #touched = new Set<Address>();
  #moves: readonly Move[];

  /** `moves`: the renames that the account does not have yet. */
  constructor({ changes }: Pick<Plan, 'changes'>, before: Ledger['entries'], moves: readonly Move[]) {
    this.#moves = moves;
    this.of = { ...before };
    for (const { address, claims } of changes)
      if (claims !== undefined && this.of[claims]) {
        this.of[address] = this.of[claims];
        delete this.of[claims];
      }
    this.#wanted = new Set(changes.flatMap(({ address, after }) => (after ? [address] : [])));
    this.#borrowed = Object.keys(this.of).filter((address) => this.of[address]!.existing);
    for (const address of Object.keys(this.of)) if (this.of[address] !== before[address]) this.touch(address);
  }

  put(address: Address, entry: LedgerEntry): void {
    this.touch(address);
    this.of[address] = entry;
  }

  /** Takes out only this one. */
  remove(address: Address): void {
    this.touch(address);
    delete this.of[address];
  }

  /** Takes one out, and the parents that were kept for it. */
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
    this.#touched.add(unmoved(address, this.#moves));
  }

  /** The addresses, as they are kept, that were touched since this was asked last. */
  touched(): Address[] {
    const all = [...this.#touched];
    this.#touched.clear();
    return all;
  }

  /** A ledger as it has to be kept now: what is not renamed yet under its old name. */
  kept(ledger: Ledger): Ledger {
    return this.#moves.length === 0 ? ledger : renamed(ledger, (address) => unmoved(address, this.#moves));
  }

  /** The change at this address was carried out: from now on its rename is kept, too. `others`: addresses that are kept beside the entries. */
  renameDone(address: Address, others: () => Address[]): void {
    const left = this.#moves.filter(({ by }) => by !== address);
    if (left.length === this.#moves.length) return;
    for (const one of [...Object.keys(this.of), ...others()]) {
      const [before, after] = [unmoved(one, this.#moves), unmoved(one, left)];
      if (before !== after) this.#touched.add(before).add(after);
    }
    this.#moves = left;
  }
}
