/**
 * The objects of an account after some collections were read again.
 *
 * A run refreshes a few collections hundreds of times. A copy of the whole account for each of these readings would make the run quadratic,
 * so a refreshed account keeps only its differences to the earlier one, and looks everything else up there. The earlier one is the reading
 * with which the run began, so refreshed accounts never form a chain.
 */
import type { Address } from './address.ts';
import { addTo } from './graph.ts';
import { type CollectionId, collectionId, groupByCollection, type LiveResource } from './resource.ts';

/**
 * Starts as the earlier objects without those of the collections that are read again. Their new reading is added. The earlier map must not
 * change any more.
 */
export class RefreshedResources extends Map<Address, LiveResource> {
  readonly #before: ReadonlyMap<Address, LiveResource>;
  /** The addresses whose earlier object is hidden, because it was read again, replaced or deleted. */
  readonly #hidden = new Set<Address>();
  /** The objects of each collection that is read again. Absent until one is asked for after a change. */
  #collections: Map<CollectionId, readonly LiveResource[]> | undefined;

  /**
   * Creates a map of the objects of an account as they were read before (`before`), in which the lists (collections) that are read again
   * (`refreshed`) are still empty: their earlier objects are hidden, and the caller adds the new ones. So no copy of the whole account is
   * needed.
   */
  constructor(before: ReadonlyMap<Address, LiveResource>, refreshed: ReadonlySet<CollectionId>) {
    super();
    this.#before = before;
    const collections = groupByCollection(before);
    for (const id of refreshed)
      for (const { address } of collections.get(id) ?? []) this.#hidden.add(address);
  }

  override get(address: Address): LiveResource | undefined {
    return super.get(address) ?? (this.#hidden.has(address) ? undefined : this.#before.get(address));
  }

  override has(address: Address): boolean {
    return super.has(address) || (!this.#hidden.has(address) && this.#before.has(address));
  }

  /**
   * Adds an object as it was read again. It hides the earlier object of the address: this map keeps only the differences to the earlier
   * reading, because a run refreshes a few lists hundreds of times.
   */
  override set(address: Address, resource: LiveResource): this {
    this.#collections = undefined;
    if (this.#before.has(address)) this.#hidden.add(address);
    return super.set(address, resource);
  }

  /** Removes an object. One of the earlier map is only hidden, since that map must not change. Returns true if there was one. */
  override delete(address: Address): boolean {
    const hadAddress = this.has(address);
    this.#collections = undefined;
    if (this.#before.has(address)) this.#hidden.add(address);
    super.delete(address);
    return hadAddress;
  }

  override clear(): void {
    for (const address of [...this.keys()]) this.delete(address);
  }

  override get size(): number {
    return this.#before.size - this.#hidden.size + super.size;
  }

  override *entries(): MapIterator<[Address, LiveResource]> {
    for (const entry of this.#before) if (!this.#hidden.has(entry[0])) yield entry;
    yield* super.entries();
  }

  override *keys(): MapIterator<Address> {
    for (const [address] of this.entries()) yield address;
  }

  override *values(): MapIterator<LiveResource> {
    for (const [, resource] of this.entries()) yield resource;
  }

  override [Symbol.iterator](): MapIterator<[Address, LiveResource]> {
    return this.entries();
  }

  /** Visits all objects, as in any map: those that were read again, and those of the earlier reading that are not hidden. */
  override forEach(
    visit: (resource: LiveResource, address: Address, map: Map<Address, LiveResource>) => void,
  ): void {
    for (const [address, resource] of this.entries()) visit(resource, address, this);
  }

  /** Returns the objects of the collections that were read again. */
  readAgain(): MapIterator<LiveResource> {
    return super.values();
  }

  /** Returns the objects of a collection, as `groupByCollection` does for all collections, but looks only at changed ones. */
  collection(id: CollectionId): readonly LiveResource[] {
    this.#collections ??= this.#groupChangedCollections();
    return this.#collections.get(id) ?? groupByCollection(this.#before).get(id) ?? [];
  }

  /**
   * Returns the present objects of each collection that was read again, or that lost or got an object: only these are grouped again. They
   * are the objects that were read before (`#before`) without those that are gone or replaced (`#hidden`), and those in the map itself.
   */
  #groupChangedCollections(): Map<CollectionId, readonly LiveResource[]> {
    const earlierCollections = groupByCollection(this.#before);
    const collections = new Map<CollectionId, LiveResource[]>();
    const changed = [...this.#hidden].map((address) => this.#before.get(address)!);
    for (const { kind, parent } of [...changed, ...super.values()]) {
      const id = collectionId(kind, parent);
      if (collections.has(id)) continue;
      const earlierObjects = earlierCollections.get(id) ?? [];
      collections.set(
        id,
        earlierObjects.filter(({ address }) => !this.#hidden.has(address)),
      );
    }
    for (const resource of super.values())
      addTo(collections, collectionId(resource.kind, resource.parent), resource);
    return collections;
  }
}

/**
 * Returns the objects of one collection of an account. A run refreshes an account often and asks for few collections each time, so a
 * refreshed account does not group all of its objects.
 */
export const objectsOfCollection = (
  resources: ReadonlyMap<Address, LiveResource>,
  id: CollectionId,
): readonly LiveResource[] =>
  resources instanceof RefreshedResources
    ? resources.collection(id)
    : (groupByCollection(resources).get(id) ?? []);

/** Returns the objects that a reading has of its own: those of the refreshed collections, or all objects of a first reading. */
export const objectsReadAgain = (resources: ReadonlyMap<Address, LiveResource>): Iterable<LiveResource> =>
  resources instanceof RefreshedResources ? resources.readAgain() : resources.values();
