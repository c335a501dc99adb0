import { normalAddressGlob } from '../kind/address-spelling.ts';
import { lineage } from '../kind/define-kind.ts';
import type { Kind } from '../kind/kind.ts';
import { byAddress, lastNameOf } from '../model/address.ts';
import { problem, raise } from '../model/diagnostic.ts';
import { createAddressMatcher } from '../model/glob.ts';
import { collectionParts, type Live } from '../model/resource.ts';
import { mayContainMatch, observeAccount } from '../observe/observe-account.ts';
import type { AccountContext } from './find-subject.ts';
import type { LookupRow } from './lookup-rows.ts';

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
  const isAddress = name?.includes('/') ?? false;
  const observed = await observeAccount(
    { connection, owner },
    kinds,
    (kind, parent) => ancestors.has(kind.name) && (!isAddress || mayContainMatch(kind, parent, [name!])),
  );
  const live = await sealSecrets(observed);
  const matches = name === undefined ? () => true : createAddressMatcher([normalAddressGlob(name, kinds)]);
  const rows = [...live.resources.values()]
    .filter((resource) => resource.kind === kind.name)
    .filter(({ address }) => matches(isAddress ? address : lastNameOf(address)))
    .sort(byAddress)
    .map(({ address, fields }) => ({ address, ...fields }));
  refuseUnreadable(live, kind, { hasRows: rows.length > 0, isNamed: name !== undefined });
  return rows;
}

/**
 * Throws `Problems` for lists that could not be read, so that they do not look empty: lists of the kind itself, and any list if no object
 * was found, because the kind's objects may be in it. `isNamed`: the user named objects, so that the objects are enough that a limited token can read.
 */
function refuseUnreadable(
  { unreadable }: Live,
  { name }: Kind,
  { hasRows, isNamed }: { hasRows: boolean; isNamed: boolean },
): void {
  const failures = [...unreadable].filter(
    ([id, { readAddresses }]) => !hasRows || (collectionParts(id)[1] === name && !(isNamed && readAddresses)),
  );
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
