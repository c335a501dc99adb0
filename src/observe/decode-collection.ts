import { decodeFields, idOf, namesOf, secretIdOf, unitsOf, updatedAtOf } from '../kind/define-kind.ts';
import type { AccountFacts, ApiObject, Kind } from '../kind/kind.ts';
import { traitsOf } from '../kind/traits.ts';
import { type Address, addressOf, escapeName } from '../model/address.ts';
import type { Ledger } from '../model/ledger.ts';
import { type LedgerKey, makersOf, secretId } from '../model/ledger-key.ts';
import { collectionId, type Live, type LiveResource } from '../model/resource.ts';
import { type Fields, isRef, mapHoles, type Value } from '../model/value.ts';
import { ownersOf, ownersOfUnits, place } from './place.ts';

export interface DecodeContext {
  /** Objects that nobody could declare are counted here. */
  live: Live;
  ledger: Ledger;
  /** Addresses in this collection that the configuration or the ledger mentions. */
  mentioned: Iterable<Address>;
  /** Natural addresses whose objects are meant by another address (a rename without a ledger entry). */
  aliases: ReadonlyMap<Address, Address>;
  /** Ids that the configuration names. */
  chosen: ReadonlySet<string>;
  /** For ids that are secrets; without it they match nothing that the ledger knows. */
  key: LedgerKey | undefined;
  /** The address of an object that was read already. */
  addressOf(kind: string, id: string): Address | undefined;
}

/**
 * The objects of a collection in the normal form of their kind, each at its address. Throws if one has no id, or is recorded in the ledger and
 * has a form in which it could not be declared: nobody can tell whether such an object is one of ours, so nothing may be created or deleted.
 */
export function decodeCollection(
  kind: Kind,
  parent: LiveResource | undefined,
  objects: ApiObject[],
  context: DecodeContext,
): LiveResource[] {
  const { live, ledger, mentioned, aliases, chosen, key } = context;
  const references = {
    to: (name: string, wanted: string): Value | undefined => {
      const address = context.addressOf(name, wanted) ?? `#${name}/${escapeName(wanted)}`;
      return { $ref: address, attr: 'id' };
    },
  };
  const owners = ownersOf(ledger, kind, mentioned);
  /** The id under the key in use, unless an object known here has it under an earlier key. */
  const keptIdOf = (raw: string): string | undefined => {
    const made = makersOf(key).map((maker) => secretId(maker, raw));
    return made.find((id) => owners.knows(id) || chosen.has(id)) ?? made[0];
  };
  const found = new Map<Address, LiveResource>();
  const all: Parameters<typeof place>[4][] = [];
  objects.forEach((object, index) => {
    const row = decodeFields(kind, object, references);
    const raw = kind.key.length === 0 ? (parent?.id ?? kind.name) : idOf(kind, object);
    if (raw === '') throw new Error(`the response has a ${kind.name} without an id`);
    const id = secretIdOf(kind) === undefined ? raw : (keptIdOf(raw) ?? `unknown-${index}`);
    if (!row) {
      if (owners.knows(id)) throw new UnknownForm(kind, object);
      const at = collectionId(kind.name, parent?.address);
      const { count, names } = live.undeclarable.get(at) ?? { count: 0, names: [] };
      live.undeclarable.set(at, {
        count: count + 1,
        names: [...names, ...calledIn(kind, object)].slice(0, 5),
      });
      return;
    }
    const label = Object.keys(kind.fields).find((name) => traitsOf(kind.fields[name]!).local);
    // Until it is known whose it is.
    if (label !== undefined) row[label] = id;
    const version = kind.read.version === undefined ? undefined : object[kind.read.version];
    const updatedAt = updatedAtOf(kind, object);
    const units = unitsOf(kind, row, parent?.fields ?? {});
    const facts = factsOf(kind, object);
    const undeclared = (kind.undeclared ?? []).filter((path) => isSet(object, path.split('.')));
    const pending = kind.read.later?.pending(object);
    const rest = {
      id,
      index,
      ...(version === undefined ? {} : { version: String(version) }),
      ...(updatedAt === undefined ? {} : { updatedAt }),
      ...(facts === undefined ? {} : { facts }),
      ...(undeclared.length === 0 ? {} : { undeclared }),
      ...(pending === undefined ? {} : { pending }),
    };
    for (const fields of units) all.push({ ...rest, fields });
  });
  const naturalOf = (fields: Fields) => addressOf(parent?.address, kind.section, namesOf(kind, fields));
  const of = kind.shape.rowPositionsOf
    ? ownersOfUnits(
        ledger,
        kind,
        mentioned,
        all.map(({ id, fields }) => ({ id, natural: naturalOf(fields) })),
      )
    : owners;
  for (const one of all) place(found, kind, parent, { ledger, owners: of, aliases }, one);
  return [...found.values()];
}

/** An object that the ledger records is shown in a form that no configuration can declare, for example without its type. */
class UnknownForm extends Error {
  constructor(kind: Kind, object: ApiObject) {
    const [name] = calledIn(kind, object);
    super(
      `the response shows a ${kind.name} of this stack${name === undefined ? '' : ` (${name})`} in an unknown form`,
    );
  }
}

/** The name that people would use for an object that is not decoded, else its id unless that is a secret. At most one. */
function calledIn(kind: Kind, object: ApiObject): string[] {
  const id = secretIdOf(kind) === undefined ? object.id : undefined;
  const name = [object.name, object.slug, object.key, id].find(
    (one) => typeof one === 'string' && one !== '',
  );
  return name === undefined ? [] : [String(name)];
}

/** The facts that an object states for the kinds in it. */
const factsOf = ({ read: { facts } }: Kind, object: ApiObject): AccountFacts | undefined =>
  facts && Object.fromEntries(facts.map((name) => [name, object[name]]));

/** True if anything is set at this path, in any item if it goes through a list. A value that is off or empty is not set. */
function isSet(value: unknown, [name, ...rest]: string[]): boolean {
  if (Array.isArray(value))
    return value.some((item) => isSet(item, name === undefined ? [] : [name, ...rest]));
  if (name === undefined)
    return typeof value === 'object' && value !== null
      ? Object.values(value).some((item) => isSet(item, []))
      : !!value;
  return typeof value === 'object' && value !== null && isSet((value as ApiObject)[name], rest);
}

/** Objects of one kind that name each other by id, now by address: these are known only once all of them are read. */
export function namingSiblings({ name }: Kind, resources: LiveResource[]): LiveResource[] {
  const addresses = new Map<Address, Address>(
    resources.flatMap((resource) =>
      (resource.alternatives ?? [resource]).flatMap(({ ids }) =>
        ids.map((id) => [`#${name}/${escapeName(id)}`, resource.address] as const),
      ),
    ),
  );
  const named = (resource: LiveResource): LiveResource => ({
    ...resource,
    fields: mapHoles(resource.fields, (hole) =>
      isRef(hole) ? { ...hole, $ref: addresses.get(hole.$ref) ?? hole.$ref } : hole,
    ) as Fields,
    ...(resource.alternatives ? { alternatives: resource.alternatives.map(named) } : {}),
  });
  return resources.map(named);
}
