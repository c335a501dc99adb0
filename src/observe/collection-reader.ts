import { decodeFields, idOf, isGone, mentionedBy, namesOf } from '../kind/define-kind.ts';
import type { ApiObject, Kind, Kinds } from '../kind/kind.ts';
import { type Address, addressOf, isWithin } from '../model/address.ts';
import type { Endpoint, Send } from '../model/plan.ts';
import {
  type CollectionId,
  collectionId,
  collectionParts,
  type Desired,
  type Live,
  type LiveResource,
} from '../model/resource.ts';
import type { Value } from '../model/value.ts';
import { objectKnown, objectsIn, openAnswers } from './answers.ts';
import { type DecodeContext, decodeCollection } from './decode-collection.ts';
import { namingSiblings } from './naming-siblings.ts';
import { readSought } from './read-sought.ts';
import { soughtIn } from './sought.ts';
import { readVersions, stagedElsewhere } from './versions.ts';

export interface ReaderOptions extends Pick<DecodeContext, 'ledger' | 'aliases' | 'chosen' | 'key'> {
  kinds: Kinds;
  /** What is read is put here. */
  live: Live;
  send: Send;
  /** What the configuration and the ledger mention: only of these details are read. */
  mentioned: ReadonlyMap<CollectionId, ReadonlySet<Address>>;
  /** Collections of which all is read, however little of them is mentioned. */
  whole: ReadonlySet<CollectionId>;
  /** Read whole and with all details, whether something mentions them or not. */
  also(kind: Kind, parent: Address | undefined): boolean;
  /** Collections that are known already: they are not read. */
  known?: Iterable<[CollectionId, LiveResource[]]>;
}

/** Nothing of it is set, as the platform says. */
const unwritten: ApiObject = {};

/** Who mentions more of a collection than a page holds needs most of its pages. */
const most = 100;

/** The ids that a configuration names, to say which of several objects is meant. */
export const chosenIn = ({ resources }: Desired): Set<string> =>
  new Set([...resources.values()].flatMap(({ meta }) => meta.id ?? []));

/**
 * Reads collections, each once, and whatever else their objects name by id. One that cannot be read whole is frozen, with all
 * that is below it; that is no error here. Of a long one of which all is needed by nobody only what is mentioned may be read.
 */
export function collectionReader({
  kinds,
  ledger,
  live,
  send,
  mentioned,
  aliases,
  chosen,
  key,
  whole,
  also,
  known = [],
}: ReaderOptions): (kind: Kind, parent: LiveResource | undefined) => Promise<LiveResource[]> {
  const answers = openAnswers(send);
  const { get } = answers;
  const collections = new Map<CollectionId, Promise<LiveResource[]>>(
    [...known].map(([id, found]) => [id, Promise.resolve(found)]),
  );

  /** Addresses by kind and id: what an object names by id is found at once, however much there is. */
  const addresses = new Map<string, Address>();
  const remember = ({ kind, ids, address }: LiveResource) => {
    for (const id of ids) if (!addresses.has(`${kind} ${id}`)) addresses.set(`${kind} ${id}`, address);
  };
  for (const one of live.resources.values()) remember(one);

  const wholes = new Set(whole);
  /** How to read all of the collections of which only a part was read. */
  const rests = new Map<CollectionId, () => Promise<ApiObject[]>>();

  const read = (kind: Kind, parent: LiveResource | undefined): Promise<LiveResource[]> => {
    const id = collectionId(kind.name, parent?.address);
    const reading = collections.get(id) ?? readNow(kind, parent, id);
    collections.set(id, reading);
    return reading;
  };

  const readWhole = (kind: Kind, parent: LiveResource | undefined): Promise<LiveResource[]> => {
    const id = collectionId(kind.name, parent?.address);
    if (wholes.has(id)) return read(kind, parent);
    wholes.add(id);
    live.leftOut.delete(id);
    const reading = readNow(kind, parent, id);
    collections.set(id, reading);
    return reading;
  };

  const readNow = async (
    kind: Kind,
    parent: LiveResource | undefined,
    id: CollectionId,
  ): Promise<LiveResource[]> => {
    try {
      const objects = (await objectsOf(kind, parent, id)).filter((object) => !isGone(kind, object));
      const found = await addressed(kind, parent, objects);
      for (const resource of found) {
        live.resources.set(resource.address, resource);
        remember(resource);
      }
      if (rests.has(id)) live.unlisted.add(id);
      else {
        live.unlisted.delete(id);
        live.complete.add(id);
      }
      return found;
    } catch (error) {
      live.unlisted.delete(id);
      if ([402, 403, 404, 410].includes((error as { status?: number }).status ?? 0)) live.refused.add(id);
      freeze(kind, parent?.address, error instanceof Error ? error.message : String(error));
      return [];
    }
  };

  const objectsOf = async (
    kind: Kind,
    parent: LiveResource | undefined,
    id: CollectionId,
  ): Promise<ApiObject[]> => {
    const { read } = kind;
    const params = ancestorIds(parent, kinds, live);
    if (kind.shape.staging) {
      const { staged, ...versions } = await readVersions(kind, {
        read: async (endpoint, more, items) =>
          objectsIn([await get(endpoint, { ...params, ...more }, items)].flat(), kind),
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
      if (versions.live === undefined) return [];
      params.version = versions.live;
    }
    if (typeof read.items === 'string') {
      const { endpoint, items } = read;
      const rest = rests.get(id);
      rests.delete(id);
      if (rest) return rest();
      const at = mentioned.get(id);
      const isLittle = at !== undefined && at.size > 0 && at.size <= most;
      if (read.one && isLittle && !wholes.has(id) && !also(kind, parent?.address)) {
        const sought = soughtIn(kind, parent?.address, at, { ledger, aliases });
        const part = await readSought({ kind, params, sought, send, answers });
        if (part.rest) rests.set(id, part.rest);
        return part.objects;
      }
      const found = await Promise.all([endpoint].flat().map((one) => get(one, params, items)));
      return found.flatMap((answer) => objectsIn(answer, kind));
    }
    const { endpoint } = read as { endpoint: Endpoint };
    const isUnwritten = (error: { status?: number }) =>
      read.absent !== undefined && error.status === read.absent;
    const found = await get(endpoint, params).catch((error) => {
      if (isUnwritten(error)) return unwritten;
      throw error;
    });
    // An answer without a body: there is none.
    if (found === undefined && !read.items) return [];
    const [answer] = objectsIn([found], kind);
    const blocked = read.blocked?.(answer!);
    if (blocked) live.blocked.set(id, blocked);
    const writes = read.writes?.(answer!);
    if (writes !== undefined) live.writes.set(id, writes);
    if (read.items) return objectsIn(read.items(answer!), kind);
    if (answer === unwritten) return [answer];
    const item = read.item ? read.item(answer!) : answer;
    return item === undefined ? [] : objectsIn([item], kind).map((one) => objectKnown(one, kind, !read.item));
  };

  /** Whether an object names one of a collection that was not read, since only a part of it was. */
  const namesUnread = (kind: Kind, objects: ApiObject[], target: string): boolean => {
    let isUnread = false;
    const to = (name: string, id: string) => {
      isUnread ||= name === target && !addresses.has(`${name} ${id}`);
      return undefined;
    };
    for (const object of objects) decodeFields(kind, object, { to });
    return isUnread;
  };

  /** A row of a list, or the object itself where the list keeps back what is to be compared. */
  const detailed = async (
    kind: Kind,
    parent: LiveResource | undefined,
    row: ApiObject,
  ): Promise<ApiObject> => {
    const { detail } = kind.read;
    const fields = detail?.isNeeded(row) && decodeFields(kind, row, { to: () => undefined });
    if (!fields) return row;
    const at = mentioned.get(collectionId(kind.name, parent?.address));
    const units = kind.shape.units(fields, parent?.fields ?? {});
    const isMentioned = units.some((unit) =>
      at?.has(addressOf(parent?.address, kind.section, namesOf(kind, unit))),
    );
    if (!isMentioned && !also(kind, parent?.address)) return row;
    const params = { ...ancestorIds(parent, kinds, live), id: idOf(kind, row) };
    const answer = await get(detail!.endpoint, params).catch((error) => {
      // Who may list it may not see it: then it stays as the list tells it.
      if ((error as { status?: number }).status === 403) return row;
      throw error;
    });
    return objectsIn([answer], kind)[0]!;
  };

  const addressed = async (kind: Kind, parent: LiveResource | undefined, rows: ApiObject[]) => {
    const objects = await Promise.all(rows.map((row) => detailed(kind, parent, row)));
    const needed = new Set(objects.flatMap((object) => mentionedBy(kind, object)));
    // Siblings that are named are among those that are being read.
    const namesSiblings = needed.delete(kind.name);
    for (const name of needed) {
      const target = kinds.get(name)!;
      const near = target.parent === undefined ? undefined : parent;
      const at = collectionId(name, near?.address);
      await read(target, near);
      if (live.unlisted.has(at) && namesUnread(kind, objects, name)) await readWhole(target, near);
      const why = live.frozen.get(at);
      if (why !== undefined) throw new Error(`what it refers to could not be read: ${why}`);
    }
    const found = decodeCollection(kind, parent, objects, {
      live,
      ledger,
      aliases,
      chosen,
      key,
      mentioned: mentioned.get(collectionId(kind.name, parent?.address)) ?? [],
      addressOf: (name, id) => addresses.get(`${name} ${id}`),
    });
    return namesSiblings ? namingSiblings(kind, found) : found;
  };

  /** Nothing in a frozen collection, or below it, is created or deleted. */
  const freeze = (kind: Kind, parent: Address | undefined, why: string) => {
    live.frozen.set(collectionId(kind.name, parent), why);
    const below = [...mentioned.keys()].filter((id) => {
      const [at] = collectionParts(id);
      return at !== undefined && isBelow(at, kind, parent);
    });
    for (const id of below) live.frozen.set(id, why);
  };

  return read;
}

/** Whether `address` lies in a resource of `kind` under `parent`. */
function isBelow(address: Address, kind: Kind, parent: Address | undefined): boolean {
  return isWithin(address, addressOf(parent, kind.section, []));
}

/** The ids of the parent and of those above it, by kind name: what endpoints have as `{project}`. */
function ancestorIds(parent: LiveResource | undefined, kinds: Kinds, live: Live): Record<string, Value> {
  if (!parent) return {};
  const above = parent.parent === undefined ? undefined : live.resources.get(parent.parent);
  return { ...ancestorIds(above, kinds, live), [parent.kind]: parent.id };
}
