import { childKinds, exclusiveCollections, exclusiveKinds, parentOf } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import type { AccountFacts } from '../kind/read.ts';
import type { Address } from '../model/address.ts';
import type { LedgerKey } from '../model/digest.ts';
import { byKey } from '../model/graph.ts';
import type { Ledger } from '../model/ledger.ts';
import { addressesInLedger } from '../model/ledger.ts';
import type { Send } from '../model/request.ts';
import {
  type CollectionId,
  collectionId,
  type Desired,
  emptyLive,
  type Live,
  type LiveResource,
  type TargetScope,
} from '../model/resource.ts';
import type { AnswerCache } from './answer-cache.ts';
import { collectChosenIds, createCollectionReader } from './collection-reader.ts';

interface ObserveOptions {
  /** The settings of the account that kinds depend on. */
  facts: AccountFacts;
  /** Natural addresses whose objects are meant by another address, because `$was` renames them. */
  aliases?: ReadonlyMap<Address, Address>;
  /** For kinds whose ids are secrets: the ledger has these ids as digests. Without the key they match no entry of the ledger. */
  key?: LedgerKey | undefined;
  /** Reads these collections in addition, even if nothing mentions them. */
  also?: (kind: Kind, parent: Address | undefined) => boolean;
  /** Answers that other readers of the same run share, so that no list is read twice. */
  answers?: AnswerCache | undefined;
  /** Reads only this part of the account. */
  scope?: TargetScope | undefined;
}

/**
 * Reads everything that the configuration and the ledger mention: parents first, then in parallel the collections (objects of one kind)
 * under each parent, each answer once. The result has the live objects, and says for each collection how far it was read. A collection that
 * cannot be read makes no error here, because the rest can be used. Used for every plan (`aliases`: addresses that `$was` renames, `scope`:
 * the part for `--target`), and with `also` for readings without a configuration.
 */
export async function observe(
  desired: Desired,
  ledger: Ledger,
  kinds: Kinds,
  send: Send,
  { facts, aliases = new Map(), key, also = () => false, answers, scope }: ObserveOptions,
): Promise<Live> {
  const live = emptyLive();
  const allMentioned = mentionedCollections(desired, ledger, kinds);
  const mentioned = scope ? narrowToScope(allMentioned, scope) : allMentioned;
  const read = createCollectionReader({
    kinds,
    ledger,
    live,
    send,
    answers,
    facts,
    mentioned,
    allMentioned,
    aliases,
    chosenIds: collectChosenIds(desired),
    declared: desired.resources,
    key,
    neededWhole: collectionsNeededWhole(desired, ledger, kinds),
    also,
  });
  const isNeeded = (kind: Kind, parent: Address | undefined) =>
    mentioned.has(collectionId(kind.name, parent)) || also(kind, parent);
  await readTree({ kinds, read, isNeeded });
  // In an order that does not depend on which answer came first, so that equal accounts have equal plans.
  const unreadable = new Map([...live.unreadable].sort(byKey));
  return { ...live, unreadable, ...(scope ? { scope: addressesRead(scope, live) } : {}) };
}

/** How the collections of an account are read, and which of them. */
interface TreeReading {
  kinds: Kinds;
  read(kind: Kind, parent: LiveResource | undefined): Promise<LiveResource[]>;
  isNeeded(kind: Kind, parent: Address | undefined): boolean;
}

/**
 * Reads the needed collections under a parent and, for each of their objects, those under it. Without a parent, begins at the top of the
 * account.
 */
async function readTree(reading: TreeReading, parent?: LiveResource): Promise<void> {
  const { kinds, read, isNeeded } = reading;
  const neededKinds = childKinds(kinds, parent?.kind).filter((kind) => isNeeded(kind, parent?.address));
  await Promise.all(
    neededKinds.map(async (kind) => {
      const resources = await read(kind, parent);
      await Promise.all(resources.map((resource) => readTree(reading, resource)));
    }),
  );
}

/**
 * Returns the addresses that a reading of a part of the account (`--target`) covers. An object that has the name of a
 * target by now counts, too, because the plan compares it with that target.
 */
function addressesRead(scope: TargetScope, { resources }: Live): Set<Address> {
  const renamed = [...resources.values()].filter(({ renamedTo }) => scope.addresses.has(renamedTo ?? ''));
  return new Set([...scope.addresses, ...renamed.map(({ address }) => address)]);
}

/**
 * Returns the mentioned addresses (declared or recorded) that are in the scope of `--target`, by collection
 * (the objects of one kind under one parent), so that nothing else is read. Collections without any are left
 * out, unless the scope names them.
 */
const narrowToScope = (
  mentioned: ReadonlyMap<CollectionId, Set<Address>>,
  { addresses, collections }: TargetScope,
): Map<CollectionId, Set<Address>> =>
  new Map(
    [...mentioned]
      .map(
        ([id, mentionedAddresses]) =>
          [id, new Set([...mentionedAddresses].filter((address) => addresses.has(address)))] as const,
      )
      .filter(([id, mentionedAddresses]) => mentionedAddresses.size > 0 || collections.has(id)),
  );

/**
 * Returns the collections (objects of one kind under one parent) that a plan has to read, with the addresses
 * that are mentioned in each, so that nothing else of the account is read. They contain something that is
 * declared, recorded in the ledger, left unfinished or staged by an interrupted run, or named by an
 * `$exclusive` or a deletion under `removed`, or lie above such a collection.
 */
export function mentionedCollections(
  desired: Desired,
  ledger: Ledger,
  kinds: Kinds,
): Map<CollectionId, Set<Address>> {
  const mentioned = new Map<CollectionId, Set<Address>>();
  const mentionCollection = (kind: string, parent: Address | undefined): Set<Address> => {
    const id = collectionId(kind, parent);
    const addresses = mentioned.get(id) ?? new Set();
    mentioned.set(id, addresses);
    return addresses;
  };
  for (const resource of desired.resources.values()) {
    mentionCollection(resource.kind, resource.parent).add(resource.address);
    // The lists of an `$exclusive` are read even if none of their objects is mentioned.
    for (const { name } of exclusiveKinds(resource, kinds)) mentionCollection(name, resource.address);
  }
  const withAncestors = new Set<Address>();
  const mentionWithAncestors = (address: Address, name: string) => {
    const kind = kinds.get(name);
    if (!kind || withAncestors.has(address)) return;
    withAncestors.add(address);
    const parent = parentOf(address, kind);
    if (kind.parent !== undefined && parent !== undefined) mentionWithAncestors(parent, kind.parent);
    mentionCollection(name, parent).add(address);
  };
  // Also objects of an interrupted run, since these may exist, whether they are still declared or not.
  for (const [address, kind] of addressesInLedger(ledger)) mentionWithAncestors(address, kind);
  // To find out whether an object that should be deleted is gone, although the ledger has no entry any more.
  for (const { address, kind, deletes } of desired.removed ?? [])
    if (deletes) mentionWithAncestors(address, kind);
  return mentioned;
}

/**
 * Returns the collections (objects of one kind under one parent) that have to be read completely: those that
 * an `$exclusive` names, because their undeclared objects are deleted, and those in which an interrupted run
 * began a creation, because the new object is searched there.
 */
export function collectionsNeededWhole(desired: Desired, ledger: Ledger, kinds: Kinds): Set<CollectionId> {
  const withBegunCreation = Object.entries(ledger.begun ?? {}).flatMap(([address, { entry }]) => {
    const kind = kinds.get(entry.kind);
    return kind ? [collectionId(kind.name, parentOf(address, kind))] : [];
  });
  return new Set([...exclusiveCollections(desired, kinds), ...withBegunCreation]);
}
