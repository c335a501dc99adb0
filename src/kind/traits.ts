import * as z from 'zod';
import { memoize } from '../model/graph.ts';
import type { Endpoint } from '../model/request.ts';
import type { Fields, Value } from '../model/value.ts';

/**
 * Facts about a field that its schema cannot state. A field without traits is compared and sent like any other.
 *
 * These traits say if a value is a secret, and what the declared value is compared with:
 *
 *   | trait                      | declared text | live value                        | compared with the                      |
 *   | -------------------------- | ------------- | --------------------------------- | -------------------------------------- |
 *   | none                       | public        | public                            | live value                             |
 *   | `secret`                   | secret        | secret                            | live value                             |
 *   | `secret`, `inClear`        | public        | secret                            | live value                             |
 *   | `secret`, `neverReturned`  | secret        | never returned                    | last applied value                     |
 *   | `writeOnly`                | public        | never returned                    | last applied value                     |
 *   | `readMayLack`              | public        | public, missing from some answers | last applied value where it is missing |
 *   | `published`                | public        | public, whatever it looks like    | live value                             |
 *   | `findPossibleSecret`       | public        | the part it returns is hidden     | live value                             |
 *
 * `diff.ts` in `plan` says how a comparison ends for each of them.
 */
export interface FieldTraits {
  /** The platform cannot change it (or not from this value): a change needs a replacement. */
  immutable?: true | ((before: Value | undefined) => boolean);
  /** The platform never returns the value, so it is compared with the last applied one. */
  writeOnly?: true;
  /** Some answers lack the value. It is then compared with the last applied one. */
  readMayLack?: true;
  /** The value is a secret, desired and live; a function if that depends on the other fields. */
  secret?: true | ((fields: Fields) => boolean);
  /** With `secret`: if this is true for the other fields, text in the configuration itself is no secret. A live value still is one. */
  inClear?: (fields: Fields) => boolean;
  /** With `secret`: if this is true for the object's fields, the platform never returns the value. `writeOnly` says so for any fields. */
  neverReturned?: (fields: Fields) => boolean;
  /**
   * Set if `$secretTo` can write a secret to the field that the platform shows once. Returns the other fields that follow from that.
   * `declaredNames`: the names of the fields that the configuration sets.
   */
  takesSecret?: (declaredNames: readonly string[]) => Fields;
  /**
   * Returns the part of an object that may be a secret according to its other members, although no trait says so. Live texts in it are
   * hidden, and an export that has to write it in plain text warns about it.
   */
  findPossibleSecret?: (members: Fields) => Value | undefined;
  /** Members that are public, such as the value of a DNS record. They are shown even if they look like a credential. */
  published?: readonly string[];
  /** Returns the usual spelling of a text that can be spelled in several ways. Texts are compared and sent in this spelling. */
  normalText?: (text: string) => string;
  /** The order of the list has no meaning; with `atomic`: that of the lists in the object. */
  unordered?: true;
  /**
   * For an unordered list of objects: the optional members, such as the `ttl` of a DNS record, that are compared only in items that declare
   * them. Such a list is an itemwise set, whose items are compared one by one (`isItemwise`).
   */
  whereDeclared?: readonly string[];
  /** The object is compared and written as a whole, not leaf by leaf. */
  atomic?: true;
  /** An empty value differs from an absent one. For fields, and for members of objects that are compared as a whole. */
  emptyCounts?: true;
  /** The field protects something. An export writes it even if it has the usual value, so that a later change is noticed. */
  safeguard?: true;
  /** The kind of the resource that the field refers to: its name in the YAML, its address in plans, its id in requests. */
  ref?: string;
  /** The list shows objects of another kind, and changes with them. */
  mirrors?: Mirrored;
  /**
   * The kind of a resource that the field names and that need not be declared. The value stays as written; a declared target is created
   * first.
   */
  softRef?: string;
  /**
   * For a field with `softRef`: how to report objects that name each other in a circle, if that means more than that no order for their
   * creation exists, as for redirects. The names are those of the objects, with the first one again at the end.
   */
  circle?: { code: string; message: (names: readonly string[]) => string; hint: string };
  /** The kind of an object whose id the value may be. An export writes such an id as an expression that is right in any account. */
  mayIdentify?: string;
  /**
   * Set if only one object of the account may have the value at a time, of any kind. An object gives it up before another one takes it.
   * Fields with the same word share their values.
   */
  sole?: string;
  /** The field has the id of what the key names. Planning finds it, by one of several names. */
  foundBy?: OtherNames;
  /** The field matters only for the creation. It is not compared, and not sent again. */
  createOnly?: true;
  /**
   * The kind of the object that contains what the field names: `www.a.com` is in the domain `a.com`. That object is created first and
   * deleted last.
   */
  within?: string;
  /** Required only for a creation. Without it, an existing object keeps its value, and an export can leave it out. */
  neededToCreate?: true;
  /** The create endpoint refuses the field, so that an update follows the creation. */
  updateOnly?: true;
  /** A path in the YAML, relative to the folder of its file. After reading, the value is the digest of the picture there. */
  file?: 'picture';
  /** A name in the YAML that the platform never receives. */
  local?: true;
  /** Names that people may write instead of this one because they know them from elsewhere, each with a hint. */
  insteadOf?: Readonly<Record<string, string>>;
  /** The known values. Others get a warning, since the platform may have added them. */
  knownValues?: readonly string[];
}

/**
 * Other names by which a configuration may name an object: a member of a project, for example, by the e-mail address, the user name or the
 * user id of a person. The key field has the usual name, which live objects have as their name and which an export writes. It is a trait of
 * the field that takes the id of what the key names, for a creation: planning finds the id unless the block declares it.
 */
export interface OtherNames {
  /** The facts of a live object (see `read.facts`) that may stand in the place of the key. */
  facts: string[];
  /** The list of everything that a new object can name. */
  directory: NameDirectory;
}

/** A list of the platform whose rows have an id and names. */
export interface NameDirectory {
  endpoint: Endpoint;
  /** The members of the answer with the list, as the kind of these rows reads it: so both share one reading. */
  items: string[];
  /** The member of a row with its id. */
  id: string;
  /** The members of a row with its names, the usual one first. */
  names: string[];
  /** The noun for a row, for messages: `member of the team`. */
  noun: string;
}

/** How to find the object that an item of a list shows: by its parent, and by a field that equals a fact of the object with the list. */
export interface Mirrored {
  kind: string;
  /**
   * The member of an item that names the parent of that object, by its id. Without it, the list names all parents: a declared list then
   * also contradicts each such object that it lacks, and such an object has the id of the object with the list.
   */
  parent?: string;
  /** The field of that object that equals a fact of the object with the list; without `fact`, its id. */
  own: { field: string; fact?: string };
}

// The traits are not in the schemas, because a zod registry would rewrite the types.
const registry = new WeakMap<z.ZodType, FieldTraits>();

/** Returns the traits of a field, with those of the schemas inside `.optional()`, `.nullable()` and `.default()`. */
export const traitsOf: (schema: z.ZodType) => FieldTraits = memoize((schema) => {
  // `.describe()`, `.min()` and similar methods make a copy that knows its original.
  const original = schema._zod.parent as z.ZodType | undefined;
  const fieldTraits = registry.get(schema) ?? (original ? traitsOf(original) : {});
  const inner = innerOf(schema);
  return inner ? { ...traitsOf(inner), ...fieldTraits } : fieldTraits;
});

/** Returns the kind that a field refers to, as one reference or as a list of references; undefined if it is no reference. */
export const referenceOf: (schema: z.ZodType) => string | undefined = memoize((schema) => {
  const inner = innerOf(schema) ?? (schema.def as { element?: z.ZodType }).element;
  return traitsOf(schema).ref ?? (inner && referenceOf(inner));
});

/**
 * Returns the function for the usual spelling of a field's text, or of the texts in its list; undefined if each spelling has a meaning of
 * its own.
 */
export const normalTextOf: (schema: z.ZodType) => FieldTraits['normalText'] = memoize((schema) => {
  const inner = innerOf(schema) ?? (schema.def as { element?: z.ZodType }).element;
  return traitsOf(schema).normalText ?? (inner && normalTextOf(inner));
});

/** Declares a text field that can be spelled in several ways. `normalText` returns the usual spelling. */
export const spelledAlike = (schema: z.ZodString, normalText: (text: string) => string): z.ZodString =>
  withTraits(schema.overwrite(normalText), { normalText });

/**
 * Returns the documentation of a field: one sentence from its `.describe()`, or from that of a wrapped schema; undefined if there is none.
 */
export const docOf: (schema: z.ZodType) => string | undefined = memoize((schema) => {
  const inner = innerOf(schema);
  return schema.description ?? (inner && docOf(inner));
});

/** Returns the schema inside a wrapper schema (`.optional()`, `.default()`, a pipe); undefined for any other schema. */
export function innerOf(schema: z.ZodType): z.ZodType | undefined {
  const def = schema.def as { innerType?: z.ZodType; in?: z.ZodType; type: string };
  return def.innerType ?? (def.type === 'pipe' ? def.in : undefined);
}

/** Returns the schema of the items of a list, also inside wrappers; undefined for any other schema. */
export function itemSchemaOf(schema: z.ZodType): z.ZodType | undefined {
  const inner = innerOf(schema);
  return inner ? itemSchemaOf(inner) : (schema.def as { element?: z.ZodType }).element;
}

/** Returns the members of an object schema, also inside wrappers; undefined for any other schema. */
export const shapeOf: (schema: z.ZodType) => Record<string, z.ZodType> | undefined = memoize((schema) => {
  if (schema instanceof z.ZodObject) return schema.shape;
  const inner = innerOf(schema);
  return inner && shapeOf(inner);
});

/**
 * Returns a copy of a schema with more traits: facts about the field that a schema cannot state, such as "the platform never returns it".
 * Used by kinds to declare their fields. A copy, because several fields may share the schema.
 */
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
 * Declares a field of a kind that is secret, except for plain text in the configuration, such as the value of a plain variable: it may
 * stand in the YAML, but plans hide a live value, since it may come from a secret. `inClear`: true if plain text is allowed;
 * `neverReturned`: true if the platform does not return the value.
 */
export const secretUnlessWritten = <T extends z.ZodType>(
  schema: T,
  when: true | ((fields: Fields) => boolean),
  { inClear, neverReturned }: Required<Pick<FieldTraits, 'inClear' | 'neverReturned'>>,
): T => withTraits(schema, { secret: when, inClear, neverReturned });
/** Declares the label that the YAML gives to an object without a name; see `Shape.isNamed`. */
export const label = () => withTraits(z.string().min(1).max(100), { local: true });
/**
 * Declares a picture in JPEG, PNG or SVG. The YAML names its file. Loading the configuration replaces that name by the SHA-1 digest of the
 * content in hexadecimal digits, after `svg:` for an SVG. A request with `file` sends the content. A digest in the YAML is refused, because
 * it does not lead to the content.
 */
export const picture = () =>
  withTraits(
    z
      .string()
      .min(1)
      .refine((text) => !/^(svg:)?[0-9a-f]{40}$/.test(text), 'its content cannot be read, only its digest'),
    { file: 'picture' },
  );
/** Declares a list without order and without equal items. `whereDeclared`: the members of items that need not be declared. */
export const setOf = <T extends z.ZodType>(item: T, traits: Pick<FieldTraits, 'whereDeclared'> = {}) =>
  withTraits(z.array(item), { unordered: true, ...traits });
/** Declares an object that is compared and written as a whole, and whose lists are sets. */
export const wholeOfSets = <T extends z.ZodType>(schema: T): T =>
  withTraits(schema, { atomic: true, unordered: true });
/** Declares a field with the name of another resource in the same container. */
export const refTo = (kind: string) => withTraits(z.string().min(1), { ref: kind });
/**
 * Declares a field that may name a declared resource. That resource is created first. `circle`: what it means if such resources name each
 * other.
 */
export const softRefTo = <T extends z.ZodType>(kind: string, schema: T, circle?: FieldTraits['circle']): T =>
  withTraits(schema, { softRef: kind, ...(circle && { circle }) });
/** Declares a text that may be the id of an object of `kind`, anywhere in the account. */
export const mayIdentify = <T extends z.ZodType>(kind: string, schema: T): T =>
  withTraits(schema, { mayIdentify: kind });
/** Declares a field with one of these values, or with one that the platform has added since. */
export const openEnum = (values: readonly string[]) => withTraits(z.string().min(1), { knownValues: values });

/** Declares a required field that takes any JSON, including null. */
export const anyJson = () => z.any().refine((value) => value !== undefined, 'a value is missing');

/** Declares the usual fields of actions and lookups, each with a sentence for people. */
export const described = {
  text: (doc: string) => z.string().min(1).describe(doc),
  number: (doc: string) => z.number().describe(doc),
  integer: (doc: string) => z.int().describe(doc),
  flag: (doc: string) => z.boolean().describe(doc),
  /** Shown as ISO 8601, whether the platform has text or milliseconds. */
  time: (doc: string) => z.iso.datetime().describe(doc),
  texts: (doc: string) => z.array(z.string().min(1)).min(1).describe(doc),
  /** Any value of the platform. */
  json: (doc: string) => z.any().describe(doc),
  secret: (doc: string) => secret(z.string().min(1).describe(doc)),
};
