import type { Kind, Kinds } from '../kind/kind.ts';
import type { Connection, Owner } from '../kind/provider.ts';
import { type Address, addressOf } from '../model/address.ts';
import { emptyLedger } from '../model/ledger.ts';
import { readOnly } from '../model/request.ts';
import type { Live } from '../model/resource.ts';
import { observe } from './observe.ts';
/**
 * Reads an account without a configuration, for `export`, `get` and objects that the user names. `mayRead`:
 * true for a list that is of interest, given by the kind of its objects and the address of the object that
 * contains it. Other lists are not read, which saves requests. `ledger`: has the addresses of objects without
 * a name of their own.
 */
export const observeAccount = (
  { connection, owner }: { connection: Pick<Connection, 'send'>; owner: Pick<Owner, 'facts'> },
  kinds: Kinds,
  mayRead: (kind: Kind, parent: Address | undefined) => boolean,
  ledger = emptyLedger('', '', ''),
): Promise<Live> =>
  observe(
    { stack: '', resources: new Map(), inputs: [], folders: [] },
    ledger,
    kinds,
    readOnly(connection.send),
    { facts: owner.facts, also: mayRead },
  );

/**
 * True if a list (the objects of one kind under one parent) may contain an object that a glob matches: its
 * address agrees with the glob up to the first wildcard. Used to read only the part of an account that
 * `--target`, `--new` and the argument of `trueup get` ask for. Without globs, everything is read.
 */
export function mayContainMatch(
  { section }: Kind,
  parent: Address | undefined,
  globs: readonly string[] | undefined,
): boolean {
  const address = addressOf(parent, section, []);
  const isNearPrefix = (glob: string) => {
    // `projects/web/e` of `projects/web/e*`.
    const [prefix] = /^[^*?[{(!]*/.exec(glob)!;
    return address.startsWith(prefix) || prefix.startsWith(address);
  };
  return !globs || globs.some(isNearPrefix);
}
