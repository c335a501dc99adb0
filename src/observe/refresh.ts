import type { Kinds } from '../kind/kind.ts';
import type { AccountFacts } from '../kind/read.ts';
import type { Address } from '../model/address.ts';
import type { LedgerKey } from '../model/digest.ts';
import { addTo } from '../model/graph.ts';
import type { Ledger } from '../model/ledger.ts';
import { objectsOfCollection, RefreshedResources } from '../model/refreshed-resources.ts';
import type { Send } from '../model/request.ts';
import {
  type CollectionId,
  collectionId,
  collectionParts,
  type Desired,
  emptyLive,
  type Live,
  type LiveResource,
  type ReadFailure,
} from '../model/resource.ts';
import { collectChosenIds, createCollectionReader, type ReaderOptions } from './collection-reader.ts';
import { collectionsNeededWhole, mentionedCollections } from './observe.ts';

interface RefreshOptions {
  desired: Desired;
  ledger: Ledger;
  kinds: Kinds;
  send: Send;
  facts: AccountFacts;
  key?: LedgerKey | undefined;
  /** The aliases of the earlier reading. */
  aliases: ReadonlyMap<Address, Address>;
  /** The earlier reading. Parents and referenced objects are taken from it. */
  before: Live;
}

/** What a run has changed in the ledger since it began. By default, nothing. */
export interface LedgerProgress extends Partial<Pick<Ledger, 'entries'>> {
  staged?: Ledger['staged'] | undefined;
  /** The open creations of the ledger, to tell objects of the run from those of other stacks. */
  intents?: Ledger['begun'] | undefined;
}

/**
 * Creates the function to read some collections (objects of one kind under one parent) again. It returns
 * the earlier reading with the new state of these collections. Used by a run, to check objects right before
 * it writes them, and to see what a write did.
 */
export const createRefresh = ({ before, ...options }: RefreshOptions): RefreshCollections =>
  prepareRefresh(options)(before);

/** Reads some collections again: see `createRefresh`. */
type RefreshCollections = (collections: Iterable<CollectionId>, progress?: LedgerProgress) => Promise<Live>;

/**
 * Returns a function which, for any earlier reading (`before`), creates the function to read some of its collections again. Used where each
 * reading builds on the one before: everything that depends only on the configuration and the ledger is computed once.
 */
export function prepareRefresh(
  options: Omit<RefreshOptions, 'before'>,
): (before: Live) => RefreshCollections {
  const { desired, ledger, kinds } = options;
  const mentioned = mentionedCollections(desired, ledger, kinds);
  const recordedIds = Object.values(ledger.entries).flatMap(idsWithKind);
  const chosenIds = collectChosenIds(desired);
  const neededWhole = collectionsNeededWhole(desired, ledger, kinds);
  return (before) => {
    // Everything that stays the same is computed once, because a run refreshes many times.
    const objectsById = indexByKindAndId(before);
    const constants = {
      before,
      mentioned: withTransferSources(mentioned, before),
      chosenIds,
      declared: desired.resources,
      neededWhole,
      objectsById,
      notExpected: idsNotExpected(recordedIds, before, objectsById),
    };
    return (collections, { staged = ledger.staged, entries } = {}) =>
      refresh(new Set(collections), {
        ...options,
        ...constants,
        ledger: { ...ledger, staged },
        recorded: entries,
      });
  };
}

/**
 * Returns the collections (objects of one kind under one parent) that an apply may read again, with the
 * addresses that the configuration and the ledger mention in each (`mentionedBefore`). Adds those that objects have yet to be
 * moved out of: the configuration and the ledger have the new address of such an object, so neither mentions
 * the collection that it still lies in.
 */
function withTransferSources(
  mentionedBefore: ReadonlyMap<CollectionId, ReadonlySet<Address>>,
  before: Live,
): Map<CollectionId, ReadonlySet<Address>> {
  const mentioned = new Map(mentionedBefore);
  for (const { kind, transfer } of before.resources.values()) {
    if (!transfer) continue;
    const id = collectionId(kind, transfer.parent);
    mentioned.set(id, new Set(mentioned.get(id)).add(transfer.from));
  }
  return mentioned;
}

interface Refresh
  extends RefreshOptions,
    Pick<ReaderOptions, 'mentioned' | 'chosenIds' | 'declared' | 'neededWhole' | 'recorded' | 'notExpected'> {
  /** The objects of the earlier reading by kind and id, in its order. */
  objectsById: ReadonlyMap<string, readonly LiveResource[]>;
}

const kindAndId = (kind: string, id: string): string => `${kind} ${id}`;

/**
 * Returns the objects of a reading by kind and id. Used to find references and missing objects fast, because a run
 * refreshes many times.
 */
export function indexByKindAndId({ resources }: Live): Map<string, LiveResource[]> {
  const objectsById = new Map<string, LiveResource[]>();
  for (const object of resources.values())
    for (const id of object.ids) addTo(objectsById, kindAndId(object.kind, id), object);
  return objectsById;
}

/**
 * Returns the ids (`webhook hook_1`) of recorded objects that the reading for the plan did not find, and of objects that it found in
 * another parent (`transfer`). If an apply reads again and a list does not show these, they are not read one by one.
 */
function idsNotExpected(
  recordedIds: readonly string[],
  before: Live,
  objectsById: ReadonlyMap<string, readonly LiveResource[]>,
): Set<string> {
  const inTransfer = [...before.resources.values()].filter(({ transfer }) => transfer);
  return new Set([...recordedIds.filter((id) => !objectsById.has(id)), ...inTransfer.flatMap(idsWithKind)]);
}

const idsWithKind = ({ kind, ids }: { kind: string; ids: string[] }): string[] =>
  ids.map((id) => kindAndId(kind, id));

/**
 * Returns the earlier reading (`before`) with the new state of the `requested` collections (objects of one kind
 * under one parent). An apply reads them again before and after its writes, to notice changes by others. A parent
 * that the run has created since is read first. All other collections, to which objects may refer, are taken from
 * the earlier reading.
 */
async function refresh(requested: ReadonlySet<CollectionId>, options: Refresh): Promise<Live> {
  const { desired, kinds, before } = options;
  // The requested collections, and those of parents that `before` lacks.
  const refreshed = withNewParents(requested, { desired, before });
  const live = withoutCollections(before, refreshed);
  // Reads each collection once, also if it is asked for several times.
  const read = createRefreshReader(live, refreshed, options);
  const readCollection = async (id: CollectionId): Promise<void> => {
    const [parentAddress, kind] = collectionParts(id);
    const parent = resourceAt(parentAddress, { desired, before });
    const parentCollection = parent && collectionId(parent.kind, parent.parent);
    if (parentCollection !== undefined && refreshed.has(parentCollection))
      await readCollection(parentCollection);
    const liveParent = parent && (live.resources.get(parentAddress!) ?? before.resources.get(parentAddress!));
    // The parent may have been deleted since the earlier reading.
    if (parent && !liveParent) live.unreadable.set(id, createMissingParentFailure(parentAddress));
    else await read(kinds.get(kind)!, liveParent);
  };
  await Promise.all([...refreshed].map(readCollection));
  return live;
}

/**
 * Creates the reader that reads the `refreshed` collections again and adds them to `live`. It takes all others, and the addresses of their
 * objects (for references), from the earlier reading.
 */
function createRefreshReader(live: Live, refreshed: ReadonlySet<CollectionId>, options: Refresh) {
  const { before, mentioned, objectsById } = options;
  const isRefreshed = ({ kind, parent }: LiveResource) => refreshed.has(collectionId(kind, parent));
  return createCollectionReader({
    ...options,
    // Optional in `options`, and required here.
    key: options.key,
    live,
    allMentioned: mentioned,
    // No collection is read that nothing mentions.
    also: () => false,
    // The objects of a collection that need no request, because the earlier reading has them.
    alreadyRead: (id) =>
      !refreshed.has(id) && (before.complete.has(id) || before.partial.has(id))
        ? [...objectsOfCollection(before.resources, id)]
        : undefined,
    // The address of a referenced object in such a collection, by its kind and id: `project prj_1`.
    addressBefore: (kindAndId) => objectsById.get(kindAndId)?.find((object) => !isRefreshed(object))?.address,
  });
}

/**
 * Returns the live object at an address in the earlier reading, else the declared one, which the run may have created
 * since.
 */
const resourceAt = (
  address: Address | undefined,
  { desired, before }: Pick<Refresh, 'desired' | 'before'>,
) => (address === undefined ? undefined : (before.resources.get(address) ?? desired.resources.get(address)));

/**
 * Returns the collections (objects of one kind under one parent) that an apply reads again, with those of
 * parents that the earlier reading lacks. The run may have created such a parent since, and it has to be
 * found before the objects in it can be read.
 */
function withNewParents(
  requested: ReadonlySet<CollectionId>,
  { desired, before }: Pick<Refresh, 'desired' | 'before'>,
): Set<CollectionId> {
  const collections = new Set(requested);
  // The loop also visits the collections that it adds.
  for (const id of collections) {
    const [parentAddress = ''] = collectionParts(id);
    const newParent = before.resources.has(parentAddress) ? undefined : desired.resources.get(parentAddress);
    if (newParent) collections.add(collectionId(newParent.kind, newParent.parent));
  }
  return collections;
}

/**
 * Returns the objects of the earlier reading without those of the collections that are read again. The new reading is then added to this,
 * so that an apply reads only the collections that it is about to write. The other members of `Live` start empty, except for the marks of
 * the other collections that were read in part.
 */
function withoutCollections(before: Live, refreshed: ReadonlySet<CollectionId>): Live {
  const live: Live = { ...emptyLive(), resources: new RefreshedResources(before.resources, refreshed) };
  for (const id of before.partial) if (!refreshed.has(id)) live.partial.add(id);
  return live;
}

/** Returns why a collection cannot be read: its parent does not exist any more. */
function createMissingParentFailure(parent: Address | undefined): ReadFailure {
  const why = `${parent} was not found`;
  return { why, cause: why };
}
