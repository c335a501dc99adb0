/**
 * The part of the account that a plan with `--target` has to read.
 *
 * Premise: planning the targets from this part must have the same result for them as planning from the whole account. So the scope starts
 * with the targets and everything that an interrupted run left to follow up. It then grows, address by address, with everything that
 * decides about an address in it:
 *
 *   | address in the scope    | adds                                                                                       |
 *   | ----------------------- | ------------------------------------------------------------------------------------------ |
 *   | any                     | its parent, references, `$dependsOn`, and the variables with its secret                    |
 *   | in a list that is read  | its siblings, since the whole list is read                                                 |
 *   | of a transferable kind  | addresses of the same name, since the object may move between them                         |
 *   | of a replaceable kind   | the objects in it, since they are deleted with it and created again, and those that        |
 *   |                         | refer to it, since its id changes                                                          |
 *   | not declared            | the objects in it, those that needed it, and those that may refer to it: it may be deleted |
 *
 * A mentioned address is one that the configuration or the ledger has.
 */

import type * as z from 'zod';
import { comparedFields } from '../kind/compare.ts';
import { addressPathOf, exclusiveCollections, isTransferable, parentOf } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { addressesByNameIn } from '../kind/references.ts';
import { innerOf, shapeOf, traitsOf } from '../kind/traits.ts';
import { type Address, addressOf, isWithin } from '../model/address.ts';
import { createAddressMatcher } from '../model/glob.ts';
import { addTo, computeOnce, groupBy, memoize } from '../model/graph.ts';
import type { Ledger } from '../model/ledger.ts';
import { addressesInLedger, unfinishedAddresses } from '../model/ledger.ts';
import {
  type CollectionId,
  collectionId,
  collectionParts,
  type Desired,
  type TargetScope,
} from '../model/resource.ts';
import { refsIn } from '../model/value.ts';

/**
 * Returns what has to be read to plan some targets (address globs), and all that an interrupted run left unfinished: addresses, and whole
 * collections (the objects of one kind under one parent) if they are `$exclusive`. Also counts the objects that are left out. Used with
 * `--target`, so that a plan of one object does not read the whole account.
 */
export function findScope(
  targets: string[],
  { desired, ledger, kinds }: { desired: Desired; ledger: Ledger; kinds: Kinds },
): TargetScope {
  return new ScopeFinder(desired, ledger, kinds).find(targets);
}

/** Finds the scope of one plan: indexes the mentioned addresses, then adds related addresses until there are no new ones. */
class ScopeFinder {
  readonly #desired: Desired;
  readonly #ledger: Ledger;
  readonly #kinds: Kinds;
  /** The kind of every mentioned address. */
  readonly #mentionedKinds = new Map<Address, Kind>();
  // The indexes of all addresses. Most scopes need only some of them, so each is made when it is first used.
  readonly #siblings = computeOnce(() => this.#indexMentioned((address) => this.#collectionOf(address)));
  readonly #byName = computeOnce(() => this.#indexMentioned((address) => this.#nameOf(address)));
  readonly #children = computeOnce(() => this.#indexMentioned((address) => this.#parentOf(address)));
  /** The addresses that needed another one when it was applied. */
  readonly #dependents = computeOnce(() =>
    invert(Object.entries(this.#ledger.entries), ([address, { dependsOn = [] }]) => [address, dependsOn]),
  );
  /** The declared objects that refer to another one. */
  readonly #referrers = computeOnce(() =>
    invert(this.#desired.resources.values(), ({ address, fields }) => [address, refsIn(fields)]),
  );
  /** The variables with the secret that the creation of an object shows. */
  readonly #variables = new Map<Address, Address[]>();
  /** The groups of addresses that were added already, so that each is added once. */
  readonly #addedGroups = new Set<string>();
  readonly #scope: TargetScope = { addresses: new Set(), collections: new Set(), omittedCount: 0 };

  /** Collects all addresses of the configuration and the ledger, to find what a plan with `--target` has to read. */
  constructor(desired: Desired, ledger: Ledger, kinds: Kinds) {
    this.#desired = desired;
    this.#ledger = ledger;
    this.#kinds = kinds;
    for (const { address, kind } of desired.resources.values()) this.#mention(address, kind);
    for (const [address, kind] of addressesInLedger(ledger)) this.#mention(address, kind);
    for (const { address, meta } of desired.resources.values())
      if (meta.secretOf) addTo(this.#variables, meta.secretOf.object, address);
  }

  /**
   * Returns the scope of `--target`: what the run has to read so that it plans the targets as it would with the whole
   * account. `addresses`: the targets, everything that an interrupted run left unfinished, and all that decides about
   * one of these, directly or through others, such as parents and references (see the table at the top). `collections`
   * (objects of one kind under one parent): those with `$exclusive` that may contain a target, which are read even if
   * nothing in them is declared or recorded. `omittedCount`: the number of declared and recorded addresses that are left
   * out. Can be called once, since it fills the scope.
   */
  find(targets: string[]): TargetScope {
    const { addresses, collections } = this.#scope;
    const isTarget = createAddressMatcher(targets);
    for (const address of this.#mentionedKinds.keys()) if (isTarget(address)) addresses.add(address);
    // An apply clears the unfinished creations and staged versions in the ledger, so all of them have to be followed up.
    for (const [address] of unfinishedAddresses(this.#ledger)) addresses.add(address);
    // In a collection with `$exclusive`, a target may be an object that nothing mentions, so the whole list is read.
    for (const id of exclusiveCollections(this.#desired, this.#kinds)) {
      const [parent, name] = collectionParts(id);
      if (!mayContainTarget(this.#kinds.get(name)!, parent, targets)) continue;
      collections.add(id);
      if (parent !== undefined) addresses.add(parent);
      for (const address of this.#siblings().get(id) ?? []) addresses.add(address);
    }
    // The loop also visits the addresses that it adds.
    for (const address of addresses)
      for (const relatedAddress of this.#relatedTo(address))
        if (this.#mentionedKinds.has(relatedAddress)) addresses.add(relatedAddress);
    const omitted = [...this.#mentionedKinds.keys()].filter((address) => !addresses.has(address));
    return { addresses, collections, omittedCount: omitted.length };
  }

  #indexMentioned<K>(keyOf: (address: Address) => K): Map<K, Address[]> {
    return groupBy(this.#mentionedKinds.keys(), keyOf);
  }

  /**
   * Records an address and the addresses of its parents as mentioned (declared or recorded), with their kinds. `--target` selects among
   * these.
   */
  #mention(address: Address, name: string): void {
    if (this.#mentionedKinds.get(address)?.name === name) return;
    for (const [kindName, , ancestor] of addressPathOf(address, name, this.#kinds))
      this.#mentionedKinds.set(ancestor, this.#kinds.get(kindName)!);
  }

  #collectionOf(address: Address): CollectionId {
    const kind = this.#mentionedKinds.get(address)!;
    return collectionId(kind.name, this.#parentOf(address));
  }

  #parentOf(address: Address): Address | undefined {
    const kind = this.#mentionedKinds.get(address)!;
    return this.#desired.resources.get(address)?.parent ?? parentOf(address, kind);
  }

  #nameOf(address: Address): string {
    return `${this.#mentionedKinds.get(address)!.name} ${address.slice(address.lastIndexOf('/'))}`;
  }

  /**
   * Returns the addresses that decide directly about an address in the scope of `--target` (the objects that
   * a run has to read), such as its parent and its references. They are read as well, although the plan does
   * not change them: without them, it could decide differently about the target than a whole plan. Its siblings
   * and possible referrers are returned only at the first call for their collection, since they are in the
   * scope then.
   */
  #relatedTo(address: Address): Address[] {
    const kind = this.#mentionedKinds.get(address);
    if (!kind) return [];
    const parent = this.#parentOf(address);
    const id = collectionId(kind.name, parent);
    const desired = this.#desired.resources.get(address);
    const entry = this.#ledger.entries[address];
    const fields = desired?.fields ?? {};
    return [
      ...(parent === undefined ? [] : [parent]),
      ...refsIn(fields),
      ...(this.#variables.get(address) ?? []),
      ...addressesByNameIn(fields, kind, parent, this.#kinds),
      ...(desired?.meta.dependsOn ?? []),
      ...(entry?.dependsOn ?? []),
      // An object with an endpoint of its own is read without its siblings.
      ...(kind.read.single && !this.#scope.collections.has(id) ? [] : this.#takeSiblings(id)),
      // The object may move to another parent, where it has the same name.
      ...(isTransferable(kind) ? (this.#byName().get(this.#nameOf(address)) ?? []) : []),
      ...(mayBeReplaced(kind) ? this.#affectedByReplacement(address) : []),
      ...(desired ? [] : this.#dependentsOf(address, kind, parent)),
    ];
  }

  /** Returns the mentioned objects that a replacement of an object concerns: those in it, and those that refer to it. */
  #affectedByReplacement(address: Address): Address[] {
    return [...(this.#children().get(address) ?? []), ...(this.#referrers().get(address) ?? [])];
  }

  /** Returns the mentioned objects of a collection, the first time; later none, because they are in the scope already. */
  #takeSiblings(id: CollectionId): Address[] {
    return this.#markAdded(`siblings of ${id}`) ? (this.#siblings().get(id) ?? []) : [];
  }

  /**
   * Returns the mentioned objects that a deletion of an undeclared object may concern: those in it, those
   * that needed it at the last apply, and those that may refer to it (returned only at the first call for its
   * collection). A plan with `--target` reads them too, because it must not delete an object that another one
   * still needs.
   */
  #dependentsOf(address: Address, kind: Kind, parent: Address | undefined): Address[] {
    const isUnderParent = (other: Address) => parent === undefined || isWithin(other, parent);
    // The possible referrers are the same for all objects of a collection, so they are added once.
    const possibleReferrers = this.#markAdded(`referrers to ${collectionId(kind.name, parent)}`)
      ? [...this.#mentionedKinds].flatMap(([other, otherKind]) =>
          // An id that the platform made may stand in any field, a name only in fields for names of the kind.
          hasPlatformId(kind) || (namedKinds(otherKind).has(kind.name) && isUnderParent(other))
            ? [other]
            : [],
        )
      : [];
    return [
      ...(this.#children().get(address) ?? []),
      ...(this.#dependents().get(address) ?? []),
      ...possibleReferrers,
    ];
  }

  /**
   * Marks a group of addresses, such as the objects of one kind under one parent, as added to the scope (what a
   * plan with `--target` has to read). Returns true the first time, so that the caller adds each group once.
   */
  #markAdded(group: string): boolean {
    const isNew = !this.#addedGroups.has(group);
    this.#addedGroups.add(group);
    return isNew;
  }
}

/** Returns for each address the addresses that need it. `needsOf`: returns the address of an item, and those that it needs. */
function invert<T>(
  items: Iterable<T>,
  needsOf: (item: T) => [Address, readonly Address[]],
): Map<Address, Address[]> {
  const dependents = new Map<Address, Address[]>();
  for (const item of items) {
    const [address, needs] = needsOf(item);
    for (const needed of needs) addTo(dependents, needed, address);
  }
  return dependents;
}

/** True if a plan may replace objects of a kind, because the platform cannot change some of their fields. */
const mayBeReplaced = ({ lifecycle, update, fields, key }: Kind): boolean =>
  lifecycle.replace !== 'never' &&
  (update === undefined ||
    Object.entries(fields).some(([name, schema]) => !key.includes(name) && traitsOf(schema).immutable));

/**
 * True if the platform makes the ids of a kind, instead of using a name that the user chose (a field of the key). Any object may then refer
 * to these ids in plain text, so a run with `--target` reads more objects before it deletes one.
 */
const hasPlatformId = ({ shape, key, id = 'id' }: Kind): boolean =>
  !shape.byAddress && key.length > 0 && !(typeof id === 'string' && key.includes(id));

/**
 * True if a glob of `--target` may match an address in a collection (the objects of one kind under one
 * parent), so that the collection has to be read. Compares only the text of the glob before its first
 * wildcard (`projects/web/e` of `projects/web/e*`), so it may be true for a collection without a match.
 */
function mayContainTarget({ section }: Kind, parent: Address | undefined, globs: string[]): boolean {
  const prefix = `${addressOf(parent, section, [])}/`;
  return globs.some((glob) => {
    const [fixedText] = /^[^*?[{(!]*/.exec(glob)!;
    return prefix.startsWith(fixedText) || fixedText.startsWith(prefix);
  });
}

/**
 * Returns the kinds to which the fields of a kind may refer, to find the objects that a run with `--target` has to read before it deletes
 * one.
 */
const namedKinds = memoize(
  (kind: Kind): ReadonlySet<string> =>
    new Set(Object.values(comparedFields(kind)).flatMap((schema) => kindsIn(schema))),
);

/** Returns the kinds to which a field may refer, in any depth. */
const kindsIn: (schema: z.ZodType) => string[] = memoize((schema) => {
  const { ref, softRef, within } = traitsOf(schema);
  // The inner schemas of a list, a map and a union.
  const { element, valueType, options } = schema.def as {
    element?: z.ZodType;
    valueType?: z.ZodType;
    options?: z.ZodType[];
  };
  const innerSchemas = [
    innerOf(schema),
    element,
    valueType,
    ...(options ?? []),
    ...Object.values(shapeOf(schema) ?? {}),
  ];
  return [
    ...[ref, softRef, within].filter((kind) => kind !== undefined),
    ...innerSchemas.flatMap((innerSchema) => (innerSchema ? kindsIn(innerSchema) : [])),
  ];
});
