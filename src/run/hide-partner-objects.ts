/*
 * Stacks that were approved together and are applied together are partners. Two partners may declare objects without names, such as webhooks, that
 * have equal content. The account does not show which of them an object belongs to, only their ledgers do: each has the ids of its objects, and the
 * intents of creations whose ids it does not have yet.
 *
 * The objects that partners have created are left out of the readings of a run. So the run does not adopt them, does not take them for its own after
 * a lost answer, and does not report them as created by somebody else. Objects that the approved plan found are not among them, even if a partner
 * owns them: the plan may take them over.
 */
import { isEntryMadeOf } from '../kind/digests.ts';
import type { Kinds } from '../kind/kind.ts';
import { shortIdDigest } from '../model/digest.ts';
import type { Intent, Ledger, OtherStack } from '../model/ledger.ts';
import type { LedgerKey } from '../model/ledger-key.ts';
import { createIdLookup, type Live, type LiveResource } from '../model/resource.ts';

interface HidingOptions {
  kinds: Kinds;
  key?: LedgerKey | undefined;
  /** This stack's ledger as it is now. Its objects are not hidden. */
  own: Pick<Ledger, 'entries' | 'begun'>;
  /** Reads the ledgers of the partners as they are now. Absent if there are no partners. */
  readPartners: (() => Promise<readonly OtherStack[]>) | undefined;
  /** The ids of objects that were there before partners created any, because the approved plan found them. They are not hidden. */
  foundIds: ReadonlySet<string>;
}

/**
 * Returns a reading without the unnamed objects that partners have created or may have created. Partners are the stacks that were approved
 * together with this one and may be creating objects in the account at this moment. Called for each reading of a run, so that the run does not
 * adopt their objects or take them for results of its own requests. An object with a name is recognized by its name and never hidden.
 *
 * An object without an id in any ledger is hidden if it matches a creation that a partner has begun, unless it also matches one that this stack has
 * sent. The partners' ledgers are read only if the reading has an unnamed object that this stack does not know. Without `readPartners` the stack
 * has no partners.
 */
export async function hidePartnerObjects(
  live: Live,
  { kinds, key, own, readPartners, foundIds }: HidingOptions,
): Promise<Live> {
  if (!readPartners) return live;
  const unnamed = [...live.resources.values()].filter(({ kind }) => !kinds.get(kind)!.shape.isNamed);
  if (unnamed.length === 0) return live;
  const ownIds = new Set(Object.values(own.entries).flatMap(({ ids }) => ids));
  const candidates = unnamed.filter(({ id }) => !ownIds.has(id) && !foundIds.has(id));
  if (candidates.length === 0) return live;
  const partners = await readPartners();
  const partnerIds = new Set(
    partners.flatMap(({ entries }) => Object.values(entries).flatMap(({ ids }) => ids)),
  );
  // Not only sent ones: a ledger is written before the first request and may be read before it says that the request was sent.
  const partnerIntents = partners.flatMap(({ begun = {} }) => Object.values(begun));
  const ownIntents = Object.values(own.begun ?? {}).filter(({ sent }) => sent);
  const digestOptions = { key, idOf: createIdLookup(live) };
  /** True if an object did not exist before one of these creations began and has the content that it was to get. */
  const mayResultFrom = (intents: readonly Intent[], { kind, id, fields }: LiveResource) =>
    intents.some(
      ({ entry, seen }) =>
        entry.kind === kind &&
        !seen.includes(shortIdDigest(entry.salt, id)) &&
        isEntryMadeOf(fields, entry, kinds.get(kind)!, digestOptions),
    );
  const hidden = candidates.filter(
    (object) =>
      partnerIds.has(object.id) ||
      (mayResultFrom(partnerIntents, object) && !mayResultFrom(ownIntents, object)),
  );
  if (hidden.length === 0) return live;
  const resources = new Map(live.resources);
  for (const { address } of hidden) resources.delete(address);
  return { ...live, resources };
}
