/*
 * Turns observed objects into declarations: the configuration that would create them. A rehearsal plans and applies it on an empty twin.
 */
import { toDeclarable } from '../export/expressible.ts';
import { isSingleton } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { traitsOf } from '../kind/traits.ts';
import { type Address, lastNameOf } from '../model/address.ts';
import type { Position } from '../model/diagnostic.ts';
import type { Desired, Live, LiveResource, Resource } from '../model/resource.ts';
import { Sealed } from '../model/sealed.ts';
import { type Fields, isRef, secretNamesIn, type Value } from '../model/value.ts';
import { mapTree, visitMembers } from '../model/walk.ts';
import type { TwinSecrets } from './twin-secrets.ts';

/** The declaration of everything that a plan has observed. */
export interface DeclaredLive {
  desired: Desired;
  /** The values of secret fields, by the names under which `desired` uses them. They are only in memory. */
  secrets: ReadonlyMap<string, Sealed>;
  /** Objects that cannot be declared, each with the reason. */
  undeclared: ReadonlyMap<Address, string>;
}

/** The position of every declaration, because they come from no file. */
const rehearsalPosition: Position = { file: '(rehearsal)', line: 1, column: 1 };

/**
 * Declares live objects as they are, so that a plan on an empty twin (the simulated account of a rehearsal) creates them there. Each field
 * that can be written is declared, with its secret if the account showed that one. A secret that it did not show is taken from
 * `twinSecrets`, or else replaced by a placeholder. Of several objects with one name, none is declared.
 */
export function declareLive({ resources }: Live, kinds: Kinds, twinSecrets: TwinSecrets): DeclaredLive {
  const secrets = new Map<string, Sealed>();
  const context: DeclareContext = {
    addSecret(secret) {
      const name = `live ${secrets.size + 1}`;
      secrets.set(name, secret);
      return { $secret: name };
    },
    addressOfId: indexGeneratedIds(resources.values(), kinds),
    twinSecrets,
  };
  const isAmbiguous = ({ alternatives = [] }: LiveResource) => alternatives.length > 1;
  const ambiguous = [...resources.values()].filter(isAmbiguous);
  const unique = [...resources.values()].filter((resource) => !isAmbiguous(resource));
  const declared = unique.map((resource) => declareObject(kinds.get(resource.kind)!, resource, context));
  const desired: Desired = {
    stack: 'rehearsal',
    resources: new Map(declared.map((resource) => [resource.address, resource])),
    inputs: [],
    folders: [],
  };
  const undeclared = new Map(ambiguous.map(({ address }) => [address, 'several objects have the same name']));
  return { desired, secrets, undeclared };
}

/** Returns the declaration with which a rehearsal creates a live object on an empty twin. */
function declareObject(kind: Kind, resource: LiveResource, context: DeclareContext): Resource {
  const { address, parent, index, ids } = resource;
  return {
    address,
    kind: kind.name,
    ...(parent === undefined ? {} : { parent }),
    fields: declareFields(kind, resource, context),
    // A secret that the platform shows only at the creation is not needed again.
    meta: kind.shows ? { secretTo: 'discard' } : {},
    index,
    // The platform may keep several resources in one row, such as a variable in two targets. They are declared together, so that the twin
    // does, too.
    group: `row ${ids.join(' ')}`,
    at: rehearsalPosition,
  };
}

/**
 * Returns the addresses of objects by those ids that the platform made. A field can have such an id as its text, and then the declaration
 * must refer to the object, because it gets another id in the twin (the simulated account of a rehearsal). Two kinds of ids are left out:
 * an id that is a name of the object or one of its fields, such as that of a domain, is the same in the twin, and an object without a key,
 * such as the settings of a project, has the id of its parent.
 */
function indexGeneratedIds(resources: Iterable<LiveResource>, kinds: Kinds): ReadonlyMap<string, Address> {
  const addresses = new Map<string, Address>();
  for (const { address, kind, id, fields } of resources) {
    const isName = id === lastNameOf(address) || Object.values(fields).includes(id);
    if (!isSingleton(kinds.get(kind)!) && !isName) addresses.set(id, address);
  }
  return addresses;
}

interface DeclareContext {
  /** Stores a secret value under a new name, and returns the hole that stands for it in a declaration. */
  addSecret(secret: Sealed): Value;
  addressOfId: ReadonlyMap<string, Address>;
  twinSecrets: TwinSecrets;
}

/**
 * Returns the fields with which a configuration can declare a live object, so that a rehearsal can create the object on an empty twin (a
 * simulated account). A field that a creation needs and that the account does not show gets a placeholder. A secret field gets the declared
 * secret instead if `twinSecrets` has it. Secrets are added to the context (`addSecret`), and the fields have only their names.
 */
function declareFields(kind: Kind, { address, fields }: LiveResource, context: DeclareContext): Fields {
  // An object may be a unit, a part of a row of the platform, with fields of its own.
  const schemas = kind.shape.fields ?? kind.fields;
  const declareField = (name: string, schema: Kind['fields'][string]): Value | undefined => {
    const { secret, neededToCreate } = traitsOf(schema);
    const isSecret = typeof secret === 'function' ? secret(fields) : secret === true;
    const value = toDeclarable(schema, fields[name]);
    if (value !== undefined)
      return withLiveValues(value, { ...context, address, isSecret, isKey: kind.key.includes(name) });
    const isRequired = !schema.safeParse(undefined).success;
    const isNeeded = isRequired || neededToCreate;
    if (!isNeeded || !schema.safeParse(placeholder).success) return undefined;
    if (!isSecret) return placeholder;
    return context.addSecret(context.twinSecrets.get(address)?.get(name) ?? new Sealed(placeholder));
  };
  const declared = Object.entries(schemas).map(
    ([name, schema]) => [name, declareField(name, schema)] as const,
  );
  return Object.fromEntries(declared.filter(([, value]) => value !== undefined)) as Fields;
}

interface LiveValueContext extends DeclareContext {
  /** The object that has the value. */
  address: Address;
  isSecret: boolean;
  /** True for a field that identifies the object. It stays as it is, because the address is made of it. */
  isKey: boolean;
}

/**
 * Returns a live value as a declaration can have it:
 *
 *   - a secret becomes the hole of its name (`addSecret`); any other sealed text is opened, because it was sealed only as a precaution
 *   - the id of an observed object becomes a reference to it, except in a key (`isKey`) and in the object itself
 *   - a reference to an object that was not read (`#` and its id) becomes that id
 */
function withLiveValues(value: Value, context: LiveValueContext): Value {
  const { addSecret, addressOfId, address, isSecret, isKey } = context;
  return mapTree(value, (part) => {
    if (part instanceof Sealed) return isSecret ? addSecret(part) : part.open();
    if (typeof part === 'string') {
      if (isSecret) return addSecret(new Sealed(part));
      const named = isKey ? undefined : addressOfId.get(part);
      return named === undefined || named === address ? part : { $ref: named, attr: 'id' };
    }
    if (isRef(part)) return part.$ref.startsWith('#') ? lastNameOf(part.$ref) : part;
    return visitMembers;
  }) as Value;
}

/** Stands for a secret whose value is not available. Long enough for every field that takes a secret. */
const placeholder = 'rehearsal0placeholder0of0a0secret';

/**
 * Returns the secrets of a run, with placeholders for those that its configuration uses and that are not available on this machine. A
 * rehearsal needs a value for each. `placeholders`: the names of the missing secrets, for the report.
 */
export function withPlaceholders(
  { resources }: Desired,
  secrets: ReadonlyMap<string, Sealed>,
): { secrets: ReadonlyMap<string, Sealed>; placeholders: string[] } {
  const names = secretNamesIn([...resources.values()].map(({ fields }) => fields));
  const placeholders = [...names].filter((name) => !secrets.has(name)).sort();
  const standIns = placeholders.map((name) => [name, new Sealed(placeholder, name)] as const);
  return { secrets: new Map([...secrets, ...standIns]), placeholders };
}
