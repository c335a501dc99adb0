import type { Configuration } from '../../config/configuration.ts';
import { closestName } from '../../config/suggest.ts';
import { addressPathOf } from '../../kind/define-kind.ts';
import type { Kinds } from '../../kind/kind.ts';
import type { Connection, Owner } from '../../kind/provider.ts';
import { type Address, addressOf, isWithin } from '../../model/address.ts';
import { Problems, problem } from '../../model/diagnostic.ts';
import { emptyLedger, type Ledger } from '../../model/ledger.ts';
import { readOnly } from '../../model/request.ts';
import { collectionParts } from '../../model/resource.ts';
import { observe } from '../../observe/observe.ts';
import type { Host } from '../host.ts';
import { findLedgerKey, openLedgerStore } from '../session/open-ledger.ts';
import type { StackOptions } from '../stack-options.ts';

/** The surroundings of finding an object of the account by its address. */
export interface AccountContext {
  connection: Pick<Connection, 'send'>;
  owner: Pick<Owner, 'facts'>;
  kinds: Kinds;
  configuration: Configuration;
  options: Pick<StackOptions, 'ledger' | 'twin'>;
  host: Host;
}

/** An object of the account. */
export interface LineageObject {
  kind: string;
  address: Address;
  ids: string[];
}

/** The id of an object and of all that it is in, by kind. Throws `Problems` if it is not there. */
export const findIdsByKind = async (
  address: Address,
  surroundings: AccountContext,
): Promise<Map<string, string>> => idsByKindOf(await findLineage(address, surroundings));

/** The ids of objects by their kinds. */
export const idsByKindOf = (places: readonly LineageObject[]): Map<string, string> =>
  new Map(places.flatMap(({ kind, ids: [id] }) => (id === undefined ? [] : [[kind, id]])));

/**
 * An object and all that it is in, from the outermost on. The ledger knows what the configuration calls things that have no name of
 * their own; all others go by the names that the account has. Throws `Problems` if it is not there.
 */
export async function findLineage(address: Address, surroundings: AccountContext): Promise<LineageObject[]> {
  const { connection, owner, kinds } = surroundings;
  const ledger = await ledgerOnTheWay(address, surroundings);
  const live = await observe(
    { stack: '', resources: new Map(), inputs: [], folders: [] },
    ledger,
    kinds,
    readOnly(connection.send),
    {
      facts: owner.facts,
      also: ({ section }, parent) => isWithin(address, addressOf(parent, section, [])),
    },
  );
  const resource = live.resources.get(address);
  if (!resource) {
    const unread = [...live.unreadable].find(([id]) => {
      const [parent, kind] = collectionParts(id);
      return isWithin(address, addressOf(parent, kinds.get(kind)!.section, []));
    });
    const near = closestName(address, live.resources);
    throw new Problems([
      unread
        ? problem('api/resource', `cannot tell whether ${address} exists in the account: ${unread[1].why}`)
        : problem('api/resource', `${address} does not exist in the account`, {
            hint:
              near === undefined
                ? 'write it as plans do: `projects/web/env/API_URL@production`'
                : `did you mean ${near}?`,
          }),
    ]);
  }
  return addressPathOf(address, resource.kind, kinds).map(([kind, , at]) => ({
    kind,
    address: at,
    ids: live.resources.get(at)?.ids ?? [],
  }));
}

/** As much of this stack's ledger as is about an address and what it is in. */
async function ledgerOnTheWay(
  address: Address,
  { configuration, options, host }: AccountContext,
): Promise<Ledger> {
  const { stack } = configuration.desired;
  if (!stack) return emptyLedger('', '', '');
  const held = await (await openLedgerStore(stack, options, host, await findLedgerKey(options, host))).read();
  const entries = Object.entries(held?.entries ?? {}).filter(([at]) => isWithin(address, at));
  return { ...emptyLedger('', '', ''), entries: Object.fromEntries(entries) };
}
