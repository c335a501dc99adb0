import type { Kinds } from '../kind/kind.ts';
import { knownFields } from '../kind/resolve.ts';
import { type Address, isWithin, unescapeName } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import type { LedgerKey } from '../model/digest.ts';
import type { Ledger } from '../model/ledger.ts';
import type { Plan, Request } from '../model/plan.ts';
import type { Live } from '../model/resource.ts';
import type { Sealed } from '../model/sealed.ts';
import { lookUp, type Value } from '../model/value.ts';
import { begun, recorded } from './record.ts';

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
}

/** Opens the books of a run: nothing is in them but what happened. */
export function openBooks({ plan, live, ledger: before, kinds, secrets, key, inputs }: BooksOptions): Books {
  const changeOf = new Map(plan.changes.map((change) => [change.address, change]));
  const ids = new Map<Address, string[]>([...live.resources].map(([address, { ids }]) => [address, ids]));
  // A change is about what was planned on: under its address there may be more that is not ours.
  for (const { address, before } of plan.changes) ids.set(address, before?.ids ?? []);
  const entries = { ...before.entries };
  const borrowed = Object.keys(entries).filter((address) => entries[address]!.existing);

  // A plan that leaves anything out says nothing of the files that this came from.
  const isWhole = Object.keys(entries).every(
    (address) => entries[address]!.existing || changeOf.has(address),
  );
  const ledger = { ...before, entries, inputs: isWhole ? inputs : union(before.inputs, inputs) };

  const attribute = (address: Address, attr: string): Value | undefined => {
    // An object that was never read, only mentioned: its address is made of its id.
    if (attr === 'id' && address.startsWith('#')) return unescapeName(address.split('/').at(-1)!);
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
    ids.set(address, now);
    const change = changeOf.get(address);
    // Gone by our own hand, until it is created again: not "deleted outside".
    if (now.length === 0) drop(address);
    else {
      const of = kinds.get(change?.kind ?? kind)!;
      entries[address] = begun(change && sent(change), of, now, entries[address], key);
    }
  };

  return {
    ledger,
    attribute,
    record(change) {
      const { address, kind, action } = change;
      const entry = recorded(sent(change), kinds.get(kind)!, ids.get(address) ?? [], entries[address], key);
      if (entry) entries[address] = entry;
      else drop(address);
      // What was in a deleted container went with it.
      if (action === 'delete') for (const other of below(address)) delete entries[other];
    },
    note(request, answer, kind) {
      for (const { address, id } of request.drops ?? [])
        assign(
          address,
          kind,
          (ids.get(address) ?? []).filter((other) => other !== id),
        );
      for (const returned of request.returns ?? []) {
        const { address } = returned;
        const id = 'id' in returned ? returned.id : lookUp(answer, returned.path);
        if (id === undefined || id === null)
          throw new Error(`the platform's answer does not say the id of ${address}`);
        assign(address, kind, [...(ids.get(address) ?? []), String(id)]);
      }
      if (!request.batch) return [];
      const outcome = kinds.get(kind)!.api.outcome!(answer, request);
      return request.batch.flatMap((addresses, index) => {
        const result = outcome[index] ?? { error: 'the answer does not say what became of it' };
        if (!('id' in result))
          return addresses.map((address) => ({ address, error: new Error(result.error) }));
        for (const address of addresses) assign(address, kind, [result.id]);
        return [];
      });
    },
  };
}

const union = (one: string[], other: string[]) => [...new Set([...one, ...other])].sort();
