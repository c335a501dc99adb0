import { childKinds, decodeFields, idOf, mentionedBy } from '../kind/define-kind.ts';
import type { ApiObject, Kind, Kinds } from '../kind/kind.ts';
import { type Address, escapeName } from '../model/address.ts';
import type { Ledger } from '../model/ledger.ts';
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
import { mentionedCollections } from './mentioned.ts';
import { ownersOf, place } from './place.ts';

/**
 * Reads what the configuration and the ledger mention, parents first, collections in parallel, each answer once.
 * A collection that cannot be read whole is frozen, with all that is below it; that is no error here.
 * `aliases`: natural addresses whose objects are meant by another address (a rename without a ledger entry).
 */
export async function observe(
  desired: Desired,
  ledger: Ledger,
  kinds: Kinds,
  send: Send,
  aliases: ReadonlyMap<Address, Address> = new Map(),
): Promise<Live> {
  const live: Live = { resources: new Map(), complete: new Set(), frozen: new Map(), blocked: new Map() };
  const mentioned = mentionedCollections(desired, ledger, kinds);
  const answers = new Map<string, Promise<unknown>>();
  const collections = new Map<CollectionId, Promise<LiveResource[]>>();

  const get = (endpoint: Endpoint, params: Record<string, Value>, items?: string): Promise<unknown> => {
    // Only what the endpoint takes: kinds at different depths may be read from one answer.
    const taken = Object.fromEntries(
      Object.entries(params).filter(([name]) => endpoint.includes(`{${name}}`)),
    );
    const key = JSON.stringify([endpoint, taken, items]);
    const known =
      answers.get(key) ?? send({ endpoint, params: taken, ...(items === undefined ? {} : { items }) });
    answers.set(key, known);
    return known;
  };

  const read = (kind: Kind, parent: LiveResource | undefined): Promise<LiveResource[]> => {
    const id = collectionId(kind.name, parent?.address);
    const reading = collections.get(id) ?? readNow(kind, parent, id);
    collections.set(id, reading);
    return reading;
  };

  const readNow = async (
    kind: Kind,
    parent: LiveResource | undefined,
    id: CollectionId,
  ): Promise<LiveResource[]> => {
    try {
      const objects = await objectsOf(kind, parent, id);
      const found = await addressed(kind, parent, objects);
      for (const resource of found) live.resources.set(resource.address, resource);
      live.complete.add(id);
      return found;
    } catch (error) {
      freeze(kind, parent?.address, error instanceof Error ? error.message : String(error));
      return [];
    }
  };

  const objectsOf = async (
    kind: Kind,
    parent: LiveResource | undefined,
    id: CollectionId,
  ): Promise<ApiObject[]> => {
    const { list, read } = kind.api;
    const params = ancestorIds(parent, kinds, live);
    if (list && typeof list.items === 'string')
      return objectsIn(await get(list.endpoint, params, list.items), kind);
    const [answer] = objectsIn([await get((list ?? read)!.endpoint, params)], kind);
    const blocked = kind.blocked?.(answer!);
    if (blocked) live.blocked.set(id, blocked);
    return objectsIn(
      list ? (list.items as (answer: ApiObject) => ApiObject[])(answer!) : [read?.item?.(answer!) ?? answer],
      kind,
    );
  };

  const addressed = async (kind: Kind, parent: LiveResource | undefined, objects: ApiObject[]) => {
    const needed = new Set(objects.flatMap((object) => mentionedBy(kind, object)));
    for (const name of needed) {
      const target = kinds.get(name)!;
      const near = target.parent === undefined ? undefined : parent;
      await read(target, near);
      const why = live.frozen.get(collectionId(name, near?.address));
      if (why !== undefined) throw new Error(`what it refers to could not be read: ${why}`);
    }
    const references = {
      to: (name: string, wanted: string): Value | undefined => {
        const found = [...live.resources.values()].find((r) => r.kind === name && r.ids.includes(wanted));
        return found
          ? { $ref: found.address, attr: 'id' }
          : { $ref: `#${name}/${escapeName(wanted)}`, attr: 'id' };
      },
    };
    const owners = ownersOf(ledger, kind, parent?.address);
    const found = new Map<Address, LiveResource>();
    objects.forEach((object, index) => {
      const row = decodeFields(kind, object, references);
      if (!row) return;
      const id = kind.key.length === 0 ? (parent?.id ?? kind.name) : idOf(kind, object);
      if (id === 'undefined' || id === '') throw new Error(`the answer has a ${kind.name} without an id`);
      const units = kind.rows ? kind.rows.toUnits(row, parent?.fields ?? {}) : [row];
      for (const fields of units) place(found, kind, parent, { owners, aliases }, { id, fields, index });
    });
    return [...found.values()];
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

  const walk = async (kind: Kind, parent: LiveResource | undefined): Promise<void> => {
    const found = await read(kind, parent);
    await Promise.all(
      found.flatMap((resource) =>
        childKinds(kinds, kind.name)
          .filter((child) => mentioned.has(collectionId(child.name, resource.address)))
          .map((child) => walk(child, resource)),
      ),
    );
  };

  await Promise.all(
    childKinds(kinds, undefined)
      .filter((kind) => mentioned.has(collectionId(kind.name, undefined)))
      .map((kind) => walk(kind, undefined)),
  );
  return live;
}

/** What should be objects; throws for anything else, so that nothing is concluded from an answer that is not understood. */
function objectsIn(found: unknown, { name }: Kind): ApiObject[] {
  const isObject = (one: unknown) => typeof one === 'object' && one !== null && !Array.isArray(one);
  if (Array.isArray(found) && found.every(isObject)) return found;
  throw new Error(`the answer is not of the expected form for a ${name}`);
}

/** Whether `address` lies in a resource of `kind` under `parent`. */
function isBelow(address: Address, kind: Kind, parent: Address | undefined): boolean {
  const prefix = parent === undefined ? kind.section : `${parent}/${kind.section}`;
  return address === prefix || address.startsWith(`${prefix}/`);
}

/** The ids of the parent and of those above it, by kind name: what endpoints have as `{project}`. */
function ancestorIds(parent: LiveResource | undefined, kinds: Kinds, live: Live): Record<string, Value> {
  if (!parent) return {};
  const above = parent.parent === undefined ? undefined : live.resources.get(parent.parent);
  return { ...ancestorIds(above, kinds, live), [parent.kind]: parent.id };
}
