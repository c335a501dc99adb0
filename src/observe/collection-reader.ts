/**
 * Reads collections into a `Live`: each collection once, with the collections that its objects refer to.
 *
 * The outcome for a collection is one of the states in the table at `Live` (`src/model/resource.ts`). A collection that cannot be read
 * completely becomes unreadable, with everything below it. That is no error here: the rest of the account is read, and the plan reports it.
 */

import { decodeFields, idOf, isMarkedDeleted, isSingleton, mentionedBy } from '../kind/define-kind.ts';
import type { Kind } from '../kind/kind.ts';
import type { ApiObject } from '../kind/read.ts';
import { type Address, addressOf, isWithin } from '../model/address.ts';
import { isProgramError } from '../model/describe-errors.ts';
import {
  type CollectionId,
  collectionId,
  collectionParts,
  type Desired,
  type LiveResource,
  type ReadFailure,
} from '../model/resource.ts';
import { unexpectedForm } from './answer-cache.ts';
import { indexRecordedAddresses } from './assign-addresses.ts';
import { CollectionObjects, isMentioned, type ObjectsOptions } from './collection-objects.ts';
import { decodeCollection, resolveSiblingReferences } from './decode-collection.ts';

export interface ReaderOptions extends Omit<ObjectsOptions, 'isNeededWhole'> {
  /** All mentioned addresses, including those that `mentioned` leaves out because they are not read: they decide addresses by id. */
  allMentioned: ReadonlyMap<CollectionId, ReadonlySet<Address>>;
  /** The resources of the configuration. */
  declared: Desired['resources'];
  /** Collections that are read completely, however few of their objects are mentioned. */
  neededWhole: ReadonlySet<CollectionId>;
  /** Returns the objects of a collection that an earlier reading has, so that it needs no request; undefined for any other collection. */
  alreadyRead?(id: CollectionId): LiveResource[] | undefined;
  /** Returns the address of an object in an `alreadyRead` collection, by kind and id: `project prj_1`. */
  addressBefore?(kindAndId: string): Address | undefined;
}

/**
 * Returns the ids that `$id` in a configuration names, by address. With them the user chooses among objects
 * with the same name: reading then finds the meant object by its id.
 */
export const collectChosenIds = ({ resources }: Desired): Map<Address, string> =>
  new Map(
    [...resources.values()].flatMap(({ address, meta }) =>
      meta.id === undefined ? [] : [[address, meta.id]],
    ),
  );

/**
 * Creates the function to read a collection of the account (the objects of one kind under one parent) for
 * a plan or a check and returns its objects: an empty array if it is unreadable. Calling it twice for the same
 * collection reads it once. Of a long collection only the mentioned objects (declared or recorded) may be
 * read.
 */
export function createCollectionReader(
  options: ReaderOptions,
): (kind: Kind, parent: LiveResource | undefined) => Promise<LiveResource[]> {
  const reader = new CollectionReader(options);
  return (kind, parent) => reader.read(kind, parent);
}

class CollectionReader {
  readonly #options: ReaderOptions;
  readonly #objects: CollectionObjects;
  readonly #readings = new Map<CollectionId, Promise<LiveResource[]>>();
  /** Addresses by kind and id. References are resolved with this map, because a search among all objects would be too slow. */
  readonly #addresses = new Map<string, Address>();
  readonly #neededWhole: Set<CollectionId>;
  /** Why some rows of a list could not be assigned to one of two kinds, by the collection whose list it is. */
  readonly #unclearRowFailures = new Map<CollectionId, UnreadableReference>();

  /**
   * Creates the reader of the collections of an account (objects of one kind under one parent).
   * `neededWhole`: the collections that are read completely, not only their mentioned objects.
   */
  constructor(options: ReaderOptions) {
    const { neededWhole } = options;
    this.#options = options;
    this.#objects = new CollectionObjects({
      ...options,
      isNeededWhole: (kind, parent) => this.#isNeededWhole(kind, parent),
    });
    this.#neededWhole = new Set(neededWhole);
  }

  /**
   * Returns the objects of a collection (of one kind under one parent). A collection may be needed by its
   * parent and by references at the same time, so all calls share the first reading.
   */
  read(kind: Kind, parent: LiveResource | undefined): Promise<LiveResource[]> {
    const id = collectionId(kind.name, parent?.address);
    const reading = this.#readings.get(id) ?? this.#readUnlessKnown(kind, parent, id);
    this.#readings.set(id, reading);
    return reading;
  }

  /** Returns the objects that the earlier reading has of a collection. Without one, reads the collection. */
  #readUnlessKnown(kind: Kind, parent: LiveResource | undefined, id: CollectionId): Promise<LiveResource[]> {
    const knownObjects = this.#options.alreadyRead?.(id);
    return knownObjects ? Promise.resolve(knownObjects) : this.#readNow(kind, parent, id);
  }

  /**
   * Returns all objects of a collection (of one kind under one parent), and reads it again if only its
   * mentioned objects (declared or recorded) were read before. Needed to find the target of a reference, and
   * to tell apart the objects of two kinds that the platform has in one list.
   */
  #readWhole(kind: Kind, parent: LiveResource | undefined): Promise<LiveResource[]> {
    const id = collectionId(kind.name, parent?.address);
    if (this.#neededWhole.has(id)) return this.read(kind, parent);
    this.#neededWhole.add(id);
    // The second reading counts them again.
    this.#options.live.undeclarable.delete(id);
    const reading = this.#readNow(kind, parent, id);
    this.#readings.set(id, reading);
    return reading;
  }

  /**
   * True if a collection must be read completely, and not only the objects that the configuration or the ledger
   * mentions.
   */
  #isNeededWhole(kind: Kind, parent: Address | undefined): boolean {
    return this.#neededWhole.has(collectionId(kind.name, parent)) || this.#options.also(kind, parent);
  }

  /**
   * Records the address of an object, so that later references to its id become references to its address. The first
   * object with an id counts.
   */
  #rememberAddress({ kind, ids, address }: LiveResource): void {
    for (const id of ids)
      if (!this.#addresses.has(`${kind} ${id}`)) this.#addresses.set(`${kind} ${id}`, address);
  }

  /**
   * Returns the address of an object that was read, now or in the earlier reading; undefined if it was not read. Used
   * to turn ids in references into addresses.
   */
  #addressOf(kind: string, id: string): Address | undefined {
    const kindAndId = `${kind} ${id}`;
    return this.#options.addressBefore?.(kindAndId) ?? this.#addresses.get(kindAndId);
  }

  /**
   * Reads a collection (the objects of one kind under one parent) and records its objects, and how far it was read, in `live`. Returns the
   * objects, without those that are marked as deleted and those of the platform. An unreadable collection is recorded and not thrown, so
   * that the rest of the account can be planned. Of a kind with `onlyDeclared: true`, only mentioned objects count: without any, nothing is
   * read.
   */
  async #readNow(kind: Kind, parent: LiveResource | undefined, id: CollectionId): Promise<LiveResource[]> {
    const { live, mentioned } = this.#options;
    const { onlyDeclared } = kind.shape;
    if (onlyDeclared === true && !mentioned.get(id)?.size) return [];
    try {
      const objects = (await this.#objects.read(kind, parent)).filter(
        (object) => !isMarkedDeleted(kind, object),
      );
      const decoded = await this.#decode(kind, parent, objects);
      // Objects of the platform that no configuration can declare need no mention in the plan.
      if (onlyDeclared === true) live.undeclarable.delete(id);
      const resources = this.#withoutPlatformObjects(kind, decoded, id);
      for (const resource of resources) {
        live.resources.set(resource.address, resource);
        this.#rememberAddress(resource);
      }
      const limit = this.#objects.limitOf(id) ?? this.#unclearRowFailures.get(id);
      if (limit) this.#recordLimited(kind, parent?.address, resources, createReadFailure(limit, kind));
      else if (this.#objects.isPartial(id)) live.partial.add(id);
      else {
        live.partial.delete(id);
        live.complete.add(id);
      }
      return resources;
    } catch (error) {
      live.partial.delete(id);
      this.#markUnreadable(kind, parent?.address, createReadFailure(error, kind));
      return [];
    }
  }

  /**
   * Returns the objects of a collection that count for a plan. Of some kinds, the platform itself creates objects (`onlyDeclared`: all of
   * them, or those for whose fields the function returns true). Such an object counts only if it is declared or recorded. If `onlyDeclared`
   * is a function and each parent has one object (a kind without a key), a deletion only resets the object to such fields. So one that is
   * recorded, but not declared, counts as deleted.
   */
  #withoutPlatformObjects(kind: Kind, objects: readonly LiveResource[], id: CollectionId): LiveResource[] {
    const { mentioned, declared } = this.#options;
    const { onlyDeclared } = kind.shape;
    const mayBePlatforms = ({ fields }: LiveResource) =>
      typeof onlyDeclared === 'function' ? onlyDeclared(fields) : onlyDeclared === true;
    const isResetByDeletion = isSingleton(kind) && typeof onlyDeclared === 'function';
    const ownAddresses = isResetByDeletion ? declared : mentioned.get(id);
    return objects.filter((object) => ownAddresses?.has(object.address) || !mayBePlatforms(object));
  }

  /**
   * Records how far a list was read if the token can read only some of its objects: `partial` if these include all that the configuration
   * and the ledger mention, and no other ones are needed (`#isNeededWhole`). Otherwise unreadable except for them.
   */
  #recordLimited(
    kind: Kind,
    parent: Address | undefined,
    resources: LiveResource[],
    failure: ReadFailure,
  ): void {
    const { live, mentioned } = this.#options;
    const id = collectionId(kind.name, parent);
    const readAddresses = new Set(resources.map(({ address }) => address));
    const isEnough = [...(mentioned.get(id) ?? [])].every((address) => readAddresses.has(address));
    if (isEnough && !this.#isNeededWhole(kind, parent)) live.partial.add(id);
    else this.#markUnreadable(kind, parent, { ...failure, readAddresses });
  }

  /**
   * True if an object refers to an object of `targetKind` that has not been read. Often only the mentioned
   * objects (declared or recorded) of the target's kind were read. If this is true, the rest is read as well,
   * so that the reference gets an address.
   */
  #refersToMissing(kind: Kind, objects: ApiObject[], targetKind: string): boolean {
    let hasUnread = false;
    // Called for each reference in an object, to turn its id into an address. Here it only looks for unread ones.
    const to = (kindName: string, id: string) => {
      hasUnread ||= kindName === targetKind && this.#addressOf(kindName, id) === undefined;
      return undefined;
    };
    for (const object of objects) decodeFields(kind, object, { to });
    return hasUnread;
  }

  /**
   * Leaves out the rows of a list that do not belong to this collection and could be taken over or deleted by mistake. A list of the
   * platform may also show objects of other accounts (`isOfAccount`) or of another kind (`without`). A row of another account stays if the
   * ledger has it. Rows of another kind stay if none of the rows could be touched; otherwise the list of that kind is read as well.
   */
  async #withoutForeignRows(
    kind: Kind,
    parent: LiveResource | undefined,
    listed: ApiObject[],
  ): Promise<ApiObject[]> {
    const { ledger, mentioned, facts } = this.#options;
    const { items } = kind.read;
    if (typeof items !== 'object' || !('list' in items)) return listed;
    const id = collectionId(kind.name, parent?.address);
    const recorded = indexRecordedAddresses(ledger, kind, mentioned.get(id) ?? []);
    const isRecorded = (row: ApiObject) => recorded.hasId(idOf(kind, row));
    return 'isOfAccount' in items
      ? listed.filter((row) => isRecorded(row) || items.isOfAccount(row, facts))
      : this.#withoutRowsOfOtherKind(kind, parent, listed, { ...items, isRecorded });
  }

  /**
   * Returns the rows of a list that are not objects of the other kind (`without`) in the same list. The other kind is only read if one of
   * its objects could be taken over or deleted by mistake. If that fails, the rows that may be of it and are not recorded are left out
   * (`looksOther`). The failure is kept, so that the collection counts as partly read.
   */
  async #withoutRowsOfOtherKind(
    kind: Kind,
    parent: LiveResource | undefined,
    listed: ApiObject[],
    items: {
      without: string;
      looksOther(row: ApiObject): boolean;
      isRecorded(row: ApiObject): boolean;
    },
  ): Promise<ApiObject[]> {
    const { kinds, mentioned, live } = this.#options;
    const id = collectionId(kind.name, parent?.address);
    const isNeededWhole = this.#isNeededWhole(kind, parent?.address);
    const mayBeTouched = (row: ApiObject, isWhole: boolean) =>
      !items.isRecorded(row) && (isWhole || isMentioned(mentioned, kind, parent, row));
    if (!listed.some((row) => mayBeTouched(row, isNeededWhole))) return listed;
    const resources = await this.#readWhole(kinds.get(items.without)!, undefined);
    const failure = live.unreadable.get(collectionId(items.without, undefined));
    if (failure) {
      // A token of one project never reads the other list. With it, only rows that look like rows of that list are left out.
      const isUnclear = (row: ApiObject, isWhole: boolean) =>
        mayBeTouched(row, isWhole) && (failure.scopeHint === undefined || items.looksOther(row));
      if (listed.some((row) => isUnclear(row, isNeededWhole)))
        this.#unclearRowFailures.set(id, new UnreadableReference(failure));
      // Unclear rows that are not mentioned stay if only `also` asks for the whole list.
      return listed.filter((row) => !isUnclear(row, this.#neededWhole.has(id)));
    }
    const otherIds = new Set(resources.flatMap((resource) => resource.ids));
    return listed.filter((row) => !otherIds.has(idOf(kind, row)));
  }

  /**
   * Converts the API objects of a collection to live objects. Before that, leaves out rows of other accounts and other kinds, and reads
   * missing details, and the collections that the objects refer to, so that references can have addresses instead of ids.
   */
  async #decode(kind: Kind, parent: LiveResource | undefined, listed: ApiObject[]): Promise<LiveResource[]> {
    const { live, ledger, aliases, chosenIds, key, allMentioned } = this.#options;
    const rows = await this.#withoutForeignRows(kind, parent, listed);
    const objects = await Promise.all(rows.map((row) => this.#objects.readDetails(kind, parent, row)));
    const targetKinds = new Set(objects.flatMap((object) => mentionedBy(kind, object)));
    // Siblings are in the collection that is being read now, so waiting for it would never end.
    const refersToSiblings = targetKinds.delete(kind.name);
    for (const targetKind of targetKinds) await this.#readTargets(kind, parent, objects, targetKind);
    const collection = decodeCollection(kind, parent, objects, {
      live,
      ledger,
      aliases,
      chosenIds,
      key,
      mentioned: allMentioned.get(collectionId(kind.name, parent?.address)) ?? [],
      addressOf: (kindName, id) => this.#addressOf(kindName, id),
    });
    return refersToSiblings ? resolveSiblingReferences(kind, collection) : collection;
  }

  /**
   * Reads the collection of `targetKind` (the objects of one kind under one parent) to which these objects
   * refer by id: references are compared by address, so the targets must be known. If only a part of it was
   * read and does not have them all, reads it completely. Throws if it is unreadable and the targets are not
   * among the objects that could be read all the same (`readAddresses`).
   */
  async #readTargets(
    kind: Kind,
    parent: LiveResource | undefined,
    objects: ApiObject[],
    targetKind: string,
  ): Promise<void> {
    const { kinds, live } = this.#options;
    const target = kinds.get(targetKind)!;
    // The targets of references are in the account itself, or under the same parent.
    const targetParent = target.parent === undefined ? undefined : parent;
    const id = collectionId(targetKind, targetParent?.address);
    await this.read(target, targetParent);
    if (live.partial.has(id) && this.#refersToMissing(kind, objects, targetKind))
      await this.#readWhole(target, targetParent);
    const failure = live.unreadable.get(id);
    const isReadEnough = failure?.readAddresses && !this.#refersToMissing(kind, objects, targetKind);
    if (failure && !isReadEnough) throw new UnreadableReference(failure);
  }

  /**
   * Records that a collection (the objects of one kind under one parent), and all collections below it that the plan needs, could not be
   * read. `plan` then changes nothing there, and shows the reason. Collections below objects that could be read (`readAddresses`) are not
   * affected.
   */
  #markUnreadable(kind: Kind, parent: Address | undefined, failure: ReadFailure): void {
    const { live, mentioned } = this.#options;
    const { readAddresses = new Set(), ...failureBelow } = failure;
    const root = collectionId(kind.name, parent);
    live.unreadable.set(root, failure);
    const isRead = (address: Address) => [...readAddresses].some((read) => isWithin(address, read));
    const below = [...mentioned.keys()].filter((id) => {
      const [parentOfOther] = collectionParts(id);
      return (
        parentOfOther !== undefined &&
        isBelowCollection(parentOfOther, kind, parent) &&
        !isRead(parentOfOther)
      );
    });
    for (const id of below) live.unreadable.set(id, { ...failureBelow, below: root });
  }
}

/**
 * True if an address is in the collection of `kind` under `parent`, or below one of its objects. Used because objects
 * below an unreadable collection cannot be read either.
 */
function isBelowCollection(address: Address, kind: Kind, parent: Address | undefined): boolean {
  return isWithin(address, addressOf(parent, kind.section, []));
}

/** An object refers to a collection that could not be read. */
class UnreadableReference extends Error {
  readonly failure: ReadFailure;

  constructor(failure: ReadFailure) {
    super(`what it refers to could not be read: ${failure.why}`);
    this.failure = failure;
  }
}

/** What errors of reads may have beside their message. */
interface ReadErrorDetails {
  method?: string;
  path?: string;
  status?: number;
  isForLater?: boolean;
  scopeHint?: string;
  /** The object that was read by its id. */
  address?: Address;
}

/**
 * Returns why a list could not be read, as the plan shows it. An error of our own code means that the answer
 * has another form than the kind expects. It is described in these words, because "cannot read properties of
 * undefined" would not help anybody. `cause`: the reason without names, by which equal failures are folded
 * into one message.
 */
export function createReadFailure(error: unknown, { name }: Kind): ReadFailure {
  if (isProgramError(error)) {
    const why = unexpectedForm(name);
    return { why, cause: why };
  }
  if (error instanceof UnreadableReference)
    return {
      ...error.failure,
      why: error.message,
      cause: `what it refers to could not be read: ${error.failure.cause}`,
    };
  const why = error instanceof Error ? error.message : String(error);
  const { method, path, status, isForLater, scopeHint, address } = (error ?? {}) as ReadErrorDetails;
  const withoutPath = path ? why.replaceAll(`${method} ${path} `, '').replaceAll(path, '...') : why;
  const cause = address === undefined ? withoutPath : withoutPath.replace(address, 'an object of this stack');
  return {
    why,
    cause,
    isRefused: refusalStatuses.includes(status ?? 0) ? (true as const) : undefined,
    isForLater: isForLater ? (true as const) : undefined,
    scopeHint,
  };
}

/** The account or the token has no such collection. */
const refusalStatuses = [402, 403, 404, 410];
