import { isReadable } from '../kind/define-kind.ts';
import { recordedDigestAt } from '../kind/digests.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { comparedFields, leavesOf } from '../kind/leaves.ts';
import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { groupBy } from '../model/graph.ts';
import type { Ledger, LedgerEntry } from '../model/ledger.ts';
import type { LedgerKey } from '../model/ledger-key.ts';
import type { Request } from '../model/request.ts';
import {
  collectionId,
  createIdLookup,
  groupByCollection,
  type Live,
  type LiveResource,
  withAlternatives,
} from '../model/resource.ts';
import { atPath } from '../model/value.ts';
import { createdBy } from './intents.ts';
import { resume } from './resume.ts';

interface LookUp {
  request: Request;
  /** The changes on which the answer is silent or not understood. */
  changes: Change[];
  /** The account now. */
  live: Live;
  /** The ledger, with the run's intents. */
  ledger: Ledger;
  kinds: Kinds;
  key?: LedgerKey | undefined;
  /** The entry that the ledger will have of a change once it is done. */
  expected(change: Change): LedgerEntry | undefined;
}

export interface LookedUp {
  /** The current ids of addresses whose change the request has made. */
  found: Map<Address, string[]>;
  /** The paths that cannot be read back, of changes that are otherwise visible. */
  unseen: Map<Address, string[]>;
}

/** Reads the outcome of a request from the account, as if its answer had been lost. Changes that are not found may still happen. */
export function lookedUp({ request, changes, live, ledger, kinds, key, expected }: LookUp): LookedUp {
  const { drops = [] } = request;
  const dropped = groupBy(drops, ({ address }) => address);
  const created = new Set(createdBy(request));
  const isMade = ({ address, action }: Change) =>
    created.size > 0 ? created.has(address) : action === 'create';
  const begun = Object.fromEntries(
    changes.flatMap((change) => {
      const intent = isMade(change) ? ledger.begun?.[change.address] : undefined;
      return intent ? [[change.address, intent] as const] : [];
    }),
  );
  const resumed = resume({ ...ledger, begun }, live, { kinds, key, isSettled: false });
  const found = new Map<Address, string[]>();
  const unseen = new Map<Address, string[]>();
  for (const change of changes) {
    const { address, before } = change;
    const kind = kinds.get(change.kind)!;
    // What could not be read shows nothing: not even that something is gone.
    if (live.unreadable.has(collectionId(kind.name, change.parent))) continue;
    const gone = (dropped.get(address) ?? []).map(({ id }) => id);
    const resources = here(live, change, kind);
    // A resumed address without an entry had an old object that is gone; the request made no new one.
    const resumedEntry =
      begun[address] && resumed.resumed.has(address) ? resumed.ledger.entries[address] : undefined;
    if (resumedEntry) {
      found.set(address, resumedEntry.ids);
    } else if (gone.length > 0) {
      // Where nothing can be looked up, "not found" is all that will ever be said of a deletion.
      if (!isReadable(kind) || !resources.some(({ ids }) => ids.some((id) => gone.includes(id))))
        found.set(
          address,
          (ledger.entries[address]?.ids ?? []).filter((id) => !gone.includes(id)),
        );
    } else if (change.action === 'delete') {
      // It has no id: what is at its address is it.
      if (!live.resources.has(address)) found.set(address, []);
    } else {
      const known = [...(before?.ids ?? []), ...(ledger.entries[address]?.ids ?? [])];
      const resource = resources.find(({ ids }) => ids.some((id) => known.includes(id)));
      // What is there already is changed in place.
      const entry = change.action === 'replace' ? undefined : expected(change);
      const left =
        resource && entry && notWritten(change, resource, entry, kind, { key, idOf: createIdLookup(live) });
      if (left?.length === 0) found.set(address, resource!.ids);
      else if (left?.every((path) => atPath(resource!.fields, path) === undefined)) unseen.set(address, left);
    }
  }
  return { found, unseen };
}

/** The objects that a change may be about: a unit is at its address; any other object is recognised by its id, wherever it is. */
function here({ resources }: Live, { address, kind: name, parent }: Change, kind: Kind): LiveResource[] {
  if (!kind.shape.byAddress)
    return withAlternatives(groupByCollection(resources).get(collectionId(name, parent)));
  const unit = resources.get(address);
  return withAlternatives(unit && [unit]);
}

/** The paths that a change writes and the account does not show. */
function notWritten(
  { fields }: Change,
  resource: LiveResource,
  entry: LedgerEntry,
  kind: Kind,
  known: Pick<Parameters<typeof recordedDigestAt>[2], 'key' | 'idOf'>,
): string[] {
  const leaves = new Map(
    leavesOf(comparedFields(kind), resource.fields).map((leaf) => [leaf.path, leaf.traits]),
  );
  return fields
    .filter(({ cause }) => cause !== 'recorded' && cause !== 'released')
    .filter(({ path, after }) => {
      const value = atPath(resource.fields, path);
      if (value === undefined) return after !== null;
      return !recordedDigestAt(entry, path, { form: kind.form ?? 1, ...known }).matches(
        value,
        leaves.get(path) ?? {},
      );
    })
    .map(({ path }) => path);
}
