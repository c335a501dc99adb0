import { expressionSchema, type JsonSchema, keySchema, textSchema, typeOrExpression } from './json-schema.ts';

/**
 * A schema as the loader reads it: `${...}` may stand for any value, and text may be written as a number. One schema with several
 * types is preferred to alternatives, which cost an editor several times as much.
 */
export function withExpressions(schema: JsonSchema): JsonSchema {
  const options = schemaOptionsOf(schema);
  // The description that is nearest to the field counts.
  const description = schema.description ?? options.find((option) => option.description)?.description;
  return {
    ...ofOptions(options, description),
    ...(description === undefined ? {} : { description }),
    ...(schema.default === undefined ? {} : { default: schema.default }),
  };
}

/** The alternatives of a schema, those of its alternatives included, each of one type. */
function schemaOptionsOf({ anyOf, oneOf, default: _, ...schema }: JsonSchema): JsonSchema[] {
  const options = anyOf ?? oneOf;
  if (options) return options.flatMap(schemaOptionsOf);
  return Array.isArray(schema.type) ? schema.type.map((type) => ({ ...schema, type })) : [schema];
}

/** `description`: that of the field, which one of several alternatives repeats, so that an editor can tell them apart. */
function ofOptions(options: JsonSchema[], description: string | undefined): JsonSchema {
  const [first, ...more] = options.filter(({ type }) => type !== 'null');
  const nullable = options.length > more.length + 1;
  if (!first) return { type: 'null' };
  if (more.length === 0) return ofOne(first, nullable, description);
  const schema = description === undefined ? first : { ...first, description };
  return (
    byDiscriminator([first, ...more], withExpressions, nullable) ?? {
      anyOf: [...[schema, ...more].map(withExpressions), ...(nullable ? [{ type: 'null' }] : [])],
    }
  );
}

function ofOne(schema: JsonSchema, nullable: boolean, description: string | undefined): JsonSchema {
  const { type, known, description: _, ...rest } = schema;
  if (schema.enum || schema.const !== undefined) {
    const values = [...(schema.enum ?? [schema.const]), ...(nullable ? [null] : [])];
    const told = description === undefined ? {} : { description };
    return { anyOf: [{ enum: values, ...told }, expressionSchema] };
  }
  if (type === 'string') return textSchema(rest, known as string[] | undefined, nullable);
  if (type === 'object') return typeOrExpression('object', ofObject(rest), nullable);
  if (type === 'array') return typeOrExpression('array', ofArray(rest), nullable);
  if (schema.allOf) return { ...rest, allOf: schema.allOf.map(withExpressions) };
  return typeof type === 'string' ? typeOrExpression(type, rest, nullable) : schema;
}

function ofObject({ properties, additionalProperties, propertyNames, ...rest }: JsonSchema): JsonSchema {
  const members = Object.entries(properties ?? {}).map(([name, member]) => [name, withExpressions(member)]);
  return {
    ...rest,
    ...(properties ? { properties: Object.fromEntries(members) } : {}),
    ...(additionalProperties === undefined
      ? {}
      : {
          additionalProperties:
            typeof additionalProperties === 'object'
              ? withExpressions(additionalProperties)
              : additionalProperties,
        }),
    ...(propertyNames ? { propertyNames: keySchema(propertyNames) } : {}),
  };
}

function ofArray({ items, minItems = 0, ...limits }: JsonSchema): JsonSchema {
  const read = Array.isArray(items) ? items.map(withExpressions) : items && withExpressions(items);
  return {
    ...limits,
    ...(minItems === 1 ? { minItems } : {}),
    ...(minItems > 1 ? { if: { contains: aSpread }, else: { minItems } } : {}),
    ...(read ? { items: read } : {}),
  };
}

/** An item of a list that stands for any number of items. */
const aSpread: JsonSchema = { type: 'string', pattern: '^\\.\\.\\.\\$\\{' };

/**
 * Objects that one member tells apart, as conditions on that member; undefined where no member does. An editor then checks one
 * of them in place of all, and says what is wrong with that one.
 */
function byDiscriminator(
  options: JsonSchema[],
  read: (option: JsonSchema) => JsonSchema,
  nullable: boolean,
): JsonSchema | undefined {
  const name = Object.keys(options[0]?.properties ?? {}).find((member) => tellsApart(member, options));
  if (name === undefined) return undefined;
  const valuesOf = (option: JsonSchema) => valuesIn(option.properties![name]);
  const allOf = options.map((option) => ({
    if: { properties: { [name]: { enum: valuesOf(option) } }, required: [name] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: read(option),
  }));
  const { description } = options[0]!.properties![name]!;
  const member = {
    ...(description ? { description } : {}),
    anyOf: [{ enum: options.flatMap(valuesOf) }, expressionSchema],
  };
  return typeOrExpression('object', { required: [name], properties: { [name]: member }, allOf }, nullable);
}

function tellsApart(name: string, options: JsonSchema[]): boolean {
  const all = options.map((option) =>
    option.type === 'object' && option.required?.includes(name) ? valuesIn(option.properties?.[name]) : [],
  );
  const values = all.flat();
  return all.every((one) => one.length > 0) && new Set(values).size === values.length;
}

const valuesIn = (member: JsonSchema | undefined): unknown[] =>
  member?.enum ?? (member?.const === undefined ? [] : [member.const]);
