/*
 * Hides the unnamed objects of other stacks from the readings of a stack.
 *
 * Terms
 * - unnamed object: an object without a name of its own, such as a webhook. Several stacks may declare equal ones, and the account does not
 *   show which stack an object belongs to. Only their ledgers show it: they have the ids of the objects, and the creations whose outcome is
 *   not known.
 * - partners: stacks that were approved together and are applied together.
 * - open creation: a creation whose answer its ledger does not have. In the table: that was also sent, as far as the
 *   ledger knows.
 *
 * Premise: an object that is equal to a declared one would be adopted, or taken for the result of a creation whose answer was lost. So the
 * object of another stack must be missing from the reading. The first row that fits decides about an unnamed object that this ledger lacks:
 *
 *   | object                                                                               | is           |
 *   | ------------------------------------------------------------------------------------ | ------------ |
 *   | before a run: the approved plan found it, but a partner has recorded it since then   | hidden       |
 *   | the approved plan found it, and may take it over                                     | visible      |
 *   | hidden from the plan that is applied                                                 | hidden       |
 *   | recorded by a partner                                                                | hidden       |
 *   | recorded by another stack, and equal to what this stack has started to create        | hidden       |
 *   | recorded by another stack                                                            | visible      |
 *   | during a run: may result from an open creation of a partner                          | hidden       |
 *   | before a run: assigned to an open creation of another stack (`assignCreations`)      | hidden       |
 *   | any other                                                                            | visible      |
 *
 * Before a run, open creations are mostly those of interrupted runs. Those in the ledger that was written last come first: its run may be
 * under way, and what the runs before it created existed when it began. During a run nothing shows whether a partner or this stack has
 * created an object, so the outcome of the own creation stays unknown until the next run.
 */

import { parentOf } from '../kind/define-kind.ts';
import { isObjectOfEntry, type RecordedDigestOptions } from '../kind/digests.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import { type LedgerKey, shortIdDigest } from '../model/digest.ts';
import type { Intent, Ledger, OtherStack } from '../model/ledger.ts';
import { objectsReadAgain } from '../model/refreshed-resources.ts';
import { createIdLookup, type Live, type LiveResource } from '../model/resource.ts';

interface HidingOptions {
  kinds: Kinds;
  key?: LedgerKey | undefined;
  /** This stack's ledger as it is now. Its objects are not hidden. */
  own: OwnLedger;
  /** Reads the ledgers of the partners as they are now. Absent if there are no partners. */
  readPartners: (() => Promise<readonly OtherStack[]>) | undefined;
  /**
   * The ids of objects that were there before partners created any, because the approved plan found them. They are
   * not hidden, unless a partner has recorded them since.
   */
  foundIds: ReadonlySet<string>;
  /** During a run: the ids of the objects that were hidden when it was planned. They stay hidden. */
  hiddenIds?: ReadonlySet<string> | undefined;
  /** The ledgers of all other stacks as they were before this run. Absent during a run. */
  otherStacks?: (() => Promise<readonly OtherStack[]>) | undefined;
}

type OwnLedger = Pick<Ledger, 'stack' | 'writtenAt' | 'entries' | 'begun'>;

/**
 * Returns a reading of the account without the unnamed objects of other stacks, so that no plan takes over an object that another run is
 * just creating. An unnamed object (a webhook, for example) has no name of its own, so the ledgers show which stack has it. The other
 * ledgers are read only if the reading has an unnamed object that this stack does not know. Called for the plan, with `otherStacks` (all
 * other ledgers of the store), and for each reading of a run, with only the partners: the stacks that are applied together with this one.
 * `foundIds`: the ids that the approved plan found; these objects stay visible, unless a partner has recorded them since.
 */
export async function hideObjectsOfOthers(live: Live, options: HidingOptions): Promise<Live> {
  const { kinds, key, own, readPartners, foundIds, hiddenIds = new Set(), otherStacks } = options;
  if (!readPartners && !otherStacks && hiddenIds.size === 0) return live;
  const isRunning = otherStacks === undefined;
  // A run refreshes hundreds of times, so it must not look at the whole account each time. Objects that the plan found stay visible, and
  // only collections that were read again can have others.
  const unnamed = [...objectsReadAgain(live.resources)].filter(
    ({ kind, id }) => !kinds.get(kind)!.shape.isNamed && !(isRunning && foundIds.has(id)),
  );
  if (unnamed.length === 0) return live;
  const ownIds = recordedIdsIn([own]);
  const unrecorded = unnamed.filter(({ id }) => !ownIds.has(id));
  const mayPartnerHaveRecorded = !isRunning && readPartners !== undefined;
  const staysVisible = ({ id }: LiveResource) => foundIds.has(id) && !mayPartnerHaveRecorded;
  if (unrecorded.every(staysVisible)) return live;
  const isHidden = createHiddenTest(unrecorded, {
    own,
    partners: (await readPartners?.()) ?? [],
    stacksBefore: await otherStacks?.(),
    foundIds,
    hiddenIds,
    matchOptions: { kinds, key, idOf: createIdLookup(live) },
  });
  const hidden = unrecorded.filter(isHidden);
  if (hidden.length === 0) return live;
  const resources = new Map(live.resources);
  for (const { address } of hidden) resources.delete(address);
  return { ...live, resources, hiddenIds: new Set(hidden.flatMap(({ ids }) => ids)) };
}

/** The ledgers and ids that decide which unnamed objects are hidden. */
interface HidingFacts extends Pick<HidingOptions, 'own' | 'foundIds'> {
  partners: readonly OtherStack[];
  /** The ledgers of all other stacks as they were before this run; undefined during a run. */
  stacksBefore: readonly OtherStack[] | undefined;
  hiddenIds: ReadonlySet<string>;
  matchOptions: CreationMatchOptions;
}

/**
 * Creates the test which unnamed objects (webhooks, for example) must be hidden from this stack: those that a partner (a stack that is
 * applied together with this one) or another stack has recorded, or has started to create. This stack would otherwise take them over as its
 * own. `unrecorded`: the unnamed objects that this stack's ledger lacks. `stacksBefore`: all other stacks before the run; undefined during
 * a run. Ledgers that the key does not verify hide nothing: `readPartners` leaves them out, too.
 */
function createHiddenTest(
  unrecorded: readonly LiveResource[],
  { own, partners, stacksBefore, foundIds, hiddenIds, matchOptions }: HidingFacts,
): (object: LiveResource) => boolean {
  const isPartner = ({ stack }: OtherStack) => partners.some((partner) => partner.stack === stack);
  const otherVerifiedStacks = (stacksBefore ?? []).filter((stack) => stack.isVerified && !isPartner(stack));
  const partnerIds = recordedIdsIn(partners);
  const idsOfOtherVerifiedStacks = recordedIdsIn(otherVerifiedStacks);
  const idsBefore = recordedIdsIn(stacksBefore ?? []);
  const ownCreations = openCreationsIn([own]);
  const sentByOthers = openCreationsIn([...partners, ...otherVerifiedStacks]).filter(isSent);
  const isRunning = stacksBefore === undefined;
  const isCreatorKnown = ({ id }: LiveResource) => partnerIds.has(id) || idsOfOtherVerifiedStacks.has(id);
  // Before a run: for each object without a known creator, the open creation (sent, answer lost) that it results from.
  const creationOf =
    !isRunning && sentByOthers.length > 0
      ? assignCreations(
          unrecorded.filter((object) => !isCreatorKnown(object)),
          [...ownCreations.filter(isSent), ...sentByOthers].sort(latestFirst),
          matchOptions,
        )
      : new Map<LiveResource, OpenCreation>();
  // The first line that applies decides; see the table at the top of the file.
  return (object) => {
    const { id } = object;
    const mayResult = (creation: OpenCreation) => mayResultFrom(object, creation, matchOptions);
    // The approved plan may take over an object that it found, unless a partner has recorded it since.
    const wasRecordedByPartnerSince = !isRunning && partnerIds.has(id) && !idsBefore.has(id);
    if (foundIds.has(id) && !wasRecordedByPartnerSince) return false;
    if (hiddenIds.has(id) || partnerIds.has(id)) return true;
    // An object of another stack is only hidden if this stack could take it for the result of its own creation.
    if (idsOfOtherVerifiedStacks.has(id)) return ownCreations.some(mayResult);
    // During a run, a partner may just have created the object. Before a run, the object belongs to the creation that it is assigned to.
    if (isRunning) return sentByOthers.some(mayResult);
    const creator = creationOf.get(object)?.stack;
    return creator !== undefined && creator !== own.stack;
  };
}

/**
 * Returns the ids of all objects in the entries of these ledgers. A live object without a name belongs to the stack whose ledger has its
 * id.
 */
const recordedIdsIn = (ledgers: readonly Pick<Ledger, 'entries'>[]): ReadonlySet<string> =>
  new Set(ledgers.flatMap(({ entries }) => Object.values(entries).flatMap(({ ids }) => ids)));

/** An open creation with the time at which its ledger was written, in milliseconds. */
interface DatedCreation extends OpenCreation {
  writtenAt: number;
}

/**
 * Returns the creations that runs noted in these ledgers (`begun`) before sending them, and whose answers the ledgers lack. A live object
 * without a name, such as a webhook, may result from one of them, and then belongs to its stack. `writtenAt`, the time of the last write of
 * the ledger, becomes milliseconds: this stack's ledger has it as text, those of other stacks as a number. Ledgers of earlier versions lack
 * it and count as oldest.
 */
const openCreationsIn = (ledgers: readonly (OwnLedger | OtherStack)[]): DatedCreation[] =>
  ledgers.flatMap(({ stack, writtenAt = 0, begun = {} }) =>
    Object.entries(begun).map(([address, intent]) => ({
      stack,
      address,
      intent,
      writtenAt: typeof writtenAt === 'string' ? Date.parse(writtenAt) : writtenAt,
    })),
  );

/** True for a creation that was sent, as far as its ledger shows, so that an object of the account may result from it. */
const isSent = ({ intent }: OpenCreation): boolean => intent.sent === true;

/** Compares creations for sorting: those in the ledger that was written last come first, then by stack and address. */
const latestFirst = (a: DatedCreation, b: DatedCreation): number =>
  b.writtenAt - a.writtenAt || (`${a.stack} ${a.address}` < `${b.stack} ${b.address}` ? -1 : 1);

/*
 * Assigns objects without names to the creations that they may result from.
 *
 * Premise: a run may have been interrupted between sending creations and storing their answers. Then only the content of an object shows
 * which creations it may result from. If several creations of one stack, or of several stacks, were to create equal objects, each of these
 * objects fits all of them. It does not matter which creation gets which object, but each object must belong to one creation only, and all
 * stacks must come to the same result.
 *
 * Rules
 *   1. As many creations as possible get an object. A creation gets one object at most.
 *   2. If there are fewer objects than creations, the first creations get them.
 *
 * Example: the stacks `a` and `b` were to create the webhook `hook`, with equal content, and the creation of `a`
 * comes first. If the account has one such webhook, it belongs to `a`, and `b` creates another one. If it has two,
 * each stack has one. Of three, one was created by somebody else, and no creation gets it.
 */

/** A creation that a run has started, but whose outcome is not in the run's ledger. */
interface OpenCreation {
  /** The stack of the run. */
  stack: string;
  address: Address;
  intent: Intent;
}

/** The kinds of the objects, and the key and ids to compare digests with. */
interface CreationMatchOptions extends Pick<RecordedDigestOptions, 'key' | 'idOf'> {
  kinds: Kinds;
}

/**
 * True if an object without a name may result from a creation that a run noted in its ledger: it is in the same
 * collection, was not there before, and has the intended content. The stack of that run then takes it over instead of
 * creating it twice, and the others must not.
 */
function mayResultFrom(
  { kind: kindName, parent, id, fields }: LiveResource,
  { address, intent: { entry, seen } }: OpenCreation,
  { kinds, ...digestOptions }: CreationMatchOptions,
): boolean {
  const kind = kinds.get(kindName)!;
  const isInCollection = entry.kind === kindName && parentOf(address, kind) === parent;
  if (!isInCollection) return false;
  // `seen`: digests of the ids that were there before.
  const isNew = !seen.includes(shortIdDigest(entry.salt, id));
  return isNew && isObjectOfEntry(fields, entry, kind, digestOptions);
}

/**
 * Finds out which run created which object, for objects without names such as webhooks: only their content
 * shows what they may result from. As many creations as possible get an object, one each; if there are too
 * few objects, those that come first in `creations` get them. So all stacks come to the same result. Returns
 * the creation of each object that is assigned.
 */
export function assignCreations(
  objects: readonly LiveResource[],
  creations: readonly OpenCreation[],
  options: CreationMatchOptions,
): ReadonlyMap<LiveResource, OpenCreation> {
  // This is a matching of two sets by augmenting paths: `assignTo` moves earlier assignments to make room.
  const ordered = [...objects].sort((a, b) => (a.id < b.id ? -1 : 1));
  const creationOf = new Map<LiveResource, OpenCreation>();
  /**
   * Assigns to a creation an object that may result from it. If another creation has that object already, assigns another object to that
   * creation first. `tried`: the objects that this search has looked at. Returns false if no object is left.
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
