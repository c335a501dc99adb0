import { parentOf } from '../kind/define-kind.ts';
import type { KeptOptions } from '../kind/digests.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { isMadeOf } from '../kind/made-of.ts';
import { type Address, addressOf, escapeName, lastNameOf } from '../model/address.ts';
import { type Diagnostic, problem } from '../model/diagnostic.ts';
import { seenId } from '../model/digest.ts';
import { atPath } from '../model/field-path.ts';
import type { Intent, Ledger, LedgerEntry } from '../model/ledger.ts';
import type { LedgerKey } from '../model/ledger-key.ts';
import {
  type CollectionId,
  collectionId,
  idIn,
  type Live,
  type LiveResource,
  type LiveRow,
} from '../model/resource.ts';

export interface Resumed {
  /** With what an interrupted run made as ours, and what it took away as gone. */
  ledger: Ledger;
  /** With what has no name of its own under the label that it was made for. */
  live: Live;
  /** The addresses of which the ledger learned something here. */
  resumed: ReadonlySet<Address>;
  diagnostics: Diagnostic[];
}

export interface ResumeOptions {
  kinds: Kinds;
  key?: LedgerKey | undefined;
  /** Lists show all that was ever sent; see `unsettled`. */
  isSettled: boolean;
}

/**
 * Follows up what a run began and never finished: an object that was not there before and has the content that was sent is ours, as
 * if its creation had been answered; what had to go for it was not "deleted outside". Pure.
 */
export function resume(ledger: Ledger, live: Live, { kinds, key, isSettled }: ResumeOptions): Resumed {
  const known: Known = { key, idOf: idIn(live) };
  const entries = { ...ledger.entries };
  const begun = { ...ledger.begun };
  const resources = new Map(live.resources);
  const resumed = new Set<Address>();
  const diagnostics: Diagnostic[] = [];
  const put = (address: Address, entry: LedgerEntry | undefined) => {
    if (entry) entries[address] = entry;
    else delete entries[address];
    resumed.add(address);
  };
  for (const [address, one] of Object.entries(begun)) {
    const kind = kinds.get(one.entry.kind);
    const parent = kind && parentOf(address, kind);
    if (!kind || live.frozen.has(collectionId(kind.name, parent))) continue;
    const old = entries[address];
    const isNew = (id: string) => !old?.ids.includes(id) && !one.seen.includes(seenId(one.entry.salt, id));
    // The run heard of it: its entry says all.
    if (old?.ids.some((id) => !one.seen.includes(seenId(one.entry.salt, id))) && !kind.rows) {
      delete begun[address];
      continue;
    }
    const here = resources.get(address);
    const all = here?.alternatives ?? (here ? [here] : []);
    if (kind.rows) {
      const rows = all.flatMap((unit) => unit.rows ?? []);
      const made = rows.filter(({ id, fields }) => isNew(id) && isMadeOf(fields, one.entry, kind, known));
      const mine = [...rows.filter(({ id }) => old?.ids.includes(id)), ...made];
      if (made.length > 0) put(address, ofRows(mine, one.entry, old, kind, known));
      else if (old && mine.length === 0) put(address, undefined);
      if (made.length > 0 || isSettled) delete begun[address];
      continue;
    }
    const pool = kind.identity
      ? [...resources.values()].filter((other) => other.kind === kind.name && other.parent === parent)
      : all;
    const isOfOthers = (other: LiveResource) =>
      other.address !== address && entries[other.address]?.ids.includes(other.id);
    const made = pool.filter(
      (other) => isNew(other.id) && !isOfOthers(other) && isMadeOf(other.fields, one.entry, kind, known),
    );
    if (made.length > 1) {
      diagnostics.push(several(address, made));
      continue;
    }
    const [found] = made;
    const isThere = pool.some(({ ids }) => ids.some((id) => old?.ids.includes(id)));
    if (!found) {
      // It went to make room for what was never made.
      if (old && !isThere && !here) put(address, undefined);
      if (isSettled) delete begun[address];
      continue;
    }
    if (kind.identity && found.address !== address) {
      if (here && old) {
        const beside = addressOf(parent, kind.section, [escapeName(here.id)]);
        resources.set(beside, relabelled(here, beside, kind));
        put(beside, old);
      }
      resources.delete(found.address);
      resources.set(address, relabelled(found, address, kind));
    }
    // Made beside the old one, which still has to go.
    const left = kind.identity
      ? []
      : (old?.ids ?? []).filter((id) => pool.some(({ ids }) => ids.includes(id)));
    const entry = asAnswered(one, found);
    put(address, { ...entry, ids: [...left, ...entry.ids] });
    delete begun[address];
  }
  const { begun: _, staged: __, ...rest } = ledger;
  const isOpen = Object.keys(begun).length > 0;
  const staged = isSettled ? stillStaged(ledger, live) : ledger.staged;
  return {
    ledger: { ...rest, entries, ...(staged ? { staged } : {}), ...(isOpen ? { begun } : {}) },
    live: { ...live, resources },
    resumed,
    diagnostics,
  };
}

/** What is staged no more was promoted or discarded, though nobody heard of it; a later version is not ours for that. */
function stillStaged({ staged = {} }: Ledger, { versions }: Live): Ledger['staged'] {
  const left = Object.entries(staged).filter(([id]) => {
    const found = versions.get(id as CollectionId);
    return !found || found.staged !== undefined;
  });
  return left.length > 0 ? Object.fromEntries(left) : undefined;
}

/** The entry of what was made. A secret that cannot be read back is sent once more where it is not sure that this run's request was. */
function asAnswered({ entry, sent }: Intent, found: LiveResource): LedgerEntry {
  const secrets = Object.entries(entry.secrets).filter(
    ([path]) => sent || atPath(found.fields, path) !== undefined,
  );
  return { ...entry, ids: found.ids, secrets: Object.fromEntries(secrets) };
}

/** What digests are compared with. */
type Known = Pick<KeptOptions, 'key' | 'idOf'>;

/** The entry of a unit of which these rows are ours: as it was begun if it is whole, else it is half made. */
function ofRows(
  mine: LiveRow[],
  begun: LedgerEntry,
  old: LedgerEntry | undefined,
  kind: Kind,
  known: Known,
): LedgerEntry {
  const ids = [...new Set(mine.map(({ id }) => id))].sort();
  const unit = mine.map(({ fields }) => fields).reduce((one, other) => kind.rows!.merge?.(one, other) ?? one);
  if (isMadeOf(unit, begun, kind, known, true)) return { ...begun, ids };
  return { ...(old ?? { ...begun, fields: {}, secrets: {} }), ids };
}

const relabelled = (one: LiveResource, address: Address, kind: Kind): LiveResource => ({
  ...one,
  address,
  fields: { ...one.fields, [kind.key[0]!]: lastNameOf(address) },
});

const several = (address: Address, made: LiveResource[]) =>
  problem(
    'resume/ambiguous',
    `an interrupted run was about to create ${address}, and there are ${made.length} new objects like it: ${made.map(({ id }) => id).join(', ')}`,
    {
      address,
      hint: 'delete all but one of them in the account, or write `$id: ID` in the block to say which one is meant',
    },
  );
