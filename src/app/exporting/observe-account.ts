import type { Kind, Kinds } from '../../kind/kind.ts';
import type { Connection, Owner } from '../../kind/provider.ts';
import { type Address, addressOf } from '../../model/address.ts';
import { emptyLedger } from '../../model/ledger.ts';
import { readOnly } from '../../model/request.ts';
import type { Live } from '../../model/resource.ts';
import { observe } from '../../observe/observe.ts';

/**
 * Reads collections of an account without a configuration and a ledger, for `export` and `get`. `includes`: true for a collection to read;
 * `parent` is the address of the object that it is in, undefined at the top. Collections that cannot be read are in `unreadable` of the
 * result.
 */
export const observeAccount = (
  { connection, owner }: { connection: Pick<Connection, 'send'>; owner: Owner },
  kinds: Kinds,
  includes: (kind: Kind, parent: Address | undefined) => boolean,
): Promise<Live> =>
  observe(
    { stack: '', resources: new Map(), inputs: [], folders: [] },
    emptyLedger('', '', ''),
    kinds,
    readOnly(connection.send),
    { facts: owner.facts, also: includes },
  );

/**
 * True if a collection may contain an object that one of the globs matches, so that it has to be read: its address agrees with the glob up
 * to the first wildcard. Without globs, true for every collection.
 */
export function isOnTheWay(
  { section }: Kind,
  parent: Address | undefined,
  globs: readonly string[] | undefined,
): boolean {
  const address = addressOf(parent, section, []);
  return (
    !globs ||
    globs.some((glob) => {
      const [fixed] = /^[^*?[{(!]*/.exec(glob)!;
      return address.startsWith(fixed) || `${fixed}/`.startsWith(`${address}/`) || fixed.startsWith(address);
    })
  );
}
