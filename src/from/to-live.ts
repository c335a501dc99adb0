import { isSameValue } from '../kind/compare.ts';
import { decodeFields, idOf, UnidentifiableObject } from '../kind/define-kind.ts';
import type { ForeignObject } from '../kind/foreign.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import type { ApiObject } from '../kind/read.ts';
import { traitsOf } from '../kind/traits.ts';
import type { Address } from '../model/address.ts';
import { groupBy } from '../model/graph.ts';
import { emptyLedger } from '../model/ledger.ts';
import { emptyLive, type Live, type LiveResource } from '../model/resource.ts';
import { type Fields, isPlainObject } from '../model/value.ts';
import { decodeCollection, resolveSiblingReferences } from '../observe/decode-collection.ts';

/** Objects of an account as if they had been read from it. */
export interface ConvertedObjects<T extends ForeignObject = ForeignObject> {
  live: Live;
  /** The source of each object that is taken over, and not only named. */
  sources: Map<Address, T[]>;
  /** Objects that have no place, and why. */
  leftOut: { object: T; why: string }[];
}

/**
 * Places objects of an account by their ids, as `observe` places answers. Kinds are sorted so that the objects that others refer to come
 * first, and ids can become addresses.
 */
export function toLiveObjects<T extends ForeignObject>(
  objects: readonly T[],
  kinds: Kinds,
): ConvertedObjects<T> {
  const placing = new LiveBuilder(kinds, objects);
  for (const kind of kinds.values()) placing.place(kind);
  return placing.taken;
}

class LiveBuilder<T extends ForeignObject> {
  readonly taken: ConvertedObjects<T> = { live: emptyLive(), sources: new Map(), leftOut: [] };
  readonly #byKind: ReadonlyMap<string, T[]>;
  readonly #addresses = new Map<string, Address>();
  readonly #kinds: Kinds;

  constructor(kinds: Kinds, objects: readonly T[]) {
    this.#kinds = kinds;
    this.#byKind = groupBy(objects, ({ kind }) => kind);
  }

  place(kind: Kind): void {
    const byParent = groupBy(this.#byKind.get(kind.name) ?? [], ({ in: at }) => at?.id ?? '');
    for (const [id, objects] of byParent) {
      const address = kind.parent === undefined ? undefined : this.#addresses.get(`${kind.parent} ${id}`);
      const parent = address === undefined ? undefined : this.taken.live.resources.get(address);
      if (kind.parent !== undefined && !parent)
        this.#leave(
          objects,
          `the ${this.#wordOf(kind.parent)} it is in, ${id}, is not in the file, so its name is unknown`,
        );
      else this.#collection(kind, parent, objects);
    }
  }

  #collection(kind: Kind, parent: LiveResource | undefined, foreignObjects: T[]): void {
    const { live } = this.taken;
    const byId = groupBy(foreignObjects, ({ object }) => rawIdOf(kind, object, parent));
    this.#leave(byId.get('') ?? [], 'the file does not contain its id, so it cannot be identified');
    byId.delete('');
    for (const [id, same] of byId) {
      if (kind.key.length === 0 || !same.every(({ isPart }) => isPart)) continue;
      this.#leave(
        same,
        `the ${this.#wordOf(kind.name)} it is part of, ${id}, is not in the file, so its name is unknown`,
      );
      byId.delete(id);
    }
    const objects = [...byId.values()].map(asOne).filter((object) => this.#isReadable(kind, object));
    const collection = decodeCollection(
      kind,
      parent,
      objects.map(({ object }) => object),
      {
        live,
        ledger: emptyLedger('', '', ''),
        mentioned: [],
        aliases: new Map(),
        chosen: new Set(),
        key: undefined,
        addressOf: (name, id) => this.#addresses.get(`${name} ${id}`),
      },
    );
    // If the id is a secret, objects can only be matched by their order.
    const rawOf = new Map(
      objects.map(({ object }, index) => [`unknown-${index}`, rawIdOf(kind, object, parent)]),
    );
    for (const resource of resolveSiblingReferences(kind, collection)) {
      const ids = (resource.alternatives ?? [resource]).flatMap((alternative) => alternative.ids);
      const from = ids.flatMap((id) => byId.get(id) ?? byId.get(rawOf.get(id) ?? '') ?? []);
      this.#dropUntold(kind, resource, from);
      if (kind.key.some((name) => resource.fields[name] === undefined)) {
        this.#leave(from, namelessReason);
        continue;
      }
      live.resources.set(resource.address, resource);
      for (const id of resource.ids) this.#addresses.set(`${kind.name} ${id}`, resource.address);
      const owned = from.filter(({ isOnlyNamed }) => !isOnlyNamed);
      if (owned.length > 0) this.taken.sources.set(resource.address, wholeFirst(owned));
      if (owned.some(({ hasMadeUpId }) => hasMadeUpId)) delete resource.fields[String(kind.id)];
    }
  }

  /** Removes the default values that the kind fills in for absent members: a file does not say them, so they must not be declared. */
  #dropUntold(kind: Kind, resource: LiveResource, from: readonly T[]): void {
    if (resource.rows || kind.key.length === 0) return;
    const named = [String(kind.id ?? 'id'), ...kind.key];
    const [{ object = {} } = {}] = from;
    const identity = Object.fromEntries(Object.entries(object).filter(([name]) => named.includes(name)));
    const fields = this.#decoded(kind, identity);
    for (const [name, value] of Object.entries(fields ?? {})) {
      const isInFile = kind.key.includes(name) || from.some((foreign) => name in foreign.object);
      if (!isInFile && isSameValue(value, resource.fields[name], traitsOf(kind.fields[name]!)))
        delete resource.fields[name];
    }
  }

  #decoded(kind: Kind, object: ApiObject): Fields | undefined {
    try {
      return decodeFields(kind, object, { to: () => undefined });
    } catch {
      return undefined;
    }
  }

  /** True if the kind can decode an object. Else leaves the object out with a reason, because it would fail the whole collection. */
  #isReadable(kind: Kind, object: T): boolean {
    try {
      decodeFields(kind, object.object, { to: () => undefined });
      return true;
    } catch (error) {
      const isNameless = error instanceof UnidentifiableObject;
      this.#leave([object], isNameless ? namelessReason : 'its attributes have an unknown format');
      return false;
    }
  }

  #leave(objects: readonly T[], why: string): void {
    for (const object of objects) this.taken.leftOut.push({ object, why });
  }

  #wordOf(kind: string): string {
    return this.#kinds.get(kind)!.section.replace(/s$/, '');
  }
}

const namelessReason = 'the file does not contain its name, or marks it as a secret';

/** The id of an object; of the only one in its parent, that of the parent. */
const rawIdOf = (kind: Kind, object: ApiObject, parent: LiveResource | undefined): string =>
  kind.key.length === 0 ? (parent?.id ?? kind.name) : idOf(kind, object);

/** The facts about one object from several places. One that is owned as a whole says more than one that is only named, and parts need either. */
function asOne<T extends ForeignObject>(same: readonly T[]): T {
  const isWholeOwned = same.some(({ isOnlyNamed, isPart }) => !isOnlyNamed && !isPart);
  const [first, ...others] = wholeFirst(isWholeOwned ? same.filter(({ isOnlyNamed }) => !isOnlyNamed) : same);
  return {
    ...first!,
    object: others.reduce<ApiObject>((all, { object }) => mergeObjects(all, object), first!.object),
  };
}

const wholeFirst = <T extends ForeignObject>(same: readonly T[]): T[] =>
  [...same].sort((a, b) => Number(a.isPart ?? false) - Number(b.isPart ?? false));

const mergeObjects = (object: ApiObject, other: ApiObject): ApiObject => {
  const members = Object.entries(other).map(([name, value]) => {
    const previous = object[name];
    return [
      name,
      isPlainObject(previous) && isPlainObject(value) ? mergeObjects(previous, value) : value,
    ] as const;
  });
  return { ...object, ...Object.fromEntries(members) };
};
