import { childKinds } from '../kind/define-kind.ts';
import type { AccountFacts, Kind, Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import type { Ledger } from '../model/ledger.ts';
import type { LedgerKey } from '../model/ledger-key.ts';
import type { Send } from '../model/plan.ts';
import {
  type CollectionId,
  collectionId,
  type Desired,
  emptyLive,
  type Live,
  type LiveResource,
  type Scope,
} from '../model/resource.ts';
import { chosenIn, collectionReader } from './collection-reader.ts';
import { mentionedCollections, neededWhole } from './mentioned.ts';

interface ObserveOptions {
  /** Of the account that is read. */
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
 * Reads what the configuration and the ledger mention, parents first, collections in parallel, each answer once.
 * A collection that cannot be read whole is frozen, with all that is below it; that is no error here. If little of a long one
 * is mentioned, only that part may be read; see `Live.unlisted`.
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
    const found = await read(kind, parent);
    await Promise.all(
      found.flatMap((resource) =>
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
