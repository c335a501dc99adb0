import type * as z from 'zod';
import { type Address, addressOf, escapeName, lastNameOf } from '../model/address.ts';
import { groupBy, memoize } from '../model/graph.ts';
import { type CollectionId, collectionId, type Desired, type Resource } from '../model/resource.ts';
import { Sealed } from '../model/sealed.ts';
import { type Fields, isRef, isSecret, type Value } from '../model/value.ts';
import { comparedFields, mapSchemaMembers } from './compare.ts';
import { isNoValueOf, withoutEmpty } from './empty-is-absent.ts';
import type { FieldSchemas, Kind, Kinds, ShownOnce } from './kind.ts';
import { withoutUnknownMembers } from './known-members.ts';
import { hasOtherType, withKnownTypes } from './known-types.ts';
import { withSchemas } from './lookup.ts';
import { plain } from './plain.ts';
import type { ApiObject, References, SingleRead } from './read.ts';
import { immutable, normalTextOf, referenceOf, traitsOf } from './traits.ts';
import type { Verb } from './write.ts';

type Derived = 'fields' | 'shape' | 'yaml' | 'lifecycle' | 'rules' | 'shows';

/**
 * A kind as its file declares it, without the members that follow from others. Its schemas are made on first use: most runs need those of
 * few kinds.
 */
export interface KindDeclaration
  extends Omit<Kind, Derived>,
    Partial<Pick<Kind, Exclude<Derived, 'fields' | 'shows'>>> {
  fields(): FieldSchemas;
  /** A name stands for a secret that no other member of the answer contains. */
  shows?: string | ShownOnce;
}

/** The required members of a declaration: a test, and the purpose for the error message. */
const requiredKindMembers = {
  name: [isFilledText, 'the name of its file, in camel case'],
  section: [isFilledText, 'its place in the YAML'],
  key: [Array.isArray, 'the fields that tell it from its siblings; [] where there is one per parent'],
  fields: [(value: unknown) => typeof value === 'function', 'a function that makes their schemas'],
  read: [
    (value: unknown) => typeof value === 'object' && value !== null,
    'where it is found: the `endpoint`, and the `items` of its answer; {} where nothing reads it',
  ],
} as const;

/** True for a text with at least one character. */
function isFilledText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

/**
 * Declares a kind: one type of remote object, such as a domain, with everything that planning and applying need to know about it. Called by
 * each file of kinds of a provider. Fills in the members that follow from others, and makes the schemas on first use, since most runs
 * need few kinds. Throws with the kind's name if a required member is missing.
 */
export function defineKind(declaration: KindDeclaration): Kind {
  const kindText = declaration.name ?? `of the section ${declaration.section}`;
  for (const [member, [isValid, purpose]] of Object.entries(requiredKindMembers))
    if (!isValid(declaration[member as keyof typeof requiredKindMembers]))
      throw new Error(`kind ${kindText}: \`${member}\` is missing: ${purpose}`);
  const { fields, shape = plain, shows, ...kind } = declaration;
  // In the YAML, the objects are a map by the only field of the key, or a list if there are several fields or the order decides.
  const [keyField, ...otherKeyFields] = kind.key;
  const isMap = otherKeyFields.length === 0 && !shape.orderDecides;
  const mapBy = kind.yaml?.mapBy ?? (isMap ? keyField : undefined);
  const withoutFields = {
    lifecycle: {},
    rules: {},
    ...kind,
    yaml: { ...kind.yaml, mapBy },
    shape,
    shows: typeof shows === 'string' ? { secret: shows } : shows,
  };
  return withSchemas(withoutFields, { fields: () => withFixedId(kind, makeSchemas(kind.name, fields)) });
}

/**
 * Makes the schemas of the fields that a kind declares. Throws with the kind's name, since the error of a schema alone does not tell the
 * provider's author which kind it is in.
 */
function makeSchemas(name: string, fields: () => FieldSchemas): FieldSchemas {
  try {
    return fields();
  } catch (error) {
    throw new Error(`kind ${name}: its fields cannot be made: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Returns the field that is the id of an object and at the same time a secret, such as the secret of a protection bypass; undefined if the
 * kind has none. The ledger keeps such ids only as digests, so these objects need other ways to be recognized.
 */
export function secretIdOf({ id, fields }: Kind): string | undefined {
  if (typeof id !== 'string' || !fields[id]) return undefined;
  return traitsOf(fields[id]).secret === true ? id : undefined;
}

/**
 * Marks a name that is also the id as immutable: with another name it is another object, so a plan replaces the object. Only for kinds
 * whose objects can be created.
 */
function withFixedId(
  kind: Pick<KindDeclaration, 'id' | 'key' | 'create'>,
  fields: FieldSchemas,
): FieldSchemas {
  const { id = 'id', key } = kind;
  if (typeof id !== 'string' || !key.includes(id)) return fields;
  const nameField = fields[id];
  return nameField && canDo(kind, 'create') ? { ...fields, [id]: immutable(nameField) } : fields;
}

/** Indexes kinds by name. */
export const kindsOf = (list: Kind[]): Kinds => new Map(list.map((kind) => [kind.name, kind]));

/** Returns the kinds below `kind`, in the order of their declaration; without `kind`, those at the top. */
export const childKinds = (kinds: Kinds, kind: string | undefined): readonly Kind[] =>
  childrenIn(kinds).get(kind) ?? [];

/**
 * Returns the kinds below a resource that its `$exclusive` names. Undeclared objects of these kinds are deleted, so all of
 * them have to be read.
 */
export const exclusiveKinds = ({ kind, meta: { exclusive } }: Resource, kinds: Kinds): Kind[] =>
  exclusive ? childKinds(kinds, kind).filter(({ section }) => exclusive.includes(section)) : [];

/**
 * Returns the collections that an `$exclusive` of the configuration names. A plan reads each completely, to delete what is not declared;
 * see `exclusiveKinds`.
 */
export const exclusiveCollections = ({ resources }: Desired, kinds: Kinds): CollectionId[] =>
  [...resources.values()].flatMap((resource) =>
    exclusiveKinds(resource, kinds).map(({ name }) => collectionId(name, resource.address)),
  );

const childrenIn = memoize((kinds: Kinds) => groupBy(kinds.values(), ({ parent }) => parent));

/**
 * Returns the kind with this name and its ancestors, itself first. Empty for an unknown name. Used to go up from an object to its parents.
 */
export function lineage(kinds: Kinds, name: string | undefined): Kind[] {
  const kind = name === undefined ? undefined : kinds.get(name);
  return kind ? [kind, ...lineage(kinds, kind.parent)] : [];
}

/**
 * True for a kind with at most one object in each parent, such as the firewall of a project. Its section in the YAML is the block of that
 * object, not a map or a list of blocks.
 */
export const isSingleton = ({ key }: Pick<Kind, 'key'>): boolean => key.length === 0;

/** Returns the names (escaped) by which an object with these fields ends its address; none for a singleton. */
export function namesOf(kind: Kind, fields: Fields): string[] {
  if (kind.yaml.names) return kind.yaml.names(fields);
  return kind.key.map((name) => escapeName(keyTextOf(fields[name])));
}

/**
 * Returns the natural address of an object: the one that its own names make, under the address of its parent. An object
 * that was renamed outside, or by `$was`, may have another address in the plan.
 */
export const naturalAddressOf = (kind: Kind, parent: Address | undefined, fields: Fields): Address =>
  addressOf(parent, kind.section, namesOf(kind, fields));

/** True if the address of an object contains a field. Such a field is never hidden, because addresses are shown anyway. */
export const isPartOfAddress = (path: string, { key, shape }: Kind): boolean =>
  key.includes(path) || shape.addressFields.includes(path);

/** Returns the fields that `$ignore` may name: those that are compared on their own, except those in the address. */
export const ignorableFields = (kind: Kind): string[] =>
  Object.keys(comparedFields(kind)).filter((name) => !isPartOfAddress(name, kind));

/** Returns the text of a field of the key in an address; a reference is written as the last name of its address. */
const keyTextOf = (value: Value | undefined): string =>
  isRef(value) ? lastNameOf(value.$ref) : String(value ?? '');

/** True if the platform returns objects of a kind. Others are compared with the last applied values only. */
export const isReadable = ({ read: { endpoint, single } }: Pick<Kind, 'read'>): boolean =>
  endpoint !== undefined || single !== undefined;

/**
 * True if only its id finds an object of a kind, because no list has such objects. Whether an earlier run created one, only the user can
 * find out.
 */
export const isFoundOnlyById = ({ read: { endpoint, single } }: Pick<Kind, 'read'>): boolean =>
  endpoint === undefined && single?.takes === 'id';

/** Returns the operation that reads one object of a kind by its id; undefined if the platform has none. */
export const singleReadOf = ({ read: { byId, single } }: Pick<Kind, 'read'>): SingleRead | undefined =>
  byId ?? single;

/** True if the platform still lists an object that no longer exists. Reading leaves such an object out. */
export const isMarkedDeleted = ({ read: { deletedMark } }: Kind, object: ApiObject): boolean =>
  typeof deletedMark === 'function'
    ? deletedMark(object)
    : deletedMark !== undefined && isDeletionMark(object[deletedMark]);

/**
 * True for the time of a deletion, or for true. A mark in another form says nothing, and an object must not be taken for deleted because of
 * it.
 */
const isDeletionMark = (mark: unknown): boolean =>
  mark === true ||
  (typeof mark === 'number' && mark > 0) ||
  (typeof mark === 'string' && !Number.isNaN(Date.parse(mark)));

/** Returns the id in an API object; empty if it has none, or if the value cannot be an id. */
export function idOf(kind: Kind, object: ApiObject): string {
  const id = typeof kind.id === 'function' ? kind.id(object) : object[kind.id ?? 'id'];
  return typeof id === 'string' || typeof id === 'number' ? String(id) : '';
}

/**
 * Returns when an object was last written, in milliseconds; undefined if the object or its kind does not have that time. Used to notice
 * that somebody wrote it after us.
 */
export function updatedAtOf({ read: { updatedAt } }: Kind, object: ApiObject): number | undefined {
  const time = updatedAt === undefined ? undefined : object[updatedAt];
  return typeof time === 'number' ? time : undefined;
}

/** What a caller of `decodeFields` knows about the object, and wants to know of it. */
interface DecodeOptions {
  /** Gets the path of each member that `withoutUnknownMembers` leaves out. */
  noteUnknown?(path: string): void;
  /**
   * Returns the address of the ledger entry that has a value of the object at this path; undefined if none has one. Used if the answer says
   * null for it; see `known-types.ts`.
   */
  recordedAt?(path: string): Address | undefined;
}

/**
 * Decodes an API object into fields: by the kind's own `decode`, otherwise member by member. The result has only declared fields, with
 * secrets sealed, ids as references, and no empty members that mean nothing. Undefined for an object that no user should see, null for one
 * of an unknown form (see `decode` of a kind). Throws if the object could be taken for another one: without a name, with a value of another
 * type, or with an empty required field that decides about a replacement.
 */
export function decodeFields(
  kind: Kind,
  object: ApiObject,
  references: References,
  { noteUnknown = () => {}, recordedAt = () => undefined }: DecodeOptions = {},
): Fields | undefined | null {
  const decoded = kind.decode ? kind.decode(object, references) : (object as Fields);
  if (!decoded) return decoded;
  const fields: Fields = {};
  const strictFields = strictFieldsOf(kind);
  for (const name in kind.fields) {
    const schema = kind.fields[name]!;
    const decodedValue = decoded[name];
    const isKeyField = kind.key.includes(name);
    if (isKeyField && !isNameValue(decodedValue) && !traitsOf(schema).local)
      throw new UnidentifiableObject(kind, name);
    // Such a value stays, because `withKnownTypes` throws for it.
    const hasForbiddenType = strictFields.has(name) && hasOtherType(schema, decodedValue);
    // An empty text in the key is a name, too.
    const isUnset = !isKeyField && isNoValueOf(schema, decodedValue) && !hasForbiddenType;
    if ((isUnset || decodedValue === null) && neverEmptyFieldsOf(kind).has(name))
      throw new Error(`the response has a ${kind.name} whose \`${name}\` is empty`);
    const readValue = isUnset ? defaultValueOf(schema) : toNormalText(decodedValue, schema);
    if (readValue === undefined) continue;
    const value = withoutUnknownMembers(schema, readValue, name, noteUnknown);
    const target = referenceOf(schema);
    fields[name] =
      target === undefined ? sealSecrets(schema, value, decoded) : toReferences(value, target, references);
  }
  return withKnownTypes(kind, withoutEmpty(kind.fields, fields), { strictFields, recordedAt });
}

/**
 * Returns the fields that decide about a replacement, and those by which an object is found: in its address, or in its identity if it has
 * no name. With another value, the object would be taken for another one.
 */
const strictFieldsOf = memoize((kind: Kind): ReadonlySet<string> => {
  const isStrict = (name: string) =>
    traitsOf(kind.fields[name]!).immutable === true ||
    !canDo(kind, 'update') ||
    isPartOfAddress(name, kind) ||
    (kind.shape.identityFields ?? []).includes(name);
  return new Set(Object.keys(kind.fields).filter(isStrict));
});

/**
 * Returns the fields of `strictFieldsOf` that every object has. If an answer has an empty one, no plan may replace the object because of
 * it.
 */
const neverEmptyFieldsOf = memoize(
  (kind: Kind): ReadonlySet<string> =>
    new Set([...strictFieldsOf(kind)].filter((name) => !kind.fields[name]!.safeParse(undefined).success)),
);

/**
 * Returns a live value with its texts in the spelling in which declared texts are compared, so that a plan does not take another spelling
 * for a difference.
 */
function toNormalText(value: Value | undefined, schema: z.ZodType): Value | undefined {
  const normalText = normalTextOf(schema);
  if (!normalText) return value;
  const respell = (item: Value) => (typeof item === 'string' ? normalText(item) : item);
  if (value === undefined) return undefined;
  return Array.isArray(value) ? value.map(respell) : respell(value);
}

/** True for a text or a reference: a value that can be part of an address. */
const isNameValue = (value: Value | undefined): boolean => typeof value === 'string' || isRef(value);

/** Thrown if an API object lacks a field of its address, or has no text there, so that its address cannot be determined. */
export class UnidentifiableObject extends Error {
  constructor({ name }: Kind, field: string) {
    super(`the response has a ${name} without a \`${field}\``);
  }
}

/**
 * Returns the units (objects of the YAML) that a row (an object of the platform) stands for: usually one, and for a variable one in each of
 * its targets. Throws `UnidentifiableObject` if a unit lacks all of the fields that its address contains, or one of them is no valid name,
 * since it could not be compared. `parent`: the fields of the parent, such as the name of a DNS zone.
 */
export function unitsOf(kind: Kind, row: Fields, parent: Fields): Fields[] {
  const { units, addressFields } = kind.shape;
  return units(row, parent).map((unit) => {
    const names = addressFields.map((name) => unit[name]).filter((value) => value !== undefined);
    const isIdentifiable = addressFields.length === 0 || (names.length > 0 && names.every(isNameValue));
    if (!isIdentifiable) throw new UnidentifiableObject(kind, addressFields[0]!);
    return unit;
  });
}

/** Returns the default value of a schema; undefined if it has none. The platform may leave it out of its answers. */
const defaultValueOf = memoize((schema: z.ZodType) => schema.safeParse(undefined).data as Value | undefined);

/**
 * Returns an id in an answer of the platform, or a list of ids, as references to objects of kind `target`, so that a plan can compare it
 * with a reference in the configuration. Ids without an object, and null, stay as they are.
 */
function toReferences(value: Value, target: string, references: References): Value {
  if (Array.isArray(value)) return value.map((item) => toReferences(item, target, references));
  return typeof value === 'string' ? (references.to(target, value) ?? value) : value;
}

/**
 * Returns the names of the kinds to which an API object refers by id. The objects of these kinds are read before it is decoded, so that its
 * ids can become references.
 */
export function mentionedBy(kind: Kind, object: ApiObject): string[] {
  const references = referenceFields(kind);
  if (references.length === 0) return [];
  // The objects with these ids are not read yet, so no id can become a reference.
  const decoded = kind.decode ? (kind.decode(object, { to: () => undefined }) ?? {}) : object;
  return references.flatMap(({ name, target }) => {
    const value = decoded[name];
    const hasIds = value != null && !(Array.isArray(value) && value.length === 0);
    return hasIds ? [target] : [];
  });
}

/**
 * Returns the fields of a kind that refer to other objects, each with the kind of these. Few kinds have any, but the question is asked for
 * every object.
 */
const referenceFields = memoize((kind: Kind) =>
  Object.entries(kind.fields).flatMap(([name, schema]) => {
    const target = referenceOf(schema);
    return target === undefined ? [] : { name, target };
  }),
);

/**
 * Returns the names of the other kinds whose lists planning may read together with objects of this kind: the kind that shares its list
 * (`without`), and those that its fields refer to by id. Used by `trueup permissions`, because a token has to reach these lists, too.
 */
export function kindsReadWith({ name, fields, read: { items } }: Kind): string[] {
  const sharing = typeof items === 'object' && 'without' in items ? [items.without] : [];
  const referred = Object.values(fields).flatMap((schema) => referenceOf(schema) ?? []);
  return [...new Set([...sharing, ...referred])].filter((other) => other !== name);
}

/**
 * Returns a value in which everything is sealed that its schema marks as secret, in nested objects too. Used while API objects are decoded,
 * so that no later code can print a secret by mistake.
 */
function sealSecrets(schema: z.ZodType, value: Value, fields: Fields): Value {
  const { secret } = traitsOf(schema);
  if (secret === true || secret?.(fields))
    return value === null || isSecret(value) ? value : new Sealed(String(value));
  return mapSchemaMembers(schema, value, (member, item) => sealSecrets(member, item, fields));
}

/**
 * Returns the address of the parent of an object: `address` without its section and names. Undefined at the
 * top; empty if the address is too short for the kind. Used where only the address is known: the ledger does
 * not record parents, for example.
 */
export function parentOf(address: Address, kind: Kind): Address | undefined {
  if (kind.parent === undefined) return undefined;
  let end = address.length;
  // An address ends with the section and one name for each field of the key: `env/API_URL`.
  for (let parts = kind.key.length + 1; parts > 0 && end > 0; parts--)
    end = address.lastIndexOf('/', end - 1);
  return address.slice(0, Math.max(0, end));
}

/**
 * Returns kind, parent and address of an object and of everything above it, from the top down. Empty if the kind is unknown, as for a
 * ledger of another version. Used to read or index all parents of an object.
 */
export function addressPathOf(
  address: Address,
  kindName: string,
  kinds: Kinds,
): [kind: string, parent: Address | undefined, address: Address][] {
  const kind = kinds.get(kindName);
  if (!kind) return [];
  const parent = parentOf(address, kind);
  if (kind.parent === undefined || parent === undefined) return [[kindName, undefined, address]];
  return [...addressPathOf(parent, kind.parent, kinds), [kindName, parent, address]];
}

/** True if the platform can move objects of a kind to another parent. They keep their name, because it is their id. */
export const isTransferable = (kind: Kind | undefined): boolean =>
  kind?.move !== undefined && !kind.shape.orderDecides && kind.key.length === 1 && kind.key[0] === kind.id;

/** True if the platform can create, update, delete or move (`verb`) objects of a kind. */
export function canDo(kind: Partial<Pick<Kind, Verb>>, verb: Verb): boolean {
  return kind[verb] !== undefined;
}

/**
 * Returns kind and address of each ancestor of an object under `parent`, nearest first. Used to find the container (such as a project) in
 * which an object is, the objects that it depends on, and the values of `{project}` and the like in endpoints.
 */
export function ancestorsOf(
  kinds: Kinds,
  kind: Kind,
  parent: Address | undefined,
): { kind: Kind; address: Address }[] {
  const ancestors: { kind: Kind; address: Address }[] = [];
  let address = parent;
  // From the kind of the parent to the outermost one.
  for (const ancestor of lineage(kinds, kind.parent)) {
    if (address === undefined) break;
    ancestors.push({ kind: ancestor, address });
    // Empty if the address is too short for the kind.
    address = parentOf(address, ancestor) || undefined;
  }
  return ancestors;
}

/** Returns the members of a read's answer with the list, or the function which finds the list; undefined for a single object. */
export const listItemsOf = ({ items }: Kind['read']) =>
  typeof items === 'object' && 'list' in items ? items.list : items;
