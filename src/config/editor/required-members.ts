import type { JsonSchema } from './json-schema.ts';

/**
 * A field's schema (as zod has it) without what it requires, as far as layers are merged member by member: another layer may give the rest.
 * What is replaced as a whole (`isWhole`, lists, alternatives) requires what it did.
 */
export function withoutRequired({ isWhole, ...schema }: JsonSchema): JsonSchema {
  if (isWhole) return withoutMarks(schema);
  const one = onlyAlternative(schema);
  if (one) {
    const replaced = (options: JsonSchema[]) =>
      options.map((option) => (option === one ? withoutRequired(one) : option));
    return {
      ...schema,
      ...(schema.anyOf ? { anyOf: replaced(schema.anyOf) } : {}),
      ...(schema.oneOf ? { oneOf: replaced(schema.oneOf) } : {}),
    };
  }
  if (schema.type !== 'object') return withoutMarks(schema);
  const { required: _, minProperties: __, properties, additionalProperties, ...rest } = schema;
  return {
    ...rest,
    ...(properties ? { properties: mapped(properties, withoutRequired) } : {}),
    ...(additionalProperties === undefined
      ? {}
      : {
          additionalProperties:
            typeof additionalProperties === 'object'
              ? withoutRequired(additionalProperties)
              : additionalProperties,
        }),
  };
}

/** Exactly the part that `withoutRequired` leaves out; undefined if that is nothing. */
export function requiredMembers(schema: JsonSchema): JsonSchema | undefined {
  if (schema.isWhole) return undefined;
  const one = onlyAlternative(schema);
  if (one) return requiredMembers(one);
  if (schema.type !== 'object') return undefined;
  const { required, minProperties, properties = {}, additionalProperties } = schema;
  const members = Object.entries(properties).flatMap(([name, member]) => {
    const found = requiredMembers(member);
    return found ? [[name, { ...found, doNotSuggest: true }]] : [];
  });
  const others = typeof additionalProperties === 'object' ? requiredMembers(additionalProperties) : undefined;
  const found: JsonSchema = {
    ...(required && required.length > 0 ? { required } : {}),
    ...(minProperties ? { minProperties } : {}),
    ...(members.length > 0 ? { properties: Object.fromEntries(members) } : {}),
    ...(others ? { additionalProperties: others } : {}),
  };
  return Object.keys(found).length > 0 ? found : undefined;
}

/** The only alternative beside null. */
function onlyAlternative({ anyOf, oneOf }: JsonSchema): JsonSchema | undefined {
  const [one, more] = (anyOf ?? oneOf ?? []).filter(({ type }) => type !== 'null');
  return more ? undefined : one;
}

const mapped = (schemas: Record<string, JsonSchema>, change: (schema: JsonSchema) => JsonSchema) =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, change(schema)]));

/** The schema without `isWhole`, which no editor knows. */
function withoutMarks<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(withoutMarks) as T;
  if (typeof schema !== 'object' || schema === null) return schema;
  const { isWhole: _, ...rest } = schema as JsonSchema;
  return Object.fromEntries(Object.entries(rest).map(([name, inner]) => [name, withoutMarks(inner)])) as T;
}
