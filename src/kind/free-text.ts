import * as z from 'zod';
import { memoize } from '../model/memoize.ts';
import { type Fields, isPlainObject, type Value } from '../model/value.ts';
import { mapMembers } from '../model/walk.ts';
import { innerOf, shapeOf, traitsOf } from './traits.ts';

/** The surroundings of a text in the fields of an object, by which it may be recognized as a credential. */
export interface TextContext {
  /** The name of the member that holds it; undefined for an item of a list without a name. */
  name: string | undefined;
  /** The other members of the same object: a header has its name in one and its value in another. */
  siblings: Fields;
  /** True if the schema says that the text may be a credential: see `FieldTraits.mayTell`. */
  isTelling: boolean;
}

/**
 * Returns a copy of a value in which `change` replaces each text that people choose freely. Used to seal texts that may be secret. Names,
 * references, digests of files and texts of a fixed set stay: code reads them, and none of them contains a secret.
 */
export function mapFreeText(
  schema: z.ZodType | undefined,
  value: Value,
  context: TextContext,
  change: (text: string, context: TextContext) => Value,
): Value {
  if (typeof value === 'string') return schema && isFixed(schema, value) ? value : change(value, context);
  if (Array.isArray(value)) {
    const item = schema && schemaOfMember(schema, undefined);
    return value.map((element) => mapFreeText(item, element, context, change));
  }
  if (!isPlainObject(value)) return value;
  const siblings = value as Fields;
  const telling = schema && traitsOf(schema).mayTell?.(siblings);
  return mapMembers(siblings, (member, name) =>
    mapFreeText(
      schema && schemaOfMember(schema, name),
      member,
      { name, siblings, isTelling: context.isTelling || (member !== undefined && member === telling) },
      change,
    ),
  );
}

/**
 * True if a text belongs to a fixed set of values, or refers to another object or a file. Such a text cannot be a secret, so it is never
 * hidden.
 */
function isFixed(schema: z.ZodType, text: string): boolean {
  const options = unionOptionsOf(schema);
  const option =
    options.length === 1 ? options[0] : options.find((candidate) => candidate.safeParse(text).success);
  return option !== undefined && isFixedType(option);
}

/** True if a schema takes only texts of a fixed set, references or names of files. */
const isFixedType: (schema: z.ZodType) => boolean = memoize((schema) => {
  const { ref, mayIdentify, file, local, knownValues, mirrors } = traitsOf(schema);
  if (ref ?? mayIdentify ?? file ?? local ?? knownValues ?? mirrors) return true;
  const inner = innerOf(schema);
  return inner ? isFixedType(inner) : schema instanceof z.ZodEnum || schema instanceof z.ZodLiteral;
});

/** Returns the schemas of a union, also through wrappers and nested unions; otherwise the schema itself. */
const unionOptionsOf: (schema: z.ZodType) => z.ZodType[] = memoize((schema) => {
  const inner = innerOf(schema);
  if (schema instanceof z.ZodUnion) return (schema.options as z.ZodType[]).flatMap(unionOptionsOf);
  return inner instanceof z.ZodUnion ? unionOptionsOf(inner) : [schema];
});

/**
 * Returns the schema of a member, or of an item of a list if there is no name. Undefined if the schema allows any value there. Used to
 * descend into a value together with its schema.
 */
function schemaOfMember(schema: z.ZodType, name: string | undefined): z.ZodType | undefined {
  for (const option of unionOptionsOf(schema)) {
    const shape = shapeOf(option);
    if (shape && name !== undefined && Object.hasOwn(shape, name)) return shape[name];
    const { element, valueType } = unwrapped(option).def as { element?: z.ZodType; valueType?: z.ZodType };
    const member = name === undefined ? element : valueType;
    if (!shape && member) return member;
  }
  return undefined;
}

/** Returns the schema inside all wrappers. */
const unwrapped = (schema: z.ZodType): z.ZodType => {
  const inner = innerOf(schema);
  return inner ? unwrapped(inner) : schema;
};
