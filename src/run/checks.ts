import { ancestorsOf } from '../kind/define-kind.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import { type Change, makesObject } from '../model/change.ts';
import type { Ledger } from '../model/ledger.ts';
import { freshFor, type Operation, type Plan } from '../model/plan.ts';
import { type CollectionId, collectionId, collectionParts, type Live } from '../model/resource.ts';
import { changedIn, inCollection, isWrittenWhole } from './changed-since.ts';

export interface PreconditionOptions {
  plan: Plan;
  live: Live;
  kinds: Kinds;
  /** What was known of the objects when the run began. */
  ledger: Pick<Ledger, 'entries'>;
  /** Reads collections again, and nothing else. */
  refresh(collections: CollectionId[]): Promise<Live>;
  /** The ids that an address has by now. */
  idsOf(address: Address): string[];
  now(): number;
}

/**
 * Whether what an operation was planned on still is so: each object that it changes is read again before, one reading for all
 * operations on a collection that follow each other closely. Throws where somebody else changed what would be changed, or made what
 * would be made; then nothing of the operation may be sent.
 */
export function openPreconditions(options: PreconditionOptions): {
  /** Looks at what an operation is about, which has not begun. */
  check(operation: Operation): Promise<Checked>;
  /** Those of our objects that the plan forgets as gone and a second reading shows: a list may have left them out once. */
  foundAgain(ledger: Pick<Ledger, 'entries'>): Promise<Set<Address>>;
} {
  const { plan, live, kinds, ledger, refresh, now } = options;
  // By now: what the run makes is not that.
  const known = new Map(plan.changes.map(({ address }) => [address, ledger.entries[address]?.ids ?? []]));
  const knownAs = (address: Address) => known.get(address) ?? [];
  const changeOf = new Map(plan.changes.map((change) => [change.address, change]));
  /** What this run has changed itself is no longer as it was planned on. */
  const ours = new Set<Address>();
  const read = new Map<CollectionId, Reading>();

  /** What is in something that is made by this run is nobody else's. */
  const isInNew = ({ kind, parent }: Change) =>
    ancestorsOf(kinds, kinds.get(kind)!, parent).some(({ address }) => makesObject(changeOf.get(address)));

  /** One reading of a collection serves for several operations that follow each other closely. */
  const isStale = (id: CollectionId) => {
    const last = read.get(id);
    return !last || now() - last.at >= freshFor || isWrittenWhole(kinds.get(collectionParts(id)[1])!);
  };

  return {
    async foundAgain({ entries }) {
      const gone = plan.changes.filter(
        ({ address, action, before, parent }) =>
          action === 'forget' &&
          !before &&
          !entries[address]?.existing &&
          (parent === undefined || live.resources.has(parent)),
      );
      const collections = [...new Set(gone.map(({ kind, parent }) => collectionId(kind, parent)))];
      if (collections.length === 0) return new Set();
      const after = await refresh(collections);
      const idsIn = (id: CollectionId, reading: Live) =>
        inCollection(id, reading)
          .flatMap((one) => one.alternatives ?? [one])
          .flatMap(({ ids }) => ids);
      const isThere = ({ address, kind, parent }: Change) => {
        const id = collectionId(kind, parent);
        // What was seen by then was judged: an id may be a name, and of another object by now.
        const seen = idsIn(id, live);
        return idsIn(id, after).some((one) => entries[address]?.ids.includes(one) && !seen.includes(one));
      };
      return new Set(gone.filter(isThere).map(({ address }) => address));
    },
    async check({ changes: addresses }) {
      const changes = addresses
        .map((address) => changeOf.get(address)!)
        .filter((change) => !ours.has(change.address) && !isInNew(change));
      for (const address of addresses) ours.add(address);
      const collections = [...new Set(changes.map(({ kind, parent }) => collectionId(kind, parent)))];
      const seen = new Map<CollectionId, Live>();
      const look = async () => {
        const stale = collections.filter(isStale);
        const again = stale.length > 0 ? refresh(stale) : undefined;
        for (const id of stale) read.set(id, { at: now(), isFirst: !read.has(id), live: again! });
        for (const id of collections) {
          const reading = read.get(id)!;
          const after = await reading.live;
          seen.set(id, after);
          const why = after.frozen.get(id);
          if (why !== undefined)
            throw new Error(`it could not be read whether it still is as it was: ${why}`);
          const kind = kinds.get(collectionParts(id)[1])!;
          // Only what has no name of its own is told by its id alone.
          const made = new Set(kind.identity ? [...ours].flatMap(options.idsOf) : []);
          const here = changes.filter(({ kind, parent }) => collectionId(kind, parent) === id);
          const { isFirst } = reading;
          const what = changedIn(here, { id, kind, before: live, after, ours, made, knownAs, isFirst });
          if (what)
            throw new Error(`${what} was changed by somebody else since the plan was made; plan again`);
        }
      };
      await look();
      const again = () =>
        look().catch((error) => {
          throw Object.assign(error, { sent: false });
        });
      return { seen, again };
    },
  };
}

export interface Checked {
  /** What the collections were like just before. */
  seen: ReadonlyMap<CollectionId, Live>;
  /** Looks once more, where it had to wait before it could begin. */
  again(): Promise<void>;
}

interface Reading {
  /** When it began. */
  at: number;
  /** Before anything in the collection was changed by this run. */
  isFirst: boolean;
  live: Promise<Live>;
}
