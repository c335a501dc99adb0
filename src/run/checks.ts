import { ancestorsOf } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import { type Change, createsObject } from '../model/change.ts';
import type { Ledger } from '../model/ledger.ts';
import type { Operation, Plan } from '../model/plan.ts';
import { freshFor, isRead } from '../model/request.ts';
import { type CollectionId, collectionId, collectionParts, type Live } from '../model/resource.ts';
import { changedIn, idsIn, isWrittenWhole } from './changed-since.ts';

interface ChecksOptions {
  plan: Plan;
  live: Live;
  kinds: Kinds;
  /** The ledger at the beginning of the run. */
  ledger: Pick<Ledger, 'entries'>;
  /** Reads collections again, and nothing else. */
  refresh(collections: CollectionId[]): Promise<Live>;
  /** The current ids of an address. */
  idsOf(address: Address): string[];
  now(): number;
}

interface Checked {
  /** The collections as they were just before. */
  seen: ReadonlyMap<CollectionId, Live>;
  /** Checks once more after a wait. */
  again(): Promise<void>;
}

interface Reading {
  /** The time when it began. */
  at: number;
  /** True if this run has not changed anything in the collection before. */
  isFirst: boolean;
  live: Promise<Live>;
}

/**
 * Checks that an operation still finds what it was planned on: reads each object again that it changes. One reading serves all operations
 * on a collection that follow each other closely.
 */
export class Checks {
  readonly #options: ChecksOptions;
  readonly #changeOf: ReadonlyMap<Address, Change>;
  /** The ids in the ledger at the beginning; objects made by the run are not among them. */
  readonly #known: ReadonlyMap<Address, readonly string[]>;
  /** Addresses that this run itself has changed, so that they differ from the plan's basis. */
  readonly #ours = new Set<Address>();
  readonly #readings = new Map<CollectionId, Reading>();

  constructor(options: ChecksOptions) {
    const { changes } = options.plan;
    this.#options = options;
    this.#changeOf = new Map(changes.map((change) => [change.address, change]));
    this.#known = new Map(
      changes.map(({ address }) => [address, options.ledger.entries[address]?.ids ?? []]),
    );
  }

  /**
   * Checks the objects of an operation that has not begun. Throws if somebody else has changed one that it changes, or created one that it
   * creates; then nothing of the operation may be sent.
   */
  async check({ changes: addresses }: Operation): Promise<Checked> {
    const changes = addresses
      .map((address) => this.#changeOf.get(address)!)
      .filter((change) => !this.#ours.has(change.address) && !this.#isInNew(change));
    for (const address of addresses) this.#ours.add(address);
    const seen = new Map<CollectionId, Live>();
    await this.#look(changes, seen);
    const again = () =>
      this.#look(changes, seen).catch((error) => {
        throw Object.assign(error, { sent: false });
      });
    return { seen, again };
  }

  /** Our objects that the plan forgets as gone, and that a second reading shows: the first list may have left them out. */
  async foundAgain(): Promise<Set<Address>> {
    const { plan, live, ledger, refresh } = this.#options;
    const { entries } = ledger;
    const changes = plan.changes.filter(
      ({ address, action, before, parent }) =>
        action === 'forget' &&
        !before &&
        !entries[address]?.existing &&
        (parent === undefined || live.resources.has(parent)),
    );
    const collections = [...new Set(changes.map(({ kind, parent }) => collectionId(kind, parent)))];
    if (collections.length === 0) return new Set();
    const after = await refresh(collections);
    const isThere = ({ address, kind, parent }: Change) => {
      const id = collectionId(kind, parent);
      const [was, is] = [idsIn(id, live), idsIn(id, after)];
      // What was seen by then was judged: an id may be a name, and of another object by now.
      return entries[address]?.ids.some((id) => is.has(id) && !was.has(id)) ?? false;
    };
    return new Set(changes.filter(isThere).map(({ address }) => address));
  }

  /**
   * The addresses of a finished operation at which somebody else's write may be lost, since it came between our last look and our own
   * write. This can be told only if the platform counts writes, and never be prevented. `seen`: the collections just before.
   */
  async overwritten(
    { changes, requests }: Operation,
    seen: ReadonlyMap<CollectionId, Live>,
  ): Promise<Address[]> {
    // What is new overwrites nothing, and what goes was to go.
    const replaced = changes.filter((address) => {
      const { before, action } = this.#changeOf.get(address)!;
      return before && ['update', 'adopt'].includes(action);
    });
    const counted = [...seen].filter(([id]) => this.#kindOf(id).read.writes);
    if (replaced.length === 0 || counted.length === 0) return [];
    const live = await this.#options.refresh(counted.map(([id]) => id));
    const ours = requests.filter((request) => !isRead(request)).length;
    const isMore = counted.some(([id, before]) => {
      const [was, is] = [before.writes.get(id), live.writes.get(id)];
      return was !== undefined && is !== undefined && is - was > ours;
    });
    return isMore ? replaced : [];
  }

  /** Reads the collections of these changes again if their last reading is too old, and compares. Puts what it read into `seen`. */
  async #look(changes: Change[], seen: Map<CollectionId, Live>): Promise<void> {
    const { live, refresh, now, idsOf } = this.#options;
    const collections = [...new Set(changes.map(collectionOf))];
    const stale = collections.filter((id) => this.#isStale(id));
    const read = stale.length > 0 ? refresh(stale) : undefined;
    for (const id of stale)
      this.#readings.set(id, { at: now(), isFirst: !this.#readings.has(id), live: read! });
    for (const id of collections) {
      const reading = this.#readings.get(id)!;
      const after = await reading.live;
      seen.set(id, after);
      const unread = after.unreadable.get(id);
      if (unread) throw new Error(`could not check whether it changed: ${unread.why}`);
      const kind = this.#kindOf(id);
      const what = changedIn(
        changes.filter((change) => collectionOf(change) === id),
        {
          id,
          kind,
          before: live,
          after,
          ours: this.#ours,
          // Only what has no name of its own is told by its id alone.
          made: new Set(kind.shape.isNamed ? [] : [...this.#ours].flatMap(idsOf)),
          knownAs: (address) => this.#known.get(address) ?? [],
          isFirst: reading.isFirst,
        },
      );
      if (what) throw new Error(`${what} was changed by somebody else after the plan was made; plan again`);
    }
  }

  #kindOf(id: CollectionId): Kind {
    return this.#options.kinds.get(collectionParts(id)[1])!;
  }

  /** True below an object that this run creates: nobody else has anything there. */
  #isInNew({ kind, parent, before }: Change): boolean {
    if (before?.transfer) return false;
    const { kinds } = this.#options;
    return ancestorsOf(kinds, kinds.get(kind)!, parent).some(({ address }) =>
      createsObject(this.#changeOf.get(address)),
    );
  }

  /** True if a reading is too old for another operation: it serves those that follow each other closely. */
  #isStale(id: CollectionId): boolean {
    const last = this.#readings.get(id);
    return !last || this.#options.now() - last.at >= freshFor || isWrittenWhole(this.#kindOf(id));
  }
}

/** The collection of a change's object before the change. */
const collectionOf = ({ kind, parent, before }: Change): CollectionId =>
  collectionId(kind, before?.transfer?.parent ?? parent);
