import { isSameValue } from '../kind/compare.ts';
import { decodeFields, idOf, isSingleton, UnidentifiableObject } from '../kind/define-kind.ts';
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

/** The objects of a foreign file (a Terraform state, a zone file) as if they had been read from the account. */
export interface ConvertedObjects<T extends ForeignObject = ForeignObject> {
  live: Live;
  /** The foreign objects that each converted object comes from. Objects that are only mentioned, such as parents, have none. */
  sources: Map<Address, T[]>;
  /** Objects that cannot be converted, with reasons. */
  leftOut: { object: T; why: string }[];
}

/**
 * Converts the objects of a file of another tool (a Terraform state, a zone file) to live objects, as if they
 * had been read from the account, so that `exportLive` can write them. Kinds are converted in their order, in
 * which a parent comes before the objects in it. The id of an object of the same kind or of an earlier one becomes
 * its address.
 */
export function toLiveObjects<T extends ForeignObject>(
  objects: readonly T[],
  kinds: Kinds,
): ConvertedObjects<T> {
  const builder = new LiveBuilder(kinds, objects);
  for (const kind of kinds.values()) builder.addKind(kind);
  return builder.result;
}

/** Adds foreign objects to a live account, kind by kind. */
class LiveBuilder<T extends ForeignObject> {
  readonly result: ConvertedObjects<T> = { live: emptyLive(), sources: new Map(), leftOut: [] };
  readonly #objectsByKind: ReadonlyMap<string, T[]>;
  /** The addresses of converted objects, by kind and id. */
  readonly #addresses = new Map<string, Address>();
  readonly #kinds: Kinds;

  constructor(kinds: Kinds, objects: readonly T[]) {
    this.#kinds = kinds;
    this.#objectsByKind = groupBy(objects, ({ kind }) => kind);
  }

  /**
   * Converts the objects of a kind in a foreign file (such as a Terraform state) to live objects, which `trueup from` then exports as YAML.
   * Leaves out objects whose parent (`in`, such as the project of a variable) is not in the file.
   */
  addKind(kind: Kind): void {
    const byParent = groupBy(
      this.#objectsByKind.get(kind.name) ?? [],
      ({ in: container }) => container?.id ?? '',
    );
    for (const [id, objects] of byParent) {
      const address = kind.parent === undefined ? undefined : this.#addresses.get(`${kind.parent} ${id}`);
      const parent = address === undefined ? undefined : this.result.live.resources.get(address);
      if (kind.parent !== undefined && !parent)
        this.#leave(
          objects,
          `the ${this.#wordOf(kind.parent)} it is in, ${id}, is not in the file, so its name is unknown`,
        );
      else this.#addCollection(kind, parent, objects);
    }
  }

  /**
   * Converts the objects of one collection in a foreign file (such as a Terraform state) to live objects, which `trueup from` then exports
   * as YAML, and adds them to `result`. Merges facts about one object from several places of the file, decodes them like answers of the
   * platform, and notes where each comes from (`sources`). Leaves out, with a reason, objects without an id or a name, parts of an object
   * that the file does not describe, and unknown formats.
   */
  #addCollection(kind: Kind, parent: LiveResource | undefined, foreignObjects: T[]): void {
    const factsById = this.#groupIdentifiable(kind, parent, foreignObjects);
    const objects = [...factsById.values()]
      .map(mergeFacts)
      .filter((object) => this.#isReadable(kind, object));
    const collection = this.#decode(kind, parent, objects);
    // If the id is a secret, decoding without a ledger key calls the objects `unknown-0`, `unknown-1`, so they are matched by their order.
    const idByPlaceholder = new Map(
      objects.map(({ object }, index) => [`unknown-${index}`, foreignIdOf(kind, object, parent)]),
    );
    const factsOf = (id: string): T[] =>
      factsById.get(id) ?? factsById.get(idByPlaceholder.get(id) ?? '') ?? [];
    for (const resource of resolveSiblingReferences(kind, collection)) {
      // Several objects of the file with one address are alternatives of one live object.
      const ids = (resource.alternatives ?? [resource]).flatMap((alternative) => alternative.ids);
      const facts = ids.flatMap(factsOf);
      this.#removeImpliedDefaults(kind, resource, facts);
      const isNameless = kind.key.some((name) => resource.fields[name] === undefined);
      if (isNameless) this.#leave(facts, namelessReason);
      else this.#addObject(kind, resource, facts);
    }
  }

  /**
   * Adds a live object to the result. `from`: the objects of the file that it was made of. Those that only name it are no sources. An id
   * that the file does not contain was made up for the conversion, so it is removed.
   */
  #addObject(kind: Kind, resource: LiveResource, from: readonly T[]): void {
    const { live, sources } = this.result;
    live.resources.set(resource.address, resource);
    for (const id of resource.ids) this.#addresses.set(`${kind.name} ${id}`, resource.address);
    const owned = from.filter(({ isOnlyNamed }) => !isOnlyNamed);
    if (owned.length > 0) sources.set(resource.address, wholeFirst(owned));
    if (owned.some(({ hasMadeUpId }) => hasMadeUpId)) delete resource.fields[String(kind.id)];
  }

  /**
   * Decodes the objects of one collection (of one kind under one parent) in a file of another tool with the decoder for answers of the
   * platform, and returns them with their addresses. For an account, the ledger and the configuration help to find the addresses. Here
   * there are none, so their parts of the context are empty. References become the addresses of objects that were converted before.
   */
  #decode(
    kind: Kind,
    parent: LiveResource | undefined,
    objects: readonly T[],
  ): ReturnType<typeof decodeCollection> {
    return decodeCollection(
      kind,
      parent,
      objects.map(({ object }) => object),
      {
        live: this.result.live,
        ledger: emptyLedger('', '', ''),
        mentioned: [],
        aliases: new Map(),
        chosenIds: new Map(),
        key: undefined,
        addressOf: (name, id) => this.#addresses.get(`${name} ${id}`),
      },
    );
  }

  /**
   * Groups the facts that a foreign file (such as a Terraform state) has about each object by its id. Leaves
   * out objects without an id, and parts (a few fields) of an object that the file does not describe itself,
   * because its name is unknown; `trueup from` reports them.
   */
  #groupIdentifiable(kind: Kind, parent: LiveResource | undefined, foreignObjects: T[]): Map<string, T[]> {
    const byId = groupBy(foreignObjects, ({ object }) => foreignIdOf(kind, object, parent));
    this.#leave(byId.get('') ?? [], 'the file does not contain its id, so it cannot be identified');
    byId.delete('');
    for (const [id, parts] of byId) {
      if (isSingleton(kind) || !parts.every(({ isPart }) => isPart)) continue;
      this.#leave(
        parts,
        `the ${this.#wordOf(kind.name)} it is part of, ${id}, is not in the file, so its name is unknown`,
      );
      byId.delete(id);
    }
    return byId;
  }

  /**
   * Removes the default values that decoding fills in for absent members. A foreign file (such as a Terraform
   * state) does not contain them, so `trueup from` must not declare them. They are found by decoding the
   * object's identity alone. A field that the file has stays, even with its default.
   */
  #removeImpliedDefaults(kind: Kind, resource: LiveResource, from: readonly T[]): void {
    if (resource.rows || isSingleton(kind)) return;
    const named = [String(kind.id ?? 'id'), ...kind.key];
    const object = from[0]?.object ?? {};
    const identity = Object.fromEntries(Object.entries(object).filter(([name]) => named.includes(name)));
    const fieldsOfIdentity = this.#decodeIfValid(kind, identity);
    for (const [name, value] of Object.entries(fieldsOfIdentity ?? {})) {
      const isInFile = kind.key.includes(name) || from.some((foreign) => name in foreign.object);
      if (!isInFile && isSameValue(value, resource.fields[name], traitsOf(kind.fields[name]!)))
        delete resource.fields[name];
    }
  }

  /**
   * Returns the fields of an object; undefined if it cannot be decoded. `trueup from` decodes the identity of an object alone to find the
   * defaults that decoding fills in, so that it does not declare values that the foreign file lacks.
   */
  #decodeIfValid(kind: Kind, object: ApiObject): Fields | undefined {
    try {
      return decodeFields(kind, object, { to: () => undefined }) ?? undefined;
    } catch {
      return undefined;
    }
  }

  /**
   * True if the kind can decode an object of a foreign file (a Terraform state, a zone file). Otherwise
   * leaves it out with a reason, which `trueup from` reports, because it would fail the whole collection.
   */
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

  /** Records objects as left out. */
  #leave(objects: readonly T[], why: string): void {
    for (const object of objects) this.result.leftOut.push({ object, why });
  }

  /** Returns the word for an object of a kind in messages: `project`. */
  #wordOf(kind: string): string {
    return this.#kinds.get(kind)!.section.replace(/s$/, '');
  }
}

const namelessReason = 'the file does not contain its name, or marks it as a secret';

/** Returns the id of an object in a file. An object that is the only one in its parent has the id of the parent. */
const foreignIdOf = (kind: Kind, object: ApiObject, parent: LiveResource | undefined): string =>
  isSingleton(kind) ? (parent?.id ?? kind.name) : idOf(kind, object);

/**
 * Merges the facts about one object from several places of a foreign file, such as a project and the resource
 * with its cron jobs, so that `trueup from` writes one block. Places that only name an object (`isOnlyNamed`,
 * such as a data source) are ignored if another place describes it as a whole. Parts (`isPart`) add their
 * members to the whole.
 */
function mergeFacts<T extends ForeignObject>(facts: readonly T[]): T {
  const describesWhole = ({ isOnlyNamed, isPart }: T) => !isOnlyNamed && !isPart;
  const relevantFacts = facts.some(describesWhole) ? facts.filter(({ isOnlyNamed }) => !isOnlyNamed) : facts;
  const [first, ...others] = wholeFirst(relevantFacts);
  return {
    ...first!,
    object: others.reduce<ApiObject>((merged, { object }) => mergeObjects(merged, object), first!.object),
  };
}

/** Sorts facts so that those about a whole object come before those about a part of it. */
const wholeFirst = <T extends ForeignObject>(facts: readonly T[]): T[] =>
  [...facts].sort((a, b) => Number(a.isPart ?? false) - Number(b.isPart ?? false));

/**
 * Merges two descriptions of one object from a file of another tool, so that `trueup from` writes one block.
 * Nested objects are merged member by member. Members of `other` win.
 */
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
