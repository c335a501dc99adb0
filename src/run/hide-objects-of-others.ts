/*
 * Hides the unnamed objects of other stacks from the readings of a stack.
 *
 * Terms
 * - unnamed object: an object without a name of its own, such as a webhook. Several stacks may declare equal ones, and the account does not show
 *   which stack an object belongs to. Only their ledgers show it: they have the ids of the objects, and the creations whose outcome is not known.
 * - partners: stacks that were approved together and are applied together.
 * - open creation: a creation that was sent, as far as its ledger knows, and whose answer the ledger does not have.
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
 *   | before a run: assigned to an open creation of another stack (`assign-creations.ts`)  | hidden       |
 *   | any other                                                                            | visible      |
 *
 * Before a run, open creations are mostly those of interrupted runs. Those in the ledger that was written last come first: its run may be under way,
 * and what the runs before it created existed when it began. During a run nothing shows whether a partner or this stack has created an object, so
 * the outcome of the own creation stays unknown until the next run.
 */
import type { Kinds } from '../kind/kind.ts';
import type { Ledger, OtherStack } from '../model/ledger.ts';
import type { LedgerKey } from '../model/ledger-key.ts';
import { createIdLookup, type Live, type LiveResource } from '../model/resource.ts';
import {
  assignCreations,
  type CreationMatchOptions,
  mayResultFrom,
  type OpenCreation,
} from './assign-creations.ts';

interface HidingOptions {
  kinds: Kinds;
  key?: LedgerKey | undefined;
  /** This stack's ledger as it is now. Its objects are not hidden. */
  own: OwnLedger;
  /** Reads the ledgers of the partners as they are now. Absent if there are no partners. */
  readPartners: (() => Promise<readonly OtherStack[]>) | undefined;
  /** The ids of objects that were there before partners created any, because the approved plan found them. They are not hidden. */
  foundIds: ReadonlySet<string>;
  /** During a run: the ids of the objects that were hidden when it was planned. They stay hidden. */
  hiddenIds?: ReadonlySet<string> | undefined;
  /** The ledgers of all other stacks as they were before this run. Absent during a run. */
  otherStacks?: (() => Promise<readonly OtherStack[]>) | undefined;
}

type OwnLedger = Pick<Ledger, 'stack' | 'writtenAt' | 'entries' | 'begun'>;

/**
 * Returns a reading of the account without the unnamed objects of other stacks, so that no plan takes over an object that another run is just
 * creating. The table at the top has the rules. The other ledgers are read only if the reading has an unnamed object that this stack does not know.
 * Ledgers that the key does not verify hide nothing.
 */
export async function hideObjectsOfOthers(
  live: Live,
  { kinds, key, own, readPartners, foundIds, hiddenIds = new Set(), otherStacks }: HidingOptions,
): Promise<Live> {
  if (!readPartners && !otherStacks && hiddenIds.size === 0) return live;
  const unnamed = [...live.resources.values()].filter(({ kind }) => !kinds.get(kind)!.shape.isNamed);
  const ownIds = recordedIdsIn([own]);
  const unrecorded = unnamed.filter(({ id }) => !ownIds.has(id));
  const mayHaveLost = otherStacks !== undefined && readPartners !== undefined;
  if (unrecorded.every(({ id }) => foundIds.has(id) && !mayHaveLost)) return live;
  const partners = (await readPartners?.()) ?? [];
  const ledgersBefore = (await otherStacks?.()) ?? [];
  const isPartner = ({ stack }: OtherStack) => partners.some((partner) => partner.stack === stack);
  const strangers = ledgersBefore.filter((stack) => stack.isVerified && !isPartner(stack));
  const [partnerIds, strangerIds, idsBefore] = [
    recordedIdsIn(partners),
    recordedIdsIn(strangers),
    recordedIdsIn(ledgersBefore),
  ];
  const isLostToPartner = (id: string) => mayHaveLost && partnerIds.has(id) && !idsBefore.has(id);
  const ownCreations = openCreationsIn([own]);
  const sentByOthers = openCreationsIn([...partners, ...strangers]).filter(isSent);
  const matchOptions: CreationMatchOptions = { kinds, key, idOf: createIdLookup(live) };
  const isCreatorKnown = ({ id }: LiveResource) => partnerIds.has(id) || strangerIds.has(id);
  const creationOf =
    otherStacks && sentByOthers.length > 0
      ? assignCreations(
          unrecorded.filter((object) => !isCreatorKnown(object)),
          [...ownCreations.filter(isSent), ...sentByOthers].sort(latestFirst),
          matchOptions,
        )
      : new Map<LiveResource, OpenCreation>();
  const hidden = unrecorded.filter((object) => {
    const { id } = object;
    const mayResult = (creation: OpenCreation) => mayResultFrom(object, creation, matchOptions);
    if (foundIds.has(id) && !isLostToPartner(id)) return false;
    if (hiddenIds.has(id) || partnerIds.has(id)) return true;
    if (strangerIds.has(id)) return ownCreations.some(mayResult);
    if (!otherStacks) return sentByOthers.some(mayResult);
    return (creationOf.get(object)?.stack ?? own.stack) !== own.stack;
  });
  if (hidden.length === 0) return live;
  const resources = new Map(live.resources);
  for (const { address } of hidden) resources.delete(address);
  return { ...live, resources, hiddenIds: new Set(hidden.flatMap(({ ids }) => ids)) };
}

/** Returns the ids of all objects that these ledgers record, to tell which live objects belong to other stacks. */
const recordedIdsIn = (ledgers: readonly Pick<Ledger, 'entries'>[]): ReadonlySet<string> =>
  new Set(ledgers.flatMap(({ entries }) => Object.values(entries).flatMap(({ ids }) => ids)));

/** An open creation with the time at which its ledger was written, in milliseconds. */
interface DatedCreation extends OpenCreation {
  writtenAt: number;
}

/**
 * Returns the creations that the runs of these stacks noted in their ledgers and whose outcome is unknown, sent or not. A live object without a name
 * may result from one of them, and then belongs to that stack.
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

const isSent = ({ intent }: OpenCreation): boolean => intent.sent === true;

/** Compares creations for sorting: those in the ledger that was written last come first, then by stack and address. */
const latestFirst = (a: DatedCreation, b: DatedCreation): number =>
  b.writtenAt - a.writtenAt || (`${a.stack} ${a.address}` < `${b.stack} ${b.address}` ? -1 : 1);
