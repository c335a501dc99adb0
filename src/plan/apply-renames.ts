/*
 * Follows the renames that the configuration asks for with `$was`.
 *
 * Terms: a move takes the ledger's entry at one address, and all entries below it, to another address. A name may contain a reference, as that of a
 * variable in a custom environment does, so it changes with the address of the referenced object; such an entry is moved as well. An alias is the
 * old natural address of an object that the account still has under its old name; reading finds the object by it.
 *
 *   | ledger entry at            | the block with `$was`                                                             |
 *   | -------------------------- | --------------------------------------------------------------------------------- |
 *   | the new address            | is history: nothing happens                                                       |
 *   | the old address            | moves the entry, and has an alias; an error if the old address is declared as well |
 *   | neither                    | has an alias with `--adopt-renamed`, otherwise an error                           |
 *
 * An intent (a creation that the ledger announces) counts like an entry. A rename that also replaces the object deletes the old one first, and
 * if the run ends there, the ledger has only the intent, at the old address.
 */
import { naturalAddressOf } from '../kind/define-kind.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { type Diagnostic, problem, Reporter } from '../model/diagnostic.ts';
import type { Ledger } from '../model/ledger.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
import { applyMoves, type Move } from '../model/move.ts';
import type { Desired, Live, LiveResource, Resource } from '../model/resource.ts';
import { mapRefs, refsIn } from '../model/value.ts';

/** The ledger with the addresses of the configuration. */
interface Rebased {
  ledger: Ledger;
  /** The moves, in order. The stored ledger follows each move once the request of the rename is done. */
  moves: Move[];
  /** New addresses by old ones, for objects that the account still has under the old name. */
  aliases: Map<Address, Address>;
  diagnostics: Diagnostic[];
}

/**
 * Applies every `$was` (the old name of a renamed block) to the ledger: its entries move to the new
 * addresses. Called before the account is read, so that recorded objects are compared with the blocks that
 * mean them. `aliases` has new addresses by old ones, for objects that the account still has under the old
 * name; with `--adopt-renamed` also for those that the ledger does not have. Reports a `$was` whose old name
 * is declared as well, or is not in the ledger. Entries whose names contain a reference to a renamed object
 * are moved too, if `kinds` is given.
 */
export function applyRenames(
  ledger: Ledger,
  desired: Desired,
  { adoptRenamed = false, kinds }: { adoptRenamed?: boolean; kinds?: Kinds } = {},
): Rebased {
  const aliases = new Map<Address, Address>();
  const report = new Reporter();
  const { diagnostics } = report;
  let rebased: RenamedLedger = { ledger, moves: [] };
  const recordedGroups = findRecordedGroups(ledger, desired);
  for (const resource of desired.resources.values()) {
    const { address, meta, group } = resource;
    const { was } = meta;
    // A new address in the ledger means that the rename is done.
    if (was === undefined || rebased.ledger.entries[address]) continue;
    // For `$was` in a custom environment that is renamed, too: the entry gets that environment's new name first.
    const moveOfTarget = kinds && findMoveOfTarget(resource, was, rebased, kinds);
    if (moveOfTarget) rebased = withMoves(rebased, [moveOfTarget]);
    // `begun` has the creations that an interrupted run announced.
    if (desired.resources.has(was)) report.add(createBothDeclaredProblem(resource, was, desired));
    else if (rebased.ledger.entries[was] || rebased.ledger.begun?.[was]) {
      aliases.set(was, address);
      rebased = withMoves(rebased, [{ from: was, to: address, renamedBy: address }]);
    } else if (adoptRenamed) aliases.set(was, address);
    else if (group === undefined || !recordedGroups.has(group))
      report.add(createUnknownProblem(resource, was));
  }
  if (!kinds || rebased.moves.length === 0) return { ...rebased, aliases, diagnostics };
  const followingMoves = findFollowingMoves(desired.resources.values(), rebased, kinds).filter(
    ({ from }) => !desired.resources.has(from),
  );
  return { ...withMoves(rebased, followingMoves), aliases, diagnostics };
}

/** A ledger, with the moves that it has followed. */
type RenamedLedger = Pick<Rebased, 'ledger' | 'moves'>;

/** Returns a ledger after further moves. All of them start from the addresses that the ledger has now, so they are applied together. */
const withMoves = ({ ledger, moves }: RenamedLedger, newMoves: Move[]): RenamedLedger => ({
  ledger: applyMoves(ledger, newMoves),
  moves: [...moves, ...newMoves],
});

/**
 * Returns the groups of declared objects that the ledger has at least one object of. A group is what one
 * block of the YAML declares, such as a variable in several targets. Used to report a `$was` (old name) that
 * the ledger does not have, except for a further target of a recorded block: it is new, so it has no old
 * name.
 */
const findRecordedGroups = ({ entries }: Ledger, { resources }: Desired): Set<Resource['group']> =>
  new Set(
    [...resources.values()]
      .filter(({ address, meta }) => entries[address] || (meta.was !== undefined && entries[meta.was]))
      .map(({ group }) => group),
  );

/** Creates the problem that a `$was` names an address that another block declares: the recorded object cannot belong to both blocks. */
const createBothDeclaredProblem = (
  { address, at }: Resource,
  was: Address,
  { resources }: Desired,
): Diagnostic =>
  problem('was/both-declared', `${address} has \`$was\` ${was}, which is also declared`, {
    address,
    at,
    hint:
      resources.get(was)!.meta.was === undefined
        ? 'remove the old block, or the `$was`'
        : `a chain of renames takes one run each, last one first: wait with ${was} until ${address} is renamed`,
  });

/**
 * Creates the problem that a block says with `$was` that it renames an object, but the ledger has no object of that name, often because of a typing
 * error.
 */
const createUnknownProblem = ({ address, at }: Resource, was: Address): Diagnostic =>
  problem('was/unknown', `${address} has \`$was\` ${was}, which this stack never applied`, {
    address,
    at,
    hint: 'correct or remove the `$was`; --adopt-renamed renames an object of that name that is in the account, and never creates one',
  });

/**
 * Returns a problem for each `$was` (the old name of a renamed block) that exists neither in the ledger nor in the account. With
 * `--adopt-renamed` the plan would otherwise create a new object. After a typing error, it could also delete the object that the author
 * meant to rename.
 */
export function findUnfoundRenames(
  changes: readonly Change[],
  { resources }: Desired,
  { aliases, moves }: Pick<Rebased, 'aliases' | 'moves'>,
): Diagnostic[] {
  const recordedAddresses = new Set(moves.map(({ to }) => to));
  const created = new Set(changes.filter(({ action }) => action === 'create').map(({ address }) => address));
  const isCreated = ({ address }: Resource) => created.has(address);
  const unfoundResources = [...aliases].flatMap(([, address]) => {
    const resource = recordedAddresses.has(address) ? undefined : resources.get(address);
    return resource && isCreated(resource) ? resource : [];
  });
  // An entry of the YAML can have several units. If one of them was found, the others are new.
  const foundGroups = new Set(
    [...resources.values()]
      .filter((resource) => resource.meta.was !== undefined && !isCreated(resource))
      .map(({ group }) => group),
  );
  return unfoundResources
    .filter(({ group }) => group === undefined || !foundGroups.has(group))
    .map(({ address, at, meta: { was } }) =>
      problem('was/unfound', `${address} has \`$was\` ${was}, and the account has no such object`, {
        address,
        at,
        hint: 'correct the name, or remove the `$was` to create a new object',
      }),
    );
}

/**
 * Returns the ledger with the entries of undeclared live objects moved as well, if their names contain a reference to a renamed object.
 * Otherwise such an object would count as new. Called after the account was read.
 */
export function applyRenamesOfLive(rebased: RenamedLedger, live: Live, kinds: Kinds): RenamedLedger {
  if (rebased.moves.length === 0) return rebased;
  const { entries } = rebased.ledger;
  const isSameObject = ({ from, to }: Move) =>
    !live.resources.has(from) && live.resources.get(to)!.ids.some((id) => entries[from]!.ids.includes(id));
  return withMoves(rebased, findFollowingMoves(live.resources.values(), rebased, kinds).filter(isSameObject));
}

/**
 * Returns the move of a ledger entry if one plan renames both a variable and the custom environment that it is in,
 * its target. For example, `env/A@dev` becomes `env/B@test`. Its block has the new environment and the `$was` of the
 * variable, so `was` is `env/A@test`, which the ledger does not have. The move is from the recorded `env/A@dev` to
 * `was`, so that `$was` then finds the entry. Undefined if no entry fits.
 */
function findMoveOfTarget(
  resource: Resource,
  was: Address,
  rebased: RenamedLedger,
  kinds: Kinds,
): Move | undefined {
  // Only the environment is renamed back, from `env/B@test` to `env/B@dev`, so the variable gets its old name here.
  const recordedAs = (from: Address) => withTargetOf(from, was);
  const [move] = findFollowingMoves([resource], rebased, kinds, recordedAs);
  return move && { ...move, to: was };
}

/**
 * Returns the address `to` with the target (environment) of the address `from`, for a `$was` in a renamed environment:
 * `env/A@production` with the target of `env/B@preview` is `env/A@preview`.
 */
const withTargetOf = (from: Address, to: Address): Address =>
  addressWithoutTarget(to) + from.slice(addressWithoutTarget(from).length);

/**
 * Returns the moves of ledger entries whose addresses contain the name of a renamed object, such as a variable of a renamed custom environment, so
 * that the plan does not delete and recreate them. `recordedAs`: turns the address that an object had before those renames into its address in the
 * ledger.
 */
function findFollowingMoves(
  objects: Iterable<Resource | LiveResource>,
  { ledger: { entries }, moves }: RenamedLedger,
  kinds: Kinds,
  recordedAs = (from: Address): Address => from,
): Move[] {
  const oldAddresses = new Map(moves.map(({ from, to }) => [to, from]));
  return [...objects].flatMap(({ address, kind: name, parent, fields }) => {
    // The entry of the object is at its present address already.
    if (entries[address]) return [];
    const movedTarget = refsIn(fields).find((target) => oldAddresses.has(target));
    if (movedTarget === undefined) return [];
    // The address in the ledger is made of the fields with the old names.
    const oldFields = mapRefs(fields, (target) => oldAddresses.get(target) ?? target);
    const from = recordedAs(naturalAddressOf(kinds.get(name)!, parent, oldFields));
    return entries[from] ? [{ from, to: address, renamedBy: movedTarget }] : [];
  });
}
