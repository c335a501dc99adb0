import * as z from 'zod';
import { memoize } from '../model/memoize.ts';
import type { Fields, Value } from '../model/value.ts';

/** Facts about a field that its schema cannot state. A field without traits is compared and sent like any other. */
export interface FieldTraits {
  /** The platform cannot change it (or not from this value): a change needs a replacement. */
  immutable?: true | ((before: Value | undefined) => boolean);
  /** Never comes back: compared with what was last applied. */
  writeOnly?: true;
  /** Some answers leave it out: then compared with what was last applied. */
  readMayLack?: true;
  /** Sealed on both sides; a function where that depends on the other fields. */
  secret?: true | ((fields: Fields) => boolean);
  /** With `secret`: text that stands in the configuration itself is no secret if this is true of the other fields. A found value still is. */
  inClear?: (fields: Fields) => boolean;
  /** With `secret`: the platform never returns the value if this is true of the object's fields. `writeOnly` means the same, whatever the fields. */
  neverReturned?: (fields: Fields) => boolean;
  /**
   * `$secretTo` can write a secret to it that the platform shows once. Returns the other fields that follow from that. `given`: the names
   * of the fields that the configuration sets.
   */
  takesSecret?: (given: readonly string[]) => Fields;
  /**
   * The part of an object that may be a secret although no trait says so, judging by the other members. An export that has to write it as
   * found names it.
   */
  mayTell?: (members: Fields) => Value | undefined;
  /** Members that everybody can look up, such as the value of a DNS record: they are shown even if they look like a credential. */
  published?: readonly string[];
  /** Several spellings mean the same: returns the one in which declared and live texts are compared, and in which they are sent. */
  normalText?: (text: string) => string;
  /** A list whose order means nothing. */
  unordered?: true;
  /** For an unordered list of objects: members that are compared only in items that declare them. */
  whereDeclared?: readonly string[];
  /** An object that is compared and written as a whole, not leaf by leaf. */
  atomic?: true;
  /** An empty value means something other than an absent one. For fields, and for members of objects that are compared whole. */
  emptyCounts?: true;
  /** Protects something: an export writes it even if it has the usual value, so that a change of it is seen. */
  safeguard?: true;
  /** Names another resource: written as its name, planned as its address, sent as its id. */
  ref?: string;
  /** A list that shows objects of another kind from their other end: it changes with them. */
  mirrors?: Mirrored;
  /** Names a resource that need not be declared: the value stays as written, and a declared target comes first. */
  softRef?: string;
  /** May be the id of an object of this kind: an export writes it as an expression, which has the right id in any account. */
  mayIdentify?: string;
  /**
   * Only one object may have this value at a time, in any collection and of any kind: it is given up before it is taken. Fields that share
   * the word share the values.
   */
  sole?: string;
  /** Means something only while the object is created: never compared, never sent again. */
  createOnly?: true;
  /** Names something, or several things, inside an object of this kind, which comes first and goes last: `www.a.com` is inside the domain `a.com`. */
  within?: string;
  /** Needed only to create: without it, an existing object keeps its value, and an export can leave it out. */
  neededToCreate?: true;
  /** Refused by the create endpoint: a second request, the update, follows. */
  updateOnly?: true;
  /** A path in the YAML, from the folder of the file that names it; after reading, the digest of the picture there. */
  file?: 'picture';
  /** A name given in the YAML, which the platform never learns. */
  local?: true;
  /** Names that people know from elsewhere and write in place of this field, each with a hint. */
  insteadOf?: Readonly<Record<string, string>>;
  /** Known values; others are a warning, since the platform may have added them. */
  knownValues?: readonly string[];
}

/** Finds the object that an item of a list is about: it lies in `parent`, and has the same `own`. */
export interface Mirrored {
  kind: string;
  /** The member of an item that names the parent of that object, by its id. */
  parent: string;
  /** The field of that object that equals a fact of the object with the list. */
  own: { field: string; fact: string };
}

// Beside the schemas, not in them; a zod registry would rewrite the types.
const registry = new WeakMap<z.ZodType, FieldTraits>();

/** The traits of a field, those set beneath `.optional()`, `.nullable()` and `.default()` included. */
export const traitsOf: (schema: z.ZodType) => FieldTraits = memoize((schema) => {
  // `.describe()`, `.min()` and the like make a copy that knows what it was made of.
  const made = schema._zod.parent as z.ZodType | undefined;
  const fieldTraits = registry.get(schema) ?? (made ? traitsOf(made) : {});
  const inner = innerOf(schema);
  return inner ? { ...traitsOf(inner), ...fieldTraits } : fieldTraits;
});

/** The kind whose objects a field names, be it one or a list of them. */
export const referenceOf: (schema: z.ZodType) => string | undefined = memoize((schema) => {
  const inner = innerOf(schema) ?? (schema.def as { element?: z.ZodType }).element;
  return traitsOf(schema).ref ?? (inner && referenceOf(inner));
});

/** The normal spelling of the texts of a field, be it one text or a list of them; undefined if each spelling means something else. */
export const normalTextOf: (schema: z.ZodType) => FieldTraits['normalText'] = memoize((schema) => {
  const inner = innerOf(schema) ?? (schema.def as { element?: z.ZodType }).element;
  return traitsOf(schema).normalText ?? (inner && normalTextOf(inner));
});

/** A text field with several spellings of the same value. */
export const spelledAlike = (schema: z.ZodString, normalText: (text: string) => string): z.ZodString =>
  withTraits(schema.overwrite(normalText), { normalText });

/** A field's documentation, one sentence from its `.describe()`, that beneath wrappers included; undefined where there is none. */
export const docOf: (schema: z.ZodType) => string | undefined = memoize((schema) => {
  const inner = innerOf(schema);
  return schema.description ?? (inner && docOf(inner));
});

/** The schema inside a wrapper schema; undefined for any other schema. */
export function innerOf(schema: z.ZodType): z.ZodType | undefined {
  const def = schema.def as { innerType?: z.ZodType; in?: z.ZodType; type: string };
  return def.innerType ?? (def.type === 'pipe' ? def.in : undefined);
}

/** The members of an object schema, wrappers looked through; undefined for any other schema. */
export const shapeOf: (schema: z.ZodType) => Record<string, z.ZodType> | undefined = memoize((schema) => {
  if (schema instanceof z.ZodObject) return schema.shape;
  const inner = innerOf(schema);
  return inner && shapeOf(inner);
});

/** A copy of `schema` with traits; a copy, so that a schema shared between fields is not marked everywhere. */
export function withTraits<T extends z.ZodType>(schema: T, traits: FieldTraits): T {
  const copy = schema.clone() as T;
  registry.set(copy, { ...traitsOf(schema), ...traits });
  return copy;
}

export const immutable = <T extends z.ZodType>(schema: T): T => withTraits(schema, { immutable: true });
export const writeOnly = <T extends z.ZodType>(schema: T): T => withTraits(schema, { writeOnly: true });
export const readMayLack = <T extends z.ZodType>(schema: T): T => withTraits(schema, { readMayLack: true });
export const updateOnly = <T extends z.ZodType>(schema: T): T => withTraits(schema, { updateOnly: true });
export const neededToCreate = <T extends z.ZodType>(schema: T): T =>
  withTraits(schema, { neededToCreate: true });
export const createOnly = <T extends z.ZodType>(schema: T): T => withTraits(schema, { createOnly: true });
export const atomic = <T extends z.ZodType>(schema: T): T => withTraits(schema, { atomic: true });
export const safeguard = <T extends z.ZodType>(schema: T): T => withTraits(schema, { safeguard: true });
export const emptyCounts = <T extends z.ZodType>(schema: T): T => withTraits(schema, { emptyCounts: true });
export const secret = <T extends z.ZodType>(
  schema: T,
  when: true | ((fields: Fields) => boolean) = true,
): T => withTraits(schema, { secret: when });
/**
 * A field that is secret, except for text that stands readable in the configuration; `inClear` says when that counts, `neverReturned` when
 * the platform keeps the value to itself.
 */
export const secretUnlessWritten = <T extends z.ZodType>(
  schema: T,
  when: true | ((fields: Fields) => boolean),
  { inClear, neverReturned }: Required<Pick<FieldTraits, 'inClear' | 'neverReturned'>>,
): T => withTraits(schema, { secret: when, inClear, neverReturned });
/** The name that an object without one has in the YAML; see `Shape.isNamed`. */
export const label = () => withTraits(z.string().min(1).max(100), { local: true });
/**
 * A picture in JPEG, PNG or SVG: the YAML names its file. Its value is the SHA-1 of its content in hexadecimal digits, after `svg:` if it
 * is an SVG; a request with `file` sends the content.
 */
export const picture = () =>
  withTraits(
    z
      .string()
      .min(1)
      .refine((text) => !/^(svg:)?[0-9a-f]{40}$/.test(text), 'its content cannot be read, only its digest'),
    { file: 'picture' },
  );
/** A list without order or doubles; `whereDeclared` names members of its items that need not be declared. */
export const setOf = <T extends z.ZodType>(item: T, traits: Pick<FieldTraits, 'whereDeclared'> = {}) =>
  withTraits(z.array(item), { unordered: true, ...traits });
/** A field that holds the name of a sibling resource (one under the same ancestor). */
export const refTo = (kind: string) => withTraits(z.string().min(1), { ref: kind });
/** A field that may hold the name of a declared sibling, which then comes first. */
export const softRefTo = <T extends z.ZodType>(kind: string, schema: T): T =>
  withTraits(schema, { softRef: kind });
/** A text that may be the id of an object of `kind`, wherever that is. */
export const mayIdentify = <T extends z.ZodType>(kind: string, schema: T): T =>
  withTraits(schema, { mayIdentify: kind });
/** One of `values`, or one that the platform has added since. */
export const openEnum = (values: readonly string[]) => withTraits(z.string().min(1), { knownValues: values });

/** A field that takes any JSON, null included, but must be there. */
export const anyJson = () => z.any().refine((value) => value !== undefined, 'a value is missing');

/** The usual fields of actions and lookups, each with its sentence for people. */
export const described = {
  text: (doc: string) => z.string().min(1).describe(doc),
  number: (doc: string) => z.number().describe(doc),
  whole: (doc: string) => z.int().describe(doc),
  flag: (doc: string) => z.boolean().describe(doc),
  /** Shown as ISO 8601, whether the platform has text or milliseconds. */
  time: (doc: string) => z.iso.datetime().describe(doc),
  texts: (doc: string) => z.array(z.string().min(1)).min(1).describe(doc),
  /** Any value of the platform. */
  json: (doc: string) => z.any().describe(doc),
  secret: (doc: string) => secret(z.string().min(1).describe(doc)),
};
