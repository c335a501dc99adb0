/**
 * Decides the address of each live object of a collection.
 *
 * Terms: the natural address of an object is the one that its current name makes. A row is one object of the platform. A unit is what the
 * configuration declares: for most kinds the row itself, for some kinds a part of it (an environment variable in one of its targets). A
 * row position is the place of a unit in its row, for example `@production`; see `Shape.rowPositionsOf`.
 *
 * Premise: an object that was renamed in the account is still ours, so it keeps the address of its ledger entry. The first line that
 * applies decides:
 *
 *   | object                                                   | address                         |
 *   | -------------------------------------------------------- | ------------------------------- |
 *   | the ledger has its id under its natural address          | the natural address             |
 *   | the ledger has its id under another address              | that address (`renamedTo` set)  |
 *   | a unit that the ledger lacks, alone in its place, and    | the address of the missing unit |
 *   |   the ledger has one missing unit of this row there      |                                 |
 *   | `$was` renames its natural address (an alias)            | the new address                 |
 *   | any other                                                | the natural address             |
 *   | the unit of a row that lost all its places               | all recorded addresses of the   |
 *   |   (`Shape.units`)                                        |   row that no other object has  |
 *
 * An alias does not count if the ledger has a set of rows at the new address: then only rows with a recorded id belong to that set.
 */
import { isSingleton, naturalAddressOf } from '../kind/define-kind.ts';
import type { Kind } from '../kind/kind.ts';
import { addressesByName, underOwnName } from '../kind/other-names.ts';
import { type Address, lastNameOf } from '../model/address.ts';
import { addTo, groupBy } from '../model/graph.ts';
import type { Ledger, LedgerEntry } from '../model/ledger.ts';
import type { LiveResource } from '../model/resource.ts';

/** Finds the address under which the ledger has a live object of one collection. */
interface RecordedAddressFinder {
  /** Returns the recorded address; undefined if the ledger does not have the object. `natural` tells the units of one row apart. */
  addressOf(id: string, natural: Address): Address | undefined;
  /** True if the ledger has the id in this collection. */
  hasId(id: string): boolean;
}

/** Finds the ledger entries of a live object of one collection. */
interface RecordedIdIndex extends RecordedAddressFinder {
  /** Returns all addresses at which the ledger has the id: several for a row with several units. */
  addressesOf(id: string): readonly Address[];
}

/**
 * Finds recorded addresses by the ids that the platform gives, so that an object that was renamed in the
 * account keeps its address. For kinds whose objects have an id each; a variable that shares its id with its
 * other targets needs `indexRecordedUnits`. `addresses`: the addresses in the list that the configuration or
 * the ledger mentions. `natural` in the result: the address that the object's present name makes.
 */
export function indexRecordedAddresses(
  ledger: Ledger,
  kind: Kind,
  addresses: Iterable<Address>,
): RecordedIdIndex {
  const addressesById = new Map<string, Address[]>();
  // A singleton has no id of its own.
  for (const address of isSingleton(kind) ? [] : addresses) {
    const entry = ledger.entries[address];
    if (entry?.kind === kind.name) for (const id of entry.ids) addTo(addressesById, id, address);
  }
  return {
    addressOf: (id, natural) =>
      // Two sets of DNS records may both have recorded the id of a row. It belongs to the set with its name, or else to the last one.
      hasIdAt(ledger, natural, id) ? natural : addressesById.get(id)?.at(-1),
    hasId: (id) => addressesById.has(id),
    addressesOf: (id) => addressesById.get(id) ?? [],
  };
}

/** A unit of a row, with the address that its name makes. */
interface NaturalUnit {
  id: string;
  natural: Address;
}

/** A unit of a row, with the address of its ledger entry. */
interface RecordedUnit {
  id: string;
  address: Address;
}

/**
 * Finds recorded addresses for kinds whose rows have several units (a variable with several targets). The id of a row does not tell its
 * units apart, so the target shows which recorded unit a renamed one is. Otherwise the plan would delete and recreate it. `addresses`:
 * those in the list that the configuration or the ledger mentions. `units`: the live ones, with the addresses that their current names
 * make (`natural`). `hasId` helps to choose between two units at one address.
 */
export function indexRecordedUnits(
  ledger: Ledger,
  kind: Kind,
  addresses: Iterable<Address>,
  units: readonly NaturalUnit[],
): RecordedAddressFinder {
  // `renamed`: live units that the ledger lacks. `missing`: units in the ledger that the account lacks.
  const liveKeys = new Set(units.map(naturalUnitKey));
  const isLiveAt = (entry: LedgerEntry, address: Address) =>
    entry.ids.some((id) => liveKeys.has(naturalUnitKey({ id, natural: address })));
  const renamed = units.filter(({ id, natural }) => !hasIdAt(ledger, natural, id));
  const missing = [...addresses].flatMap((address): RecordedUnit[] => {
    const entry = ledger.entries[address];
    if (entry?.kind !== kind.name || isLiveAt(entry, address)) return [];
    return entry.ids.map((id) => ({ id, address }));
  });
  const addressByUnit = matchByRowPositions(renamed, missing, kind);
  return {
    addressOf: (id, natural) =>
      hasIdAt(ledger, natural, id) ? natural : addressByUnit.get(naturalUnitKey({ id, natural })),
    hasId: (id) => units.some((unit) => unit.id === id && hasIdAt(ledger, unit.natural, id)),
  };
}

/** True if the ledger entry at an address has this id, so that the object is recorded there. */
const hasIdAt = ({ entries }: Ledger, address: Address, id: string): boolean =>
  entries[address]?.ids.includes(id) ?? false;

/**
 * Returns a key for a unit (such as a variable in one target), to find its ledger entry: several units share the id of a row, and differ by
 * their natural address.
 */
const naturalUnitKey = ({ id, natural }: NaturalUnit): string => `${id} ${natural}`;

/**
 * Finds the recorded address of each renamed unit, so that a rename in the account is not taken for a
 * deletion and a creation. A unit is what one block declares (a variable in one target), and its position in
 * the platform's row is the target: the exact one (`@preview:BRANCH`), or roughly a branch, a custom
 * environment or production. Matches by exact position first, then the remaining ones by the rough one.
 */
function matchByRowPositions(
  renamed: NaturalUnit[],
  missing: RecordedUnit[],
  kind: Kind,
): Map<string, Address> {
  if (renamed.length === 0 || missing.length === 0) return new Map();
  // The last part of `projects/web/env/A@preview` says the position.
  const rowPositionsOf = (address: Address) =>
    kind.shape.rowPositionsOf!(address.slice(address.lastIndexOf('/') + 1));
  const exactPositionOf = (address: Address) => rowPositionsOf(address)[0];
  const roughPositionOf = (address: Address) => rowPositionsOf(address)[1];
  const exact = matchUnits(renamed, missing, exactPositionOf);
  const matched = new Set(exact.values());
  const rough = matchUnits(
    renamed.filter((unit) => !exact.has(naturalUnitKey(unit))),
    missing.filter(({ address }) => !matched.has(address)),
    roughPositionOf,
  );
  return new Map([...exact, ...rough]);
}

/**
 * Finds out which recorded variable each renamed one was, so that a plan keeps its address. The platform stores the same variable for
 * several targets as one row. A unit is the variable in one target, and its position in the row is that target (`rowPositionOf`).
 *
 * A renamed unit matches the recorded unit that is missing at the same position of the same row (`id`). Only where there is one of each,
 * because a choice would be a guess. Returns the recorded addresses, by `naturalUnitKey` of the renamed units (`natural`: the address that
 * follows from the present name).
 */
function matchUnits(
  renamed: NaturalUnit[],
  missing: RecordedUnit[],
  rowPositionOf: (address: Address) => string | undefined,
): Map<string, Address> {
  const missingByRowPosition = groupBy(missing, ({ id, address }) => `${id} ${rowPositionOf(address)}`);
  const renamedByRowPosition = groupBy(renamed, ({ id, natural }) => `${id} ${rowPositionOf(natural)}`);
  const addressByUnit = new Map<string, Address>();
  for (const [rowPosition, units] of renamedByRowPosition) {
    const recordedUnits = missingByRowPosition.get(rowPosition) ?? [];
    if (units.length === 1 && recordedUnits.length === 1)
      addressByUnit.set(naturalUnitKey(units[0]!), recordedUnits[0]!.address);
  }
  return addressByUnit;
}

/** One unit as it was decoded, before it has an address. */
export type DecodedUnit = Pick<
  LiveResource,
  'id' | 'fields' | 'index' | 'version' | 'updatedAt' | 'facts' | 'undeclared' | 'lostByWrites' | 'pending'
>;

/** The data that decides the addresses of a collection. */
interface AddressContext {
  kind: Kind;
  parent: LiveResource | undefined;
  ledger: Ledger;
  recorded: RecordedAddressFinder;
  /** Natural addresses whose objects are meant by another address, because `$was` renames them. */
  aliases: ReadonlyMap<Address, Address>;
  /** The addresses in the collection that the configuration or the ledger has. */
  mentioned: { has(address: Address): boolean };
}

/**
 * Returns the live objects of a collection (of one kind under one parent), each at its address, by which a
 * plan finds the block and the ledger entry of each. A unit is what one block declares. If several units have
 * one address, the kind merges them into one object (a set of DNS records), or the first or recorded one
 * lists all of them as `alternatives`.
 */
export function assignAddresses(units: readonly DecodedUnit[], context: AddressContext): LiveResource[] {
  const resources = new Map<Address, LiveResource>();
  for (const unit of units) {
    const resource = createLiveResource(unit, context);
    const earlierResource = resources.get(resource.address);
    resources.set(
      resource.address,
      earlierResource ? combine(earlierResource, resource, unit, context) : resource,
    );
  }
  return [...resources.values()];
}

/** The unit of a row that is in no place any more, with the addresses at which the ledger has the row. */
export interface UnplacedUnit {
  unit: DecodedUnit;
  addresses: readonly Address[];
}

/**
 * Returns the live objects of a collection, with those of rows that lost all their places: one at each recorded address, so that a plan
 * gives the row its places back. An address that another object has by now is left to that object.
 */
export function withUnplacedUnits(
  resources: LiveResource[],
  unplacedUnits: readonly UnplacedUnit[],
  context: Pick<AddressContext, 'kind' | 'parent'>,
): LiveResource[] {
  if (unplacedUnits.length === 0) return resources;
  const occupied = new Set(resources.map((resource) => resource.address));
  const unplacedResources = unplacedUnits.flatMap(({ unit, addresses }) =>
    addresses
      .filter((address) => !occupied.has(address))
      .map((address) => toResource(unit, address, context)),
  );
  return [...resources, ...unplacedResources];
}

/**
 * Returns the live object for a unit (what one block declares: a row of the platform or a part of it). It keeps the address that the ledger
 * has for its id. Otherwise it gets the new address if `$was` renames it (`aliases`), the mentioned address of another of its names, or
 * else its natural address, which its current name makes. An object whose name makes another address gets `renamedTo`, so that the plan can
 * report the rename.
 */
function createLiveResource(unit: DecodedUnit, context: AddressContext): LiveResource {
  const { kind, parent, ledger, recorded, aliases, mentioned } = context;
  const { id, fields } = unit;
  const natural = naturalAddressOf(kind, parent?.address, fields);
  const alias = aliases.get(natural);
  // If the ledger has a set of rows (DNS records) at the new address already, only rows with a recorded id belong to it.
  const hasRecordedSet = kind.shape.mergeRows !== undefined && alias !== undefined && ledger.entries[alias];
  const newAddress = hasRecordedSet ? undefined : alias;
  const byOtherName = addressesByName(kind, unit, parent?.address).find((other) => mentioned.has(other));
  const address = recorded.addressOf(id, natural) ?? newAddress ?? byOtherName ?? natural;
  const resource = toResource(unit, address, context);
  if (address === natural) return underOwnName(kind, resource);
  // An object without a name of its own has its label as its key. `underOwnName`: an address with another of its names is no rename.
  const otherName = kind.shape.isNamed
    ? { renamedTo: natural }
    : { fields: { ...fields, [kind.key[0]!]: lastNameOf(address) } };
  return underOwnName(kind, { ...resource, ...otherName });
}

/** Returns a unit (what one block declares: a row of the platform or a part of it) as the live object at an address. */
const toResource = (
  unit: DecodedUnit,
  address: Address,
  { kind, parent }: Pick<AddressContext, 'kind' | 'parent'>,
): LiveResource => ({
  address,
  kind: kind.name,
  parent: parent?.address,
  ids: [unit.id],
  rows: kind.shape.byAddress ? [{ id: unit.id, fields: unit.fields }] : undefined,
  renamedTo: undefined,
  // The spread comes last to save memory, as in `decodeUnits`.
  ...unit,
});

/**
 * Returns the object for two units (each is what a block declares) at the same address: one object of several
 * rows of the platform, if the kind is stored like that, otherwise one with both as `alternatives`, so that
 * the plan reports that two objects have the name. `other` came first. `resource` was made of `unit`.
 */
function combine(
  other: LiveResource,
  resource: LiveResource,
  unit: DecodedUnit,
  { kind, parent, recorded }: AddressContext,
): LiveResource {
  const { address } = resource;
  const natural = naturalAddressOf(kind, parent?.address, unit.fields);
  if (kind.shape.mergeRows) return mergeRows(other, resource, unit, { kind, isNatural: address === natural });
  const isRecorded = recorded.addressOf(unit.id, natural) === address;
  // The recorded id decides which object is meant. The other one may only have its name.
  const isOtherOnlyNamed = other.renamedTo === undefined && !recorded.hasId(other.id);
  const main = isRecorded && isOtherOnlyNamed ? resource : other;
  return { ...main, alternatives: [...(other.alternatives ?? [other]), resource] };
}

/**
 * Returns an object of several rows (`other`) with one more row (`resource`), for kinds in which several rows of the platform are one
 * declared object, such as a set of DNS records. If the fields of the rows cannot be merged, those of a row whose name differs from the
 * address are shown, so that the plan finds the difference. `isNatural`: true if the new row has the name of the address.
 */
function mergeRows(
  other: LiveResource,
  resource: LiveResource,
  { fields }: DecodedUnit,
  { kind, isNatural }: { kind: Kind; isNatural: boolean },
): LiveResource {
  const [shownFields, otherFields] = isNatural ? [other.fields, fields] : [fields, other.fields];
  const { renamedTo, ...otherWithoutName } = other;
  const isRenamedAlike = renamedTo !== undefined && renamedTo === resource.renamedTo;
  return {
    ...otherWithoutName,
    renamedTo: isRenamedAlike ? renamedTo : undefined,
    fields: kind.shape.mergeRows!(shownFields, otherFields) ?? shownFields,
    ids: [...other.ids, ...resource.ids],
    rows: [...other.rows!, ...resource.rows!],
  };
}
