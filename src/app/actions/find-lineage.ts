import type { Configuration } from '../../config/configuration.ts';
import { closestName } from '../../config/suggest.ts';
import type { Host } from '../../host.ts';
import { addressPathOf } from '../../kind/define-kind.ts';
import type { Kind, Kinds } from '../../kind/kind.ts';
import type { Connection, Owner } from '../../kind/provider.ts';
import { type Address, addressOf, isWithin } from '../../model/address.ts';
import { type Diagnostic, Problems, problem } from '../../model/diagnostic.ts';
import { emptyLedger, type Ledger } from '../../model/ledger.ts';
import { collectionParts, type Live } from '../../model/resource.ts';
import { observeAccount } from '../../observe/observe-account.ts';
import { findLedgerKey, openLedgerStore } from '../../stores/open-ledger.ts';
import type { StackOptions } from '../stack-options.ts';

/** Everything needed to find an object of the account by its address. */
export interface AccountContext {
  connection: Pick<Connection, 'send'>;
  owner: Pick<Owner, 'facts'>;
  kinds: Kinds;
  configuration: Configuration;
  options: Pick<StackOptions, 'ledger' | 'twin'>;
  host: Host;
}

/** An object of the account: the one that was looked for, or one that contains it. */
export interface LineageObject {
  kind: string;
  address: Address;
  ids: string[];
}

/** Returns the ids of an object and of the objects that contain it, by kind. Requests need them. Throws `Problems` if it does not exist. */
export const findIdsByKind = async (
  address: Address,
  context: AccountContext,
): Promise<Map<string, string>> => idsByKindOf(await findLineage(address, context));

/** Returns the first id of each object by its kind. Objects without an id are left out. */
export const idsByKindOf = (objects: readonly LineageObject[]): Map<string, string> =>
  new Map(objects.flatMap(({ kind, ids: [id] }) => (id === undefined ? [] : [[kind, id]])));

/**
 * Finds an object of the account after all objects that contain it, from the outermost one. Used for objects that the user names in `get`, `run` and
 * `api`. An object without a name has the address that this stack's ledger has for it. Throws `Problems` if the object does not exist.
 */
export async function findLineage(address: Address, context: AccountContext): Promise<LineageObject[]> {
  const { kinds } = context;
  const leadsToAddress = ({ section }: Kind, parent: Address | undefined) =>
    isWithin(address, addressOf(parent, section, []));
  const ledger = await readLedgerAround(address, context);
  const live = await observeAccount(context, kinds, leadsToAddress, ledger);
  const resource = live.resources.get(address);
  if (!resource) throw new Problems([explainMissing(address, live, kinds)]);
  return addressPathOf(address, resource.kind, kinds).map(([kind, , ancestor]) => ({
    kind,
    address: ancestor,
    ids: live.resources.get(ancestor)?.ids ?? [],
  }));
}

/** Returns the problem with an address that was not found: its collection could not be read, or there is no such object. */
function explainMissing(address: Address, live: Live, kinds: Kinds): Diagnostic {
  const unreadable = [...live.unreadable].find(([collection]) => {
    const [parent, kind] = collectionParts(collection);
    return isWithin(address, addressOf(parent, kinds.get(kind)!.section, []));
  });
  if (unreadable)
    return problem(
      'api/resource',
      `cannot tell whether ${address} exists in the account: ${unreadable[1].why}`,
    );
  const similar = closestName(address, live.resources);
  return problem('api/resource', `${address} does not exist in the account`, {
    hint:
      similar === undefined
        ? 'write it as plans do: `projects/web/env/API_URL@production`'
        : `did you mean ${similar}?`,
  });
}

/**
 * Returns this stack's ledger with only the entries of an address and of the objects that contain it; an
 * empty ledger without a stack. Called by `findLineage` for the address that a user gives to `get`, `run` or
 * `api`: an object without a name of its own has its address only in the ledger, so it could not be found
 * without it. Other entries are not needed for that.
 */
async function readLedgerAround(
  address: Address,
  { configuration, options, host }: AccountContext,
): Promise<Ledger> {
  const { stack } = configuration.desired;
  if (!stack) return emptyLedger('', '', '');
  const store = await openLedgerStore(stack, options, host, await findLedgerKey(options, host));
  const ledger = await store.read();
  const entries = Object.entries(ledger?.entries ?? {}).filter(([entry]) => isWithin(address, entry));
  return { ...emptyLedger('', '', ''), entries: Object.fromEntries(entries) };
}
