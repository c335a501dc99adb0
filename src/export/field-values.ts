import * as z from 'zod';
import { equalsAbsent } from '../kind/empty-is-absent.ts';
import { innerOf, shapeOf } from '../kind/traits.ts';
import { Sealed } from '../model/sealed.ts';
import { type Fields, isHole, isPlainObject, mapHoles, type Value } from '../model/value.ts';

/**
 * A found value with what the schema of the YAML takes, and nothing else: members that cannot be declared are left out, and so
 * is what says nothing (null, '', [] and {}) where it need not be there. Undefined if nothing remains.
 */
export function declarable(schema: z.ZodType, value: Value | undefined): Value | undefined {
  return value === null && isOptional(schema) ? undefined : asItem(schema, value);
}

/** The same for what is in a list or a map by name, where null is a value if the schema takes it. */
function asItem(schema: z.ZodType, value: Value | undefined): Value | undefined {
  if (value === undefined) return undefined;
  if (value === null) return schema.safeParse(null).success ? null : undefined;
  if (value instanceof Sealed || isHole(value)) return value;
  const inner = innerOf(schema);
  if (inner) return declarable(inner, value);
  if (schema instanceof z.ZodUnion) return oneOf(schema.options as z.ZodType[], value);
  if (Array.isArray(value)) {
    const element = (schema.def as { element?: z.ZodType }).element;
    if (!element) return value;
    return value.map((item) => asItem(element, item)).filter((item) => item !== undefined);
  }
  if (!isPlainObject(value)) return value;
  const shape = shapeOf(schema);
  if (shape) return membersOf(shape, value as Fields);
  const { valueType } = schema.def as { valueType?: z.ZodType };
  if (!valueType) return value;
  const members = Object.entries(value as Fields).map(
    ([name, item]) => [name, asItem(valueType, item)] as const,
  );
  return Object.fromEntries(members.filter(([, item]) => item !== undefined)) as Value;
}

/**
 * The first form of several that takes the value; what is a secret or a reference in it is a text in the YAML. Where none does, the
 * value as it is: that it cannot be declared is for the caller to tell.
 */
function oneOf(options: z.ZodType[], value: Value): Value | undefined {
  for (const option of options) {
    const part = declarable(option, value);
    if (part !== undefined && option.safeParse(mapHoles(part, () => 'text')).success) return part;
  }
  return value;
}

const membersOf = (shape: Record<string, z.ZodType>, value: Fields): Value => {
  const members = Object.entries(shape).map(([name, schema]) => {
    const item = declarable(schema, value[name]);
    const isLeftOut =
      isOptional(schema) && saysNothing(item) && (item === undefined || equalsAbsent(schema, item));
    return [name, isLeftOut ? undefined : item] as const;
  });
  return Object.fromEntries(members.filter(([, item]) => item !== undefined)) as Value;
};

export const isOptional = (schema: z.ZodType): boolean => schema.safeParse(undefined).success;

/** True if a value is the same as none. */
export const saysNothing = (value: Value | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isPlainObject(value) && Object.keys(value).length === 0);
