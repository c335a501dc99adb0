import type * as z from 'zod';
import { addressPathOf, childKinds, isTransferable, parentOf } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { comparedFields } from '../kind/leaves.ts';
import { innerOf, shapeOf, traitsOf } from '../kind/traits.ts';
import { type Address, addressOf, isWithin } from '../model/address.ts';
import { matcherOf } from '../model/address-glob.ts';
import { groupBy } from '../model/graph.ts';
import type { Ledger } from '../model/ledger.ts';
import { memoize } from '../model/memoize.ts';
import {
  type CollectionId,
  collectionId,
  collectionParts,
  type Desired,
  type Scope,
} from '../model/resource.ts';
import { holesIn, isRef } from '../model/value.ts';
import { addressesByNameIn } from './find-dependencies.ts';

/**
 * Finds all that has to be read to plan some targets as if everything had been read: the targets, their parents, their references,
 * siblings that affect them, objects that need one that is deleted, and all that an interrupted run has left to follow up.
 */
export function findScope(
  targets: string[],
  { desired, ledger, kinds }: { desired: Desired; ledger: Ledger; kinds: Kinds },
): Scope {
  return new ScopeFinder(desired, ledger, kinds).find(targets);
}

class ScopeFinder {
  readonly #desired: Desired;
  readonly #ledger: Ledger;
  readonly #kinds: Kinds;
  /** The kind of every address that the configuration or the ledger mentions. */
  readonly #known = new Map<Address, Kind>();
  readonly #siblings: ReadonlyMap<CollectionId, Address[]>;
  readonly #byName: ReadonlyMap<string, Address[]>;
  readonly #within: ReadonlyMap<Address | undefined, Address[]>;
  /** The addresses that needed another one when it was applied. */
  readonly #dependents: ReadonlyMap<Address, Address[]>;
  /** The variables with the secret that the creation of an object shows. */
  readonly #variables: ReadonlyMap<Address | undefined, Address[]>;
  readonly #added = new Set<string>();
  readonly #scope: Scope = { addresses: new Set(), collections: new Set(), omittedCount: 0 };

  constructor(desired: Desired, ledger: Ledger, kinds: Kinds) {
    this.#desired = desired;
    this.#ledger = ledger;
    this.#kinds = kinds;
    for (const { address, kind } of desired.resources.values()) this.#know(address, kind);
    for (const [address, { kind }] of Object.entries(ledger.entries)) this.#know(address, kind);
    for (const [address, { entry }] of Object.entries(ledger.begun ?? {})) this.#know(address, entry.kind);
    for (const [id, { of }] of Object.entries(ledger.staged ?? {}))
      for (const address of Object.keys(of)) this.#know(address, collectionParts(id)[1]);
    this.#siblings = groupBy(this.#known.keys(), (address) => this.#collectionOf(address));
    this.#byName = groupBy(this.#known.keys(), (address) => this.#nameOf(address));
    this.#within = groupBy(this.#known.keys(), (address) => this.#parentOf(address));
    const withSecret = [...desired.resources.values()].filter(({ meta }) => meta.secretOf);
    this.#variables = new Map(
      [...groupBy(withSecret, ({ meta }) => meta.secretOf!.object)].map(([object, variables]) => [
        object,
        variables.map(({ address }) => address),
      ]),
    );
    const needs = Object.entries(ledger.entries).flatMap(([address, { dependsOn = [] }]) =>
      dependsOn.map((needed) => ({ needed, address })),
    );
    this.#dependents = new Map(
      [...groupBy(needs, ({ needed }) => needed)].map(([needed, of]) => [
        needed,
        of.map(({ address }) => address),
      ]),
    );
  }

  find(targets: string[]): Scope {
    const { addresses, collections } = this.#scope;
    const isTarget = matcherOf(targets);
    for (const address of this.#known.keys()) if (isTarget(address)) addresses.add(address);
    // What is not followed up now would be taken for done.
    for (const address of Object.keys(this.#ledger.begun ?? {})) addresses.add(address);
    for (const { of } of Object.values(this.#ledger.staged ?? {}))
      for (const address of Object.keys(of)) addresses.add(address);
    for (const id of this.#exclusive()) {
      const [parent, name] = collectionParts(id);
      if (!mayHold(this.#kinds.get(name)!, parent, targets)) continue;
      collections.add(id);
      if (parent !== undefined) addresses.add(parent);
      for (const address of this.#siblings.get(id) ?? []) addresses.add(address);
    }
    // What is added while the loop runs is visited, too.
    for (const address of addresses)
      for (const other of this.#around(address)) if (this.#known.has(other)) addresses.add(other);
    const left = [...this.#known.keys()].filter((address) => !addresses.has(address)).length;
    return { addresses, collections, omittedCount: left };
  }

  #know(address: Address, name: string): void {
    for (const [one, , at] of addressPathOf(address, name, this.#kinds))
      this.#known.set(at, this.#kinds.get(one)!);
  }

  #collectionOf(address: Address): CollectionId {
    const kind = this.#known.get(address)!;
    return collectionId(kind.name, this.#parentOf(address));
  }

  #parentOf(address: Address): Address | undefined {
    const kind = this.#known.get(address)!;
    return this.#desired.resources.get(address)?.parent ?? parentOf(address, kind);
  }

  #nameOf(address: Address): string {
    return `${this.#known.get(address)!.name} ${address.slice(address.lastIndexOf('/'))}`;
  }

  /** The collections in which undeclared objects are deleted. */
  #exclusive(): CollectionId[] {
    return [...this.#desired.resources.values()].flatMap(({ address, kind, meta: { exclusive } }) =>
      exclusive
        ? childKinds(this.#kinds, kind)
            .filter(({ section }) => exclusive.includes(section))
            .map(({ name }) => collectionId(name, address))
        : [],
    );
  }

  /** Everything that must be known to plan an address, one step further. */
  #around(address: Address): Address[] {
    const kind = this.#known.get(address);
    if (!kind) return [];
    const parent = this.#parentOf(address);
    const id = collectionId(kind.name, parent);
    const want = this.#desired.resources.get(address);
    const entry = this.#ledger.entries[address];
    const fields = want?.fields ?? {};
    return [
      ...(parent === undefined ? [] : [parent]),
      ...holesIn(fields).flatMap((hole) => (isRef(hole) ? [hole.$ref] : [])),
      ...(this.#variables.get(address) ?? []),
      ...addressesByNameIn(fields, kind, parent, this.#kinds),
      ...(want?.meta.dependsOn ?? []),
      ...(entry?.dependsOn ?? []),
      // Where an object can be read alone, its siblings have nothing to do with it.
      ...(kind.read.single && !this.#scope.collections.has(id) ? [] : this.#siblingsOf(id)),
      ...(isTransferable(kind) ? (this.#byName.get(this.#nameOf(address)) ?? []) : []),
      ...(want ? [] : this.#leaning(address, kind, parent)),
    ];
  }

  /** The siblings of an address: all at once, the first time that one of them is asked for. */
  #siblingsOf(id: CollectionId): Address[] {
    return this.#isFirst(`siblings of ${id}`) ? (this.#siblings.get(id) ?? []) : [];
  }

  /** The dependents of an undeclared object, and its possible holders. */
  #leaning(address: Address, kind: Kind, parent: Address | undefined): Address[] {
    const isNear = (address: Address) => parent === undefined || isWithin(address, parent);
    const namers = this.#isFirst(`namers of ${collectionId(kind.name, parent)}`)
      ? [...this.#known].flatMap(([other, of]) =>
          hasIdOfItsOwn(kind) || (namedKinds(of).has(kind.name) && isNear(other)) ? [other] : [],
        )
      : [];
    return [...(this.#within.get(address) ?? []), ...(this.#dependents.get(address) ?? []), ...namers];
  }

  /** True the first time: nothing needs to be added twice. */
  #isFirst(what: string): boolean {
    const isFirst = !this.#added.has(what);
    this.#added.add(what);
    return isFirst;
  }
}

/** True if the platform makes ids for objects of a kind: anything may refer to them in plain text. */
const hasIdOfItsOwn = ({ shape, key, id = 'id' }: Kind): boolean =>
  !shape.byAddress && key.length > 0 && !(typeof id === 'string' && key.includes(id));

/** True if a collection may hold something that a glob names: its place agrees with the glob up to the first wildcard. */
function mayHold({ section }: Kind, parent: Address | undefined, globs: string[]): boolean {
  const place = `${addressOf(parent, section, [])}/`;
  return globs.some((glob) => {
    const [fixed] = /^[^*?[{(!]*/.exec(glob)!;
    return place.startsWith(fixed) || fixed.startsWith(place);
  });
}

/** The kinds that the fields of a kind may name. */
const namedKinds = memoize(
  (kind: Kind): ReadonlySet<string> =>
    new Set(Object.values(comparedFields(kind)).flatMap((schema) => kindsIn(schema))),
);

const kindsIn: (schema: z.ZodType) => string[] = memoize((schema) => {
  const { ref, softRef, within } = traitsOf(schema);
  const { element, valueType, options } = schema.def as {
    element?: z.ZodType;
    valueType?: z.ZodType;
    options?: z.ZodType[];
  };
  const below = [
    innerOf(schema),
    element,
    valueType,
    ...(options ?? []),
    ...Object.values(shapeOf(schema) ?? {}),
  ];
  return [
    ...[ref, softRef, within].filter((one) => one !== undefined),
    ...below.flatMap((schema) => (schema ? kindsIn(schema) : [])),
  ];
});
