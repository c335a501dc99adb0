/**
 * Objects of this stack that the configuration now declares under another parent, such as a domain in another project.
 *
 * Terms
 * - transfer: the platform moves an object from one parent to another one. Only some kinds can do that (`isTransferable`).
 * - candidate: a recorded object whose address is no longer declared, while a block of the same kind and name is new under another parent.
 * - sibling: an object of the same kind in the same parent. An object and a sibling are connected if one refers to the other by name.
 *
 * Premise: a transferred object keeps its id, so its ledger entry gets the new address. The platform transfers connected siblings together.
 * So each of them has to be a candidate for the same parent, or must no longer be connected by then.
 *
 * Steps
 *   1. Find the candidates. An object that is under the new parent already (a run was interrupted, or somebody moved it) is none.
 *   2. Drop candidates with an obstacle (`findTransferObstacle`), until none drops out: each may be the obstacle of a connected one.
 *   3. Give the objects their new addresses:
 *
 *   | the object                      | ledger entry | live object                      | the plan                                   |
 *   | ------------------------------- | ------------ | -------------------------------- | ------------------------------------------ |
 *   | is under the new parent already | moves        | has the new address              | compares it with its block                 |
 *   | is a candidate                  | moves        | moves, and `transfer` says where | transfers it, and compares it              |
 *   |                                 |              | it lies                          |                                            |
 *   | dropped out in step 2           | stays        | stays                            | deletes it, creates a new one, and warns   |
 *
 * Example: `www.acme.com` redirects to `acme.com`, both in `projects/old`. If both blocks move to `projects/new`, one request transfers
 * both. If only the block of `acme.com` moves, the platform would move `www.acme.com` along, so `acme.com` is deleted and created again.
 */
import { isTransferable as canMove } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { addressesByNameIn } from '../kind/references.ts';
import { traitsOf } from '../kind/traits.ts';
import type { Address } from '../model/address.ts';
import { type Diagnostic, Reporter } from '../model/diagnostic.ts';
import { groupBy } from '../model/graph.ts';
import type { Ledger, LedgerEntry } from '../model/ledger.ts';
import { applyMoves, type Move } from '../model/move.ts';
import {
  collectionId,
  type Desired,
  groupByCollection,
  type Live,
  type LiveResource,
  type Resource,
} from '../model/resource.ts';
import type { RecordedAddresses } from './input.ts';

/** The three states that transfers are found in. */
interface TransferContext {
  desired: Desired;
  live: Live;
  ledger: Ledger;
  kinds: Kinds;
}

/** The ledger and the live objects, with transferred objects at their new addresses. */
interface Transferred extends Pick<TransferContext, 'ledger' | 'live'> {
  /** The moves of ledger entries, including those of earlier steps. */
  moves: Move[];
  /** New addresses of objects under another parent, each with the address that the ledger has. Includes objects that are there already. */
  recordedAddresses: RecordedAddresses;
  /** Objects that are deleted and recreated under another parent, old address to new. Only one of the two can exist at a time. */
  recreatedElsewhere: ReadonlyMap<Address, Address>;
  /** Says why objects cannot be transferred. */
  diagnostics: Diagnostic[];
}

/** An object of this stack that is declared under another parent than the one in which it lies. */
interface TransferCandidate {
  kind: Kind;
  /** The object as it is declared, under the new parent. */
  desired: Resource;
  /** The object as it is, under the current parent. */
  live: LiveResource;
  /** The address of the current parent. */
  parent: Address;
}

/**
 * Gives objects that are declared under another parent (a domain in another project) their new addresses, in the ledger and among the live
 * objects, so that the plan compares each with its new block. Until the platform has moved an object, `LiveResource.transfer` says where it
 * lies. Objects that cannot be moved (`stuck`) keep their addresses, and are deleted and recreated. Called after the account was read.
 */
export function followTransfers(
  { ledger, moves }: { ledger: Ledger; moves: Move[] },
  live: Live,
  { desired, kinds }: Pick<TransferContext, 'desired' | 'kinds'>,
): Transferred {
  const context = { desired, live, ledger, kinds };
  const { candidates, arrived } = findTransferCandidates(context);
  const { movable, stuck, diagnostics } = splitByObstacles(candidates, context);
  const transferMoves = [...movable].map(([from, candidate]) => createMove(from, candidate.desired.address));
  const newMoves = [...arrived, ...transferMoves];
  return {
    ledger: applyMoves(ledger, newMoves),
    moves: [...moves, ...newMoves],
    live: movable.size === 0 ? live : withTransfers(live, movable, kinds),
    recordedAddresses: new Map(newMoves.map(({ from, to }) => [to, from])),
    recreatedElsewhere: new Map([...stuck].map(([from, candidate]) => [from, candidate.desired.address])),
    diagnostics,
  };
}

/** Creates the move of a ledger entry for a transfer, which its own change carries out. */
const createMove = (from: Address, to: Address): Move => ({ from, to, renamedBy: to });

/**
 * Finds the objects that the configuration declares under another parent than before, so that the plan can
 * move them instead of recreating them. `candidates`: by their current addresses, without those in a parent that
 * was replaced outside. `arrived`: objects that are under the new parent already, as the moves of their ledger
 * entries.
 */
function findTransferCandidates(context: TransferContext): {
  candidates: Map<Address, TransferCandidate>;
  arrived: Move[];
} {
  const { live, ledger, kinds } = context;
  const candidates = new Map<Address, TransferCandidate>();
  const arrived: Move[] = [];
  for (const [from, desired] of findRedeclared(context)) {
    const entry = ledger.entries[from]!;
    const isRecorded = (resource: LiveResource | undefined) =>
      resource?.ids.some((id) => entry.ids.includes(id)) ?? false;
    // An object that is at its new address already only needs its ledger entry moved.
    const resource = live.resources.get(from);
    const resourceAtTarget = live.resources.get(desired.address);
    if (!resource && isRecorded(resourceAtTarget)) arrived.push(createMove(from, desired.address));
    if (!resource || resourceAtTarget || resource.alternatives || !isRecorded(resource)) continue;
    const parent = resource.parent!;
    if (isReplacedOutside(parent, context)) continue;
    candidates.set(from, { kind: kinds.get(desired.kind)!, desired, live: resource, parent });
  }
  return { candidates, arrived };
}

/**
 * Returns the recorded addresses that are no longer declared, each with a new block of the same name under
 * another parent: perhaps the author moved a domain to another project. The plan can then transfer the object
 * instead of deleting and recreating it.
 */
function findRedeclared({
  desired,
  ledger,
  kinds,
}: Omit<TransferContext, 'live'>): [from: Address, desired: Resource][] {
  const isUndeclared = ([address, { kind, existing }]: [Address, LedgerEntry]) =>
    canMove(kinds.get(kind)) && !existing && !desired.resources.has(address);
  const undeclared = groupBy(Object.entries(ledger.entries).filter(isUndeclared), ([address, { kind }]) =>
    kindAndName(kind, address),
  );
  if (undeclared.size === 0) return [];
  return [...desired.resources.values()].flatMap((resource) => {
    const { address, kind, meta } = resource;
    if (meta.existing || meta.forget || ledger.entries[address]) return [];
    const entries = undeclared.get(kindAndName(kind, address)) ?? [];
    return entries.map(([from]): [Address, Resource] => [from, resource]);
  });
}

/**
 * Returns a key that is equal for objects of one kind with the same name, under any parent. By it, the plan finds objects that were
 * declared in another project before.
 */
const kindAndName = (kind: string, address: Address): string =>
  `${kind} ${address.slice(address.lastIndexOf('/'))}`;

/** True if the live object at an address has an id that the ledger has for this address. */
const isAsRecorded = (address: Address, { ledger, live }: TransferContext): boolean =>
  ledger.entries[address]?.ids.some((id) => live.resources.get(address)?.ids.includes(id)) ?? false;

/**
 * True if the ledger has an object at an address, and the account has another one there or none. Objects in such a parent are not
 * transferred.
 */
const isReplacedOutside = (address: Address, context: TransferContext): boolean =>
  context.ledger.entries[address] !== undefined && !isAsRecorded(address, context);

/**
 * Returns the addresses of the siblings (objects of the same kind and parent) that an object names, such as
 * the target of a redirecting domain. If the platform moves the object to another project, it moves these
 * together with it, so the plan must want that. The kinds that can be moved name only objects of their own kind
 * in this way (trait `softRef`). With `softOnly`, a DNS name does not count as naming the domains in which it lies.
 */
const siblingsNamedBy = (
  { fields }: Pick<LiveResource, 'fields'>,
  kind: Kind,
  parent: Address,
  kinds: Kinds,
): Address[] => addressesByNameIn(fields, kind, parent, kinds, { softOnly: true });

/**
 * Returns the live objects with those of `movable` at their new addresses, so that they are compared with their new blocks. `transfer` says
 * where each lies now.
 */
function withTransfers(live: Live, movable: ReadonlyMap<Address, TransferCandidate>, kinds: Kinds): Live {
  const resources = new Map(live.resources);
  for (const [from, { desired, live: resource, parent, kind }] of movable) {
    // The platform moves both with one request: this object goes along with the one that it refers to.
    const leader = siblingsNamedBy(resource, kind, parent, kinds).find((address) => movable.has(address));
    const along = leader === undefined ? {} : { with: movable.get(leader)!.desired.address };
    resources.delete(from);
    resources.set(desired.address, {
      ...resource,
      address: desired.address,
      parent: desired.parent!,
      transfer: { from, parent, ...along },
    });
  }
  return { ...live, resources };
}

/**
 * Splits recorded objects that are now declared under another parent into those that the platform can move
 * there (`movable`) and those that it cannot (`stuck`). The plan deletes and recreates the latter, and warns
 * about it. An object may depend on others that move with it, so the check is repeated until no more objects
 * drop out. `candidates`: by the old address.
 */
function splitByObstacles(
  candidates: ReadonlyMap<Address, TransferCandidate>,
  context: TransferContext,
): {
  movable: Map<Address, TransferCandidate>;
  stuck: Map<Address, TransferCandidate>;
  diagnostics: Diagnostic[];
} {
  const movable = new Map(candidates);
  const report = new Reporter();
  for (let sizeBefore = -1; sizeBefore !== movable.size; ) {
    sizeBefore = movable.size;
    for (const [from, candidate] of movable) {
      const obstacle = findTransferObstacle(from, candidate, movable, context);
      if (obstacle === undefined) continue;
      movable.delete(from);
      const { address, at } = candidate.desired;
      const message = `${from} is deleted and recreated as ${address}: it cannot be moved, since ${obstacle}`;
      report.warning('transfer/anew', message, { address, at });
    }
  }
  const stuck = new Map([...candidates].filter(([from]) => !movable.has(from)));
  return { movable, stuck, diagnostics: report.diagnostics };
}

/**
 * Returns why the platform cannot move an object to the parent under which it is declared now, continuing "it
 * cannot be moved, since"; undefined if it can. An object with an obstacle is not moved: the plan warns with
 * this reason, deletes the object and creates it again. `candidates`: the objects that still can move; an
 * object may only move together with those that it is connected with.
 */
function findTransferObstacle(
  from: Address,
  candidate: TransferCandidate,
  candidates: ReadonlyMap<Address, TransferCandidate>,
  context: TransferContext,
): string | undefined {
  const { kind, desired } = candidate;
  // A field that only a creation can set, even if the object has the declared value already.
  const immutableField = Object.keys(desired.fields).find(
    (name) =>
      !kind.key.includes(name) && desired.fields[name] !== null && traitsOf(kind.fields[name]!).immutable,
  );
  if (immutableField !== undefined) return `a move cannot set \`${immutableField}\``;
  const movesToSameParent = (address: Address) => candidates.get(address)?.desired.parent === desired.parent;
  return (
    findStayingTarget(candidate, movesToSameParent, context) ??
    findStayingReferrer(from, candidate, movesToSameParent, context)
  );
}

/**
 * Returns why the platform cannot move an object to another parent, for the warning: a field names a sibling
 * (an object of the same kind and parent) that does not move with it, so that the reference would break or
 * mean another object. Undefined if there is no such field. `movesToSameParent`: true for a sibling that
 * moves to the same parent.
 */
function findStayingTarget(
  { kind, desired, live: resource, parent }: TransferCandidate,
  movesToSameParent: (address: Address) => boolean,
  { desired: { resources }, live, kinds }: TransferContext,
): string | undefined {
  for (const [field, value] of Object.entries(resource.fields))
    for (const target of siblingsNamedBy({ fields: { [field]: value } }, kind, parent, kinds)) {
      if (movesToSameParent(target)) continue;
      // The address that the named sibling has in the new parent, if there is an object of its name.
      const targetInNewParent = desired.parent + target.slice(parent.length);
      const existsThere = resources.has(targetInNewParent) || live.resources.has(targetInNewParent);
      const wouldMeanOther = existsThere && live.resources.has(target);
      // A field that the block declares gets the declared value, so only an undeclared one keeps this name.
      const wouldBreak = !existsThere && desired.fields[field] === undefined;
      if (wouldMeanOther || wouldBreak)
        return `its \`${field}\` names ${target}, which does not move with it`;
    }
  return undefined;
}

/**
 * Returns why the platform cannot move an object to another parent, for the warning: a sibling (an object of
 * the same kind and parent) refers to it, so the platform would move that sibling too, although it is to
 * stay, or although others refer to that sibling in turn. Undefined if there is no such sibling. `from`: the
 * current address of the object. `movesToSameParent`: true for a sibling that moves to the same parent.
 */
function findStayingReferrer(
  from: Address,
  { kind, parent }: TransferCandidate,
  movesToSameParent: (address: Address) => boolean,
  context: TransferContext,
): string | undefined {
  const { desired, live, ledger, kinds } = context;
  const siblings = (groupByCollection(live.resources).get(collectionId(kind.name, parent)) ??
    []) as LiveResource[];
  const referrersOf = (address: Address) =>
    siblings.filter((sibling) => siblingsNamedBy(sibling, kind, parent, kinds).includes(address));
  const isObstacle = (referrer: LiveResource): boolean => {
    // A sibling that moves along must not bring others with it.
    if (movesToSameParent(referrer.address)) return referrersOf(referrer.address).length > 0;
    const declared = desired.resources.get(referrer.address);
    if (!declared) {
      // An undeclared referrer of ours is deleted before the transfer. If its parent is undeclared, too, it stays or is deleted with it.
      const isDeletedBefore = isAsRecorded(referrer.address, context) && desired.resources.has(parent);
      return !isDeletedBefore;
    }
    // A declared referrer of ours may be changed before the transfer so that it no longer refers to the object.
    const isRecorded = ledger.entries[referrer.address] !== undefined;
    const fieldsAfter = { ...referrer.fields, ...declared.fields };
    const stillRefers = siblingsNamedBy({ fields: fieldsAfter }, kind, parent, kinds).includes(from);
    return !isRecorded || stillRefers;
  };
  const obstacle = referrersOf(from).find(isObstacle);
  return obstacle && `${obstacle.address} refers to it and would move along`;
}
