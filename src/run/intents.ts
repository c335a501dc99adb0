import type { Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { seenId } from '../model/digest.ts';
import type { Intent, Ledger } from '../model/ledger.ts';
import type { LedgerKey } from '../model/ledger-key.ts';
import type { Plan } from '../model/plan.ts';
import { isRead, type Request } from '../model/request.ts';
import { collectionId, groupByCollection, type Live, withAlternatives } from '../model/resource.ts';
import { holesIn } from '../model/value.ts';
import { intentEntry } from './create-ledger-entry.ts';

interface IntentsOptions {
  plan: Plan;
  live: Live;
  kinds: Kinds;
  key?: LedgerKey | undefined;
  /** The change as it is recorded, with all known references filled. */
  known(change: Change): Change;
}

/** Keeps in the ledger, from before the first write, all that a run is about to create, so that the next run recognises what it finds. */
export class Intents {
  readonly #ledger: Pick<Ledger, 'begun'>;
  readonly #options: IntentsOptions;
  readonly #changeOf: ReadonlyMap<Address, Change>;
  readonly #open: Record<Address, Intent>;
  readonly #inDoubt = new Set<Address>();
  #size: number;

  constructor(ledger: Pick<Ledger, 'begun'>, options: IntentsOptions) {
    this.#ledger = ledger;
    this.#options = options;
    this.#changeOf = new Map(options.plan.changes.map((change) => [change.address, change]));
    this.#open = { ...ledger.begun, ...intentsOf(options) };
    this.#size = Object.keys(this.#open).length;
    if (this.#size > 0) ledger.begun = this.#open;
  }

  /**
   * Called before a request is sent: what it creates is in doubt until its answer arrives, or that of a read among the `following`
   * requests that tells the id. Returns these addresses.
   */
  begins(request: Request, following: Request[]): Address[] {
    const { kinds, key, known } = this.#options;
    const write = following.findIndex((request) => !isRead(request));
    const requests = following.slice(0, write < 0 ? following.length : write);
    const created = [request, ...requests]
      .flatMap(createdBy)
      .filter((address) => this.#open[address] && this.#changeOf.has(address));
    for (const address of created) {
      const { entry, seen } = this.#open[address]!;
      const change = this.#changeOf.get(address)!;
      // By now it is known what it refers to.
      const ledgerEntry = refers(change)
        ? intentEntry(known(change), kinds.get(change.kind)!, key, entry.salt)
        : entry;
      this.#open[address] = { entry: ledgerEntry, seen, sent: true };
      this.#inDoubt.add(address);
    }
    return created;
  }

  /** Called after a request was answered, or certainly had no effect; `unknown`: the addresses on which the answer is silent. */
  heard(request: Request, unknown?: ReadonlyMap<Address, unknown>): void {
    for (const address of createdBy(request)) if (!unknown?.has(address)) this.#inDoubt.delete(address);
  }

  /** Called when a read of the account has shown the outcome at this address. */
  found(address: Address): void {
    this.#inDoubt.delete(address);
  }

  /** Called when the change of this address is done. */
  ends(address: Address): void {
    if (this.#open[address]) this.#size--;
    delete this.#open[address];
    if (this.#size === 0) delete this.#ledger.begun;
  }

  /** Called at the end of the run: intents that are not in doubt are left to the next plan. */
  close(): void {
    for (const address of Object.keys(this.#open)) if (!this.#inDoubt.has(address)) this.ends(address);
  }
}

/** True if a change has open places, which other objects and secrets fill. */
const refers = ({ after }: Change): boolean => holesIn(after?.fields).length > 0;

/** The addresses at which a request may create something. */
export const createdBy = ({ returns = [], batch = [], shows }: Request): Address[] => [
  ...new Set([...returns.map(({ address }) => address), ...batch.flat(), ...(shows ? [shows.address] : [])]),
];

/** The intents of a plan: an entry for each address at which a request may create something. */
function intentsOf({ plan, live, kinds, key, known }: IntentsOptions): Record<Address, Intent> {
  const created = new Set(plan.operations.flatMap(({ requests }) => requests.flatMap(createdBy)));
  return Object.fromEntries(
    plan.changes
      .filter(({ address, action, after }) => created.has(address) && after && action !== 'delete')
      .map((change) => {
        const { address, parent } = change;
        const kind = kinds.get(change.kind)!;
        const entry = intentEntry(known(change), kind, key);
        const resource = live.resources.get(address);
        const resources = kind.shape.isNamed
          ? withAlternatives(resource && [resource])
          : (groupByCollection(live.resources).get(collectionId(kind.name, parent)) ?? []);
        const ids = resources.flatMap((resource) => resource.ids);
        return [address, { entry, seen: ids.map((id) => seenId(entry.salt, id)).sort() }];
      }),
  );
}
