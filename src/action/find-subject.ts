import { normalAddressGlob } from '../kind/address-spelling.ts';
import { addressPathOf, lineage } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import type { Connection, Owner } from '../kind/provider.ts';
import { type Address, addressOf, byAddress, escapeName, isWithin, lastNameOf } from '../model/address.ts';
import { type Diagnostic, problem, raise } from '../model/diagnostic.ts';
import { createAddressMatcher } from '../model/glob.ts';
import { emptyLedger, type Ledger } from '../model/ledger.ts';
import { collectionParts, type Live } from '../model/resource.ts';
import { closestName } from '../model/similar-name.ts';
import { mayContainMatch, observeAccount } from '../observe/observe-account.ts';
import type { LookupRow } from './read-lookup.ts';

/** Everything needed to find an object of the account by its address. */
export interface AccountContext {
  connection: Pick<Connection, 'send'>;
  owner: Pick<Owner, 'facts'>;
  kinds: Kinds;
  /** Reads the ledger of the stack around the command; undefined if there is none. */
  readLedger(): Promise<Ledger | undefined>;
}

/** An object of the account: the one that was looked for, or one that contains it. */
interface LineageObject {
  kind: string;
  address: Address;
  ids: string[];
}

/** Returns the ids of an object and of the objects that contain it, by kind. Requests need them. Throws `Problems` if it does not exist. */
export const findIdsByKind = async (
  address: Address,
  context: AccountContext,
): Promise<Map<string, string>> => idsByKindOf(await findLineage(address, context));

/**
 * Returns the first id of each object by its kind, such as the id of a project and of its domain, to fill the placeholders of an action's
 * URL. Objects without an id are left out.
 */
const idsByKindOf = (objects: readonly LineageObject[]): Map<string, string> =>
  new Map(objects.flatMap(({ kind, ids: [id] }) => (id === undefined ? [] : [[kind, id]])));

/**
 * Finds an object of the account that the user names by its address (`--of` of `get` and `wait`, `run`, `api`).
 * Returns it after all objects that contain it, from the outermost one, with their ids, which requests need. An object
 * without a name on the platform has the address that this stack's ledger has for it. Throws `Problems` if
 * the object does not exist.
 */
async function findLineage(address: Address, context: AccountContext): Promise<LineageObject[]> {
  const { kinds } = context;
  const leadsToAddress = ({ section }: Kind, parent: Address | undefined) =>
    isWithin(address, addressOf(parent, section, []));
  const ledger = await readLedgerAround(address, context);
  const live = await observeAccount(context, kinds, leadsToAddress, ledger);
  const resource = live.resources.get(address) ?? raise(explainMissing(address, live, kinds));
  return addressPathOf(address, resource.kind, kinds).map(([kind, , ancestor]) => ({
    kind,
    address: ancestor,
    ids: live.resources.get(ancestor)?.ids ?? [],
  }));
}

/**
 * Returns the problem for an address that a user named, for example for `trueup run`, and that was not found: its collection could not be
 * read, or there is no such object. Then it suggests a similar address.
 */
function explainMissing(address: Address, live: Live, kinds: Kinds): Diagnostic {
  const unreadable = [...live.unreadable].find(([collection]) => {
    const [parent, kind] = collectionParts(collection);
    // An address without the name of an object is that of the list: `projects/web/env`.
    const listAddress = addressOf(parent, kinds.get(kind)!.section, []);
    return isWithin(address, listAddress);
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
async function readLedgerAround(address: Address, { readLedger }: AccountContext): Promise<Ledger> {
  const ledger = await readLedger();
  const entries = Object.entries(ledger?.entries ?? {}).filter(([entry]) => isWithin(address, entry));
  return { ...emptyLedger('', '', ''), entries: Object.fromEntries(entries) };
}

/** The object that an action or a lookup is about. */
export interface ActionSubject {
  address: Address;
  /** The ids of the object and of the objects that contain it, by kind. */
  ids: Map<string, string>;
  /** The object after the objects that contain it, from the outermost one. */
  lineage: LineageObject[];
}

/**
 * Finds the object in the account that the user named for `trueup run`, or the one that a lookup is about (`--of`), by
 * its address, or by its name alone if its kind is at the top of the account. `kindName`: the kind that it
 * must have. Throws `Problems` if there is no such object, or if it is of another kind.
 */
export async function findSubject(
  nameOrAddress: string,
  kindName: string,
  context: AccountContext,
): Promise<ActionSubject> {
  const { section, parent } = context.kinds.get(kindName)!;
  const isName = parent === undefined && !nameOrAddress.includes('/');
  const writtenAddress = isName ? addressOf(undefined, section, [escapeName(nameOrAddress)]) : nameOrAddress;
  const address = normalAddressGlob(writtenAddress, context.kinds);
  const lineage = await findLineage(address, context);
  const { kind } = lineage.at(-1)!;
  if (kind !== kindName)
    raise('asked/about', `${address} is a ${kind}, but a ${kindName} is needed here`, {
      hint: `an address looks like ${addressFormOf(kindName, context.kinds)}`,
    });
  return { address, ids: idsByKindOf(lineage), lineage };
}

/**
 * Returns the address and kind of the object that `trueup run` acts on, by which the guards' plan and the record for `trueup log` name it.
 */
export const nameSubject = ({ address, lineage }: ActionSubject) => ({
  address,
  kind: lineage.at(-1)!.kind,
});

/**
 * Returns the form of a kind's addresses, such as `projects/NAME/domains/NAME`, for hints that tell the user
 * how to name an object.
 */
export function addressFormOf(kindName: string, kinds: Kinds): string {
  const { section, parent, key } = kinds.get(kindName)!;
  const form = key.length > 0 ? `${section}/NAME` : section;
  return parent === undefined ? form : `${addressFormOf(parent, kinds)}/${form}`;
}

/**
 * Reads the objects of a kind for `trueup get`, sorted by address, with the fields that a configuration would have and secrets sealed.
 * `name`: an address, a name, or a glob of either; all objects without it. Throws `Problems` if the lists that could contain them cannot
 * be read.
 */
export async function readKindRows(
  kind: Kind,
  name: string | undefined,
  { kinds, connection, owner }: AccountContext,
  sealSecrets: (live: Live) => Promise<Live>,
): Promise<LookupRow[]> {
  const ancestors = new Set(lineage(kinds, kind.name).map((kind) => kind.name));
  const glob = name === undefined ? '**' : normalAddressGlob(name, kinds);
  const isAddress = glob.includes('/');
  const observed = await observeAccount(
    { connection, owner },
    kinds,
    (kind, parent) => ancestors.has(kind.name) && (!isAddress || mayContainMatch(kind, parent, [glob])),
  );
  const live = await sealSecrets(observed);
  const matches = createAddressMatcher([glob]);
  const rows = [...live.resources.values()]
    .filter((resource) => resource.kind === kind.name)
    .filter(({ address }) => matches(isAddress ? address : lastNameOf(address)))
    .sort(byAddress)
    .map(({ address, fields }) => ({ address, ...fields }));
  refuseUnreadable(live, kind, { hasRows: rows.length > 0, isNamed: name !== undefined });
  return rows;
}

/**
 * Throws `Problems` for lists that `trueup get` could not read, so that they do not look empty: lists of the
 * kind itself, and any list if no object was found, because the kind's objects may be in it. `isNamed`: the
 * user named objects; then the part of a list that a limited token can read is enough.
 */
function refuseUnreadable(
  { unreadable }: Live,
  { name }: Kind,
  { hasRows, isNamed }: { hasRows: boolean; isNamed: boolean },
): void {
  // `readAddresses`: the objects that could be read although the list could not.
  const failures = [...unreadable].filter(([id, { readAddresses }]) => {
    if (!hasRows) return true;
    const isOfKind = collectionParts(id)[1] === name;
    const isPartEnough = isNamed && readAddresses !== undefined;
    return isOfKind && !isPartEnough;
  });
  if (failures.length === 0) return;
  raise(
    failures.map(([id, { why, cause }]) => {
      const [address] = collectionParts(id);
      return problem('asked/unread', `${address ?? 'the account'}: its ${name} cannot be read: ${why}`, {
        address,
        alike: { cause, are: `lists of ${name} cannot be read (${cause})` },
      });
    }),
  );
}
