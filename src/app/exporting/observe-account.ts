import type { Kind, Kinds } from '../../kind/kind.ts';
import type { Connection, Owner } from '../../kind/provider.ts';
import { type Address, addressOf } from '../../model/address.ts';
import { throwIfAny } from '../../model/diagnostic.ts';
import { emptyLedger } from '../../model/ledger.ts';
import { readOnly } from '../../model/request.ts';
import { collectionParts, type Live } from '../../model/resource.ts';
import { observe } from '../../observe/observe.ts';
import { createUnmatchedGlobProblems } from '../../plan/select-changes.ts';

/**
 * Reads an account without a configuration, for `export`, `get` and objects that the user names. `mayRead`: true for a collection that is of
 * interest, given by its kind and the address of the object that contains it. Other collections are not read, which saves requests.
 * `ledger`: has the addresses of objects without a name of their own.
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
 * True if a collection may contain an object that a glob matches: its address agrees with the glob up to the first wildcard. Used to read
 * only the part of an account that `--target`, `--new` and the name of `get` ask for. Without globs, everything is read.
 */
export function mayContainMatch(
  { section }: Kind,
  parent: Address | undefined,
  globs: readonly string[] | undefined,
): boolean {
  const address = addressOf(parent, section, []);
  const isNearPrefix = (glob: string) => {
    const [prefix] = /^[^*?[{(!]*/.exec(glob)!;
    return address.startsWith(prefix) || `${prefix}/`.startsWith(`${address}/`) || prefix.startsWith(address);
  };
  return !globs || globs.some(isNearPrefix);
}

/** The globs of an export: the objects to export, the objects to leave out, and the rules for files (`GLOB=FILE`). */
interface ExportGlobs {
  target?: readonly string[];
  exclude?: readonly string[];
  by?: readonly string[];
}

/** Throws `Problems` for globs that match no object, because they are probably misspelled. Ignores globs for unreadable collections. */
export function refuseUnmatchedExports(
  { resources, unreadable }: Live,
  kinds: Kinds,
  { target = [], exclude = [], by = [] }: ExportGlobs,
): void {
  const unreadCollections = [...unreadable.keys()].map(collectionParts);
  const mayBeUnread = (glob: string) =>
    unreadCollections.some(([parent, name]) => mayContainMatch(kinds.get(name)!, parent, [glob]));
  // With targets, an excluded object outside of them was not read, so its glob may match nothing.
  const excludeGlobs = target.length > 0 ? [] : exclude;
  const fileGlobs = by.map((rule) => rule.slice(0, rule.lastIndexOf('=')));
  const globs = [...target, ...excludeGlobs, ...fileGlobs].filter((glob) => !mayBeUnread(glob));
  const problems = createUnmatchedGlobProblems(globs, [...resources.keys()]);
  throwIfAny(problems);
}
