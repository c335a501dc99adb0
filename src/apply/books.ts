import type { Kind, Kinds } from '../kind/kind.ts';
import { knownFields } from '../kind/resolve.ts';
import { type Address, escapeName, isWithin, lastNameOf } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { type LedgerKey, secretId } from '../model/digest.ts';
import type { Ledger } from '../model/ledger.ts';
import type { Plan, Request } from '../model/plan.ts';
import type { Live } from '../model/resource.ts';
import type { Sealed } from '../model/sealed.ts';
import { lookUp, type Value } from '../model/value.ts';
import { openPending } from './pending.ts';
import { begun, recorded } from './record.ts';
import { openStaging } from './staging.ts';
import { openUpdatedAt } from './updated-at.ts';

export interface BooksOptions {
  plan: Plan;
  live: Live;
  ledger: Ledger;
  kinds: Kinds;
  secrets: ReadonlyMap<string, Sealed>;
  key?: LedgerKey | undefined;
  /** The configuration's files, to be remembered. */
  inputs: string[];
}

/** What a run knows while it goes: the ids that objects have by now, and what the ledger says of them. */
export interface Books {
  /** As it is now; changes with every entry. */
  ledger: Ledger;
  attribute(address: Address, attr: string): Value | undefined;
  /** A change was carried out. */
  record(change: Change): void;
  /** A request succeeded; what its answer says of ids. Gives back the items of a batch that were refused. */
  note(request: Request, answer: unknown, kind: string): { address: Address; error: Error }[];
  /** A request is about to be sent; whether the ledger has to be kept before. */
  begin(request: Request): boolean;
  /** A request certainly had no effect. */
  refused(request: Request): void;
  /** The secret that a creation showed is where it belongs. */
  delivered(address: Address): void;
}

/** Opens the books of a run: nothing is in them but what happened. */
export function openBooks({ plan, live, ledger: before, kinds, secrets, key, inputs }: BooksOptions): Books {
  const changeOf = new Map(plan.changes.map((change) => [change.address, change]));
  const ids = new Map<Address, string[]>([...live.resources].map(([address, { ids }]) => [address, ids]));
  // A change is about what was planned on: under its address there may be more that is not ours.
  for (const { address, before } of plan.changes) ids.set(address, before?.ids ?? []);
  const entries = { ...before.entries };
  for (const { address, claims } of plan.changes)
    if (claims !== undefined && entries[claims]) {
      entries[address] = entries[claims];
      delete entries[claims];
    }
  const borrowed = Object.keys(entries).filter((address) => entries[address]!.existing);

  // A plan that leaves anything out says nothing of the files that this came from.
  const isWhole = Object.keys(entries).every(
    (address) => entries[address]!.existing || changeOf.has(address),
  );
  const ledger = { ...before, entries, inputs: isWhole ? inputs : union(before.inputs, inputs) };

  const attribute = (address: Address, attr: string): Value | undefined => {
    // An object that was never read, only mentioned: its address is made of its id.
    if (attr === 'id' && address.startsWith('#')) return lastNameOf(address);
    if (attr === 'id') return ids.get(address)?.at(-1);
    return changeOf.get(address)?.after?.fields[attr] ?? live.resources.get(address)?.fields[attr];
  };

  /** The change with what its references were filled with. */
  const sent = (change: Change): Change => {
    const { after } = change;
    if (!after) return change;
    const fields = knownFields(kinds.get(change.kind)!, after, { secrets, attribute });
    return { ...change, after: { ...after, fields } };
  };

  const drop = (address: Address) => {
    delete entries[address];
    // A parent that is not ours is kept for its last child, or because it is declared.
    for (const parent of borrowed)
      if (isWithin(address, parent) && !changeOf.get(parent)?.after && !hasBelow(parent))
        delete entries[parent];
  };
  const below = (parent: Address) =>
    Object.keys(entries).filter((address) => address !== parent && isWithin(address, parent));
  const hasBelow = (parent: Address) => below(parent).length > 0;

  const assign = (address: Address, kind: string, now: string[]) => {
    const change = changeOf.get(address);
    // Gone by our own hand, until it is created again: not "deleted outside".
    if (now.length === 0) drop(address);
    else {
      const of = kinds.get(change?.kind ?? kind)!;
      const entry = begun(change && sent(change), of, now, entries[address], key);
      // Not when another one goes: the secret of the new one may have arrived by then.
      const isMore = now.some((id) => !entries[address]?.ids.includes(id));
      entries[address] = of.api.shows && isCreated(change) && isMore ? { ...entry, tainted: true } : entry;
    }
  };

  const updatedAt = openUpdatedAt(plan, entries, kinds);
  const staging = openStaging(ledger);
  const pending = openPending(ledger);
  /** Whose secret must not be lost with the answer. */
  const awaited = ({ shows }: Request): Address[] =>
    shows && changeOf.get(shows.address)?.after?.meta.secretTo !== 'discard' ? [shows.address] : [];
  // Without a key nothing of a secret is kept.
  const ownIds = (kind: Kind, id: string) => (!kind.secretId ? [id] : key ? [secretId(key, id)] : []);
  /** Where an object is that is replaced by one made before it goes: where it would be found without a label. */
  const besides = (address: Address, id: string) =>
    [...address.split('/').slice(0, -1), escapeName(id)].join('/');

  return {
    ledger,
    attribute,
    begin: (request) =>
      [staging.begins(request.stages), ...awaited(request).map(pending.begins)].includes(true),
    refused: (request) => awaited(request).forEach(pending.ends),
    delivered(address) {
      const { tainted: _, ...entry } = entries[address]!;
      entries[address] = entry;
    },
    record(change) {
      const { address, kind, action } = change;
      const now = ids.get(address) ?? [];
      const entry = recorded(sent(change), kinds.get(kind)!, now, entries[address], key);
      const at = updatedAt.of(change, now);
      if (entry) entries[address] = at === undefined ? entry : { ...entry, updatedAt: at };
      else drop(address);
      // Whatever was found under it is settled now.
      pending.ends(address);
      // What was in a deleted container went with it.
      if (action === 'delete') for (const other of below(address)) delete entries[other];
    },
    note(request, answer, kind) {
      const { drops = [], returns = [], batch = [] } = request;
      const outcome = batch.length > 0 ? kinds.get(kind)!.api.outcome!(answer, request) : [];
      const refused = refusedIn(batch, outcome);
      const isDone = ({ address }: { address: Address }) => !refused.has(address);
      const set = (address: Address, now: string[]) => {
        ids.set(address, now);
        staging.enter(request.stages, () => assign(address, kind, now));
      };
      const isLabelled = kinds.get(kind)!.identity !== undefined;
      const setNew = (address: Address, id: string) => {
        const entry = entries[address];
        // Known until it is gone: the run may end before.
        if (isLabelled && entry)
          for (const old of changeOf.get(address)?.before?.ids ?? [])
            entries[besides(address, old)] = { ...entry, ids: [old] };
        set(address, ownIds(kinds.get(kind)!, id));
      };
      for (const { address, id } of drops.filter(isDone)) {
        if (isLabelled) delete entries[besides(address, id)];
        set(
          address,
          (ids.get(address) ?? []).filter((other) => other !== id),
        );
      }
      for (const returned of returns.filter(isDone)) {
        const { address } = returned;
        const id = 'id' in returned ? returned.id : lookUp(answer, returned.path);
        if (id === undefined || id === null)
          throw new Error(`the platform's answer does not say the id of ${address}`);
        if (isLabelled) setNew(address, String(id));
        else set(address, [...(ids.get(address) ?? []), String(id)]);
      }
      if (request.stages) staging.answered(request.stages, answer);
      awaited(request).forEach(pending.ends);
      const told = new Set([...drops, ...returns].map(({ address }) => address));
      batch.forEach((addresses, index) => {
        const result = outcome[index];
        for (const address of addresses)
          if (result && 'id' in result && !told.has(address)) setNew(address, result.id);
      });
      updatedAt.note(kind, answer);
      return [...refused].map(([address, error]) => ({ address, error }));
    },
  };
}

/** The addresses behind the items of a batch that were not done, and why. */
function refusedIn(batch: Address[][], outcome: ({ id: string } | { error: string })[]): Map<Address, Error> {
  const refused = new Map<Address, Error>();
  batch.forEach((addresses, index) => {
    const result = outcome[index] ?? { error: 'the answer does not say what became of it' };
    if ('error' in result) for (const address of addresses) refused.set(address, new Error(result.error));
  });
  return refused;
}

const isCreated = (change: Change | undefined) => change?.action === 'create' || change?.action === 'replace';

const union = (one: string[], other: string[]) => [...new Set([...one, ...other])].sort();
