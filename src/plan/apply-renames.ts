/*
 * Follows the renames that the configuration asks for with `$was`.
 *
 * Terms: a move takes the ledger's entry at one address, and all entries below it, to another address. A name may contain a reference, as
 * that of a variable in a custom environment does, so it changes with the address of the referenced object; such an entry is moved as well.
 * An alias is the old natural address of an object that the account still has under its old name; reading finds the object by it.
 *
 *   | ledger entry at            | the block with `$was`                                                             |
 *   | -------------------------- | --------------------------------------------------------------------------------- |
 *   | the new address, or there  | is history: nothing happens                                                       |
 *   | with the old name of a     |                                                                                   |
 *   | renamed environment        |                                                                                   |
 *   | the old address            | moves the entry, and has an alias; an error if the old address is declared as well |
 *   | neither                    | has an alias with `--adopt-renamed`, otherwise an error                           |
 *
 * An intent (a creation that the ledger announces) counts like an entry. A rename that also replaces the object deletes the old one first,
 * and if the run ends there, the ledger has only the intent, at the old address.
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

/** The result of applying every `$was`: the ledger with the addresses of the configuration. */
interface AppliedRenames {
  ledger: Ledger;
  /** The moves, in order. The stored ledger follows each move once the request of the rename is done. */
  moves: Move[];
  /** New addresses by old ones, for objects that the account still has under the old name. */
  aliases: Map<Address, Address>;
  diagnostics: Diagnostic[];
}

/**
 * Applies every `$was` (the old name of a renamed block) to the ledger: entries move to the new addresses, and with `kinds` also the
 * entries whose names contain a renamed object. Called before the account is read, so that a rename is not planned as a deletion and a
 * creation. `aliases`: new addresses by old ones, by which reading finds objects under their old names. Reports a `$was` whose old name
 * is declared as well or, without `adoptRenamed`, is not in the ledger.
 */
export function applyRenames(
  ledger: Ledger,
  desired: Desired,
  { adoptRenamed = false, kinds }: { adoptRenamed?: boolean; kinds?: Kinds } = {},
): AppliedRenames {
  const aliases = new Map<Address, Address>();
  const report = new Reporter();
  let renamed: RenamedLedger = { ledger, moves: [] };
  const recordedGroups = findRecordedGroups(ledger, desired);
  for (const resource of desired.resources.values()) {
    const { address, meta, group } = resource;
    const { was } = meta;
    if (was === undefined || isRecordedUnderNewName(resource, desired, renamed, kinds)) continue;
    if (desired.resources.has(was)) {
      report.add(createBothDeclaredProblem(resource, was, desired));
      continue;
    }
    // If the custom environment of a variable is renamed as well, the entry gets the environment's new name first.
    const moveOfTarget = kinds && findMoveOfTarget(resource, was, renamed, kinds);
    if (moveOfTarget) renamed = withMoves(renamed, [moveOfTarget]);
    // `begun` has the creations that an interrupted run announced.
    const isRecorded = renamed.ledger.entries[was] ?? renamed.ledger.begun?.[was];
    if (isRecorded) renamed = withMoves(renamed, [{ from: was, to: address, renamedBy: address }]);
    // If the ledger has the variable of a block in other targets, this target was added to the block, and has no old name.
    const isAddedTarget = group !== undefined && recordedGroups.has(group);
    if (isRecorded || adoptRenamed) aliases.set(was, address);
    else if (!isAddedTarget) report.add(createUnknownProblem(resource, was));
  }
  const { diagnostics } = report;
  if (!kinds || renamed.moves.length === 0) return { ...renamed, aliases, diagnostics };
  const followingMoves = findMovesToBlocks(desired.resources.values(), desired, renamed, kinds);
  return { ...withMoves(renamed, followingMoves), aliases, diagnostics };
}

/**
 * True if the ledger has the object of a block with `$was` under its new name, so that an earlier run has renamed it. Its entry may still
 * have the old name of a custom environment that this plan renames, such as `env/B@dev` for the block `env/B@test`.
 */
const isRecordedUnderNewName = (
  resource: Resource,
  desired: Desired,
  renamed: RenamedLedger,
  kinds: Kinds | undefined,
): boolean =>
  renamed.ledger.entries[resource.address] !== undefined ||
  (kinds !== undefined && findMovesToBlocks([resource], desired, renamed, kinds).length > 0);

/**
 * Returns the moves of ledger entries to blocks whose addresses contain the name of a renamed object. Not from an address that is still
 * declared, because its entry belongs to the block there.
 */
const findMovesToBlocks = (
  blocks: Iterable<Resource>,
  { resources }: Desired,
  renamed: RenamedLedger,
  kinds: Kinds,
): Move[] => findFollowingMoves(blocks, renamed, kinds).filter(({ from }) => !resources.has(from));

/** A ledger, with the moves that it has followed. */
type RenamedLedger = Pick<AppliedRenames, 'ledger' | 'moves'>;

/** Returns a ledger after further moves. All of them start from the addresses that the ledger has now, so they are applied together. */
const withMoves = ({ ledger, moves }: RenamedLedger, newMoves: Move[]): RenamedLedger => ({
  ledger: applyMoves(ledger, newMoves),
  moves: [...moves, ...newMoves],
});

/**
 * Returns the groups with an object that the ledger has, at its address or at its old one (`$was`). A group has all objects that one block
 * of the YAML declares, such as a variable in several targets. If the user adds a target to a renamed variable, its `$was` is no error
 * although the ledger lacks it there: the group was found.
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
 * Creates the problem that a block says with `$was` that it renames an object, but the ledger has no object of that name, often because of
 * a typing error.
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
 * meant to rename. `aliases`: the new addresses of all renames, by the old ones. `moves`: the renames that the ledger followed.
 */
export function findUnfoundRenames(
  changes: readonly Change[],
  { resources }: Desired,
  { aliases, moves }: Pick<AppliedRenames, 'aliases' | 'moves'>,
): Diagnostic[] {
  const foundInLedger = new Set(moves.map(({ to }) => to));
  const created = new Set(changes.filter(({ action }) => action === 'create').map(({ address }) => address));
  const isFound = ({ address, meta }: Resource) => meta.was !== undefined && !created.has(address);
  // A block of the YAML can declare several objects (`group`). If one of them was found, the others are new.
  const foundGroups = new Set([...resources.values()].filter(isFound).map(({ group }) => group));
  const isInFoundGroup = ({ group }: Resource) => group !== undefined && foundGroups.has(group);
  return [...aliases.values()].flatMap((address) => {
    const resource = resources.get(address);
    const isUnfound = resource && created.has(address) && !foundInLedger.has(address);
    if (!isUnfound || isInFoundGroup(resource)) return [];
    return problem(
      'was/unfound',
      `${address} has \`$was\` ${resource.meta.was}, and the account has no such object`,
      {
        address,
        at: resource.at,
        hint: 'correct the name, or remove the `$was` to create a new object',
      },
    );
  });
}

/**
 * Moves the ledger entries of objects without a block, which `applyRenames` cannot find. Called after the account was read. The address of
 * an object may contain the name of a renamed one: that of a variable contains its custom environment. The account then shows the object
 * at an address with the new name, while its entry has the old name. Without the move, the object would not count as ours.
 */
export function applyRenamesOfLive(renamed: RenamedLedger, live: Live, kinds: Kinds): RenamedLedger {
  if (renamed.moves.length === 0) return renamed;
  // `findFollowingMoves` returns moves from an address with an entry to the address of a live object.
  const isSameObject = ({ from, to }: Move) => {
    const entry = renamed.ledger.entries[from]!;
    const object = live.resources.get(to)!;
    return !live.resources.has(from) && object.ids.some((id) => entry.ids.includes(id));
  };
  const followingMoves = findFollowingMoves(live.resources.values(), renamed, kinds);
  return withMoves(renamed, followingMoves.filter(isSameObject));
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
  renamed: RenamedLedger,
  kinds: Kinds,
): Move | undefined {
  // `findFollowingMoves` only gives the environment its old name: `env/B@test` becomes `env/B@dev`. The ledger has `env/A@dev`.
  const toRecordedAddress = (address: Address) => withTargetOf(address, was);
  const [move] = findFollowingMoves([resource], renamed, kinds, toRecordedAddress);
  return move && { ...move, to: was };
}

/**
 * Returns the address `to` with the target (environment) of the address `from`, for a `$was` in a renamed environment:
 * `env/A@production` with the target of `env/B@preview` is `env/A@preview`.
 */
const withTargetOf = (from: Address, to: Address): Address =>
  addressWithoutTarget(to) + from.slice(addressWithoutTarget(from).length);

/**
 * Returns the moves of ledger entries whose addresses contain the name of a renamed object, such as a variable of a renamed custom
 * environment, so that the plan does not delete and recreate them. `toRecordedAddress`: turns the address that an object had before those
 * renames into its address in the ledger; needed if the object itself is renamed as well.
 */
function findFollowingMoves(
  objects: Iterable<Resource | LiveResource>,
  { ledger: { entries }, moves }: RenamedLedger,
  kinds: Kinds,
  toRecordedAddress = (address: Address): Address => address,
): Move[] {
  const oldAddresses = new Map(moves.map(({ from, to }) => [to, from]));
  return [...objects].flatMap(({ address, kind: name, parent, fields }) => {
    // The entry of the object is at its present address already.
    if (entries[address]) return [];
    const movedTarget = refsIn(fields).find((target) => oldAddresses.has(target));
    if (movedTarget === undefined) return [];
    // The address in the ledger is made of the fields with the old names.
    const oldFields = mapRefs(fields, (target) => oldAddresses.get(target) ?? target);
    const from = toRecordedAddress(naturalAddressOf(kinds.get(name)!, parent, oldFields));
    return entries[from] ? [{ from, to: address, renamedBy: movedTarget }] : [];
  });
}
