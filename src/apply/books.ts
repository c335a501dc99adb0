import { withIds } from '../kind/digests.ts';
import type { ItemOutcome, Kind, Kinds, Refusal } from '../kind/kind.ts';
import { knownFields } from '../kind/resolve.ts';
import { type Address, escapeName, isWithin, lastNameOf } from '../model/address.ts';
import { type Change, makesObject } from '../model/change.ts';
import type { Ledger, LedgerEntry } from '../model/ledger.ts';
import { type LedgerKey, secretId } from '../model/ledger-key.ts';
import type { Masking } from '../model/masking.ts';
import type { Move } from '../model/move.ts';
import { isRead, type Plan, type PlanSource, type Request } from '../model/plan.ts';
import type { Live } from '../model/resource.ts';
import { type Sealed, sealedIn } from '../model/sealed.ts';
import { type Fields, lookUp, type Value } from '../model/value.ts';
import { openBegun } from './begun.ts';
import { openMoving } from './moving.ts';
import { halfDone, recorded } from './record.ts';
import { openStaging } from './staging.ts';
import { isId } from './unknown-answer.ts';
import { openUpdatedAt } from './updated-at.ts';

export interface BooksOptions {
  plan: Plan;
  live: Live;
  ledger: Ledger;
  /** Which of its names the account does not have yet. */
  moves: Move[];
  kinds: Kinds;
  secrets: ReadonlyMap<string, Sealed>;
  /** The secrets of the run, kept out of what the platform says. */
  masking: Masking;
  key?: LedgerKey | undefined;
  /** The configuration's files, to be remembered. */
  inputs: string[];
  /** The time, in milliseconds. */
  now(): number;
}

/** What a run knows while it goes: the ids that objects have by now, and what the ledger says of them. */
export interface Books {
  /** As it is now, under the names of the configuration; changes with every entry. */
  ledger: Ledger;
  /** As it has to be kept now: what is not renamed yet under its old name. */
  kept(): Ledger;
  /** The addresses of which that says something else since this was asked last. */
  touched(): Address[];
  attribute(address: Address, attr: string): Value | undefined;
  /** All ids that an address has by now. */
  idsOf(address: Address): string[];
  /** A change was carried out. */
  record(change: Change): void;
  /** A request was answered; what its answer says of ids. `unread`: addresses of which it says nothing, since it cannot be read. */
  note(request: Request, answer: unknown, kind: string, unread?: readonly Address[]): Noted;
  /** What an answer did not say was found out: the ids that addresses have now. */
  learn(request: Request, found: ReadonlyMap<Address, string[]>, kind: string): void;
  /** What the ledger will keep of a change once it is done. */
  expected(change: Change): LedgerEntry | undefined;
  /** A request is about to be sent, and these after it. Whether the ledger has to be kept before, and then wherever it is kept. */
  begin(request: Request, following: Request[]): { keep?: 'here' | 'everywhere' };
  /** A request had no effect, but for these addresses, which stay in doubt. */
  refused(request: Request, made: ReadonlyMap<Address, unknown>): void;
  /** The secret that a creation showed is where it belongs. */
  delivered(address: Address): void;
  /** The run is over. */
  close(): void;
}

export interface Noted {
  /** Items of a batch that were refused. */
  refused: ReadonlyMap<Address, Error>;
  /** Of these the answer says nothing that is understood; what it says that may be about them. */
  unknown: ReadonlyMap<Address, string | undefined>;
}

const remembered = (sources: PlanSource[]): Record<string, string> =>
  Object.fromEntries(sources.map(({ name, source }) => [name, source]));

/** Opens the books of a run: nothing is in them but what happened. */
export function openBooks({
  plan,
  live,
  ledger: before,
  moves,
  kinds,
  secrets,
  masking,
  key,
  inputs,
  now,
}: BooksOptions): Books {
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
  const moving = openMoving(moves);
  const touched = new Set<Address>();
  const touch = (address: Address) => touched.add(moving.keptAt(address));
  for (const address of Object.keys(entries))
    if (entries[address] !== before.entries[address]) touch(address);
  const borrowed = Object.keys(entries).filter((address) => entries[address]!.existing);

  // A plan that leaves anything out says nothing of the files that this came from.
  const isWhole = Object.keys(entries).every(
    (address) => entries[address]!.existing || changeOf.has(address),
  );
  const ledger: Ledger = {
    ...before,
    entries,
    inputs: isWhole ? inputs : union(before.inputs, inputs),
    ...(plan.sources ? { sources: remembered(plan.sources) } : {}),
  };
  // From now on something may be on its way, whatever is heard of it.
  if (plan.operations.length > 0) ledger.lastWrite = new Date(now()).toISOString();

  const attribute = (address: Address, attr: string): Value | undefined => {
    // An object that was never read, only mentioned: its address is made of its id.
    if (attr === 'id' && address.startsWith('#')) return lastNameOf(address);
    if (attr === 'id') return ids.get(address)?.at(-1);
    return changeOf.get(address)?.after?.fields[attr] ?? live.resources.get(address)?.fields[attr];
  };

  /** The change with what its references were filled with: what it refers to by its id. */
  const sent = (change: Change): Change => {
    const { after } = change;
    if (!after) return change;
    const fields = knownFields(kinds.get(change.kind)!, after, { secrets, attribute });
    const idOf = (address: Address) => attribute(address, 'id');
    return { ...change, after: { ...after, fields: withIds(fields, idOf) as Fields } };
  };

  const put = (address: Address, entry: LedgerEntry | undefined) => {
    touch(address);
    if (entry) entries[address] = entry;
    else delete entries[address];
  };
  const drop = (address: Address) => {
    put(address, undefined);
    // A parent that is not ours is kept for its last child, or because it is declared.
    for (const parent of borrowed)
      if (isWithin(address, parent) && !changeOf.get(parent)?.after && !hasBelow(parent))
        put(parent, undefined);
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
      const entry = halfDone(change && sent(change), of, now, entries[address], key);
      // Not when another one goes: the secret of the new one may have arrived by then.
      const isMore = now.some((id) => !entries[address]?.ids.includes(id));
      put(address, of.api.shows && makesObject(change) && isMore ? { ...entry, tainted: true } : entry);
    }
  };

  const updatedAt = openUpdatedAt(plan, entries, kinds, put);
  const expected = (change: Change) =>
    recorded(
      sent(change),
      kinds.get(change.kind)!,
      ids.get(change.address) ?? [],
      entries[change.address],
      key,
    );
  const staging = openStaging(ledger, { live, changeOf, expected });
  const begun = openBegun(ledger, { plan, live, kinds, key, known: sent });
  for (const address of Object.keys(ledger.begun ?? {})) touch(address);
  // Without a key nothing of a secret is kept.
  const ownIds = (kind: Kind, id: string) => (!kind.secretId ? [id] : key ? [secretId(key, id)] : []);
  /** Where an object is that is replaced by one made before it goes: where it would be found without a label. */
  const besides = (address: Address, id: string) =>
    [...address.split('/').slice(0, -1), escapeName(id)].join('/');

  const set = (request: Request, kind: string, address: Address, now: string[]) => {
    ids.set(address, now);
    staging.enter(request.stages, () => assign(address, kind, now));
  };
  const setNew = (request: Request, kind: string, address: Address, now: string[]) => {
    const entry = entries[address];
    // Known until it is gone: the run may end before.
    if (kinds.get(kind)!.identity !== undefined && entry)
      for (const old of changeOf.get(address)?.before?.ids ?? [])
        if (!now.includes(old)) put(besides(address, old), { ...entry, ids: [old] });
    set(request, kind, address, now);
  };

  return {
    ledger,
    kept: () => moving.kept(ledger),
    attribute,
    idsOf: (address) => ids.get(address) ?? [],
    touched: () => {
      const all = [...touched];
      touched.clear();
      return all;
    },
    begin(request, following) {
      if (isRead(request)) return {};
      ledger.lastWrite = new Date(now()).toISOString();
      const created = begun.begins(request, following);
      for (const address of created) touch(address);
      if (staging.begins(request.stages)) return { keep: 'everywhere' };
      return created.length > 0 ? { keep: 'here' } : {};
    },
    refused(request, made) {
      // A read that fails says nothing of the write before it.
      if (!isRead(request)) begun.heard(request, made);
    },
    delivered(address) {
      const { tainted: _, ...entry } = entries[address]!;
      put(address, entry);
    },
    close() {
      for (const address of Object.keys(ledger.begun ?? {})) touch(address);
      begun.close();
    },
    record(change) {
      const { address, kind, action } = change;
      const now = ids.get(address) ?? [];
      const entry = recorded(sent(change), kinds.get(kind)!, now, entries[address], key);
      const at = updatedAt.of(change, now);
      if (entry) put(address, at === undefined ? entry : { ...entry, updatedAt: at });
      else drop(address);
      begun.ends(address);
      const known = () => [...Object.keys(entries), ...Object.keys(ledger.begun ?? {})];
      for (const name of moving.done(address, known)) touched.add(name);
      // What was in a deleted container went with it.
      if (action === 'delete') for (const other of below(address)) put(other, undefined);
    },
    expected,
    note(request, answer, kind, unread = []) {
      const { drops = [], returns = [], batch = [] } = request;
      const of = kinds.get(kind)!;
      const outcome = batch.length > 0 && unread.length === 0 ? of.shape.outcome!(answer, request) : [];
      const words = wordsIn(request, masking);
      const refused = refusedIn(batch, outcome, words);
      const told = returns.map((one) => ({
        address: one.address,
        id: 'id' in one ? one.id : lookUp(answer, one.path),
      }));
      const unknown = new Map<Address, string | undefined>([
        ...unread.map((address) => [address, undefined] as const),
        ...unknownIn(batch, outcome, words),
        ...told.flatMap(({ address, id }) => (isId(id) ? [] : [[address, undefined] as const])),
      ]);
      const isDone = ({ address }: { address: Address }) => !refused.has(address) && !unknown.has(address);
      for (const { address, id } of drops.filter(isDone)) {
        if (of.identity !== undefined) put(besides(address, id), undefined);
        set(
          request,
          kind,
          address,
          (ids.get(address) ?? []).filter((other) => other !== id),
        );
      }
      for (const { address, id } of told.filter(isDone))
        if (of.identity !== undefined) setNew(request, kind, address, ownIds(of, String(id)));
        else set(request, kind, address, [...(ids.get(address) ?? []), String(id)]);
      if (request.stages) staging.answered(request.stages);
      begun.heard(request, unknown);
      const isSaid = new Set([...drops, ...returns].map(({ address }) => address));
      batch.forEach((addresses, index) => {
        const result = outcome[index];
        for (const address of addresses)
          if (result && 'id' in result && !isSaid.has(address))
            setNew(request, kind, address, ownIds(of, result.id));
      });
      updatedAt.note(kind, answer);
      return { refused, unknown };
    },
    learn(request, found, kind) {
      if (kinds.get(kind)!.identity !== undefined)
        for (const { address, id } of request.drops ?? [])
          if (found.has(address)) put(besides(address, id), undefined);
      for (const [address, now] of found) {
        const isNew = now.some((id) => !ids.get(address)?.includes(id));
        if (isNew) setNew(request, kind, address, now);
        else set(request, kind, address, now);
        begun.found(address);
      }
    },
  };
}

/** The platform's words about a request, without the secrets that it may quote. */
const wordsIn =
  ({ body }: Request, masking: Masking) =>
  ({ code = '', error }: Refusal): string => {
    for (const secret of sealedIn(body)) masking.know(secret);
    return [masking.name(code) ?? masking.mask(code), masking.mask(error)].filter(Boolean).join(': ');
  };

/** The addresses behind the items of a batch of which its answer says nothing, and what it says that may be about them. */
const unknownIn = (
  batch: Address[][],
  outcome: ItemOutcome[],
  words: (one: Refusal) => string,
): [Address, string | undefined][] =>
  batch.flatMap((addresses, index) => {
    const result: ItemOutcome = outcome[index] ?? { unknown: true };
    if (!('unknown' in result)) return [];
    const said = result.said?.map(words).join('; ');
    return addresses.map((address): [Address, string | undefined] => [address, said]);
  });

/** The addresses behind the items of a batch that were not done, and why. */
const refusedIn = (
  batch: Address[][],
  outcome: ItemOutcome[],
  words: (one: Refusal) => string,
): Map<Address, Error> =>
  new Map(
    batch.flatMap((addresses, index) => {
      const result = outcome[index];
      return result && 'error' in result
        ? addresses.map((address) => [address, new Error(words(result))] as const)
        : [];
    }),
  );

const union = (one: string[], other: string[]) => [...new Set([...one, ...other])].sort();
