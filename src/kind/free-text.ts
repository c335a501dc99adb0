import * as z from 'zod';
import { memoize } from '../model/memoize.ts';
import { type Fields, isPlainObject, type Value } from '../model/value.ts';
import { mapMembers } from '../model/walk.ts';
import { innerOf, shapeOf, traitsOf } from './traits.ts';

/** The surroundings of a text in the fields of an object. */
export interface TextContext {
  /** The name of the member that holds it; undefined for an item of a list without one. */
  name: string | undefined;
  /** The members beside it: a header has its name in one and its value in another. */
  siblings: Fields;
  /** The schema around it says that it may be a credential: see `FieldTraits.mayTell`. */
  isTelling: boolean;
}

/**
 * A copy of a value in which `change` replaces each text that people choose freely. Names, references, digests of files and texts out of a
 * fixed set stay: code reads them, and none of them holds a secret.
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

/** True if a text is one of a fixed set, or means another object or a file. */
function isFixed(schema: z.ZodType, text: string): boolean {
  const options = unionOptionsOf(schema);
  const option =
    options.length === 1 ? options[0] : options.find((candidate) => candidate.safeParse(text).success);
  return option !== undefined && isFixedType(option);
}

const isFixedType: (schema: z.ZodType) => boolean = memoize((schema) => {
  const { ref, mayIdentify, file, local, knownValues, mirrors } = traitsOf(schema);
  if (ref ?? mayIdentify ?? file ?? local ?? knownValues ?? mirrors) return true;
  const inner = innerOf(schema);
  return inner ? isFixedType(inner) : schema instanceof z.ZodEnum || schema instanceof z.ZodLiteral;
});

/** The schemas of a union, or the schema itself. */
const unionOptionsOf: (schema: z.ZodType) => z.ZodType[] = memoize((schema) => {
  const inner = innerOf(schema);
  if (schema instanceof z.ZodUnion) return (schema.options as z.ZodType[]).flatMap(unionOptionsOf);
  return inner instanceof z.ZodUnion ? unionOptionsOf(inner) : [schema];
});

/** The schema of a member, or of an item if there is no name; undefined where any value may stand. */
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

const unwrapped = (schema: z.ZodType): z.ZodType => {
  const inner = innerOf(schema);
  return inner ? unwrapped(inner) : schema;
};
