/*
 * Follows up the versions that earlier runs staged: contents that a run uploads to a collection first, and makes live (promotes) later. The
 * ledger has them (`staged`) until then, so that a run that was interrupted in between does not report its own content as changed outside.
 */
import { isObjectOfEntry, type RecordedDigestOptions } from '../kind/digests.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import type { Ledger, LedgerEntry } from '../model/ledger.ts';
import { type CollectionId, collectionParts, type Live, objectsAt } from '../model/resource.ts';

/**
 * Returns the ledger entries of objects whose staged content is live by now, by address: promoted by the run that staged it, which got no
 * answer, or by somebody else. Without them, the next plan would report our own content as changed outside. `entries`: the entries so far.
 * Left out are objects whose entry has this content already, and those without an entry: a new object is found by the intent of its
 * creation.
 */
export function findPromotedEntries(
  staged: Ledger['staged'] = {},
  live: Live,
  entries: Ledger['entries'],
  { kinds, digestOptions }: { kinds: Kinds; digestOptions: Pick<RecordedDigestOptions, 'key' | 'idOf'> },
): Map<Address, LedgerEntry> {
  const promoted = new Map<Address, LedgerEntry>();
  // `base`: the version that was live when ours was staged. `contents`: the staged content of each address.
  for (const [id, { base, of: contents }] of Object.entries(staged)) {
    const kind = kinds.get(collectionParts(id)[1]);
    const versions = live.versions.get(id);
    const isStillBase = versions?.live === base;
    if (!kind || !versions || isStillBase || live.unreadable.has(id)) continue;
    for (const [address, { entry: stagedEntry }] of Object.entries(contents)) {
      const recordedEntry = entries[address];
      const resource = objectsAt(live, address).find(
        ({ fields }) => stagedEntry && isObjectOfEntry(fields, stagedEntry, kind, digestOptions),
      );
      if (!recordedEntry || !resource) continue;
      const isRecorded = isObjectOfEntry(resource.fields, recordedEntry, kind, digestOptions);
      if (!isRecorded) promoted.set(address, { ...recordedEntry, ...stagedEntry, ids: resource.ids });
    }
  }
  return promoted;
}

/**
 * Returns the staged versions of a ledger whose collection still has a staged version, or was not read; undefined if there are none. The
 * others were promoted or discarded without our knowledge, so a version that is staged there later is not ours and must not be discarded.
 */
export function versionsStillStaged(
  staged: Ledger['staged'] = {},
  { versions }: Live,
): Ledger['staged'] | undefined {
  const remaining = Object.entries(staged).filter(([id]) => {
    const version = versions.get(id as CollectionId);
    const wasRead = version !== undefined;
    return !wasRead || version.staged !== undefined;
  });
  return remaining.length > 0 ? Object.fromEntries(remaining) : undefined;
}
