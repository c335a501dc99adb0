/*
 * Assigns objects without names to the creations that they may result from.
 *
 * Premise: a run may have been interrupted between sending creations and storing their answers. Then only the content of an object shows which
 * creations it may result from. If several creations of one stack, or of several stacks, were to create equal objects, each of these objects
 * fits all of them. It does not matter which creation gets which object, but each object must belong to one creation only, and all stacks must
 * come to the same result.
 *
 * Rules
 *   1. As many creations as possible get an object. A creation gets one object at most.
 *   2. If there are fewer objects than creations, the first creations get them.
 *
 * Example: the stacks `a` and `b` were to create the webhook `hook`, with equal content. If the account has one such webhook, it belongs to `a`,
 * and `b` creates another one. If it has two, each stack has one. Of three, one was created by somebody else, and no creation gets it.
 */
import { parentOf } from '../kind/define-kind.ts';
import { isEntryMadeOf, type RecordedDigestOptions } from '../kind/digests.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import { shortIdDigest } from '../model/digest.ts';
import type { Intent } from '../model/ledger.ts';
import type { LiveResource } from '../model/resource.ts';

/** A creation that a run has started, but whose outcome is not in the run's ledger. */
export interface OpenCreation {
  /** The stack of the run. */
  stack: string;
  address: Address;
  intent: Intent;
}

/** The kinds of the objects, and the key and ids to compare digests with. */
export interface CreationMatchOptions extends Pick<RecordedDigestOptions, 'key' | 'idOf'> {
  kinds: Kinds;
}

/**
 * True if an object without a name may result from a creation that an interrupted run noted in the ledger: it is in the same collection, was not
 * there before, and has the intended content. The next run then takes it over instead of creating it twice.
 */
export function mayResultFrom(
  { kind: kindName, parent, id, fields }: LiveResource,
  { address, intent: { entry, seen } }: OpenCreation,
  { kinds, ...digestOptions }: CreationMatchOptions,
): boolean {
  const kind = kinds.get(kindName)!;
  return (
    entry.kind === kindName &&
    parentOf(address, kind) === parent &&
    !seen.includes(shortIdDigest(entry.salt, id)) &&
    isEntryMadeOf(fields, entry, kind, digestOptions)
  );
}

/**
 * Finds out which run created which object, for objects without names, by the rules at the top of the file. `creations`: those that come first get an
 * object first. Returns the creation of each object that is assigned.
 */
export function assignCreations(
  objects: readonly LiveResource[],
  creations: readonly OpenCreation[],
  options: CreationMatchOptions,
): ReadonlyMap<LiveResource, OpenCreation> {
  const ordered = [...objects].sort((a, b) => (a.id < b.id ? -1 : 1));
  const creationOf = new Map<LiveResource, OpenCreation>();
  /**
   * Gives an object without a name to a creation that may have made it, if need be one whose creation can get another object. Returns false if there
   * is none.
   */
  const assignTo = (creation: OpenCreation, tried: Set<LiveResource>): boolean =>
    ordered.some((object) => {
      if (tried.has(object) || !mayResultFrom(object, creation, options)) return false;
      tried.add(object);
      const holder = creationOf.get(object);
      if (holder && !assignTo(holder, tried)) return false;
      creationOf.set(object, creation);
      return true;
    });
  for (const creation of creations) assignTo(creation, new Set());
  return creationOf;
}
