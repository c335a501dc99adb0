import {
  decodeFields,
  idOf,
  listItemsOf,
  naturalAddressOf,
  singleReadOf,
  unitsOf,
} from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import type { AccountFacts, ApiObject } from '../kind/read.ts';
import type { Address } from '../model/address.ts';
import type { Ledger } from '../model/ledger.ts';
import type { Endpoint, Request, Send } from '../model/request.ts';
import { type CollectionId, collectionId, type Live, type LiveResource } from '../model/resource.ts';
import type { Value } from '../model/value.ts';
import { type AnswerCache, createAnswerCache, parseObjects, readFromOneAnswer } from './answer-cache.ts';
import { type DecodeContext, hasMentionedName } from './decode-collection.ts';
import {
  indexMentioned,
  objectsFromLedger,
  readMentioned,
  readMissingOneByOne,
  readRecordedById,
} from './read-mentioned.ts';
import { readVersions, stagedElsewhere } from './read-versions.ts';

export interface ObjectsOptions extends Pick<DecodeContext, 'ledger' | 'aliases' | 'chosenIds' | 'key'> {
  kinds: Kinds;
  /** The entries of the ledger now, if a run has changed them since `ledger`: their objects exist. */
  recorded?: Ledger['entries'] | undefined;
  /** Ids in the ledger (`webhook hook_1`) that no list is expected to show. They are not read one by one. */
  notExpected?: ReadonlySet<string>;
  facts: AccountFacts;
  /** The result of the reading. The reader fills it. */
  live: Live;
  send: Send;
  /** Answers that other readers of the same run share. Without them, this reader has its own. */
  answers?: AnswerCache | undefined;
  /** The addresses that the configuration and the ledger mention. Details are read for these, and in the collections of `also`. */
  mentioned: ReadonlyMap<CollectionId, ReadonlySet<Address>>;
  /** True for collections that are read completely and with all details, even if nothing mentions them. */
  also(kind: Kind, parent: Address | undefined): boolean;
  /** True if a collection has to be read completely, however few of its objects are mentioned. */
  isNeededWhole(kind: Kind, parent: Address | undefined): boolean;
}

/**
 * The most mentioned objects of a collection that are read one by one. With more, most pages of the list
 * would be needed anyway.
 */
const maxMentioned = 100;

/** An error of a list, with the objects that the token can read. */
interface LimitedListError extends Error {
  readable: unknown[];
}

/** A collection to read: the values for the placeholders of its endpoints, and its name. */
interface CollectionRequest {
  kind: Kind;
  parent: LiveResource | undefined;
  params: Record<string, Value>;
  id: CollectionId;
}

/**
 * Reads the API objects of collections, in the cheapest way that the platform and the kind allow:
 *
 *   | the kind has                                            | objects are read from           |
 *   | ------------------------------------------------------- | ------------------------------- |
 *   | no list, and a read of single objects (`read.single`)      | one read per mentioned object   |
 *   | no list, and no such read                               | the ledger                      |
 *   | a list with pages and `read.single`; few are mentioned     | some pages, then single reads   |
 *   | a list with pages, otherwise                            | all pages                       |
 *   | one answer (a single object, or a list without pages)   | that answer                     |
 *
 * Recorded objects that a list does not show are then read by their ids, if the platform can do that.
 */
export class CollectionObjects {
  readonly #options: ObjectsOptions;
  readonly #answers: AnswerCache;
  /** For each partially read collection, a function to read all its objects. */
  readonly #readAllById = new Map<CollectionId, () => Promise<ApiObject[]>>();

  /** For each list that the token may read only in part, the error that said so. */
  readonly #limits = new Map<CollectionId, LimitedListError>();

  constructor(options: ObjectsOptions) {
    this.#options = options;
    this.#answers = options.answers ?? createAnswerCache(options.send);
  }

  /**
   * Returns the error of a list that the token may not read, although it may read some of its objects; undefined for other collections.
   * `read` returned these objects then, and all others are unknown.
   */
  limitOf(id: CollectionId): LimitedListError | undefined {
    return this.#limits.get(id);
  }

  /**
   * True if only the mentioned objects (declared or recorded) of a collection were read. A plan must then not count the others as missing.
   */
  isPartial(id: CollectionId): boolean {
    return this.#readAllById.has(id);
  }

  /**
   * Returns the objects of a collection (of one kind under one parent) as the platform answers them, for a plan or a check. Of a long
   * collection, only the mentioned ones (declared or recorded) are read, and calling it again reads all. Recorded objects that the list
   * lacks are read by their ids. Records in `live` the versions of the collection, and obstacles to changing it.
   */
  async read(kind: Kind, parent: LiveResource | undefined): Promise<ApiObject[]> {
    const id = collectionId(kind.name, parent?.address);
    const { live } = this.#options;
    const params: Record<string, Value> = ancestorIds(parent, live);
    const request = { kind, parent, params, id };
    if (kind.shape.staging) {
      const version = await this.#readLiveVersion(request);
      if (version === undefined) return [];
      params.version = version;
    }
    const { endpoint } = kind.read;
    const items = listItemsOf(kind.read);
    if (endpoint === undefined) return this.#readWithoutList(request);
    const hasPages = items !== undefined && typeof items !== 'function';
    const listed = hasPages
      ? await this.#readList(request, { endpoint, items }).catch((error) => this.#readableOf(error, request))
      : await readFromOneAnswer(kind, params, { answers: this.#answers, live, id });
    // With a limit, the token cannot read the objects that the list lacks by their ids either.
    if (!singleReadOf(kind) || this.#limits.has(id)) return listed;
    const reader = { kind, params, answers: this.#answers, facts: this.#options.facts };
    return [...listed, ...(await readRecordedById(listed, this.#recordedIds(kind, id), reader))];
  }

  /**
   * Returns the objects that the token can read of a list that it may not read as a whole, so that these can
   * still be planned. Keeps the error, by which the list counts as partly read. Throws any other error of the
   * list again.
   */
  #readableOf(error: Error & Partial<LimitedListError>, { kind, id }: CollectionRequest): ApiObject[] {
    const { readable } = error;
    if (readable === undefined) throw error;
    this.#limits.set(id, error as LimitedListError);
    return parseObjects(readable, kind);
  }

  /**
   * Returns the ids that the ledger has in a collection (the objects of one kind under one parent), each with its address. If the
   * platform's list of the collection lacks one of them, the object is read by its id before a plan counts it as deleted.
   */
  #recordedIds(kind: Kind, id: CollectionId): Map<string, Address> {
    const { ledger, recorded = ledger.entries, notExpected, mentioned } = this.#options;
    const addressById = new Map<string, Address>();
    for (const address of mentioned.get(id) ?? []) {
      const entry = recorded[address];
      if (entry?.kind !== kind.name) continue;
      // A list is not expected to show objects that the plan found missing or in another parent.
      for (const objectId of entry.ids)
        if (!notExpected?.has(`${kind.name} ${objectId}`)) addressById.set(objectId, address);
    }
    return addressById;
  }

  /**
   * Returns the mentioned objects (declared or recorded) of a collection that the platform does not list, so that
   * they can be planned all the same: each is read with its own request. If the platform has no such request
   * either, returns only the ids that the ledger of the plan has. All other objects stay unknown, so the
   * collection counts as partial (`isPartial`).
   */
  async #readWithoutList({ kind, parent, params, id }: CollectionRequest): Promise<ApiObject[]> {
    const { ledger, recorded = ledger.entries, mentioned, facts } = this.#options;
    const addresses = mentioned.get(id) ?? new Set();
    // During an apply, `recorded` also has the ids of objects that the run has just created.
    const currentLedger = { ...ledger, entries: recorded };
    const index = indexMentioned(kind, parent?.address, addresses, {
      ...this.#options,
      ledger: currentLedger,
    });
    const objects = kind.read.single
      ? await readMissingOneByOne([], { kind, params, mentioned: index, answers: this.#answers, facts })
      : objectsFromLedger(ledger, kind, addresses);
    // An entry of this map makes the collection partial. Without a list, reading all finds no more objects.
    this.#readAllById.set(id, async () => objects);
    return objects;
  }

  /**
   * Returns the id of the live version of a staged collection: its changes go into a staged version first,
   * and take effect when that is promoted. Only the live version is compared with the configuration. Records
   * both versions in `live`. A staged version that this stack left behind (`staged.objects` is set) is discarded
   * by the next change of the collection; any other one blocks all changes of the collection.
   */
  async #readLiveVersion({ kind, params, id }: CollectionRequest): Promise<string | undefined> {
    const { live, ledger, key } = this.#options;
    const { staged, ...versions } = await readVersions(kind, {
      read: async (endpoint, extraParams, items) =>
        parseObjects([await this.#answers.get(endpoint, { ...params, ...extraParams }, items)].flat(), kind),
      collection: id,
      recorded: ledger.staged?.[id],
      key,
    });
    live.versions.set(id, { live: versions.live, staged: staged?.id });
    if (staged?.objects) live.staged.set(id, { id: staged.id, objects: staged.objects });
    else if (staged) live.blocked.set(id, stagedElsewhere(kind, staged.id));
    return versions.live;
  }

  /**
   * Returns the objects of a collection (of one kind under one parent) that the platform lists in pages, for a plan: in one list, or in one
   * for each of several endpoints. Reads all pages, or only as many as it takes to find the mentioned objects (declared or recorded), since
   * a few single reads cost less than a long list. Asked for the same collection again, it reads the rest of the pages: the caller found
   * that the mentioned objects alone do not decide the plan.
   */
  async #readList(
    { kind, parent, params, id }: CollectionRequest,
    { endpoint, items }: { endpoint: Endpoint | Endpoint[]; items: NonNullable<Request['items']> },
  ): Promise<ApiObject[]> {
    const { send, mentioned, isNeededWhole, facts } = this.#options;
    const answers = this.#answers;
    // Set if an earlier call read only the mentioned objects. This call then wants all of them.
    const readAll = this.#readAllById.get(id);
    this.#readAllById.delete(id);
    if (readAll) return readAll();
    const addresses = mentioned.get(id);
    const areFewMentioned = addresses !== undefined && addresses.size > 0 && addresses.size <= maxMentioned;
    if (kind.read.single && areFewMentioned && !isNeededWhole(kind, parent?.address)) {
      const index = indexMentioned(kind, parent?.address, addresses, this.#options);
      const reading = await readMentioned({ kind, params, mentioned: index, send, answers, facts });
      // `readAll` is absent if the reading has the whole list.
      if (reading.readAll) this.#readAllById.set(id, reading.readAll);
      return reading.objects;
    }
    const lists = await Promise.all([endpoint].flat().map((list) => answers.get(list, params, items)));
    return lists.flatMap((list) => parseObjects(list, kind));
  }

  /**
   * Returns a row of a list with all its members: if the row lacks members that have to be compared, the
   * object is read by its id. Only done for mentioned objects (declared or recorded) and in collections that
   * are read even if nothing mentions them (`also`), because it costs one request per object.
   */
  async readDetails(kind: Kind, parent: LiveResource | undefined, row: ApiObject): Promise<ApiObject> {
    const { live, mentioned, also } = this.#options;
    const { byId } = kind.read;
    if (!byId?.isNeededFor?.(row)) return row;
    if (!isMentioned(mentioned, kind, parent, row) && !also(kind, parent?.address)) return row;
    const params = { ...ancestorIds(parent, live), id: idOf(kind, row) };
    const answer = await this.#answers.get(byId.endpoint, params).catch((error) => {
      // A token may be allowed to list objects and not to read one. Then the members in the list have to do.
      if ((error as { status?: number }).status === 403) return row;
      throw error;
    });
    return parseObjects([answer], kind)[0]!;
  }
}

/**
 * True if the configuration or the ledger mentions an object by the address that its current name makes, or a
 * unit in it (a variable in one target). Used to spend requests on details, and on lists with rows of two
 * kinds, only where the plan needs them.
 */
export function isMentioned(
  mentioned: ObjectsOptions['mentioned'],
  kind: Kind,
  parent: LiveResource | undefined,
  row: ApiObject,
): boolean {
  const addresses = mentioned.get(collectionId(kind.name, parent?.address));
  const fields = decodeFields(kind, row, { to: () => undefined });
  if (!fields) return false;
  const units = unitsOf(kind, fields, parent?.fields ?? {});
  // A row that lost all its places; see `Shape.units`.
  if (units.length === 0) return hasMentionedName(kind, parent, row, addresses ?? []);
  return units.some((unit) => addresses?.has(naturalAddressOf(kind, parent?.address, unit)));
}

/**
 * Returns the ids of an object and its ancestors, by the name of their kind, for placeholders in endpoints such as
 * `{project}`.
 */
export function ancestorIds(parent: LiveResource | undefined, live: Live): Record<string, string> {
  if (!parent) return {};
  return { ...ancestorIds(live.resources.get(parent.parent ?? ''), live), [parent.kind]: parent.id };
}
