import * as z from 'zod';
import { comparedFields, memberSchemasOf } from '../../src/kind/compare.ts';
import { emptyIsAbsent } from '../../src/kind/empty-is-absent.ts';
import type { Kind } from '../../src/kind/kind.ts';
import { innerOf, shapeOf, traitsOf } from '../../src/kind/traits.ts';

/** An optional member of an object in a value that is compared as a whole. */
export interface OptionalMember {
  /** Where its object is: `conditionGroup.conditions`; items of lists and entries of maps have no names. */
  within: string;
  name: string;
  /** The names that the object has to have. */
  beside: string[];
  /** Constants that the object has. */
  constants: Record<string, z.ZodType>;
  emptyIsAbsent: boolean;
}

/** All of them in a kind's compared fields; an answer has none of those that are never read back. */
export const optionalMembers = (kind: Kind): OptionalMember[] =>
  Object.entries(comparedFields(kind)).flatMap(([name, schema]) => inside(schema, name, false));

function inside(schema: z.ZodType, at: string, isWhole: boolean): OptionalMember[] {
  const { writeOnly, createOnly } = traitsOf(schema);
  if (writeOnly || createOnly) return [];
  const inner = innerOf(schema);
  const atomic = isWhole || traitsOf(schema).atomic === true;
  if (inner) return inside(inner, at, atomic);
  if (schema instanceof z.ZodUnion)
    return (schema.options as z.ZodType[]).flatMap((one) =>
      inside(one, at, atomic || !memberSchemasOf(schema)),
    );
  const { element, valueType } = schema.def as { element?: z.ZodType; valueType?: z.ZodType };
  if (element) return inside(element, at, true);
  if (valueType) return inside(valueType, at, atomic);
  const shape = shapeOf(schema);
  if (!shape) return [];
  const members = Object.entries(shape);
  const isOptional = (member: z.ZodType) => member.safeParse(undefined).success;
  const beside = members.flatMap(([name, member]) => (isOptional(member) ? [] : [name]));
  const constants = Object.fromEntries(
    members.filter(([, member]) => member instanceof z.ZodLiteral || member instanceof z.ZodEnum),
  );
  const own = members
    .filter(([, member]) => atomic && isOptional(member))
    .map(([name, member]) => ({ within: at, name, beside, constants, emptyIsAbsent: emptyIsAbsent(member) }));
  return [...own, ...members.flatMap(([name, member]) => inside(member, `${at}.${name}`, atomic))];
}
