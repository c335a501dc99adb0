import { decodeFields, idOf, listItemsOf, namesOf, singleReadOf, unitsOf } from '../kind/define-kind.ts';
import type { AccountFacts, ApiObject, Kind, Kinds } from '../kind/kind.ts';
import { type Address, addressOf } from '../model/address.ts';
import type { Ledger } from '../model/ledger.ts';
import type { Endpoint, Request, Send } from '../model/request.ts';
import { type CollectionId, collectionId, type Live, type LiveResource } from '../model/resource.ts';
import type { Value } from '../model/value.ts';
import { type Answers, objectsIn, openAnswers, readSingle } from './answers.ts';
import type { DecodeContext } from './decode-collection.ts';
import { lookupsIn, readLookups, readOneByOne, recordedIn } from './lookups.ts';
import { readMissing } from './read-one.ts';
import { readVersions, stagedElsewhere } from './versions.ts';

export interface ObjectsOptions extends Pick<DecodeContext, 'ledger' | 'aliases' | 'key'> {
  kinds: Kinds;
  /** The entries of the ledger now, if a run has changed them since `ledger`: their objects exist. */
  recorded?: Ledger['entries'] | undefined;
  /** Ids in the ledger (`webhook hook_1`) that no list is expected to show: they are not read by themselves. */
  notExpected?: ReadonlySet<string>;
  facts: AccountFacts;
  /** The reader puts what it reads here. */
  live: Live;
  send: Send;
  /** The addresses that the configuration and the ledger mention: details are read only for these. */
  mentioned: ReadonlyMap<CollectionId, ReadonlySet<Address>>;
  /** True for collections that are read whole and with all details, even if nothing mentions them. */
  also(kind: Kind, parent: Address | undefined): boolean;
  /** True if all of a collection is read, however little of it is mentioned. */
  isAllMeant(kind: Kind, parent: Address | undefined): boolean;
}

/** The most addresses of a collection that are read one by one. More than a page holds would need most of its pages anyway. */
const most = 100;

/** Reads the API objects of collections, as the platform lists them or one by one. */
export class CollectionObjects {
  readonly #options: ObjectsOptions;
  readonly #answers: Answers;
  /** Reads the rest of the collections of which only a part was read. */
  readonly #rests = new Map<CollectionId, () => Promise<ApiObject[]>>();

  constructor(options: ObjectsOptions) {
    this.#options = options;
    this.#answers = openAnswers(options.send);
  }

  /** True if only the mentioned part of a collection was read. */
  isPart(id: CollectionId): boolean {
    return this.#rests.has(id);
  }

  /** The objects of a collection, or the mentioned part of a long one. Those in the ledger are found even if the list does not show them. */
  async of(kind: Kind, parent: LiveResource | undefined): Promise<ApiObject[]> {
    const id = collectionId(kind.name, parent?.address);
    const { kinds, live } = this.#options;
    const params = ancestorIds(parent, kinds, live);
    if (kind.shape.staging) {
      const version = await this.#liveVersion(kind, params, id);
      if (version === undefined) return [];
      params.version = version;
    }
    const { endpoint } = kind.read;
    const items = listItemsOf(kind.read);
    if (endpoint === undefined) return this.#unlisted(kind, parent, params);
    const listed =
      items !== undefined && typeof items !== 'function'
        ? await this.#listed(kind, parent, params, { endpoint, items })
        : await readSingle(kind, params, { answers: this.#answers, live, id });
    if (!singleReadOf(kind)) return listed;
    const reader = { kind, params, answers: this.#answers, facts: this.#options.facts };
    return [...listed, ...(await readMissing(listed, this.#recordedIds(kind, id), reader))];
  }

  /** The ids that the ledger has of a collection, each with an address. */
  #recordedIds(kind: Kind, id: CollectionId): Map<string, Address> {
    const { ledger, recorded = ledger.entries, notExpected, mentioned } = this.#options;
    const ids = new Map<string, Address>();
    for (const address of mentioned.get(id) ?? []) {
      const entry = recorded[address];
      if (entry?.kind !== kind.name) continue;
      for (const one of entry.ids) if (!notExpected?.has(`${kind.name} ${one}`)) ids.set(one, address);
    }
    return ids;
  }

  /** The mentioned objects of a collection that the platform does not list. */
  async #unlisted(
    kind: Kind,
    parent: LiveResource | undefined,
    params: Record<string, Value>,
  ): Promise<ApiObject[]> {
    const { ledger, aliases, mentioned, facts } = this.#options;
    const id = collectionId(kind.name, parent?.address);
    const at = mentioned.get(id) ?? new Set();
    const lookups = lookupsIn(kind, parent?.address, at, { ledger, aliases });
    const objects = kind.read.single
      ? await readOneByOne([], { kind, params, lookups, answers: this.#answers, facts })
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
    const { ledger, aliases, send, mentioned, isAllMeant, facts } = this.#options;
    const answers = this.#answers;
    const id = collectionId(kind.name, parent?.address);
    const rest = this.#rests.get(id);
    this.#rests.delete(id);
    if (rest) return rest();
    const at = mentioned.get(id);
    const isLittle = at !== undefined && at.size > 0 && at.size <= most;
    if (kind.read.single && isLittle && !isAllMeant(kind, parent?.address)) {
      const lookups = lookupsIn(kind, parent?.address, at, { ledger, aliases });
      const part = await readLookups({ kind, params, lookups, send, answers, facts });
      if (part.rest) this.#rests.set(id, part.rest);
      return part.objects;
    }
    const found = await Promise.all([endpoint].flat().map((one) => answers.get(one, params, items)));
    return found.flatMap((answer) => objectsIn(answer, kind));
  }

  /** A row of a list, or the object read by itself if its row lacks something to compare. */
  async detailed(kind: Kind, parent: LiveResource | undefined, row: ApiObject): Promise<ApiObject> {
    const { kinds, live, mentioned, also } = this.#options;
    const { byId } = kind.read;
    if (!byId?.isNeededFor?.(row)) return row;
    if (!isMentioned(mentioned, kind, parent, row) && !also(kind, parent?.address)) return row;
    const params = { ...ancestorIds(parent, kinds, live), id: idOf(kind, row) };
    const answer = await this.#answers.get(byId.endpoint, params).catch((error) => {
      // Somebody who may list it may not be allowed to see it: then it stays as the list tells it.
      if ((error as { status?: number }).status === 403) return row;
      throw error;
    });
    return objectsIn([answer], kind)[0]!;
  }
}

/** True if the configuration or the ledger mentions an object by the name that it has. */
export function isMentioned(
  mentioned: ObjectsOptions['mentioned'],
  kind: Kind,
  parent: LiveResource | undefined,
  row: ApiObject,
): boolean {
  const at = mentioned.get(collectionId(kind.name, parent?.address));
  const fields = decodeFields(kind, row, { to: () => undefined });
  if (!fields) return false;
  return unitsOf(kind, fields, parent?.fields ?? {}).some((unit) =>
    at?.has(addressOf(parent?.address, kind.section, namesOf(kind, unit))),
  );
}

/** The ids of the parent and of those above it, by kind name: what endpoints have as `{project}`. */
function ancestorIds(parent: LiveResource | undefined, kinds: Kinds, live: Live): Record<string, Value> {
  if (!parent) return {};
  const above = parent.parent === undefined ? undefined : live.resources.get(parent.parent);
  return { ...ancestorIds(above, kinds, live), [parent.kind]: parent.id };
}
