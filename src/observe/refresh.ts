import type { AccountFacts, Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import { addTo } from '../model/graph.ts';
import type { Ledger } from '../model/ledger.ts';
import type { LedgerKey } from '../model/ledger-key.ts';
import type { Send } from '../model/request.ts';
import {
  type CollectionId,
  collectionId,
  collectionParts,
  type Desired,
  emptyLive,
  groupByCollection,
  type Live,
  type LiveResource,
  type ReadFailure,
} from '../model/resource.ts';
import { chosenIn, collectionReader, type ReaderOptions } from './collection-reader.ts';
import { collectionsNeededWhole, mentionedCollections } from './observe.ts';

interface RefreshOptions {
  desired: Desired;
  ledger: Ledger;
  kinds: Kinds;
  send: Send;
  facts: AccountFacts;
  key?: LedgerKey | undefined;
  /** The aliases of the former reading. */
  aliases: ReadonlyMap<Address, Address>;
  /** The reading before this one: parents, and objects that are named by id, are taken from here. */
  before: Live;
}

/**
 * Reads some collections once more, and nothing else. A collection that cannot be read whole is frozen in the result. `now`: what a run
 * has changed in the ledger so far.
 */
export function createRefresh(
  options: RefreshOptions,
): (collections: Iterable<CollectionId>, now?: LedgerProgress) => Promise<Live> {
  const { desired, ledger, kinds } = options;
  // Asked again and again while a run goes on, of the same configuration and ledger.
  const mentioned = mentionedCollections(desired, ledger, kinds);
  // What is to be handed over is where neither of the two says any more.
  for (const { kind, transfer } of options.before.resources.values()) {
    if (!transfer) continue;
    const id = collectionId(kind, transfer.parent);
    mentioned.set(id, new Set(mentioned.get(id)).add(transfer.from));
  }
  const chosen = chosenIn(desired);
  const whole = collectionsNeededWhole(desired, ledger, kinds);
  const byId = objectsById(options.before);
  const notExpected = idsNotExpected(options, byId);
  return (collections, { staged = ledger.staged, entries } = {}) =>
    refresh(new Set(collections), {
      ...options,
      ledger: { ...ledger, ...(staged ? { staged } : {}) },
      recorded: entries,
      notExpected,
      mentioned,
      chosen,
      whole,
      byId,
    });
}

/** What a run has changed in the ledger: the versions that it staged, and the entries. Default: the ledger when it began. */
export interface LedgerProgress {
  staged?: Ledger['staged'] | undefined;
  entries?: Ledger['entries'];
}

interface Refresh
  extends RefreshOptions,
    Pick<ReaderOptions, 'mentioned' | 'chosen' | 'whole' | 'recorded' | 'notExpected'> {
  /** The objects of the former reading by kind and id, in its order. */
  byId: ReadonlyMap<string, readonly LiveResource[]>;
}

function objectsById({ resources }: Live): Map<string, LiveResource[]> {
  const byId = new Map<string, LiveResource[]>();
  for (const object of resources.values())
    for (const id of object.ids) addTo(byId, `${object.kind} ${id}`, object);
  return byId;
}

/**
 * Returns the ids in the ledger, by kind, of objects that the former reading did not find, or found in another parent. If a list does not
 * show them, that is as planned.
 */
function idsNotExpected(
  { ledger, before }: Pick<RefreshOptions, 'ledger' | 'before'>,
  byId: ReadonlyMap<string, readonly LiveResource[]>,
): Set<string> {
  const recorded = Object.values(ledger.entries).flatMap(({ kind, ids }) => ids.map((id) => `${kind} ${id}`));
  const moving = [...before.resources.values()].filter(({ transfer }) => transfer);
  return new Set([
    ...recorded.filter((name) => !byId.has(name)),
    ...moving.flatMap(({ kind, ids }) => ids.map((id) => `${kind} ${id}`)),
  ]);
}

async function refresh(asked: ReadonlySet<CollectionId>, options: Refresh): Promise<Live> {
  const {
    desired,
    ledger,
    kinds,
    send,
    facts,
    key,
    aliases,
    before,
    mentioned,
    chosen,
    whole,
    byId,
    recorded,
    notExpected,
  } = options;
  // What is in something that was made since: that has to be found first.
  const again = new Set(asked);
  for (const id of again) {
    const [parent = ''] = collectionParts(id);
    const above = before.resources.has(parent) ? undefined : desired.resources.get(parent);
    if (above) again.add(collectionId(above.kind, above.parent));
  }
  const collections = groupByCollection(before.resources);
  const known = new Map<CollectionId, LiveResource[]>(
    [...before.complete, ...before.partial].map((id) => [id, [...(collections.get(id) ?? [])]]),
  );
  // The whole account is copied for each refresh of a run: a copy of the map is the cheapest way.
  const live: Live = { ...emptyLive(), resources: new Map(before.resources) };
  for (const id of before.partial) if (!again.has(id)) live.partial.add(id);
  for (const id of again) {
    for (const { address } of collections.get(id) ?? []) live.resources.delete(address);
    known.delete(id);
  }
  const isAgain = ({ kind, parent }: LiveResource) => again.has(collectionId(kind, parent));
  const read = collectionReader({
    kinds,
    ledger,
    recorded,
    notExpected,
    live,
    send,
    facts,
    mentioned,
    places: mentioned,
    aliases,
    chosen,
    key,
    whole,
    also: () => false,
    known,
    addressBefore: (name) => byId.get(name)?.find((object) => !isAgain(object))?.address,
  });
  const readOne = async (id: CollectionId): Promise<void> => {
    const [parent, kind] = collectionParts(id);
    const above =
      parent === undefined ? undefined : (before.resources.get(parent) ?? desired.resources.get(parent));
    const around = above && collectionId(above.kind, above.parent);
    if (around !== undefined && again.has(around)) await readOne(around);
    // It may be gone by now: then the platform says so.
    const resource = above && (live.resources.get(parent!) ?? before.resources.get(parent!));
    if (above && !resource) live.unreadable.set(id, notFound(parent));
    else await read(kinds.get(kind)!, resource);
  };
  await Promise.all([...again].map(readOne));
  return live;
}

function notFound(parent: Address | undefined): ReadFailure {
  const why = `${parent} was not found`;
  return { why, cause: why };
}
