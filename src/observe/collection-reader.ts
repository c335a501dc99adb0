import { decodeFields, idOf, isMarkedDeleted, mentionedBy } from '../kind/define-kind.ts';
import type { ApiObject, Kind } from '../kind/kind.ts';
import { type Address, addressOf, isWithin } from '../model/address.ts';
import { isProgramError } from '../model/program-error.ts';
import {
  type CollectionId,
  collectionId,
  collectionParts,
  type Desired,
  type LiveResource,
  type ReadFailure,
} from '../model/resource.ts';
import { CollectionObjects, isMentioned, type ObjectsOptions } from './collection-objects.ts';
import { type DecodeContext, decodeCollection, namingSiblings } from './decode-collection.ts';
import { ownersOf } from './place.ts';

export interface ReaderOptions extends Omit<ObjectsOptions, 'isAllMeant'>, Pick<DecodeContext, 'chosen'> {
  /** All mentioned addresses, be they read or not: an object is placed by its id. */
  places: ReadonlyMap<CollectionId, ReadonlySet<Address>>;
  /** Collections that are read whole, however little of them is mentioned. */
  whole: ReadonlySet<CollectionId>;
  /** Collections that are known already: they are not read. */
  known?: Iterable<[CollectionId, LiveResource[]]>;
  /** The addresses of objects in known collections, by kind and id: `project prj_1`. */
  addressBefore?(name: string): Address | undefined;
}

/** The ids that a configuration names, to say which of several objects is meant. */
export const chosenIn = ({ resources }: Desired): Set<string> =>
  new Set([...resources.values()].flatMap(({ meta }) => meta.id ?? []));

/**
 * Reads collections, each once, and whatever else their objects name by id. One that cannot be read whole is frozen, with all
 * that is below it; that is no error here. If nobody needs all of a long one, only the mentioned part may be read.
 */
export function collectionReader(
  options: ReaderOptions,
): (kind: Kind, parent: LiveResource | undefined) => Promise<LiveResource[]> {
  const reader = new CollectionReader(options);
  return (kind, parent) => reader.read(kind, parent);
}

class CollectionReader {
  readonly #options: ReaderOptions;
  readonly #objects: CollectionObjects;
  readonly #collections: Map<CollectionId, Promise<LiveResource[]>>;
  /** Addresses by kind and id, so that references are found at once, however many objects there are. */
  readonly #addresses = new Map<string, Address>();
  readonly #wholes: Set<CollectionId>;

  constructor(options: ReaderOptions) {
    const { whole, known = [] } = options;
    this.#options = options;
    this.#objects = new CollectionObjects({
      ...options,
      isAllMeant: (kind, parent) => this.#isAllMeant(kind, parent),
    });
    this.#collections = new Map([...known].map(([id, found]) => [id, Promise.resolve(found)]));
    this.#wholes = new Set(whole);
  }

  read(kind: Kind, parent: LiveResource | undefined): Promise<LiveResource[]> {
    const id = collectionId(kind.name, parent?.address);
    const reading = this.#collections.get(id) ?? this.#readNow(kind, parent, id);
    this.#collections.set(id, reading);
    return reading;
  }

  #readWhole(kind: Kind, parent: LiveResource | undefined): Promise<LiveResource[]> {
    const id = collectionId(kind.name, parent?.address);
    if (this.#wholes.has(id)) return this.read(kind, parent);
    this.#wholes.add(id);
    this.#options.live.undeclarable.delete(id);
    const reading = this.#readNow(kind, parent, id);
    this.#collections.set(id, reading);
    return reading;
  }

  #isAllMeant(kind: Kind, parent: Address | undefined): boolean {
    return this.#wholes.has(collectionId(kind.name, parent)) || this.#options.also(kind, parent);
  }

  #remember({ kind, ids, address }: LiveResource): void {
    for (const id of ids)
      if (!this.#addresses.has(`${kind} ${id}`)) this.#addresses.set(`${kind} ${id}`, address);
  }

  #addressOf(kind: string, id: string): Address | undefined {
    const name = `${kind} ${id}`;
    return this.#options.addressBefore?.(name) ?? this.#addresses.get(name);
  }

  async #readNow(kind: Kind, parent: LiveResource | undefined, id: CollectionId): Promise<LiveResource[]> {
    const { live, mentioned } = this.#options;
    const at = mentioned.get(id);
    const { onlyDeclared } = kind.shape;
    if (onlyDeclared && !at?.size) return [];
    try {
      const objects = (await this.#objects.of(kind, parent)).filter(
        (object) => !isMarkedDeleted(kind, object),
      );
      const resources = await this.#addressed(kind, parent, objects);
      if (onlyDeclared) live.undeclarable.delete(id);
      const found = onlyDeclared ? resources.filter(({ address }) => at!.has(address)) : resources;
      for (const resource of found) {
        live.resources.set(resource.address, resource);
        this.#remember(resource);
      }
      if (this.#objects.isPart(id)) live.partial.add(id);
      else {
        live.partial.delete(id);
        live.complete.add(id);
      }
      return found;
    } catch (error) {
      live.partial.delete(id);
      this.#freeze(kind, parent?.address, unreadFor(error, kind));
      return [];
    }
  }

  /** True if an object names another one that was not read, since only a part of its collection was. */
  #namesUnread(kind: Kind, objects: ApiObject[], target: string): boolean {
    let isUnread = false;
    const to = (name: string, id: string) => {
      isUnread ||= name === target && this.#addressOf(name, id) === undefined;
      return undefined;
    };
    for (const object of objects) decodeFields(kind, object, { to });
    return isUnread;
  }

  /** The rows of a list, without those of other accounts or of another kind that the list has too. */
  async #own(kind: Kind, parent: LiveResource | undefined, listed: ApiObject[]): Promise<ApiObject[]> {
    const { kinds, ledger, mentioned, facts } = this.#options;
    const { items } = kind.read;
    if (typeof items !== 'object' || !('list' in items)) return listed;
    const id = collectionId(kind.name, parent?.address);
    const owners = ownersOf(ledger, kind, mentioned.get(id) ?? []);
    if ('isOfAccount' in items)
      return listed.filter((row) => owners.knows(idOf(kind, row)) || items.isOfAccount(row, facts));
    const isWhole = this.#isAllMeant(kind, parent?.address);
    const isMeant = (row: ApiObject) => isWhole || isMentioned(mentioned, kind, parent, row);
    if (!listed.some((row) => !owners.knows(idOf(kind, row)) && isMeant(row))) return listed;
    const resources = await this.#readWhole(kinds.get(items.without)!, undefined);
    const ids = new Set(resources.flatMap((resource) => resource.ids));
    return listed.filter((row) => !ids.has(idOf(kind, row)));
  }

  async #addressed(
    kind: Kind,
    parent: LiveResource | undefined,
    listed: ApiObject[],
  ): Promise<LiveResource[]> {
    const { kinds, live, ledger, aliases, chosen, key, places } = this.#options;
    const rows = await this.#own(kind, parent, listed);
    const objects = await Promise.all(rows.map((row) => this.#objects.detailed(kind, parent, row)));
    const needed = new Set(objects.flatMap((object) => mentionedBy(kind, object)));
    // Siblings that are named are among those that are being read.
    const namesSiblings = needed.delete(kind.name);
    for (const name of needed) {
      const target = kinds.get(name)!;
      const near = target.parent === undefined ? undefined : parent;
      const at = collectionId(name, near?.address);
      await this.read(target, near);
      if (live.partial.has(at) && this.#namesUnread(kind, objects, name)) await this.#readWhole(target, near);
      const unread = live.unreadable.get(at);
      if (unread) throw new UnreadReference(unread);
    }
    const collection = decodeCollection(kind, parent, objects, {
      live,
      ledger,
      aliases,
      chosen,
      key,
      mentioned: places.get(collectionId(kind.name, parent?.address)) ?? [],
      addressOf: (name, id) => this.#addressOf(name, id),
    });
    return namesSiblings ? namingSiblings(kind, collection) : collection;
  }

  /** Nothing in a frozen collection, or below it, is created or deleted. */
  #freeze(kind: Kind, parent: Address | undefined, unread: ReadFailure): void {
    const { live, mentioned } = this.#options;
    const root = collectionId(kind.name, parent);
    live.unreadable.set(root, unread);
    const below = [...mentioned.keys()].filter((id) => {
      const [at] = collectionParts(id);
      return at !== undefined && isBelow(at, kind, parent);
    });
    for (const id of below) live.unreadable.set(id, { ...unread, below: root });
  }
}

/** True if `address` lies in a resource of `kind` under `parent`. */
function isBelow(address: Address, kind: Kind, parent: Address | undefined): boolean {
  return isWithin(address, addressOf(parent, kind.section, []));
}

/** An object names another one that could not be read. */
class UnreadReference extends Error {
  readonly unread: ReadFailure;

  constructor(unread: ReadFailure) {
    super(`what it refers to could not be read: ${unread.why}`);
    this.unread = unread;
  }
}

/** Says why a collection is unread. An answer in another form than the kind reads is described in our words, not in those of the engine. */
function unreadFor(error: unknown, { name }: Kind): ReadFailure {
  if (isProgramError(error)) {
    const why = `the response does not have the expected form for a ${name}`;
    return { why, cause: why };
  }
  if (error instanceof UnreadReference)
    return {
      ...error.unread,
      why: error.message,
      cause: `what it refers to could not be read: ${error.unread.cause}`,
    };
  const why = error instanceof Error ? error.message : String(error);
  const { method, path, status, isForLater, address } = (error ?? {}) as {
    method?: string;
    path?: string;
    status?: number;
    isForLater?: boolean;
    address?: Address;
  };
  const withoutPath = path ? why.replaceAll(`${method} ${path} `, '').replaceAll(path, '...') : why;
  const cause = address === undefined ? withoutPath : withoutPath.replace(address, 'an object of this stack');
  return {
    why,
    cause,
    ...(refusals.includes(status ?? 0) ? { isRefused: true as const } : {}),
    ...(isForLater ? { isForLater: true as const } : {}),
  };
}

/** The account or the token has no such collection. */
const refusals = [402, 403, 404, 410];
