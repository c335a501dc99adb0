import { addressPathOf, childKinds, parentOf } from '../kind/define-kind.ts';
import type { AccountFacts, Kind, Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import type { Ledger } from '../model/ledger.ts';
import type { LedgerKey } from '../model/ledger-key.ts';
import type { Send } from '../model/request.ts';
import {
  type CollectionId,
  collectionId,
  collectionParts,
  type Desired,
  emptyLive,
  type Live,
  type LiveResource,
  type Resource,
  type Scope,
} from '../model/resource.ts';
import { chosenIn, collectionReader } from './collection-reader.ts';

interface ObserveOptions {
  /** The account that is read, as kinds need to know it. */
  facts: AccountFacts;
  /** Natural addresses whose objects are meant by another address (a rename without a ledger entry). */
  aliases?: ReadonlyMap<Address, Address>;
  /** For ids that are secrets; without it they match nothing that the ledger knows. */
  key?: LedgerKey | undefined;
  /** Reads these collections too, whether something mentions them or not. */
  also?: (kind: Kind, parent: Address | undefined) => boolean;
  /** Reads only this. */
  scope?: Scope | undefined;
}

/**
 * Reads all that the configuration and the ledger mention, parents first, collections in parallel, each answer once. A collection that
 * cannot be read whole is frozen, with all below it; that is no error here. Of a long one with few mentioned objects, only these may be
 * read; see `Live.unlisted`.
 */
export async function observe(
  desired: Desired,
  ledger: Ledger,
  kinds: Kinds,
  send: Send,
  { facts, aliases = new Map(), key, also = () => false, scope }: ObserveOptions,
): Promise<Live> {
  const live = emptyLive();
  const places = mentionedCollections(desired, ledger, kinds);
  const mentioned = scope ? narrowed(places, scope) : places;
  const chosen = chosenIn(desired);
  const whole = neededWhole(desired, ledger, kinds);
  const read = collectionReader({
    ...{ kinds, ledger, live, send, facts, mentioned, places, aliases, chosen, key, whole, also },
  });

  const isRead = (kind: Kind, parent: Address | undefined) =>
    mentioned.has(collectionId(kind.name, parent)) || also(kind, parent);

  const walk = async (kind: Kind, parent: LiveResource | undefined): Promise<void> => {
    const resources = await read(kind, parent);
    await Promise.all(
      resources.flatMap((resource) =>
        childKinds(kinds, kind.name)
          .filter((child) => isRead(child, resource.address))
          .map((child) => walk(child, resource)),
      ),
    );
  };

  await Promise.all(
    childKinds(kinds, undefined)
      .filter((kind) => isRead(kind, undefined))
      .map((kind) => walk(kind, undefined)),
  );
  if (scope) {
    // What is known under another name was read by the one that it has.
    const renamed = [...live.resources.values()].filter(({ renamedTo }) =>
      scope.addresses.has(renamedTo ?? ''),
    );
    live.scope = new Set([...scope.addresses, ...renamed.map(({ address }) => address)]);
  }
  return live;
}

const narrowed = (places: ReadonlyMap<CollectionId, Set<Address>>, { addresses, collections }: Scope) =>
  new Map(
    [...places]
      .map(([id, at]) => [id, new Set([...at].filter((address) => addresses.has(address)))] as const)
      .filter(([id, at]) => at.size > 0 || collections.has(id)),
  );

/**
 * The collections that have to be read, with the addresses that are mentioned in each: those with something declared, in the
 * ledger or begun by an interrupted run, those named by an `$exclusive`, and those on the way to them.
 */
export function mentionedCollections(
  desired: Desired,
  ledger: Ledger,
  kinds: Kinds,
): Map<CollectionId, Set<Address>> {
  const mentioned = new Map<CollectionId, Set<Address>>();
  const mention = (kind: string, parent: Address | undefined, address?: Address) => {
    const id = collectionId(kind, parent);
    const addresses = mentioned.get(id) ?? new Set();
    if (address !== undefined) addresses.add(address);
    mentioned.set(id, addresses);
  };
  for (const resource of desired.resources.values()) {
    mention(resource.kind, resource.parent, resource.address);
    for (const { name } of exclusiveKinds(resource, kinds)) mention(name, resource.address);
  }
  const mentionAll = (address: Address, kind: string) => {
    for (const [name, parent, at] of addressPathOf(address, kind, kinds)) mention(name, parent, at);
  };
  for (const [address, { kind }] of Object.entries(ledger.entries)) mentionAll(address, kind);
  // What a run began and never finished may be there, wanted or not.
  for (const [address, { entry }] of Object.entries(ledger.begun ?? {})) mentionAll(address, entry.kind);
  for (const [id, { of }] of Object.entries(ledger.staged ?? {}))
    for (const address of Object.keys(of)) mentionAll(address, collectionParts(id)[1]);
  return mentioned;
}

/** The collections that have to be read whole: those that an `$exclusive` names, and those in which a run has begun something. */
export function neededWhole(desired: Desired, ledger: Ledger, kinds: Kinds): Set<CollectionId> {
  const exclusive = [...desired.resources.values()].flatMap((resource) =>
    exclusiveKinds(resource, kinds).map(({ name }) => collectionId(name, resource.address)),
  );
  const begun = Object.entries(ledger.begun ?? {}).flatMap(([address, { entry }]) => {
    const kind = kinds.get(entry.kind);
    return kind ? [collectionId(kind.name, parentOf(address, kind))] : [];
  });
  return new Set([...exclusive, ...begun]);
}

/** The kinds below a resource that its `$exclusive` names by section. */
const exclusiveKinds = ({ kind, meta: { exclusive } }: Resource, kinds: Kinds): Kind[] =>
  exclusive ? childKinds(kinds, kind).filter(({ section }) => exclusive.includes(section)) : [];
