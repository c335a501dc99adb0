import { decodeFields, idOf, isGone, listIn, mentionedBy, namesOf } from '../kind/define-kind.ts';
import type { AccountFacts, ApiObject, Kind, Kinds } from '../kind/kind.ts';
import { type Address, addressOf, isWithin } from '../model/address.ts';
import type { Endpoint, Request, Send } from '../model/request.ts';
import {
  type CollectionId,
  collectionId,
  collectionParts,
  type Desired,
  type Live,
  type LiveResource,
} from '../model/resource.ts';
import type { Value } from '../model/value.ts';
import { type Answers, objectsIn, openAnswers, readSingle } from './answers.ts';
import { type DecodeContext, decodeCollection, namingSiblings } from './decode-collection.ts';
import { lookupsIn, readLookups, readOneByOne, recordedIn } from './lookups.ts';
import { ownersOf } from './place.ts';
import { readVersions, stagedElsewhere } from './versions.ts';

export interface ReaderOptions extends Pick<DecodeContext, 'ledger' | 'aliases' | 'chosen' | 'key'> {
  kinds: Kinds;
  /** The reader puts what it reads here. */
  live: Live;
  send: Send;
  facts: AccountFacts;
  /** The addresses that the configuration and the ledger mention: only their details are read. */
  mentioned: ReadonlyMap<CollectionId, ReadonlySet<Address>>;
  /** The same of all that is mentioned, be it read or not: an object is placed by its id. */
  places: ReadonlyMap<CollectionId, ReadonlySet<Address>>;
  /** Collections of which all is read, however little of them is mentioned. */
  whole: ReadonlySet<CollectionId>;
  /** Read whole and with all details, whether something mentions them or not. */
  also(kind: Kind, parent: Address | undefined): boolean;
  /** Collections that are known already: they are not read. */
  known?: Iterable<[CollectionId, LiveResource[]]>;
}

/** The most addresses of a collection that are read one by one. More than a page holds would need most of its pages anyway. */
const most = 100;

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
  readonly #answers: Answers;
  readonly #collections: Map<CollectionId, Promise<LiveResource[]>>;
  /** Addresses by kind and id: what an object names by id is found at once, however much there is. */
  readonly #addresses = new Map<string, Address>();
  readonly #wholes: Set<CollectionId>;
  /** Reads all of the collections of which only a part was read. */
  readonly #rests = new Map<CollectionId, () => Promise<ApiObject[]>>();

  constructor(options: ReaderOptions) {
    const { live, send, whole, known = [] } = options;
    this.#options = options;
    this.#answers = openAnswers(send);
    this.#collections = new Map([...known].map(([id, found]) => [id, Promise.resolve(found)]));
    this.#wholes = new Set(whole);
    for (const one of live.resources.values()) this.#remember(one);
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
    this.#options.live.leftOut.delete(id);
    const reading = this.#readNow(kind, parent, id);
    this.#collections.set(id, reading);
    return reading;
  }

  #remember({ kind, ids, address }: LiveResource): void {
    for (const id of ids)
      if (!this.#addresses.has(`${kind} ${id}`)) this.#addresses.set(`${kind} ${id}`, address);
  }

  async #readNow(kind: Kind, parent: LiveResource | undefined, id: CollectionId): Promise<LiveResource[]> {
    const { live, mentioned } = this.#options;
    const at = mentioned.get(id);
    const { onlyDeclared } = kind.shape;
    if (onlyDeclared && !at?.size) return [];
    try {
      const objects = (await this.#objectsOf(kind, parent, id)).filter((object) => !isGone(kind, object));
      const all = await this.#addressed(kind, parent, objects);
      if (onlyDeclared) live.leftOut.delete(id);
      const found = onlyDeclared ? all.filter(({ address }) => at!.has(address)) : all;
      for (const resource of found) {
        live.resources.set(resource.address, resource);
        this.#remember(resource);
      }
      if (this.#rests.has(id)) live.unlisted.add(id);
      else {
        live.unlisted.delete(id);
        live.complete.add(id);
      }
      return found;
    } catch (error) {
      live.unlisted.delete(id);
      if ([402, 403, 404, 410].includes((error as { status?: number }).status ?? 0)) live.refused.add(id);
      this.#freeze(kind, parent?.address, error instanceof Error ? error.message : String(error));
      return [];
    }
  }

  async #objectsOf(kind: Kind, parent: LiveResource | undefined, id: CollectionId): Promise<ApiObject[]> {
    const { kinds, live } = this.#options;
    const params = ancestorIds(parent, kinds, live);
    if (kind.shape.staging) {
      const version = await this.#liveVersion(kind, params, id);
      if (version === undefined) return [];
      params.version = version;
    }
    const { endpoint } = kind.read;
    const items = listIn(kind.read);
    if (endpoint === undefined) return this.#unlisted(kind, parent, params);
    if (items !== undefined && typeof items !== 'function')
      return this.#listed(kind, parent, params, { endpoint, items });
    return readSingle(kind, params, { answers: this.#answers, live, id });
  }

  /** The mentioned objects of a collection that the platform does not list. */
  async #unlisted(
    kind: Kind,
    parent: LiveResource | undefined,
    params: Record<string, Value>,
  ): Promise<ApiObject[]> {
    const { ledger, aliases, mentioned } = this.#options;
    const id = collectionId(kind.name, parent?.address);
    const at = mentioned.get(id) ?? new Set();
    const lookups = lookupsIn(kind, parent?.address, at, { ledger, aliases });
    const objects = kind.read.one
      ? await readOneByOne([], { kind, params, lookups, answers: this.#answers })
      : recordedIn(ledger, kind, at);
    this.#rests.set(id, async () => objects);
    return objects;
  }

  /** The version of a staged collection that is live; notes what is staged beside it. */
  async #liveVersion(
    kind: Kind,
    params: Record<string, Value>,
    id: CollectionId,
  ): Promise<string | undefined> {
    const { live, ledger, key } = this.#options;
    const { staged, ...versions } = await readVersions(kind, {
      read: async (endpoint, more, items) =>
        objectsIn([await this.#answers.get(endpoint, { ...params, ...more }, items)].flat(), kind),
      collection: id,
      known: ledger.staged?.[id],
      key,
    });
    live.versions.set(id, {
      ...(versions.live === undefined ? {} : { live: versions.live }),
      ...(staged ? { staged: staged.id } : {}),
    });
    if (staged?.objects) live.staged.set(id, { id: staged.id, objects: staged.objects });
    else if (staged) live.blocked.set(id, stagedElsewhere(kind, staged.id));
    return versions.live;
  }

  /** The items of a list: all pages of it, or as many as it takes to find what is mentioned. */
  async #listed(
    kind: Kind,
    parent: LiveResource | undefined,
    params: Record<string, Value>,
    { endpoint, items }: { endpoint: Endpoint | Endpoint[]; items: NonNullable<Request['items']> },
  ): Promise<ApiObject[]> {
    const { ledger, aliases, send, mentioned, also } = this.#options;
    const answers = this.#answers;
    const id = collectionId(kind.name, parent?.address);
    const rest = this.#rests.get(id);
    this.#rests.delete(id);
    if (rest) return rest();
    const at = mentioned.get(id);
    const isLittle = at !== undefined && at.size > 0 && at.size <= most;
    if (kind.read.one && isLittle && !this.#wholes.has(id) && !also(kind, parent?.address)) {
      const lookups = lookupsIn(kind, parent?.address, at, { ledger, aliases });
      const part = await readLookups({ kind, params, lookups, send, answers });
      if (part.rest) this.#rests.set(id, part.rest);
      return part.objects;
    }
    const found = await Promise.all([endpoint].flat().map((one) => answers.get(one, params, items)));
    return found.flatMap((answer) => objectsIn(answer, kind));
  }

  /** True if an object names one of a collection that was not read, since only a part of it was. */
  #namesUnread(kind: Kind, objects: ApiObject[], target: string): boolean {
    let isUnread = false;
    const to = (name: string, id: string) => {
      isUnread ||= name === target && !this.#addresses.has(`${name} ${id}`);
      return undefined;
    };
    for (const object of objects) decodeFields(kind, object, { to });
    return isUnread;
  }

  /** True if the configuration or the ledger mentions an object by the name that it has. */
  #isMentioned(kind: Kind, parent: LiveResource | undefined, row: ApiObject): boolean {
    const at = this.#options.mentioned.get(collectionId(kind.name, parent?.address));
    const fields = decodeFields(kind, row, { to: () => undefined });
    if (!fields) return false;
    return kind.shape
      .units(fields, parent?.fields ?? {})
      .some((unit) => at?.has(addressOf(parent?.address, kind.section, namesOf(kind, unit))));
  }

  /** A row of a list, or the object itself where the list keeps back what is to be compared. */
  async #detailed(kind: Kind, parent: LiveResource | undefined, row: ApiObject): Promise<ApiObject> {
    const { kinds, live, also } = this.#options;
    const { detail } = kind.read;
    if (!detail?.isNeeded(row)) return row;
    if (!this.#isMentioned(kind, parent, row) && !also(kind, parent?.address)) return row;
    const params = { ...ancestorIds(parent, kinds, live), id: idOf(kind, row) };
    const answer = await this.#answers.get(detail.endpoint, params).catch((error) => {
      // Somebody who may list it may not be allowed to see it: then it stays as the list tells it.
      if ((error as { status?: number }).status === 403) return row;
      throw error;
    });
    return objectsIn([answer], kind)[0]!;
  }

  /** The rows of a list without those of other accounts, or of another kind, that it has too. */
  async #own(kind: Kind, parent: LiveResource | undefined, listed: ApiObject[]): Promise<ApiObject[]> {
    const { kinds, ledger, mentioned, also, facts } = this.#options;
    const { items } = kind.read;
    if (typeof items !== 'object' || !('list' in items)) return listed;
    const id = collectionId(kind.name, parent?.address);
    const known = ownersOf(ledger, kind, mentioned.get(id) ?? []);
    if ('isOfAccount' in items)
      return listed.filter((row) => known.knows(idOf(kind, row)) || items.isOfAccount(row, facts));
    const isAllMeant = this.#wholes.has(id) || also(kind, parent?.address);
    const isMeant = (row: ApiObject) => isAllMeant || this.#isMentioned(kind, parent, row);
    if (!listed.some((row) => !known.knows(idOf(kind, row)) && isMeant(row))) return listed;
    const others = await this.#readWhole(kinds.get(items.without)!, undefined);
    const ids = new Set(others.flatMap((one) => one.ids));
    return listed.filter((row) => !ids.has(idOf(kind, row)));
  }

  async #addressed(
    kind: Kind,
    parent: LiveResource | undefined,
    listed: ApiObject[],
  ): Promise<LiveResource[]> {
    const { kinds, live, ledger, aliases, chosen, key, places } = this.#options;
    const rows = await this.#own(kind, parent, listed);
    const objects = await Promise.all(rows.map((row) => this.#detailed(kind, parent, row)));
    const needed = new Set(objects.flatMap((object) => mentionedBy(kind, object)));
    // Siblings that are named are among those that are being read.
    const namesSiblings = needed.delete(kind.name);
    for (const name of needed) {
      const target = kinds.get(name)!;
      const near = target.parent === undefined ? undefined : parent;
      const at = collectionId(name, near?.address);
      await this.read(target, near);
      if (live.unlisted.has(at) && this.#namesUnread(kind, objects, name))
        await this.#readWhole(target, near);
      const why = live.frozen.get(at);
      if (why !== undefined) throw new Error(`what it refers to could not be read: ${why}`);
    }
    const found = decodeCollection(kind, parent, objects, {
      live,
      ledger,
      aliases,
      chosen,
      key,
      mentioned: places.get(collectionId(kind.name, parent?.address)) ?? [],
      addressOf: (name, id) => this.#addresses.get(`${name} ${id}`),
    });
    return namesSiblings ? namingSiblings(kind, found) : found;
  }

  /** Nothing in a frozen collection, or below it, is created or deleted. */
  #freeze(kind: Kind, parent: Address | undefined, why: string): void {
    const { live, mentioned } = this.#options;
    live.frozen.set(collectionId(kind.name, parent), why);
    const below = [...mentioned.keys()].filter((id) => {
      const [at] = collectionParts(id);
      return at !== undefined && isBelow(at, kind, parent);
    });
    for (const id of below) live.frozen.set(id, why);
  }
}

/** True if `address` lies in a resource of `kind` under `parent`. */
function isBelow(address: Address, kind: Kind, parent: Address | undefined): boolean {
  return isWithin(address, addressOf(parent, kind.section, []));
}

/** The ids of the parent and of those above it, by kind name: what endpoints have as `{project}`. */
function ancestorIds(parent: LiveResource | undefined, kinds: Kinds, live: Live): Record<string, Value> {
  if (!parent) return {};
  const above = parent.parent === undefined ? undefined : live.resources.get(parent.parent);
  return { ...ancestorIds(above, kinds, live), [parent.kind]: parent.id };
}
