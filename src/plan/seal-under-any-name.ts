/*
 * Seals live objects for code that sees them under other addresses than the plan does.
 *
 * An object may have several addresses: its natural one, that of the ledger, that of the configuration, and one for each unit of a row.
 * They are found by the ids of the object. Some ids are names that are unique only in their parent: each project may have a redirect from
 * `/old`. So the addresses in the same parent count first.
 */
import { sealLive } from '../kind/seal-live.ts';
import { type Address, ancestorsAmong } from '../model/address.ts';
import { addTo, groupBy } from '../model/graph.ts';
import type { Live, LiveResource } from '../model/resource.ts';
import type { PlanInput } from './input.ts';
import { pairUnnamedObjects } from './match-live-objects.ts';

/**
 * Returns the live objects with the values sealed that are not open, for `accept`, `export` and the objects that a run reads. A value is
 * sealed if it is secret under any address of its object.
 */
export const sealUnderAnyName = (input: PlanInput): Live => sealLive(input, createAddressFinder(input)).live;

/**
 * Creates the search for all addresses of a live object: its own first, then those that the account or the ledger has for one of its ids,
 * or for the id of another object of its name (`alternatives`). Used to seal (hide) a value if it is secret under any address of its
 * object. Some ids are unique only in their parent, such as the path of a redirect in a project, so an id can belong to several objects:
 *
 *   | addresses of the kind with the id         | are those of the object                                          |
 *   | ----------------------------------------- | ---------------------------------------------------------------- |
 *   | in its parent                             | yes                                                              |
 *   | in another parent, in the ledger          | if the ledger has the id in no second parent, and not in its own |
 *   | in another parent, only in the account    | no                                                               |
 */
export function createAddressFinder(input: PlanInput): (resource: LiveResource) => Set<Address> {
  const recorded = input.ledger.entries;
  // The live objects under the addresses of the configuration, also those without a name of their own.
  const paired = pairUnnamedObjects(input).live.resources;
  const addresses = listAddressesById(recorded, paired);
  const parentKeyOf = createParentKeyFinder(
    (address) => input.live.resources.get(address) ?? paired.get(address) ?? recorded[address],
  );
  // Some ids have as many addresses as there are parents, so each is grouped only once.
  const groups = new Map<string, IdAddresses>();
  const addressesWithId = ({ address, kind }: LiveResource, id: string): readonly Address[] => {
    const kindAndId = `${kind} ${id}`;
    const candidates = addresses.get(kindAndId) ?? [];
    // If the id has only one address, the parents need no comparison.
    if (candidates.length < 2) return candidates;
    const group = groups.get(kindAndId) ?? groupAddresses(candidates, parentKeyOf, recorded);
    groups.set(kindAndId, group);
    const addressesInParent = group.byParent.get(parentKeyOf(address)) ?? [];
    return [...addressesInParent, ...group.recorded];
  };
  return (resource) => {
    const { address, ids, alternatives = [] } = resource;
    const alternativeIds = alternatives.map(({ id }) => id);
    return new Set([address, ...[...ids, ...alternativeIds].flatMap((id) => addressesWithId(resource, id))]);
  };
}

/**
 * Creates the function which returns a key of the parent of an address: the id of the nearest object around it, because a renamed parent
 * has another address in the ledger than in the account, but one id.
 */
function createParentKeyFinder(
  objectAt: (address: Address) => { ids: readonly string[] } | undefined,
): (address: Address) => string {
  const objects = { has: (address: Address) => objectAt(address) !== undefined };
  return (address) => {
    const above = address.slice(0, address.lastIndexOf('/'));
    const [parent] = ancestorsAmong(above, objects);
    // The last of several recorded ids is the newest.
    return parent === undefined ? above : (objectAt(parent)!.ids.at(-1) ?? parent);
  };
}

/** Groups the addresses with one id by their parents, and finds those of the ledger that are certainly addresses of one object. */
function groupAddresses(
  addresses: readonly Address[],
  parentKeyOf: (address: Address) => string,
  recorded: PlanInput['ledger']['entries'],
): IdAddresses {
  const byParent = groupBy(addresses, parentKeyOf);
  const [recordedGroup = [], ...otherGroups] = [...byParent.values()]
    .map((group) => group.filter((address) => recorded[address]))
    .filter((group) => group.length > 0);
  // In several parents of the ledger, the id belongs to several objects, and nothing shows which one the live one is.
  return { byParent, recorded: otherGroups.length === 0 ? recordedGroup : [] };
}

/** Returns the addresses that the ledger or the account has for each id (`KIND ID`), each once, to find all addresses of an object. */
function listAddressesById(
  recorded: PlanInput['ledger']['entries'],
  liveResources: ReadonlyMap<Address, LiveResource>,
): ReadonlyMap<string, readonly Address[]> {
  const addresses = new Map<string, Address[]>();
  for (const [address, { kind, ids }] of Object.entries(recorded))
    for (const id of ids) addTo(addresses, `${kind} ${id}`, address);
  const isRecorded = (address: Address, kind: string, id: string) =>
    recorded[address]?.kind === kind && recorded[address].ids.includes(id);
  for (const { kind, ids, address } of liveResources.values())
    for (const id of ids) if (!isRecorded(address, kind, id)) addTo(addresses, `${kind} ${id}`, address);
  return addresses;
}

/** The addresses with one id of one kind. */
interface IdAddresses {
  byParent: ReadonlyMap<string, readonly Address[]>;
  /** Those in the ledger, if all of them are in one parent. */
  recorded: readonly Address[];
}
