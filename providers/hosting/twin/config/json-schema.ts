import { isDeepStrictEqual } from 'node:util';

/** Returns the type of a value in the words of JSON Schema. */
function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeOf(value) === 'object';

function hasType(value: unknown, type: unknown): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeOf(value) === type;
}

/** True if this can be a JSON Schema at all: an object or a boolean. */
export const isJsonSchema = (schema: unknown): boolean => isObject(schema) || typeof schema === 'boolean';

/**
 * Finds the first violation of a schema by a value, as text with its place; undefined if there is none. Checks type, enum,
 * properties, required, items and additionalProperties. Like any validator, it treats unknown keywords as annotations.
 */
export function schemaViolation(schema: unknown, value: unknown, path = 'the config'): string | undefined {
  if (schema === false) return `${path} is not allowed`;
  if (!isObject(schema)) return undefined;
  const { type, enum: allowed, properties, required, items, additionalProperties } = schema;
  if (type !== undefined && ![type].flat().some((name) => hasType(value, name))) {
    return `${path} should be ${[type].flat().join(' or ')}`;
  }
  if (Array.isArray(allowed) && !allowed.some((allowedValue) => isDeepStrictEqual(allowedValue, value))) {
    return `${path} should be equal to one of ${allowed.map((allowedValue) => JSON.stringify(allowedValue)).join(', ')}`;
  }
  if (Array.isArray(value)) {
    const parts = value.map((item, i) => schemaViolation(items, item, `${path}[${i}]`));
    return parts.find((violation) => violation !== undefined);
  }
  if (!isObject(value)) return undefined;
  const missing = Array.isArray(required) ? required.find((key) => !Object.hasOwn(value, key)) : undefined;
  if (missing !== undefined) return `${path} should have the property ${missing}`;
  const memberSchemas = isObject(properties) ? properties : {};
  const parts = Object.entries(value).map(([key, member]) =>
    schemaViolation(
      Object.hasOwn(memberSchemas, key) ? memberSchemas[key] : additionalProperties,
      member,
      `${path}.${key}`,
    ),
  );
  return parts.find((violation) => violation !== undefined);
}
