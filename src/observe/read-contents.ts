import { canDo, childKinds } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import type { AccountFacts } from '../kind/read.ts';
import { addressesByIdIn, platformIdOf, referencesIn } from '../kind/references.ts';
import { type Address, byAddress } from '../model/address.ts';
import type { LedgerKey } from '../model/digest.ts';
import type { Ledger } from '../model/ledger.ts';
import type { Send } from '../model/request.ts';
import {
  type CollectionId,
  type Content,
  type Contents,
  collectionParts,
  type Desired,
  emptyLive,
  groupByCollection,
  type Live,
  type LiveResource,
} from '../model/resource.ts';
import { createCollectionReader } from './collection-reader.ts';
import { mentionedCollections } from './observe.ts';
import { indexByKindAndId } from './refresh.ts';

interface ContentsOptions {
  kinds: Kinds;
  send: Send;
  facts: AccountFacts;
  ledger: Ledger;
  key?: LedgerKey | undefined;
  /** The account as the plan read it. Collections that it has completely are not read again. */
  live: Live;
}

/**
 * Reads the objects in containers (such as projects) that the plan would delete or release, also those of kinds that the configuration does
 * not mention, so that their number can be shown before they are deleted. Returns them apart from the account that the plan decides on: a
 * list that cannot be read, because the token may not or the account lacks the feature, then blocks nothing. Its objects are only not
 * counted, and what they refer to may be deleted before them.
 */
export async function readContents(
  containers: readonly LiveResource[],
  options: ContentsOptions,
): Promise<Contents> {
  const { live: before, kinds } = options;
  const live: Live = { ...emptyLive(), resources: new Map(before.resources) };
  const read = createContentsReader(live, options);
  const readChildren = async (parent: LiveResource): Promise<void> => {
    const deletable = childKinds(kinds, parent.kind).filter((kind) => hasDeletableObjects(kind, kinds));
    const objects = await Promise.all(deletable.map((kind) => read(kind, parent)));
    await Promise.all(objects.flat().map(readChildren));
  };
  await Promise.all(containers.map(readChildren));
  // Sorted, because the lists are answered in any order, and equal accounts have equal plans.
  const newObjects = [...live.resources.values()]
    .filter(({ address }) => !before.resources.has(address))
    .sort(byAddress);
  const findReferences = createReferenceFinder(before, kinds);
  const toContent = (object: LiveResource): Content => {
    const references = findReferences(object);
    return { kind: object.kind, ids: object.ids, ...(references.length > 0 ? { references } : {}) };
  };
  const resources = new Map(newObjects.map((object) => [object.address, toContent(object)] as const));
  return { resources, complete: live.complete };
}

/**
 * Creates the reader of the lists in containers (such as projects) that the plan would delete or release. It adds their objects to `live`,
 * and sends nothing for a list that the plan (`before`) has read already.
 */
function createContentsReader(live: Live, { live: before, kinds, ledger, ...options }: ContentsOptions) {
  const objectsById = indexByKindAndId(before);
  const objectsBefore = groupByCollection(before.resources);
  // A list outside of containers is only read for references, for which a part is enough.
  const isReadEnough = (id: CollectionId) =>
    before.complete.has(id) || (before.partial.has(id) && collectionParts(id)[0] === undefined);
  return createCollectionReader({
    ...options,
    kinds,
    ledger,
    live,
    // Optional in `options`, and required here.
    key: options.key,
    // Without mentioned objects, each list is read completely, and no object needs a request of its own.
    mentioned: new Map(),
    allMentioned: mentionedCollections(noResources, ledger, kinds),
    declared: noResources.resources,
    aliases: new Map(),
    chosenIds: new Map(),
    neededWhole: new Set(),
    also: () => false,
    alreadyRead: (id) => (isReadEnough(id) ? [...(objectsBefore.get(id) ?? [])] : undefined),
    addressBefore: (kindAndId) => objectsById.get(kindAndId)?.[0]?.address,
  });
}

/**
 * Creates the function which returns the addresses of the objects that an object of the account refers to. A deletion breaks such
 * references, so the plan has to report them.
 */
function createReferenceFinder(account: Live, kinds: Kinds): (object: LiveResource) => Address[] {
  const addressById = new Map<string, Address>();
  for (const object of account.resources.values()) {
    const id = platformIdOf(object, account, kinds);
    if (id !== undefined) addressById.set(id, object.address);
  }
  return ({ fields, kind, parent }) => [
    ...new Set([
      ...referencesIn(fields, kinds.get(kind)!, parent, kinds),
      ...addressesByIdIn(fields, addressById),
    ]),
  ];
}

/** A configuration without blocks. */
const noResources: Desired = { stack: '', resources: new Map(), inputs: [], folders: [] };

/** True if the platform can delete objects of a kind, or objects in them. Others, such as settings, are never counted. */
const hasDeletableObjects = (kind: Kind, kinds: Kinds): boolean =>
  canDo(kind, 'delete') || childKinds(kinds, kind.name).some((child) => hasDeletableObjects(child, kinds));
