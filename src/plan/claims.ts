/**
 * Finds the objects of this account that other stacks own.
 *
 * Terms: a claim is an entry in the ledger of another stack. Stacks may know one object under different addresses, so claims are found by
 * the ids that the platform gave. Where the ids do not suffice, addresses count as well:
 *
 *   | object                                                  | a claim is to the same object if                    |
 *   | ------------------------------------------------------- | --------------------------------------------------- |
 *   | has an id, and the platform can move it to another      | the ids are equal                                   |
 *   |   container                                             |                                                     |
 *   | has an id, other kinds                                  | the ids and the containers are equal                |
 *   | is a unit of a row with several units                   | the ids of the row, and the addresses, are equal    |
 *   | is the only one of its kind in its container (a         | the ids of the containers, or the addresses, are    |
 *   |   singleton, such as settings)                          | equal                                               |
 */
import { isTransferable as canMove, isSingleton, parentOf } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { type Address, isWithin, lastNameOf } from '../model/address.ts';
import { addTo } from '../model/graph.ts';
import type { LedgerEntry, OtherStack } from '../model/ledger.ts';
import type { LiveResource } from '../model/resource.ts';

/** An object of another stack. */
export interface Claim {
  /** The stack that owns the object. */
  owner: OtherStack;
  /** The address that the object has in that stack. */
  address: Address;
  entry: LedgerEntry;
}

/** Returns the live object at an address of this stack. Used to compare containers by their ids. */
type FindObject = (address: Address) => Pick<LiveResource, 'ids'> | undefined;

/**
 * The claims of all other stacks, indexed so that the claims to an object are found at once. Used to leave objects of other stacks alone.
 */
export class Claims {
  readonly #byKey = new Map<string, Claim[]>();
  readonly #kinds: Kinds;
  readonly #otherStacks: readonly OtherStack[];
  readonly #findObject: FindObject;

  /**
   * Indexes the entries in the ledgers of other stacks (their claims to objects), so that a plan finds out
   * for each object whether another stack owns it. `findObject`: returns the live objects of this stack.
   */
  constructor(otherStacks: readonly OtherStack[], kinds: Kinds, findObject: FindObject) {
    this.#kinds = kinds;
    this.#otherStacks = otherStacks;
    this.#findObject = findObject;
    for (const otherStack of otherStacks)
      for (const [address, entry] of Object.entries(otherStack.entries)) {
        if (!isOwning(entry, kinds)) continue;
        const claim: Claim = { owner: otherStack, address, entry };
        for (const key of claimKeysOf(entry.kind, this.#claimedIds(claim), address, kinds))
          addTo(this.#byKey, key, claim);
      }
  }

  /**
   * Returns the first claim (a ledger entry of another stack) to the object that this stack has at `address`, or to a part of it; undefined
   * if no other stack owns it. The plan leaves an object with a claim alone.
   */
  firstFor(object: Pick<LiveResource, 'kind' | 'ids'>, address: Address): Claim | undefined {
    return this.allFor(object, address)[0];
  }

  /**
   * Returns all claims (ledger entries of other stacks) to the object that this stack has at `address`, or to a part of it. Several stacks
   * may own one object, and each must consent before this one takes it over with `$from`.
   */
  allFor({ kind, ids }: Pick<LiveResource, 'kind' | 'ids'>, address: Address): Claim[] {
    const claims = claimKeysOf(kind, ids, address, this.#kinds).flatMap((key) => this.#byKey.get(key) ?? []);
    return [...new Set(claims)].filter((claim) => this.#isInSameContainer(claim, address));
  }

  /**
   * True if a claim (a ledger entry of another stack) is to an object in the container of `address`. Ids alone can mislead: the id of a
   * project's member is that of a person, who may be a member of many projects. Where the platform can move objects to another container,
   * the ids suffice.
   */
  #isInSameContainer({ owner, address: theirAddress, entry }: Claim, ourAddress: Address): boolean {
    const kind = this.#kinds.get(entry.kind);
    return canMove(kind) || this.#haveSameContainer(owner, theirAddress, ourAddress, kind);
  }

  /**
   * True if two addresses of a kind, one in another stack and one in ours, lie in the same container
   * (parent), and so do the containers. Then equal ids mean the same object, and the other stack owns it.
   * Equal addresses suffice. Otherwise containers are compared by their ids, because stacks may give them
   * different names; if an id is missing, by their names.
   */
  #haveSameContainer(
    otherStack: OtherStack,
    theirAddress: Address,
    ourAddress: Address,
    kind: Kind | undefined,
  ): boolean {
    if (kind?.parent === undefined || theirAddress === ourAddress) return true;
    const theirParent = parentOf(theirAddress, kind);
    const ourParent = parentOf(ourAddress, kind);
    if (theirParent === undefined || ourParent === undefined || theirParent === ourParent) return true;
    const theirEntry = otherStack.entries[theirParent];
    const theirIds: string[] = isClaim(theirEntry) ? theirEntry.ids : [];
    const ourIds = this.#findObject(ourParent)?.ids ?? [];
    const isSameParent =
      theirIds.length > 0 && ourIds.length > 0
        ? theirIds.some((id) => ourIds.includes(id))
        : lastNameOf(theirParent) === lastNameOf(ourParent);
    return (
      isSameParent &&
      this.#haveSameContainer(otherStack, theirParent, ourParent, this.#kinds.get(kind.parent))
    );
  }

  /**
   * Returns the objects in a container of this stack that the ledgers of other stacks have (their claims), so
   * that the plan refuses to delete the container. Another stack may have the container under another
   * address, so it is found there by its id.
   */
  listInside({ kind, ids }: Pick<LiveResource, 'kind' | 'ids'>, address: Address): Claim[] {
    return this.#otherStacks.flatMap((otherStack) => {
      const entries = Object.entries(otherStack.entries).filter(([, entry]) => isClaim(entry));
      const containerEntry = entries.find(
        ([, entry]) => entry.kind === kind && entry.ids.some((id) => ids.includes(id)),
      );
      const theirContainer = containerEntry?.[0] ?? address;
      return entries
        .filter(
          ([theirAddress, { existing }]) =>
            !existing && theirAddress !== theirContainer && isWithin(theirAddress, theirContainer),
        )
        .map(([theirAddress, entry]) => ({ owner: otherStack, address: theirAddress, entry }));
    });
  }

  /**
   * Returns the ids by which a claim (a ledger entry of another stack) is found. A singleton, such as the settings of a project, is read
   * under the id of its parent. Its entry lacks that id if one apply created the parent and wrote the singleton, so it is taken from the
   * entry of the parent.
   */
  #claimedIds({ owner, address, entry }: Claim): string[] {
    const kind = this.#kinds.get(entry.kind);
    if (entry.ids.length > 0 || !kind || !isSingleton(kind)) return entry.ids;
    const parentEntry: unknown = owner.entries[parentOf(address, kind) ?? ''];
    return isClaim(parentEntry) ? parentEntry.ids : [];
  }
}

/**
 * Returns the keys by which a claim (the ledger entry of another stack for an object) is stored and looked
 * up: the ids of the object, because stacks may have it under different addresses, and the address of a
 * singleton or of an object without an id. The units of a row (a variable in several targets) share its id,
 * so their keys also contain the address. Each key begins with the name of the kind and a space.
 */
export function claimKeysOf(
  kindName: string,
  ids: readonly string[],
  address: Address,
  kinds: Kinds,
): string[] {
  const kind = kinds.get(kindName);
  const isAddressKey = ids.length === 0 || kind?.key.length === 0;
  return [
    ...(isAddressKey ? [`${kindName} at ${address}`] : []),
    ...ids.map((id) => (kind?.shape.byAddress ? `${kindName} ${id} ${address}` : `${kindName} ${id}`)),
  ];
}

/** Claims to objects without a parent. `has`: true if there is one with this key (`claimKeysOf`). */
export interface UnreadClaims {
  has(claimKey: string): boolean;
}

/**
 * True if a stack whose ledger was not read owns an object, by the index of owners in the store (`unreadClaims`). Only asked about objects
 * that the plan does not change.
 */
export const isClaimedUnread = (
  { kind, ids, address }: Pick<LiveResource, 'kind' | 'ids' | 'address'>,
  { unreadClaims, kinds }: { unreadClaims?: UnreadClaims | undefined; kinds: Kinds },
): boolean =>
  unreadClaims !== undefined && claimKeysOf(kind, ids, address, kinds).some((key) => unreadClaims.has(key));

/**
 * Creates the function which returns the name of another stack that owns an object; undefined if no other stack does. Used by checks that
 * must not treat such an object as free.
 */
export function createOwnerFinder(
  otherStacks: readonly OtherStack[],
  kinds: Kinds,
  findObject: FindObject,
): (object: { kind: string; address: Address; ids: string[] }) => string | undefined {
  const claims = new Claims(otherStacks, kinds, findObject);
  return (object) => claims.firstFor(object, object.address)?.owner.stack;
}

/**
 * True if a value has the form of a ledger entry. The entries of another stack need this test, because everybody who may push to the store
 * can write them.
 */
export const isClaim = (entry: unknown): entry is LedgerEntry => {
  const { kind, ids } = (entry ?? {}) as Partial<LedgerEntry>;
  return typeof kind === 'string' && Array.isArray(ids);
};

/** True if an entry makes its stack the owner of the object, and not only of objects in it. */
export const isOwning = (entry: unknown, kinds: Kinds): entry is LedgerEntry =>
  isClaim(entry) && !entry.existing && !isFrame(entry, kinds);

/**
 * True for the entry of a block that declares nothing itself and only encloses other blocks, such as a firewall in which a stack has only
 * rules. It makes no stack the owner, because several stacks may have such a block.
 */
const isFrame = ({ kind, fields, secrets }: LedgerEntry, kinds: Kinds): boolean =>
  kinds.get(kind)?.key.length === 0 && Object.keys({ ...fields, ...secrets }).length === 0;
