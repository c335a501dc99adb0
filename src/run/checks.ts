import { ancestorsOf } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { type Address, indexByAddress } from '../model/address.ts';
import { type Change, createsObject } from '../model/change.ts';
import type { Ledger } from '../model/ledger.ts';
import type { Operation, Plan } from '../model/plan.ts';
import { isRead, maxReadAge } from '../model/request.ts';
import {
  type CollectionId,
  collectionId,
  collectionParts,
  findReadFailure,
  type Live,
  type LiveResource,
} from '../model/resource.ts';
import { describeConflict, idsIn, isWrittenWhole, listNewObjects } from './changed-since.ts';

interface ChecksOptions {
  plan: Plan;
  live: Live;
  kinds: Kinds;
  /** The ledger at the beginning of the run. */
  ledger: Pick<Ledger, 'entries'>;
  /** Reads collections again, and nothing else. */
  refresh(collections: CollectionId[]): Promise<Live>;
  /** True if this run has recorded the id, for an object that it has created or changed. */
  isRecordedByRun(id: string): boolean;
  now(): number;
}

/** The readings of the account by collection. */
type LiveByCollection = ReadonlyMap<CollectionId, Live>;

/** The result of a check that found no conflict. */
interface Checked {
  /** The collections of the operation, as they were read for the check. */
  readings: LiveByCollection;
  /** Checks once more, for a write that had to wait. Throws like `check`, with `mayBeCarriedOut: false`. */
  checkAgain(): Promise<void>;
}

/** A reading of one collection during the run. */
interface CheckReading {
  /** The time when it began, in milliseconds. */
  startedAt: number;
  /** True for the first reading of this collection in the run, so that the run has not changed anything in it yet. */
  isFirst: boolean;
  live: Promise<Live>;
  /**
   * For a kind without names, once the reading has been compared: the objects that appeared since the plan and that the run had not created
   * by then. Each comparison only looks at the remaining ones, because a run that creates thousands of objects would otherwise look at all
   * of them each time.
   */
  newObjects?: LiveResource[];
}

/**
 * Checks, immediately before an operation, that its objects are still as the plan was made on, so that no change of somebody else is
 * overwritten. For that it reads their collections again. Operations on one collection that follow each other closely share a reading.
 */
export class Checks {
  readonly #options: ChecksOptions;
  readonly #changeOf: ReadonlyMap<Address, Change>;
  /** The ids that the ledger had at the beginning of the run, without the objects that the run creates. */
  readonly #recordedIds: ReadonlyMap<Address, readonly string[]>;
  /** The addresses that this run has started to change. They may differ from the plan because of us. */
  readonly #changedByRun = new Set<Address>();
  /** The ids that the objects at these addresses had in the plan. */
  readonly #plannedIdsOfChanged = new Set<string>();
  readonly #readings = new Map<CollectionId, CheckReading>();

  /**
   * Prepares the checks of a run, which compare each object with the plan again immediately before it is
   * changed. The recorded ids are copied now, because the ledger gets new ones during the run, and a check
   * must tell our new objects from those of others.
   */
  constructor(options: ChecksOptions) {
    const { changes } = options.plan;
    this.#options = options;
    this.#changeOf = indexByAddress(changes);
    this.#recordedIds = new Map(
      changes.map(({ address }) => [address, options.ledger.entries[address]?.ids ?? []]),
    );
  }

  /**
   * Checks the objects of an operation before its first request, except for those that this run has changed already and those in a parent
   * that it creates. Throws if somebody else has changed an object that the operation changes, or created one that it creates: nothing of
   * it may be sent then, because the plan was approved for other values. Also throws if the collection cannot be read. Returns the
   * readings, and a function which checks again if the first write has to wait. From now on, the objects count as changed by this run.
   */
  async check({ changes: addresses }: Operation): Promise<Checked> {
    const changes = addresses
      .map((address) => this.#changeOf.get(address)!)
      .filter(
        (change) =>
          !this.#changedByRun.has(change.address) &&
          !isInNewParent(change, this.#options.kinds, this.#changeOf),
      );
    this.#noteChangedByRun(addresses);
    const readings = new Map<CollectionId, Live>();
    await this.#readAndCompare(changes, readings);
    // The limiter calls it before the write, so a failure means that the write was not sent.
    const checkAgain = () =>
      this.#readAndCompare(changes, readings).catch((error) => {
        throw Object.assign(error, { mayBeCarriedOut: false });
      });
    return { readings, checkAgain };
  }

  /** Notes that this run changes these addresses, so that later checks do not take its own changes for those of somebody else. */
  #noteChangedByRun(addresses: readonly Address[]): void {
    for (const address of addresses) {
      this.#changedByRun.add(address);
      for (const id of this.#changeOf.get(address)?.before?.ids ?? []) this.#plannedIdsOfChanged.add(id);
    }
  }

  /**
   * Returns the addresses that the plan forgets because their objects seem to be deleted outside, but whose objects a
   * second reading shows. The first list may have left them out. Called before the run forgets them.
   */
  async findReappeared(): Promise<Set<Address>> {
    const { plan, live, ledger, refresh } = this.#options;
    const { entries } = ledger;
    const forgotten = plan.changes.filter(({ address, action, before, parent }) => {
      const seemsDeleted = action === 'forget' && !before;
      const isOurs = !entries[address]?.existing;
      const isParentThere = parent === undefined || live.resources.has(parent);
      return seemsDeleted && isOurs && isParentThere;
    });
    const collections = [...new Set(forgotten.map(({ kind, parent }) => collectionId(kind, parent)))];
    if (collections.length === 0) return new Set();
    const liveNow = await refresh(collections);
    const hasReappeared = ({ address, kind, parent }: Change) => {
      const id = collectionId(kind, parent);
      const plannedIds = idsIn(id, live);
      const currentIds = idsIn(id, liveNow);
      // An id that was there during planning did not reappear: where ids are names, another object has it by now.
      return entries[address]?.ids.some((id) => currentIds.has(id) && !plannedIds.has(id)) ?? false;
    };
    return new Set(forgotten.filter(hasReappeared).map(({ address }) => address));
  }

  /**
   * Returns the addresses of a finished operation at which a write of somebody else may be lost, because it
   * came between our reading and our own write. That can only be reported, not prevented. Where the platform
   * counts the writes of a collection, it shows: the count has then grown by more than our requests.
   * `readings`: the collections just before the operation.
   */
  async findOverwritten({ changes, requests }: Operation, readings: LiveByCollection): Promise<Address[]> {
    // A new object cannot overwrite anything, and a deletion was to remove the object with any later change.
    const overwritable = changes.filter((address) => {
      const { before, action } = this.#changeOf.get(address)!;
      return before && ['update', 'adopt'].includes(action);
    });
    const countedReadings = [...readings].filter(([id]) => this.#kindOf(id).read.writes);
    if (overwritable.length === 0 || countedReadings.length === 0) return [];
    const liveNow = await this.#options.refresh(countedReadings.map(([id]) => id));
    const ourWrites = requests.filter((request) => !isRead(request)).length;
    const hasOtherWrites = countedReadings.some(([id, liveBefore]) => {
      const countBefore = liveBefore.writes.get(id);
      const countNow = liveNow.writes.get(id);
      return countBefore !== undefined && countNow !== undefined && countNow - countBefore > ourWrites;
    });
    return hasOtherWrites ? overwritable : [];
  }

  /**
   * Checks that the objects of these changes were not changed outside since the plan. Called immediately before
   * an operation is sent, because it could overwrite such a change. Reads their collections again if the last
   * reading is too old, so that operations that follow each other closely share one, and adds the readings to
   * `readings`. Throws if somebody else changed something, or if a collection cannot be read: it is unknown
   * then if anything changed.
   */
  async #readAndCompare(changes: Change[], readings: Map<CollectionId, Live>): Promise<void> {
    const { refresh, now } = this.#options;
    const collections = [...new Set(changes.map(collectionOfChange))];
    const stale = collections.filter((id) => this.#isStale(id));
    const reading = stale.length > 0 ? refresh(stale) : undefined;
    for (const id of stale)
      this.#readings.set(id, { startedAt: now(), isFirst: !this.#readings.has(id), live: reading! });
    for (const id of collections) {
      const checkReading = this.#readings.get(id)!;
      const liveNow = await checkReading.live;
      readings.set(id, liveNow);
      const changesHere = changes.filter((change) => collectionOfChange(change) === id);
      this.#refuseConflict(id, changesHere, checkReading, liveNow);
    }
  }

  /**
   * Throws if a reading (`liveNow`) of a collection shows that somebody else has changed an object of these changes since the plan, or if
   * the collection could not be read.
   */
  #refuseConflict(id: CollectionId, changes: Change[], checkReading: CheckReading, liveNow: Live): void {
    // An object that moves to another parent is read in its old one.
    const [parent] = collectionParts(id);
    const failure = changes.map((change) => findReadFailure(liveNow, { ...change, parent })).find(Boolean);
    if (failure) throw new Error(`could not check whether it changed: ${failure.why}`);
    const kind = this.#kindOf(id);
    const conflict = describeConflict(changes, {
      id,
      kind,
      before: this.#options.live,
      after: liveNow,
      changedByRun: this.#changedByRun,
      // Only where objects have no names, ids have to show which objects are those of this run.
      isIdOfRun: (objectId) => !kind.shape.isNamed && this.#isIdOfRun(objectId),
      newObjects: kind.shape.isNamed ? [] : this.#listNewObjectsOfOthers(id, checkReading, liveNow),
      recordedIdsOf: (address) => this.#recordedIds.get(address) ?? [],
      isFirst: checkReading.isFirst,
    });
    if (conflict) throw new Error(`${conflict} after the plan was made; plan again`);
  }

  /** True for ids of objects that this run has started to change, or has created. */
  #isIdOfRun(id: string): boolean {
    return this.#plannedIdsOfChanged.has(id) || this.#options.isRecordedByRun(id);
  }

  /**
   * Returns the objects of a reading that appeared since the plan and that are not of this run. Needed only for kinds without names: for
   * others, a new object at the address of a creation is the conflict. Keeps the result, so that the next comparison with this reading
   * looks only at these objects.
   */
  #listNewObjectsOfOthers(id: CollectionId, checkReading: CheckReading, liveNow: Live): LiveResource[] {
    const newObjects = checkReading.newObjects ?? listNewObjects(id, this.#options.live, liveNow);
    checkReading.newObjects = newObjects.filter(
      ({ ids }) => !ids.some((objectId) => this.#isIdOfRun(objectId)),
    );
    return checkReading.newObjects;
  }

  #kindOf(id: CollectionId): Kind {
    return this.#options.kinds.get(collectionParts(id)[1])!;
  }

  /**
   * True if an apply must read a collection (the objects of one kind under one parent) again before its next operation there: it was not
   * read yet, or too long ago. If updates send whole objects, or if the platform counts the writes of the collection (`isWrittenWhole`),
   * every operation needs a reading of its own, because it could undo changes of others.
   */
  #isStale(id: CollectionId): boolean {
    const reading = this.#readings.get(id);
    if (!reading || isWrittenWhole(this.#kindOf(id))) return true;
    return this.#options.now() - reading.startedAt >= maxReadAge;
  }
}

/**
 * Returns the collection in which a change's object is before the change. An apply reads this collection again before it writes. An object
 * that the plan moves to another parent is still in its old one.
 */
export const collectionOfChange = ({ kind, parent, before }: Change): CollectionId =>
  collectionId(kind, before?.transfer?.parent ?? parent);

/**
 * True for an object in a parent, at any depth, that the plan creates. Such objects are not checked before they are
 * written, because no one else can have changed anything in a parent that did not exist. False for an object that
 * moves there from another parent (`transfer`), because it exists already.
 */
export function isInNewParent(
  { kind, parent, before }: Change,
  kinds: Kinds,
  changeOf: ReadonlyMap<Address, Change>,
): boolean {
  if (before?.transfer) return false;
  return ancestorsOf(kinds, kinds.get(kind)!, parent).some(({ address }) =>
    createsObject(changeOf.get(address)),
  );
}
