/**
 * Turns the strict schemas of fields into what the loader accepts: `${...}` may stand for any value, and text may be written as a number.
 *
 *   alternative    one of several schemas that a value may match (`anyOf`, `oneOf`, or a list of types)
 *   discriminator  a member with a different constant in each alternative, such as `type` in `{ type: redirect, ... }`
 */
import {
  expressionSchema,
  ifThen,
  type JsonSchema,
  keySchema,
  mapMemberSchemas,
  textSchema,
  typeOrExpression,
} from './json-schema.ts';

/**
 * Returns the schema of a field as the loader reads it. Used for every value in the schema for editors, which would otherwise mark each
 * expression as an error. Merges alternatives into one schema where that is possible, because each of them costs an editor much time.
 */
export function withExpressions(schema: JsonSchema): JsonSchema {
  const alternatives = alternativesOf(schema);
  const description =
    schema.description ?? alternatives.find((alternative) => alternative.description)?.description;
  return { ...convertAlternatives(alternatives, description), description, default: schema.default };
}

/** Returns the alternatives of a schema as one flat list. Each has at most one type, so that it can be converted by its type. */
function alternativesOf({ anyOf, oneOf, default: _, ...schema }: JsonSchema): JsonSchema[] {
  const alternatives = anyOf ?? oneOf;
  if (alternatives) return alternatives.flatMap(alternativesOf);
  return Array.isArray(schema.type) ? schema.type.map((type) => ({ ...schema, type })) : [schema];
}

/**
 * Converts the alternatives of a field into one schema: by their discriminator if they have one, else as `anyOf`. The first alternative
 * repeats `description`, the documentation of the field, so that an editor can show it in its list of alternatives.
 */
function convertAlternatives(alternatives: JsonSchema[], description: string | undefined): JsonSchema {
  const [first, ...others] = alternatives.filter(({ type }) => type !== 'null');
  if (!first) return { type: 'null' };
  const nullable = alternatives.length > others.length + 1;
  if (others.length === 0) return convertSingle(first, nullable, description);
  const discriminated = convertByDiscriminator([first, ...others], nullable);
  if (discriminated) return discriminated;
  const documented = description === undefined ? first : { ...first, description };
  const converted = [documented, ...others].map(withExpressions);
  return { anyOf: [...converted, ...(nullable ? [{ type: 'null' }] : [])] };
}

/**
 * Converts a schema without alternatives by its type, so that it also accepts an expression: constants, text, object, list, or another
 * type.
 */
function convertSingle(schema: JsonSchema, nullable: boolean, description: string | undefined): JsonSchema {
  const { type, suggested, description: _, ...limits } = schema;
  if (schema.enum || schema.const !== undefined) {
    const values = [...(schema.enum ?? [schema.const]), ...(nullable ? [null] : [])];
    return { anyOf: [{ enum: values, description }, expressionSchema] };
  }
  if (type === 'string') return textSchema(limits, suggested, nullable);
  if (type === 'object') return typeOrExpression('object', convertObject(limits), nullable);
  if (type === 'array') return typeOrExpression('array', convertList(limits), nullable);
  if (schema.allOf) return { ...limits, allOf: schema.allOf.map(withExpressions) };
  return typeof type === 'string' ? typeOrExpression(type, limits, nullable) : schema;
}

/** Converts the members and the keys of an object schema. */
const convertObject = ({ propertyNames, ...schema }: JsonSchema): JsonSchema => ({
  ...mapMemberSchemas(schema, withExpressions),
  propertyNames: propertyNames && keySchema(propertyNames),
});

/**
 * Converts the items of a list schema, so that each may be an expression. A spread item (`"...${var.names}"`) stands for any number of
 * items, so a minimum of more than one item is not checked for a list with a spread.
 */
function convertList({ items, minItems = 0, ...limits }: JsonSchema): JsonSchema {
  const converted = Array.isArray(items) ? items.map(withExpressions) : items && withExpressions(items);
  return {
    ...limits,
    ...(minItems > 1 ? { if: { contains: spreadItem }, else: { minItems } } : {}),
    minItems: minItems === 1 ? minItems : undefined,
    items: converted,
  };
}

const spreadItem: JsonSchema = { type: 'string', pattern: '^\\.\\.\\.\\$\\{' };

/**
 * Converts alternatives that a discriminator distinguishes into conditions on that member; undefined if there is no discriminator. An
 * editor then checks only the alternative that is meant, so that its messages are about that one.
 */
function convertByDiscriminator(alternatives: JsonSchema[], nullable: boolean): JsonSchema | undefined {
  const firstMembers = alternatives[0]?.properties ?? {};
  const name = Object.keys(firstMembers).find((member) => isDiscriminator(member, alternatives));
  if (name === undefined) return undefined;
  const valuesOf = (alternative: JsonSchema) => constantsOf(alternative.properties![name]);
  const conditions = alternatives.map((alternative) =>
    ifThen(
      { properties: { [name]: { enum: valuesOf(alternative) } }, required: [name] },
      withExpressions(alternative),
    ),
  );
  const { description } = firstMembers[name]!;
  const member = {
    description,
    anyOf: [{ enum: alternatives.flatMap(valuesOf) }, expressionSchema],
  };
  const schema = { required: [name], properties: { [name]: member }, allOf: conditions };
  return typeOrExpression('object', schema, nullable);
}

/**
 * True if a member shows which alternative is meant: all alternatives are objects that require it, and no two accept the same value in it.
 */
function isDiscriminator(name: string, alternatives: JsonSchema[]): boolean {
  const valuesByAlternative = alternatives.map(({ type, required, properties }) =>
    type === 'object' && required?.includes(name) ? constantsOf(properties?.[name]) : [],
  );
  const values = valuesByAlternative.flat();
  return valuesByAlternative.every(({ length }) => length > 0) && new Set(values).size === values.length;
}

/** Returns the only values that a schema accepts; empty if it accepts others. */
const constantsOf = (schema: JsonSchema | undefined): unknown[] =>
  schema?.enum ?? (schema?.const === undefined ? [] : [schema.const]);
