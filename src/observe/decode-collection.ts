/**
 * Turns the API objects of one collection into live objects: in the normal form of their kind, with addresses, and with addresses instead
 * of ids in their references.
 *
 * A unit is what the configuration declares: for most kinds an object of the platform, for some kinds a part of it.
 */

import { omitMembers } from '../kind/compare.ts';
import {
  decodeFields,
  idOf,
  isSingleton,
  naturalAddressOf,
  secretIdOf,
  unitsOf,
  updatedAtOf,
} from '../kind/define-kind.ts';
import type { Kind } from '../kind/kind.ts';
import type { AccountFacts, ApiObject, References } from '../kind/read.ts';
import { traitsOf } from '../kind/traits.ts';
import { type Address, addressOf, escapeName } from '../model/address.ts';
import { digestKeysOf, type LedgerKey, secretId } from '../model/digest.ts';
import type { Ledger, LedgerEntry } from '../model/ledger.ts';
import { collectionId, type Live, type LiveResource, withAlternatives } from '../model/resource.ts';
import { type Fields, mapRefs, memberAtPath } from '../model/value.ts';
import {
  assignAddresses,
  type DecodedUnit,
  indexRecordedAddresses,
  indexRecordedUnits,
  type UnplacedUnit,
  withUnplacedUnits,
} from './assign-addresses.ts';

/** The data that decides the ids, addresses and references of a collection. */
export interface DecodeContext {
  /** Objects that cannot be declared are counted here. */
  live: Live;
  ledger: Ledger;
  /** Addresses in this collection that the configuration or the ledger mentions. */
  mentioned: Iterable<Address>;
  /** Natural addresses whose objects are meant by another address, because `$was` renames them. */
  aliases: ReadonlyMap<Address, Address>;
  /** The ids that `$id` in the configuration names. */
  chosenIds: ReadonlyMap<Address, string>;
  /** For kinds whose ids are secrets: the ledger has these ids as digests. Without the key they match no entry of the ledger. */
  key: LedgerKey | undefined;
  /** The address of an object that was read already. */
  addressOf(kind: string, id: string): Address | undefined;
}

/** The most names of undeclarable objects that a collection lists. */
const maxUndeclarableNames = 5;

/**
 * Returns the live objects of a list (of one kind under one parent) with their addresses, from the platform's answer or from a file of
 * another tool, so that a plan can compare them. An object of the platform that stands for several units gives one for each. Objects that
 * no configuration can declare are left out, and counted in `live.undeclarable`.
 * Throws if an object has no id or lacks a part of its address, or if an object that cannot be declared is probably ours. A plan would
 * otherwise create it again or take it for deleted, so it treats the list as unreadable.
 */
export function decodeCollection(
  kind: Kind,
  parent: LiveResource | undefined,
  objects: ApiObject[],
  context: DecodeContext,
): LiveResource[] {
  const { live, ledger, mentioned, aliases } = context;
  const recordedIds = indexRecordedAddresses(ledger, kind, mentioned);
  const idFinder = createIdFinder(kind, parent, { ...context, isRecorded: recordedIds.hasId });
  const references = createReferences(context);
  const units: DecodedUnit[] = [];
  const unplacedUnits: UnplacedUnit[] = [];
  objects.forEach((object, index) => {
    const unknown = new Set<string>();
    const id = idFinder(object, index);
    const row = decodeFields(kind, object, references, {
      noteUnknown: (path) => unknown.add(path),
      recordedAt: (path) =>
        recordedIds.addressesOf(id).find((address) => hasValueAt(ledger.entries[address]!, path)),
    });
    // `row` is null if the form of the object is unknown, and undefined if users should not see the object.
    const rowContext = { kind, parent, object, id, index, unknown };
    const rowUnits = row ? decodeUnits(row, rowContext) : [];
    if (rowUnits.length > 0) units.push(...rowUnits);
    else if (row && recordedIds.hasId(id))
      unplacedUnits.push({
        unit: decodeUnplacedUnit(row, rowContext),
        addresses: recordedIds.addressesOf(id),
      });
    else if (recordedIds.hasId(id) || (row === null && hasMentionedName(kind, parent, object, mentioned)))
      throw new UnknownForm(kind, object);
    else countUndeclarable(live, kind, parent, object);
  });
  const naturalUnits = () =>
    units.map(({ id, fields }) => ({ id, natural: naturalAddressOf(kind, parent?.address, fields) }));
  const recorded = kind.shape.rowPositionsOf
    ? indexRecordedUnits(ledger, kind, mentioned, naturalUnits())
    : recordedIds;
  const addressContext = { kind, parent, ledger, recorded, aliases, mentioned: new Set(mentioned) };
  return withUnplacedUnits(assignAddresses(units, addressContext), unplacedUnits, addressContext);
}

/**
 * Creates the function which turns the id of a referenced object into a reference to its address. An object that was not read gets a
 * placeholder. So do siblings, until all of them are decoded (`resolveSiblingReferences`).
 */
const createReferences = ({ addressOf }: Pick<DecodeContext, 'addressOf'>): References => ({
  to: (kindName, id) => ({
    $ref: addressOf(kindName, id) ?? placeholderAddress(kindName, id),
    attr: 'id',
  }),
});

/** True if a ledger entry has a value at a path or below it. A value that the platform did not keep at the last apply does not count. */
const hasValueAt = ({ fields, secrets, notKept = {} }: LedgerEntry, path: string): boolean =>
  [...Object.keys(fields), ...Object.keys(secrets)].some(
    (recorded) => (recorded === path || recorded.startsWith(`${path}.`)) && notKept[recorded] === undefined,
  );

/**
 * Returns an address with the id of an object, for a reference to an object that was not read, or to a
 * sibling that has no address yet. It never equals a real address.
 */
const placeholderAddress = (kindName: string, id: string): Address => `#${kindName}/${escapeName(id)}`;

/**
 * Creates the function which returns the id of an API object. An id that is a secret becomes a digest, because ids are
 * stored in the ledger: with the current key, or with an earlier one if the ledger or an `$id` has that digest. A
 * singleton (a kind without a key, such as settings) has the id of its parent. The function throws if an object
 * has no id. `index`: the place of the object in its list.
 */
function createIdFinder(
  kind: Kind,
  parent: LiveResource | undefined,
  {
    key,
    chosenIds,
    isRecorded,
  }: Pick<DecodeContext, 'key' | 'chosenIds'> & { isRecorded(id: string): boolean },
): (object: ApiObject, index: number) => string {
  const idsOfBlocks = new Set(chosenIds.values());
  const digestOf = (rawId: string): string | undefined => {
    // The digest by the current key comes first.
    const digests = digestKeysOf(key).map((digestKey) => secretId(digestKey, rawId));
    return digests.find((id) => isRecorded(id) || idsOfBlocks.has(id)) ?? digests[0];
  };
  return (object, index) => {
    const rawId = isSingleton(kind) ? (parent?.id ?? kind.name) : idOf(kind, object);
    if (rawId === '') throw new Error(`the response has a ${kind.name} without an id`);
    // Without a key there is no digest, so the id only has to differ from the others.
    return secretIdOf(kind) === undefined ? rawId : (digestOf(rawId) ?? `unknown-${index}`);
  };
}

/** A row of an answer (one object of the platform), beside its decoded fields. */
interface RowContext {
  kind: Kind;
  parent: LiveResource | undefined;
  object: ApiObject;
  id: string;
  /** The place of the row in its list. */
  index: number;
  /** The paths of members that no field describes, which an update would remove. */
  unknown: ReadonlySet<string>;
}

/**
 * Returns the units in one row of an answer as live objects, to compare them with the configuration. A unit is one block's part of a row:
 * often the whole row, or a variable in one of its targets. Each has the properties of the row: version, time of the last write, readiness,
 * settings that cannot be declared (`undeclared`), and members that an update would remove (`lostByWrites`).
 */
function decodeUnits(row: Fields, context: RowContext): DecodedUnit[] {
  const { kind, parent, id } = context;
  // Objects without names get a label in the YAML, a field that the platform does not have. Until one is matched, the id is its label.
  const label = Object.keys(kind.fields).find((name) => traitsOf(kind.fields[name]!).local);
  const labelledRow = label === undefined ? row : { ...row, [label]: id };
  const properties = readRowProperties(context);
  // V8 gives all these objects one hidden class if the added members come before the spread. That saves memory with many objects.
  return unitsOf(kind, labelledRow, parent?.fields ?? {}).map((fields) => ({ fields, ...properties }));
}

/** Returns the unit of a row that is in no place any more, such as a variable that somebody took out of all its targets. */
const decodeUnplacedUnit = (row: Fields, context: RowContext): DecodedUnit => ({
  fields: omitMembers(row, context.kind.shape.addressFields),
  ...readRowProperties(context),
});

/** Returns the members of a row that all its units have, besides their fields. */
function readRowProperties({ kind, object, id, index, unknown }: RowContext): Omit<DecodedUnit, 'fields'> {
  const version = kind.read.version === undefined ? undefined : object[kind.read.version];
  const undeclared = (kind.undeclared ?? []).filter((path) => isSet(object, path.split('.')));
  return {
    id,
    index,
    version: version === undefined ? undefined : String(version),
    updatedAt: updatedAtOf(kind, object),
    facts: readFacts(kind, object),
    undeclared: undeclared.length === 0 ? undefined : undeclared,
    lostByWrites: unknown.size === 0 ? undefined : [...unknown].sort(),
    pending: kind.read.later?.pending(object),
  };
}

/** Counts in `live` an object that no configuration can declare, with its name, so that the plan can mention it. */
function countUndeclarable(
  { undeclarable }: Live,
  kind: Kind,
  parent: LiveResource | undefined,
  object: ApiObject,
): void {
  const id = collectionId(kind.name, parent?.address);
  const { count, names, facts } = undeclarable.get(id) ?? { count: 0, names: [], facts: [] };
  const name = displayNameOf(kind, object);
  const ownFacts = readFacts(kind, object);
  if (ownFacts) facts.push(ownFacts);
  undeclarable.set(id, {
    count: count + 1,
    names: (name === undefined ? names : [...names, name]).slice(0, maxUndeclarableNames),
    facts,
  });
}

/**
 * True if an object has the name of one that the configuration or the ledger mentions. Needed for an object without an address of its own,
 * because it has an unknown form or is in no place. If such an object is of an unknown form, the plan would create the mentioned one, or
 * take it for deleted if only the ledger has it, although it probably exists. So the list counts as unreadable.
 */
export function hasMentionedName(
  kind: Kind,
  parent: LiveResource | undefined,
  object: ApiObject,
  mentioned: Iterable<Address>,
): boolean {
  const names = kind.key.map((name) => escapeName(String(object[name])));
  const address = addressOf(parent?.address, kind.section, names);
  // A unit (a variable in one target) ends in the target: `projects/web/env/TOKEN@production`.
  return [...mentioned].some((known) => known === address || known.startsWith(`${address}@`));
}

/** An object that the plan needs has a form that no configuration can declare: it has no type, for example. */
class UnknownForm extends Error {
  /**
   * Creates the error for an object that the configuration or the ledger mentions, and that the API answers in a form which no
   * configuration can declare, for example without a type. Its collection then counts as unreadable, because the plan would otherwise take
   * the object for deleted, or create it again.
   */
  constructor(kind: Kind, object: ApiObject) {
    const name = displayNameOf(kind, object);
    super(
      `the response shows a ${kind.name}${name === undefined ? ' of this stack' : ` (${name})`} in an unknown form`,
    );
  }
}

/**
 * Returns the name of an object that cannot be decoded, for the message about it: its name, or its id unless that is a secret. Undefined if
 * it has neither.
 */
function displayNameOf(kind: Kind, object: ApiObject): string | undefined {
  const id = secretIdOf(kind) === undefined ? object.id : undefined;
  const name = [object.name, object.slug, object.key, id].find(
    (value) => typeof value === 'string' && value !== '',
  );
  return name === undefined ? undefined : String(name);
}

/**
 * Returns the facts that an object states for the kinds below it, such as the plan of a project; see `facts` of a
 * kind.
 */
const readFacts = ({ read: { facts } }: Kind, object: ApiObject): AccountFacts | undefined =>
  facts && Object.fromEntries(facts.map((path) => [path, memberAtPath(object, path)]));

/**
 * True if a value has anything at a path; in any item, if the path goes through a list. A value that is off or empty does not count. At the
 * end of the path (no `name`), an object counts if any member does. Used to report settings that a live object has and no configuration can
 * declare.
 */
function isSet(value: unknown, path: string[]): boolean {
  if (Array.isArray(value)) return value.some((item) => isSet(item, path));
  const [name, ...remainingPath] = path;
  const isObject = typeof value === 'object' && value !== null;
  if (name !== undefined) return isObject && isSet((value as ApiObject)[name], remainingPath);
  return isObject ? Object.values(value).some((item) => isSet(item, [])) : Boolean(value);
}

/**
 * Returns live objects of one kind with addresses in their references to each other. Until then, such
 * references have placeholders made of the id, because the addresses of siblings are not available before all
 * of them are decoded.
 */
export function resolveSiblingReferences({ name }: Kind, resources: LiveResource[]): LiveResource[] {
  const addressByPlaceholder = new Map<Address, Address>(
    resources.flatMap((resource) =>
      withAlternatives([resource]).flatMap(({ ids }) =>
        ids.map((id) => [placeholderAddress(name, id), resource.address] as const),
      ),
    ),
  );
  const resolve = (resource: LiveResource): LiveResource => ({
    ...resource,
    fields: mapRefs(resource.fields, (target) => addressByPlaceholder.get(target) ?? target),
    alternatives: resource.alternatives?.map(resolve),
  });
  return resources.map(resolve);
}
