/*
 * The questions that a plan asks about the ledgers of other stacks, and a summary of a ledger that tells whether it can answer one of them.
 *
 * Premise: most of thousands of stacks have nothing to do with the objects of this plan. A summary is much shorter than its ledger, so a
 * plan compares the summaries of all ledgers with its question, and reads only the ledgers that match.
 *
 * Terms: the root of an object is the outermost object around it, such as its project; an object without a parent is its own root. The key
 * of a claim is explained at `claimKeysOf`.
 *
 *   | a plan looks for                                              | and is led there by                                     |
 *   | ------------------------------------------------------------- | ------------------------------------------------------- |
 *   | claims to an object in one of its roots, or in a container    | the name of the root, or an id of it: `names`, `ids`    |
 *   | the same in a container that was moved to another root        | an id of the container: `ids`                           |
 *   | claims to an object that can be in any root, such as a domain | its id, which is also its name: `ids`                   |
 *   | claims to an object without a parent that it may change       | the name or an id of it: `names`, `ids`                 |
 *   | whether any stack owns one that it does not change            | the exact key: `owned`; no ledger has to be read        |
 *
 * A summary may lead to a ledger without the answer, but must never hide one with it.
 */
import { addressPathOf, isSingleton } from '../kind/define-kind.ts';
import { mirroringFields } from '../kind/duplicate-descriptions.ts';
import type { Kinds } from '../kind/kind.ts';
import { type Address, lastNameOf } from '../model/address.ts';
import { addressesInLedger, type Ledger, type LedgerEntry } from '../model/ledger.ts';
import type { Desired, Live, LiveResource } from '../model/resource.ts';
import { claimKeysOf, isClaim, isOwning } from './claims.ts';
import type { PlanOptions } from './input.ts';
import { hasTakeOvers } from './take-over.ts';

/** What a ledger claims, in texts by which plans find it. */
export interface ClaimSummary {
  /**
   * The keys of the claims to objects without a parent (`claimKeysOf`). Complete, so a missing key means that the stack does not own the
   * object.
   */
  owned: ReadonlySet<string>;
  /** The ids of its roots and of other objects by which a plan may find a claim, as far as `owned` does not contain them. */
  ids: ReadonlySet<string>;
  /** The names of its roots: their kind and last name. */
  names: ReadonlySet<string>;
}

/** What a plan has to know about the objects of other stacks. A ledger that matches one of the texts must be read. */
export interface OwnershipQuestion {
  ids: ReadonlySet<string>;
  names: ReadonlySet<string>;
}

/** The root of an object. */
interface Root {
  kind: string;
  address: Address;
}

/**
 * Summarizes the entries of a ledger, so that plans of other stacks find out without reading it whether it claims one of their objects. A
 * root is an object without a parent, such as a project: `names` has the names of all roots, and `owned` the claim keys of those that the
 * stack owns. `ids` has all other ids by which a plan may look for a claim. Undefined if a summary could hide a claim: an entry is of an
 * unknown kind, or about an object whose root has no recorded id.
 */
export function summarizeClaims(entries: Ledger['entries'], kinds: Kinds): ClaimSummary | undefined {
  const owned = new Set<string>();
  const ids = new Set<string>();
  const names = new Set<string>();
  const containers = containersOf(Object.keys(entries));
  for (const [address, entry] of Object.entries(entries)) {
    const root = isClaim(entry) ? findRoot(address, entry.kind, kinds) : undefined;
    if (!root || !hasUsableRoot(root, address, entries, kinds)) return undefined;
    names.add(nameKeyOf(root));
    const isRoot = root.address === address;
    if (isRoot && isOwning(entry, kinds))
      for (const key of claimKeysOf(entry.kind, entry.ids, address, kinds)) owned.add(key);
    // An object in a root is found by the root. By its own ids only if it has contents, or if its name is its id, as for a domain.
    const isFoundByItsIds = isRoot || containers.has(address) || entry.ids.includes(lastNameOf(address));
    const isInOwned = (id: string) => isRoot && owned.has(`${entry.kind} ${id}`);
    if (isFoundByItsIds) for (const id of entry.ids) if (!isInOwned(id)) ids.add(id);
  }
  return { owned, ids, names };
}

/**
 * True if another stack can find the object at `address` by the root around it (an object without a parent, such as a project): the entry
 * of the root has an id, or the root is a singleton, whose name suffices. Otherwise a summary of the ledger could hide the object, since it
 * does not have the ids of all objects in roots.
 */
function hasUsableRoot(root: Root, address: Address, entries: Ledger['entries'], kinds: Kinds): boolean {
  if (root.address === address || isSingleton(kinds.get(root.kind)!)) return true;
  const entry: LedgerEntry | undefined = entries[root.address];
  return isClaim(entry) && entry.ids.length > 0;
}

/** The parts of a plan's input from which its question follows. */
interface QuestionInput {
  desired: Desired;
  /** The ledger as it is stored, and as renames and take-overs have changed it so far. */
  ledgers: readonly Ledger[];
  live: Live;
  kinds: Kinds;
  options?: PlanOptions | undefined;
}

/**
 * Returns the ids and names of the objects that a plan may change, as a question about other stacks: the plan has to read only the ledgers
 * of stacks that claim one of them. Returns `all` if it has to read all ledgers. Names are those of roots (an object without a parent, such
 * as a project): a claim to an object counts for its root. With `--target`, the plan only decides about the objects that were read, so it
 * asks about no others.
 *
 *   | the plan                                         | because                                            |
 *   | ------------------------------------------------ | -------------------------------------------------- |
 *   | takes over or may hand over objects              | it asks stacks by name, not by their objects       |
 *   | places items by `$position`                      | a chain of positions can lead through every stack  |
 *   | declares a list of links to objects of others    | each of the linked objects may have a claim        |
 *   | has a live object whose root it cannot see       | the id of that root is unknown                     |
 */
export function askAboutOthers(input: QuestionInput): OwnershipQuestion | 'all' {
  const { live, kinds } = input;
  if (mustReadAll(input)) return 'all';
  const liveContents = listLiveContents(input);
  // The root of a live object was not read, so its id is unknown.
  if (!liveContents) return 'all';
  const objects = [...listDeclared(input), ...listRecorded(input), ...liveContents];
  const ids = new Set(objects.flatMap((object) => object.ids));
  const roots = objects.flatMap(({ address, kind }) => findRoot(address, kind, kinds) ?? []);
  const rootAddresses = new Set(roots.map(({ address }) => address));
  // Live roots are in lists with many objects of others. So only those count that were found by address or id, and those without
  // names, because no address identifies them.
  const isConcerned = ({ address, kind, ids: liveIds }: LiveResource) =>
    rootAddresses.has(address) || !kinds.get(kind)!.shape.isNamed || liveIds.some((id) => ids.has(id));
  for (const object of live.resources.values()) {
    const root = findRoot(object.address, object.kind, kinds)!;
    if (root.address !== object.address || !isConcerned(object)) continue;
    roots.push(root);
    for (const id of object.ids) ids.add(id);
  }
  return { ids, names: new Set(roots.map(nameKeyOf)) };
}

/** An object about which a plan asks other stacks, by these ids and by the name of its root. */
interface AskedObject {
  address: Address;
  kind: string;
  ids: readonly string[];
}

/** True if a plan may change the object at an address: with `--target`, only if it was read. */
const mayChange = (address: Address, { scope }: Live): boolean => scope?.has(address) ?? true;

/**
 * Lists the objects about which a plan asks other stacks because the configuration declares them, or names them under `removed`: whether
 * they own one. With `--target`, only the declared ones that were read. The name of an object may be its id, as for a domain.
 */
const listDeclared = ({ desired, live }: QuestionInput): AskedObject[] => [
  ...[...desired.resources.values()]
    .filter(({ address }) => mayChange(address, live))
    .map(({ address, kind, meta }) => ({
      address,
      kind,
      ids: [lastNameOf(address), ...(meta.id === undefined ? [] : [meta.id])],
    })),
  ...(desired.removed ?? []).map(({ address, kind }) => ({ address, kind, ids: [] })),
];

/**
 * Lists the objects about which a plan asks other stacks because the ledger has them, with their recorded ids. With `--target`, only those
 * that were read. An object that an interrupted run began to create has no entry yet, and so no ids.
 */
const listRecorded = ({ ledgers, live }: QuestionInput): AskedObject[] =>
  ledgers.flatMap((ledger) =>
    addressesInLedger(ledger)
      .filter(([address]) => mayChange(address, live))
      .map(([address, kind]) => ({ address, kind, ids: ledger.entries[address]?.ids ?? [] })),
  );

/**
 * Lists the live objects in a root (an object without a parent), with their ids and that of the root, so that a plan asks other stacks
 * about them. Undefined if the root of one was not read: its id is then unknown, so any stack may have the object.
 */
function listLiveContents({ live, kinds }: QuestionInput): AskedObject[] | undefined {
  const contents: AskedObject[] = [];
  for (const { address, kind, ids } of live.resources.values()) {
    const root = findRoot(address, kind, kinds);
    if (root?.address === address) continue;
    const liveRoot = root && live.resources.get(root.address);
    if (!liveRoot) return undefined;
    contents.push({ address, kind, ids: [...ids, ...liveRoot.ids] });
  }
  return contents;
}

/**
 * True if a plan asks questions that no summary of a ledger answers, so that it has to read the ledgers of all other stacks: it takes over
 * objects or another stack may do so, it places items by `$position`, or it declares a list of links to objects of others
 * (`mirroringFields`).
 */
function mustReadAll({ desired, ledgers, kinds, options }: QuestionInput): boolean {
  if (options?.siblings?.length || ledgers.some((ledger) => hasTakeOvers(desired, ledger))) return true;
  const resources = [...desired.resources.values()];
  if (resources.some(({ meta }) => meta.position !== undefined)) return true;
  const kindNames = new Set(resources.map(({ kind }) => kind));
  // A list that does not name the parents of its objects is complete: it contradicts any object of another stack that it lacks.
  const holders = [...kindNames].filter((name) =>
    mirroringFields(kinds.get(name)!).some(({ mirrored }) => mirrored.parent === undefined),
  );
  return resources.some(({ kind }) => holders.includes(kind));
}

/** Returns the root of an object; undefined if its kind is unknown, as in a ledger of a later version. */
function findRoot(address: Address, kindName: string, kinds: Kinds): Root | undefined {
  const [top] = addressPathOf(address, kindName, kinds);
  return top && kinds.get(top[0])?.parent === undefined ? { kind: top[0], address: top[2] } : undefined;
}

/** Returns the text by which stacks with a root of the same name find each other. */
const nameKeyOf = ({ kind, address }: Root): string => `${kind} ${lastNameOf(address)}`;

/**
 * Returns the addresses among these, and above them, that have other ones in them. The summary of a ledger contains the ids of these
 * containers.
 */
function containersOf(addresses: readonly Address[]): ReadonlySet<Address> {
  const containers = new Set<Address>();
  for (const address of addresses)
    for (let end = address.lastIndexOf('/'); end > 0; end = address.lastIndexOf('/', end - 1))
      containers.add(address.slice(0, end));
  return containers;
}
