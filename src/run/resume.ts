import { parentOf } from '../kind/define-kind.ts';
import { isEntryMadeOf, type RecordedDigestOptions } from '../kind/digests.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { type Address, addressOf, escapeName, lastNameOf } from '../model/address.ts';
import { type Diagnostic, problem } from '../model/diagnostic.ts';
import { seenId } from '../model/digest.ts';
import type { Intent, Ledger, LedgerEntry } from '../model/ledger.ts';
import type { LedgerKey } from '../model/ledger-key.ts';
import {
  type CollectionId,
  collectionId,
  collectionParts,
  createIdLookup,
  type Live,
  type LiveResource,
  type LiveRow,
  withAlternatives,
} from '../model/resource.ts';
import { atPath } from '../model/value.ts';

interface Resumed {
  /** The ledger, with what an interrupted run made as ours, and without what it deleted. */
  ledger: Ledger;
  /** The account, with objects without a name of their own under the label that they were made for. */
  live: Live;
  /** The addresses whose ledger entries have changed here. */
  resumed: ReadonlySet<Address>;
  diagnostics: Diagnostic[];
}

interface ResumeOptions {
  kinds: Kinds;
  key?: LedgerKey | undefined;
  /** Lists show all writes by now; see `unsettled`. */
  isSettled: boolean;
}

/**
 * Follows up what a run began and never finished. An object that was not there before and has the content that was sent is ours, as if its
 * creation had been answered; an object that had to go for it was not "deleted outside". Pure.
 */
export function resume(ledger: Ledger, live: Live, { kinds, key, isSettled }: ResumeOptions): Resumed {
  if (!ledger.begun && !ledger.staged) return { ledger, live, resumed: new Set(), diagnostics: [] };
  const found: Found = {
    entries: { ...ledger.entries },
    intents: { ...ledger.begun },
    resources: new Map(live.resources),
    resumed: new Set(),
    diagnostics: [],
    known: { key, idOf: createIdLookup(live) },
    isSettled,
  };
  for (const [address, intent] of Object.entries(found.intents)) {
    const kind = kinds.get(intent.entry.kind);
    const parent = kind && parentOf(address, kind);
    if (!kind || live.unreadable.has(collectionId(kind.name, parent))) continue;
    if (kind.shape.byAddress) resumeRows(address, intent, kind, found);
    else resumeObject(address, intent, kind, found);
  }
  resumePromoted(ledger, live, kinds, found);
  const { begun: _, staged: __, ...rest } = ledger;
  const { entries, intents, resources, resumed, diagnostics } = found;
  const isOpen = Object.keys(intents).length > 0;
  const staged = isSettled ? stillStaged(ledger, live) : ledger.staged;
  return {
    ledger: { ...rest, entries, ...(staged ? { staged } : {}), ...(isOpen ? { begun: intents } : {}) },
    live: { ...live, resources },
    resumed,
    diagnostics,
  };
}

/** All findings so far; changes with each intent that is followed up. */
interface Found extends Pick<Live, 'resources'> {
  entries: Record<Address, LedgerEntry>;
  /** The intents that are still open. */
  intents: Record<Address, Intent>;
  resumed: Set<Address>;
  diagnostics: Diagnostic[];
  known: Known;
  isSettled: boolean;
}

function put({ entries, resumed }: Found, address: Address, entry: LedgerEntry | undefined): void {
  if (entry) entries[address] = entry;
  else delete entries[address];
  resumed.add(address);
}

const isSeen = ({ entry, seen }: Intent, id: string) => seen.includes(seenId(entry.salt, id));

const objectsAt = ({ resources }: Found, address: Address): LiveResource[] => {
  const resource = resources.get(address);
  return withAlternatives(resource && [resource]);
};

/** Follows up a unit, some of whose rows may have been made. */
function resumeRows(address: Address, intent: Intent, kind: Kind, found: Found): void {
  const { known, isSettled } = found;
  const old = found.entries[address];
  const rows = objectsAt(found, address).flatMap((unit) => unit.rows ?? []);
  const liveRows = rows.filter(
    ({ id, fields }) =>
      !old?.ids.includes(id) && !isSeen(intent, id) && isEntryMadeOf(fields, intent.entry, kind, known),
  );
  const mine = [...rows.filter(({ id }) => old?.ids.includes(id)), ...liveRows];
  if (liveRows.length > 0) put(found, address, ofRows(mine, intent.entry, old, kind, known));
  else if (old && mine.length === 0) put(found, address, undefined);
  if (liveRows.length > 0 || isSettled) delete found.intents[address];
}

/** Follows up an object that the platform has as a whole. */
function resumeObject(address: Address, intent: Intent, kind: Kind, found: Found): void {
  const { entries, resources, intents, diagnostics, known, isSettled } = found;
  const old = entries[address];
  // The run heard of it: its entry says all.
  if (old?.ids.some((id) => !isSeen(intent, id))) {
    delete intents[address];
    return;
  }
  const pool = candidatesFor(address, kind, found);
  const isOfOthers = (resource: LiveResource) =>
    resource.address !== address && entries[resource.address]?.ids.includes(resource.id);
  const made = pool.filter(
    (resource) =>
      !old?.ids.includes(resource.id) &&
      !isSeen(intent, resource.id) &&
      !isOfOthers(resource) &&
      isEntryMadeOf(resource.fields, intent.entry, kind, known),
  );
  if (made.length > 1) {
    diagnostics.push(several(address, made));
    return;
  }
  const [one] = made;
  if (!one) {
    const isThere = pool.some(({ ids }) => ids.some((id) => old?.ids.includes(id)));
    // It went to make room for what was never made.
    if (old && !isThere && !resources.has(address)) put(found, address, undefined);
    if (isSettled) delete intents[address];
    return;
  }
  if (!kind.shape.isNamed && one.address !== address) relabel(one, address, kind, found);
  // Made beside the old one, which still has to go.
  const left = kind.shape.isNamed
    ? (old?.ids ?? []).filter((id) => pool.some(({ ids }) => ids.includes(id)))
    : [];
  const entry = asAnswered(intent, one);
  put(found, address, { ...entry, ids: [...left, ...entry.ids] });
  delete intents[address];
}

/** The objects that an intent may have made: those at its address or, if objects have no names, all beside it. */
function candidatesFor(address: Address, kind: Kind, found: Found): LiveResource[] {
  if (kind.shape.isNamed) return objectsAt(found, address);
  const parent = parentOf(address, kind);
  return [...found.resources.values()].filter(
    (resource) => resource.kind === kind.name && resource.parent === parent,
  );
}

/** Puts a found object under the label that it was made for; an object already there goes beside it. */
function relabel(resource: LiveResource, address: Address, kind: Kind, found: Found): void {
  const { resources, entries } = found;
  const here = resources.get(address);
  const old = entries[address];
  if (here && old) {
    const beside = addressOf(resource.parent, kind.section, [escapeName(here.id)]);
    resources.set(beside, relabelled(here, beside, kind));
    put(found, beside, old);
  }
  resources.delete(resource.address);
  resources.set(address, relabelled(resource, address, kind));
}

/**
 * Follows up a staged version that was promoted since, by a run that did not hear of it or by somebody else: what is live as it was staged
 * is ours, and nobody else's edit. What it created is followed up as an intent.
 */
function resumePromoted({ staged = {} }: Ledger, live: Live, kinds: Kinds, found: Found): void {
  for (const [id, { base, of }] of Object.entries(staged)) {
    const kind = kinds.get(collectionParts(id)[1]);
    const versions = live.versions.get(id);
    if (!kind || !versions || versions.live === base || live.unreadable.has(id)) continue;
    for (const [address, { entry }] of Object.entries(of)) {
      const old = found.entries[address];
      const resource = objectsAt(found, address).find(
        ({ fields }) => entry && isEntryMadeOf(fields, entry, kind, found.known),
      );
      // The ledger may have learnt of it since.
      if (old && resource && !isEntryMadeOf(resource.fields, old, kind, found.known))
        put(found, address, { ...old, ...entry, ids: resource.ids });
    }
  }
}

/** Our staged versions that still exist. Others were promoted or discarded without our knowledge; a later version is not ours. */
function stillStaged({ staged = {} }: Ledger, { versions }: Live): Ledger['staged'] {
  const left = Object.entries(staged).filter(([id]) => {
    const version = versions.get(id as CollectionId);
    return !version || version.staged !== undefined;
  });
  return left.length > 0 ? Object.fromEntries(left) : undefined;
}

/** The entry of the object that was made. If no request is known to have gone out, it lacks unreadable secrets, so that they are sent again. */
function asAnswered({ entry, sent }: Intent, resource: LiveResource): LedgerEntry {
  const secrets = Object.entries(entry.secrets).filter(
    ([path]) => sent || atPath(resource.fields, path) !== undefined,
  );
  return { ...entry, ids: resource.ids, secrets: Object.fromEntries(secrets) };
}

/** The key and ids to compare digests with. */
type Known = Pick<RecordedDigestOptions, 'key' | 'idOf'>;

/** The entry of a unit with these rows: as planned if it is whole, otherwise as unfinished. */
function ofRows(
  mine: LiveRow[],
  ledgerEntry: LedgerEntry,
  old: LedgerEntry | undefined,
  kind: Kind,
  known: Known,
): LedgerEntry {
  const ids = [...new Set(mine.map(({ id }) => id))].sort();
  const unit = mine.map(({ fields }) => fields).reduce((a, b) => kind.shape.mergeRows?.(a, b) ?? a);
  if (isEntryMadeOf(unit, ledgerEntry, kind, known, true)) return { ...ledgerEntry, ids };
  return { ...(old ?? { ...ledgerEntry, fields: {}, secrets: {} }), ids };
}

const relabelled = (resource: LiveResource, address: Address, kind: Kind): LiveResource => ({
  ...resource,
  address,
  fields: { ...resource.fields, [kind.key[0]!]: lastNameOf(address) },
});

const several = (address: Address, resources: LiveResource[]) =>
  problem(
    'resume/ambiguous',
    `an interrupted run was about to create ${address}, and there are ${resources.length} new matching objects: ${resources.map(({ id }) => id).join(', ')}`,
    {
      address,
      hint: 'delete all but one of them in the account, or select one with `$id: ID` in the block',
    },
  );
