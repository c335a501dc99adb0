import type { Kinds } from '../kind/kind.ts';
import { type Address, indexByAddress } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { type LedgerKey, shortIdDigest } from '../model/digest.ts';
import type { Intent, Ledger } from '../model/ledger.ts';
import type { Plan } from '../model/plan.ts';
import { objectsOfCollection } from '../model/refreshed-resources.ts';
import { isRead, type Request } from '../model/request.ts';
import { collectionId, type Live, objectsAt } from '../model/resource.ts';
import { holesIn } from '../model/value.ts';
import { intentEntry } from './create-ledger-entry.ts';

interface IntentsOptions {
  plan: Plan;
  live: Live;
  kinds: Kinds;
  key?: LedgerKey | undefined;
  /** Returns a change with all references filled whose objects exist by now. */
  fillReferences(change: Change): Change;
}

/**
 * Keeps the intents of a run in the ledger: for each object that it is about to create, the entry that the object would get, and the ids
 * that exist already. They are stored before the first write. If the run is interrupted, the next one recognizes the new objects by them
 * (`resume.ts`).
 *
 * An intent is in doubt from the moment its request is sent until the answer, or a read of the account, shows the
 * outcome. Only intents in doubt stay in the ledger after the run. Those that earlier runs have left are in doubt
 * from the start: the plan could not settle them, because their collection could not be read or no list shows such
 * objects. A refused request of this run does not settle them either: it may mean that the object exists.
 */
export class Intents {
  readonly #ledger: Pick<Ledger, 'begun'>;
  readonly #options: IntentsOptions;
  readonly #changeOf: ReadonlyMap<Address, Change>;
  readonly #open: Record<Address, Intent>;
  /**
   * The intents that earlier runs have left. They may have been sent even if they do not say so: a lost journal takes that mark with it.
   */
  readonly #earlierIntents: Map<Address, Intent>;
  readonly #inDoubt = new Set<Address>();
  /** The number of open intents: counting the members of a large record after each change would be slow. */
  #openCount: number;

  /**
   * Starts to record the intents of a run in the ledger: notes, stored before the first write, that an object is about to be created. If
   * the run is interrupted, the next one finds the new objects by these notes and does not create them twice. Intents that earlier runs
   * left open are kept.
   */
  constructor(ledger: Pick<Ledger, 'begun'>, options: IntentsOptions) {
    this.#ledger = ledger;
    this.#options = options;
    this.#changeOf = indexByAddress(options.plan.changes);
    this.#earlierIntents = new Map(Object.entries(ledger.begun ?? {}));
    this.#open = { ...ledger.begun, ...intentsOf(options) };
    this.#openCount = Object.keys(this.#open).length;
    if (this.#openCount > 0) ledger.begun = this.#open;
  }

  /**
   * Marks the creations of a request as sent and in doubt, and returns their addresses. Called before the
   * request is sent, so that an interrupted run leaves a note of what it may have created. `following`: the
   * later requests of the operation. Reads right after a write may tell the ids of its new objects, so their
   * addresses count, too.
   */
  recordSending(request: Request, following: Request[]): Address[] {
    const { kinds, key, fillReferences } = this.#options;
    const nextWrite = following.findIndex((next) => !isRead(next));
    const followingReads = following.slice(0, nextWrite < 0 ? following.length : nextWrite);
    const created = [request, ...followingReads]
      .flatMap(createdBy)
      .filter((address) => this.#open[address] && this.#changeOf.has(address));
    for (const address of created) {
      const { entry, seen } = this.#open[address]!;
      const change = this.#changeOf.get(address)!;
      // The objects that a reference names exist by now, so the digests can have their ids.
      const currentEntry = hasHoles(change)
        ? intentEntry(fillReferences(change), kinds.get(change.kind)!, key, entry.salt)
        : entry;
      this.#open[address] = { entry: currentEntry, seen, sent: true };
      this.#inDoubt.add(address);
    }
    return created;
  }

  /**
   * Records that the creations of a request are no longer in doubt, because it was answered. Their intents (notes in the ledger that the
   * objects may have been created) then end with the run, and those that earlier runs left at their addresses are not kept either.
   * `unknown`: the addresses whose outcome is still not clear.
   */
  recordAnswer(request: Request, unknown: ReadonlyMap<Address, unknown>): void {
    for (const address of createdBy(request))
      if (!unknown.has(address)) {
        this.#inDoubt.delete(address);
        this.#earlierIntents.delete(address);
      }
  }

  /**
   * Records that a request certainly had no effect, except perhaps at the addresses `inDoubt`, so that its intents end with the run. An
   * intent that an earlier run has left for the same address stays.
   */
  recordRefusal(request: Request, inDoubt: ReadonlyMap<Address, unknown>): void {
    for (const address of createdBy(request)) if (!inDoubt.has(address)) this.#inDoubt.delete(address);
  }

  /**
   * Records that the outcome of a creation is clear, because an apply has read the account after the answer was lost. While it is in doubt,
   * its intent (the note in the ledger that the object may have been created) survives the end of the run.
   */
  recordFound(address: Address): void {
    this.#inDoubt.delete(address);
    this.#earlierIntents.delete(address);
  }

  /**
   * Removes the intent of an address (the note in the ledger that its object is about to be created), also that of an earlier run. Called
   * when the change is done, so that no later run looks for an unrecorded object.
   */
  remove(address: Address): void {
    if (this.#open[address]) this.#openCount--;
    this.#earlierIntents.delete(address);
    delete this.#open[address];
    if (this.#openCount === 0) delete this.#ledger.begun;
  }

  /**
   * Removes the intents (notes in the ledger that an object is about to be created) that are not in doubt, at
   * the end of the run: the next plan creates those objects if they are still missing. If an earlier run left an intent
   * at the address, it comes back instead, because its creation may have been sent. `isNeeded`: true for an address
   * whose intent stays in any case.
   */
  close(isNeeded: (address: Address) => boolean): void {
    for (const address of Object.keys(this.#open)) {
      if (this.#inDoubt.has(address) || isNeeded(address)) continue;
      const earlierIntent = this.#earlierIntents.get(address);
      if (earlierIntent) this.#open[address] = earlierIntent;
      else this.remove(address);
    }
  }
}

/** True if a change has holes, which references and secrets fill. */
const hasHoles = ({ after }: Change): boolean => holesIn(after?.fields).length > 0;

/**
 * Returns the addresses at which a request may create something. Used to know which intents to store before sending
 * it, and where to look if its answer is lost.
 */
export const createdBy = ({ returns = [], batch = [], shows }: Request): Address[] => [
  ...new Set([...returns.map(({ address }) => address), ...batch.flat(), ...(shows ? [shows.address] : [])]),
];

/**
 * Returns an intent for each address at which the plan may create an object: the note in the ledger by which
 * a later run recognizes the object if this one is interrupted. `seen` has digests of the ids that exist
 * before the run, because an object with another id is new: the ids at the address or, for a kind without
 * names, in the whole collection.
 */
function intentsOf({ plan, live, kinds, key, fillReferences }: IntentsOptions): Record<Address, Intent> {
  const created = new Set(plan.operations.flatMap(({ requests }) => requests.flatMap(createdBy)));
  const creations = plan.changes.filter(({ address, after }) => created.has(address) && after);
  return Object.fromEntries(
    creations.map((change) => {
      const { address, parent } = change;
      const kind = kinds.get(change.kind)!;
      const entry = intentEntry(fillReferences(change), kind, key);
      const earlierObjects = kind.shape.isNamed
        ? objectsAt(live, address)
        : objectsOfCollection(live.resources, collectionId(kind.name, parent));
      const hiddenIds = kind.shape.isNamed ? [] : (live.hiddenIds ?? []);
      const earlierIds = [...earlierObjects.flatMap(({ ids }) => ids), ...hiddenIds];
      const seenDigests = earlierIds.map((id) => shortIdDigest(entry.salt, id)).sort();
      return [address, { entry, seen: seenDigests }];
    }),
  );
}
