import { isDeepStrictEqual } from 'node:util';

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
export function schemaViolation(schema: unknown, value: unknown, place = 'the config'): string | undefined {
  if (schema === false) return `${place} is not allowed`;
  if (!isObject(schema)) return undefined;
  const { type, enum: allowed, properties, required, items, additionalProperties } = schema;
  if (type !== undefined && ![type].flat().some((one) => hasType(value, one))) {
    return `${place} should be ${[type].flat().join(' or ')}`;
  }
  if (Array.isArray(allowed) && !allowed.some((one) => isDeepStrictEqual(one, value))) {
    return `${place} should be equal to one of ${allowed.map((one) => JSON.stringify(one)).join(', ')}`;
  }
  if (Array.isArray(value)) {
    const parts = value.map((one, i) => schemaViolation(items, one, `${place}[${i}]`));
    return parts.find((one) => one !== undefined);
  }
  if (!isObject(value)) return undefined;
  const missing = Array.isArray(required) ? required.find((key) => !Object.hasOwn(value, key)) : undefined;
  if (missing !== undefined) return `${place} should have the property ${missing}`;
  const known = isObject(properties) ? properties : {};
  const parts = Object.entries(value).map(([key, one]) =>
    schemaViolation(Object.hasOwn(known, key) ? known[key] : additionalProperties, one, `${place}.${key}`),
  );
  return parts.find((one) => one !== undefined);
}
