import { namesOf } from '../kind/define-kind.ts';
import type { Kinds } from '../kind/kind.ts';
import { type Address, addressOf } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { type Diagnostic, problem } from '../model/diagnostic.ts';
import type { Ledger } from '../model/ledger.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
import { addressAfter, type Move, renameInLedger } from '../model/move.ts';
import type { Desired, Live, LiveResource, Resource } from '../model/resource.ts';
import { holesIn, isRef, mapHoles } from '../model/value.ts';
import { mapMembers } from '../model/walk.ts';

/** The ledger with the configuration's names. */
interface Rebased {
  ledger: Ledger;
  /** The renames, in order: the kept ledger follows once they are done. */
  moves: Move[];
  /** New addresses by the old natural ones, for units without an id of their own and for objects that the ledger never knew. */
  aliases: Map<Address, Address>;
  diagnostics: Diagnostic[];
}

/**
 * Follows every `$was`: moves the entry at the old address, and all below it, to the new one. This happens once: if the new address has an
 * entry already, the `$was` is history. Without an old entry, it counts only with `adoptRenamed`.
 */
export function applyRenames(
  ledger: Ledger,
  desired: Desired,
  { adoptRenamed = false, kinds }: { adoptRenamed?: boolean; kinds?: Kinds } = {},
): Rebased {
  const aliases = new Map<Address, Address>();
  const diagnostics: Diagnostic[] = [];
  const moves: Move[] = [];
  let now = ledger;
  // An entry of several units may have one more than under its old name.
  const knownGroups = new Set(
    [...desired.resources.values()]
      .filter(
        ({ address, meta }) =>
          ledger.entries[address] || (meta.was !== undefined && ledger.entries[meta.was]),
      )
      .map(({ group }) => group),
  );
  for (const { address, meta, at, group } of desired.resources.values()) {
    if (meta.was === undefined || now.entries[address]) continue;
    const { was } = meta;
    const move = kinds && renamedPlace(desired.resources.get(address)!, was, { ledger: now, moves }, kinds);
    if (move) {
      moves.push(move);
      now = renameInLedger(now, (old) => addressAfter(old, [move]));
    }
    if (desired.resources.has(was))
      diagnostics.push(
        problem('was/both-declared', `${address} has \`$was\` ${was}, which is also declared`, {
          address,
          at,
          hint:
            desired.resources.get(was)!.meta.was === undefined
              ? 'remove the old block, or the `$was`'
              : `a chain of renames takes one run each, last one first: wait with ${was} until ${address} is renamed`,
        }),
      );
    else if (now.entries[was]) {
      aliases.set(was, address);
      moves.push({ from: was, to: address, by: address });
      now = renameInLedger(now, (old) => addressAfter(old, moves.slice(-1)));
    } else if (adoptRenamed) aliases.set(was, address);
    // Done, where it is to be forgotten: the ledger has neither name any more.
    else if (!meta.forget && (group === undefined || !knownGroups.has(group)))
      diagnostics.push(
        problem('was/unknown', `${address} has \`$was\` ${was}, which this stack never applied`, {
          address,
          at,
          hint: 'correct or remove the `$was`; --adopt-renamed renames an object of that name that is in the account, and never creates one',
        }),
      );
  }
  if (!kinds || moves.length === 0) return { ledger: now, moves, aliases, diagnostics };
  const wanted = namedAfter(desired.resources.values(), { ledger: now, moves }, kinds).filter(
    ({ from }) => !desired.resources.has(from),
  );
  return { ...followed({ ledger: now, moves }, wanted), aliases, diagnostics };
}

/**
 * Reports each `$was` whose old name exists neither in the ledger nor in the account. With `--adopt-renamed` the plan would otherwise
 * create a new object. If `$was` has a typing error, it could also delete the object that the author meant to rename.
 */
export function findUnfoundRenames(
  changes: readonly Change[],
  { resources }: Desired,
  { aliases, moves }: Pick<Rebased, 'aliases' | 'moves'>,
): Diagnostic[] {
  const recorded = new Set(moves.map(({ to }) => to));
  const created = new Set(changes.filter(({ action }) => action === 'create').map(({ address }) => address));
  const isCreated = ({ address }: Resource) => created.has(address);
  const unfound = [...aliases].flatMap(([, address]) => {
    const resource = recorded.has(address) ? undefined : resources.get(address);
    return resource && isCreated(resource) ? resource : [];
  });
  // One entry of the YAML has several units: a unit beside one that is found is new.
  const foundGroups = new Set(
    [...resources.values()]
      .filter((resource) => resource.meta.was !== undefined && !isCreated(resource))
      .map(({ group }) => group),
  );
  return unfound
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
 * Does the same for found objects that nobody wants any more. A name made from a reference changes with the target; the ledger still knows
 * the object by its id.
 */
export function applyRenamesOfLive(
  rebased: Pick<Rebased, 'ledger' | 'moves'>,
  live: Live,
  kinds: Kinds,
): Pick<Rebased, 'ledger' | 'moves'> {
  if (rebased.moves.length === 0) return rebased;
  const { entries } = rebased.ledger;
  const isSame = ({ from, to }: Move) =>
    !live.resources.has(from) && live.resources.get(to)!.ids.some((id) => entries[from]!.ids.includes(id));
  return followed(rebased, namedAfter(live.resources.values(), rebased, kinds).filter(isSame));
}

/**
 * The move of the entry that `was` means, if only its place was renamed so far. A custom environment is part of the address of its
 * variables: if both get other names in one plan, `was` has the new name of the environment, and the ledger still has the old one.
 */
function renamedPlace(
  resource: Resource,
  was: Address,
  rebased: Pick<Rebased, 'ledger' | 'moves'>,
  kinds: Kinds,
): Move | undefined {
  const [earlier] = namedAfter([resource], rebased, kinds, (from) => withPlaceOf(from, was));
  return earlier && { ...earlier, to: was };
}

/** The address `to` with the place of the unit `from`: `env/A@production` with the place of `env/B@preview` is `env/A@preview`. */
const withPlaceOf = (from: Address, to: Address): Address =>
  addressWithoutTarget(to) + from.slice(addressWithoutTarget(from).length);

/**
 * The moves of entries whose names are made from references to objects that were moved. `recordedAs` turns the name that an object had
 * before those moves into the one in the ledger.
 */
function namedAfter(
  objects: Iterable<Resource | LiveResource>,
  { ledger: { entries }, moves }: Pick<Rebased, 'ledger' | 'moves'>,
  kinds: Kinds,
  recordedAs = (from: Address): Address => from,
): Move[] {
  const oldOf = new Map(moves.map(({ from, to }) => [to, from]));
  return [...objects].flatMap(({ address, kind: name, parent, fields }) => {
    if (entries[address]) return [];
    const by = holesIn(fields).find((hole) => isRef(hole) && oldOf.has(hole.$ref));
    if (!by || !isRef(by)) return [];
    const kind = kinds.get(name)!;
    const before = mapMembers(fields, (value) =>
      mapHoles(value, (hole) => (isRef(hole) ? { ...hole, $ref: oldOf.get(hole.$ref) ?? hole.$ref } : hole)),
    ) as typeof fields;
    const from = recordedAs(addressOf(parent, kind.section, namesOf(kind, before)));
    return entries[from] ? [{ from, to: address, by: by.$ref }] : [];
  });
}

const followed = ({ ledger, moves }: Pick<Rebased, 'ledger' | 'moves'>, more: Move[]) => ({
  ledger: more.length === 0 ? ledger : renameInLedger(ledger, (old) => addressAfter(old, more)),
  moves: [...moves, ...more],
});
