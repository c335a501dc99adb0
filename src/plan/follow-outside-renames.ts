/**
 * Follows renames that somebody made in the account and then repeated in the configuration, without a `$was`.
 *
 * Terms: the recorded address of a live object is the one that the ledger has for its id. Its current address is made of the names that the
 * account shows now. A current address may contain the name of another object, as that of a variable in a custom environment does, so it
 * changes with that name as well.
 *
 *   recorded   current    configuration   result
 *   A          B          B               A becomes B
 *   A, B       B, C       B, C            B becomes C, and A becomes B
 *   A          B          C, `$was: B`    A becomes C, and the plan renames the object from B to C
 *   A, B       B, A       A, B            nothing: the plan reverts both renames
 *   A          B          A, B            nothing: the plan reverts the rename and creates B
 *
 * An object with child objects is not followed, since its children were read below its recorded address. The plan asks for a `$was`
 * instead.
 */
import { childKinds, naturalAddressOf } from '../kind/define-kind.ts';
import type { Kinds } from '../kind/kind.ts';
import { type Address, indexByAddress } from '../model/address.ts';
import { groupBy } from '../model/graph.ts';
import type { Ledger } from '../model/ledger.ts';
import { renameInLedger } from '../model/move.ts';
import type { Desired, Live, LiveResource } from '../model/resource.ts';
import { type Fields, mapRefs, refsIn } from '../model/value.ts';
import type { RecordedAddresses } from './input.ts';

/** The parts of the plan input in which a followed rename shows. */
interface FollowInput {
  desired: Desired;
  live: Live;
  ledger: Ledger;
  kinds: Kinds;
}

/** New addresses by old ones: the recorded addresses of the objects that are followed, each with the address that the object gets. */
type AddressMap = ReadonlyMap<Address, Address>;

/**
 * The most references that lead from one object's name to the next: a variable is named after its environment, and an environment after
 * nothing.
 */
const maxRenameDepth = 3;

/**
 * Finds renames that somebody made both in the account and in the configuration, and returns live objects and
 * ledger with the new addresses. Used by each plan after the account was read; otherwise it would delete the
 * object under the old name and create another one. `recordedAddresses`: the old addresses by the new ones, so
 * that the plan can say "renamed from". The search is repeated because the name of an object may be part of the
 * names of others.
 */
export function followOutsideRenames(input: FollowInput): Pick<FollowInput, 'live' | 'ledger'> & {
  recordedAddresses: RecordedAddresses;
} {
  let followed: AddressMap = new Map();
  for (let depth = 0; depth < maxRenameDepth; depth++) {
    const next = findFollowed(input, followed);
    const isSettled =
      next.size === followed.size && [...next].every(([from, to]) => followed.get(from) === to);
    followed = next;
    if (isSettled) break;
  }
  const { live, ledger, kinds } = input;
  if (followed.size === 0) return { live, ledger, recordedAddresses: new Map() };
  const resources = [...live.resources.values()].map((object) => followObject(object, followed, kinds));
  return {
    live: { ...live, resources: indexByAddress(resources) },
    ledger: renameInLedger(withoutReplaced(ledger, followed), (address) => followed.get(address) ?? address),
    recordedAddresses: new Map(
      [...followed].flatMap(([from, to]) => (ledger.entries[from] ? [[to, from]] : [])),
    ),
  };
}

/**
 * Finds the objects that somebody renamed in the account and that the configuration declares under their new names, so that the plan
 * follows the rename instead of reverting it. Returns the new addresses by the old ones. A chain of renames (A became B, and B became C) is
 * followed as a whole or not at all. `references`: the addresses that were found to change so far, because the name of an object may
 * contain that of another one. Called again with its own result until that stays the same, at most `maxRenameDepth` times.
 */
function findFollowed(input: FollowInput, references: AddressMap): AddressMap {
  const { desired, live } = input;
  const targets = findNewAddresses(input, references);
  // A chain begins with an address that no block declares any more. The other addresses of `targets` are links in one, or in a circle.
  const chains = [...targets.keys()]
    .filter((address) => !desired.resources.has(address))
    .map((address) => chainFrom(address, targets));
  // A chain is followed only if no two objects get the same address and its last address is free.
  const sources = groupBy(targets, ([, target]) => target);
  const isUnambiguous = (chain: [Address, Address][]) =>
    chain.every(([, target]) => sources.get(target)!.length === 1) && !live.resources.has(chain.at(-1)![1]);
  return new Map(chains.filter(isUnambiguous).flat());
}

/**
 * Returns the new address of each object of ours that somebody renamed in the account, by its recorded one: the address that its present
 * name makes if a block declares it, else the one to which the configuration renames it once more (`$was`). Objects without either stay. An
 * object of others follows the objects in its name. `references`: addresses that are known to change, because a name may contain that of
 * another object.
 */
function findNewAddresses(
  { desired, live, ledger, kinds }: FollowInput,
  references: AddressMap,
): Map<Address, Address> {
  // The declared address by the old one (`$was`), for objects that the configuration renames once more.
  const renamedHere = new Map(
    [...desired.resources.values()].flatMap(({ address, meta: { was } }) =>
      was === undefined || ledger.entries[address] ? [] : [[was, address] as const],
    ),
  );
  const targets = new Map<Address, Address>();
  for (const object of live.resources.values()) {
    // An object whose name others have too is uncertain. The child objects of an object were read below its recorded address.
    if (object.alternatives || childKinds(kinds, object.kind).length > 0) continue;
    const address = currentAddress(object, references, kinds);
    // The ledger has no name of an object of others, so its current one is followed without a block.
    const isOurs = ledger.entries[object.address] !== undefined || object.renamedTo !== undefined;
    const isFollowed = !isOurs || desired.resources.has(address);
    const target = isFollowed ? address : renamedHere.get(address);
    if (target !== undefined && target !== object.address) targets.set(object.address, target);
  }
  return targets;
}

/**
 * Returns a chain of renames (A to B, B to C), beginning with the one away from `start`, as pairs of old and new address. Each rename but
 * the last needs the next one to free its name, so the plan follows all of them or none. In a circle of renames, each is returned once.
 * `targets`: new addresses by old ones (`findNewAddresses`).
 */
function chainFrom(start: Address, targets: AddressMap): [from: Address, to: Address][] {
  const chain: [Address, Address][] = [];
  const passed = new Set<Address>();
  for (let from = start; targets.has(from) && !passed.has(from); from = targets.get(from)!) {
    passed.add(from);
    chain.push([from, targets.get(from)!]);
  }
  return chain;
}

/**
 * Returns the address that the names in the account now give to an object, so that a plan can follow its rename there instead of recreating
 * it. `references`: new addresses of objects that its name may contain.
 */
function currentAddress(object: LiveResource, references: AddressMap, kinds: Kinds): Address {
  const { address, renamedTo, parent, fields, kind } = object;
  // `renamedTo`: the address that the name in the account makes, if the ledger has the object under another one.
  if (!fieldsReferToAny(fields, references)) return renamedTo ?? address;
  return naturalAddressOf(kinds.get(kind)!, parent, withReferences(fields, references));
}

const fieldsReferToAny = (fields: Fields, addresses: AddressMap): boolean =>
  addresses.size > 0 && refsIn(fields).some((address) => addresses.has(address));

const withReferences = (fields: Fields, references: AddressMap): Fields =>
  mapRefs(fields, (address) => references.get(address) ?? address);

/**
 * Returns a live object at its new address, after a rename in the account that the configuration repeats, and
 * with the new addresses of the objects that it refers to. An object whose account name still differs from
 * its new address keeps that name in `renamedTo`, so that the plan renames it. `followed`: new addresses by
 * old ones.
 */
function followObject(object: LiveResource, followed: AddressMap, kinds: Kinds): LiveResource {
  const target = followed.get(object.address);
  const isReferring = fieldsReferToAny(object.fields, followed);
  if (target === undefined && !isReferring) return object;
  // The address that the names in the account make now.
  const accountAddress = currentAddress(object, followed, kinds);
  const { renamedTo, ...members } = object;
  const address = target ?? object.address;
  // An object that is not followed, and only refers to one that is, stays renamed if it was.
  const isStillRenamed = target === undefined ? renamedTo !== undefined : accountAddress !== target;
  return {
    ...members,
    address,
    fields: withReferences(object.fields, followed),
    rows: object.rows?.map((row) => ({ ...row, fields: withReferences(row.fields, followed) })),
    alternatives: object.alternatives?.map((alternative) => followObject(alternative, followed, kinds)),
    renamedTo: isStillRenamed ? accountAddress : undefined,
  };
}

/**
 * Returns the ledger without the entries at addresses that a renamed object takes, unless their own object is renamed as well. Their
 * objects are gone, because `findFollowed` follows a rename only to a free address. Used before the ledger follows renames in the account:
 * an address can have only one entry.
 */
function withoutReplaced(ledger: Ledger, followed: AddressMap): Ledger {
  const targets = new Set(followed.values());
  const isReplaced = (address: Address) => targets.has(address) && !followed.has(address);
  return {
    ...ledger,
    entries: Object.fromEntries(Object.entries(ledger.entries).filter(([address]) => !isReplaced(address))),
  };
}
