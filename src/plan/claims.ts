import { isTransferable as canMove, parentOf } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { type Address, isWithin, lastNameOf } from '../model/address.ts';
import { addTo } from '../model/graph.ts';
import type { LedgerEntry, OtherStack } from '../model/ledger.ts';
import type { LiveResource } from '../model/resource.ts';

/** An object of another stack, under the address that it has there. */
export interface Claim {
  by: OtherStack;
  address: Address;
  entry: LedgerEntry;
}

/** Finds the live object at an address, for the id of a container. */
type FindObject = (address: Address) => Pick<LiveResource, 'ids'> | undefined;

/** The objects of other stacks, by their ids on the platform. */
export class Claims {
  readonly #byName = new Map<string, Claim[]>();
  readonly #kinds: Kinds;
  readonly #others: readonly OtherStack[];
  readonly #findObject: FindObject;

  constructor(otherStacks: readonly OtherStack[], kinds: Kinds, findObject: FindObject) {
    this.#kinds = kinds;
    this.#others = otherStacks;
    this.#findObject = findObject;
    for (const otherStack of otherStacks)
      for (const [address, entry] of Object.entries(otherStack.entries)) {
        if (!isOwning(entry, kinds)) continue;
        for (const name of this.#namesOf(entry.kind, entry.ids, address))
          addTo(this.#byName, name, { by: otherStack, address, entry });
      }
  }

  /** Returns the first claim to an object at this address, or to a part of it. */
  firstFor(object: Pick<LiveResource, 'kind' | 'ids'>, address: Address): Claim | undefined {
    return this.allFor(object, address)[0];
  }

  /** Returns all claims to an object at this address, or to a part of it: several stacks may have one. */
  allFor({ kind, ids }: Pick<LiveResource, 'kind' | 'ids'>, address: Address): Claim[] {
    const claims = this.#namesOf(kind, ids, address).flatMap((name) => this.#byName.get(name) ?? []);
    return [...new Set(claims)].filter((claim) => this.#isSamePlace(claim, address));
  }

  /**
   * True if a claim is to an object in the container of `address`: a member's id is that of a person, who may be in many projects. Where
   * the platform can move objects to another container, their ids are enough.
   */
  #isSamePlace({ by, address: there, entry }: Claim, address: Address): boolean {
    const kind = this.#kinds.get(entry.kind);
    return canMove(kind) || this.#isSameContainer(by, there, address, kind);
  }

  /** Stacks may have a container under different names, and know it by its id; a container without an id goes by its name. */
  #isSameContainer(otherStack: OtherStack, address: Address, here: Address, kind: Kind | undefined): boolean {
    if (kind?.parent === undefined || address === here) return true;
    const [theirs, ours] = [parentOf(address, kind), parentOf(here, kind)];
    if (theirs === undefined || ours === undefined || theirs === ours) return true;
    const ledgerEntry = otherStack.entries[theirs];
    const theirIds: string[] = isClaim(ledgerEntry) ? ledgerEntry.ids : [];
    const ourIds = this.#findObject(ours)?.ids ?? [];
    const isSame =
      theirIds.length > 0 && ourIds.length > 0
        ? theirIds.some((id) => ourIds.includes(id))
        : lastNameOf(theirs) === lastNameOf(ours);
    return isSame && this.#isSameContainer(otherStack, theirs, ours, this.#kinds.get(kind.parent));
  }

  /** Returns the claims to objects in a container. Another stack may have the container under another name, but knows it by its id. */
  listInside({ kind, ids }: Pick<LiveResource, 'kind' | 'ids'>, address: Address): Claim[] {
    return this.#others.flatMap((otherStack) => {
      const entries = Object.entries(otherStack.entries).filter(([, entry]) => isClaim(entry));
      const there = entries.find(
        ([, entry]) => entry.kind === kind && entry.ids.some((id) => ids.includes(id)),
      );
      const container = there?.[0] ?? address;
      return entries
        .filter(([other, { existing }]) => !existing && other !== container && isWithin(other, container))
        .map(([other, entry]) => ({ by: otherStack, address: other, entry }));
    });
  }

  /** A row can hold units of several stacks, so a unit's name includes its address; an object without an id of its own goes by its address alone. */
  #namesOf(kind: string, ids: string[], address: Address): string[] {
    if (ids.length === 0) return [`${kind} at ${address}`];
    const isUnit = this.#kinds.get(kind)?.shape.byAddress;
    return ids.map((id) => (isUnit ? `${kind} ${id} ${address}` : `${kind} ${id}`));
  }
}

/** Finds the stack that says it owns an object. */
export function createOwnerFinder(
  otherStacks: readonly OtherStack[],
  kinds: Kinds,
  findObject: FindObject,
): (object: { kind: string; address: Address; ids: string[] }) => string | undefined {
  const claims = new Claims(otherStacks, kinds, findObject);
  return (object) => claims.firstFor(object, object.address)?.by.stack;
}

/** True for an entry in the right form: anybody who may push to the store may have written it. */
export const isClaim = (entry: unknown): entry is LedgerEntry => {
  const { kind, ids } = (entry ?? {}) as Partial<LedgerEntry>;
  return typeof kind === 'string' && Array.isArray(ids);
};

/** True if an entry makes its stack the owner of an object, and not only of objects in it. */
export const isOwning = (entry: unknown, kinds: Kinds): entry is LedgerEntry =>
  isClaim(entry) && !entry.existing && !isFrame(entry, kinds);

/** True for a block that only encloses others, such as a firewall of which a stack has only rules: several stacks may have it. */
const isFrame = ({ kind, fields, secrets }: LedgerEntry, kinds: Kinds): boolean =>
  kinds.get(kind)?.key.length === 0 && Object.keys({ ...fields, ...secrets }).length === 0;
