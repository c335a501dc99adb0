/** A JSON Schema of draft 7, as far as it is written here. `doNotSuggest` and `patternErrorMessage` are known to editors only. */
export interface JsonSchema {
  $ref?: string;
  title?: string;
  description?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  pattern?: string;
  properties?: Record<string, JsonSchema>;
  patternProperties?: Record<string, JsonSchema>;
  additionalProperties?: boolean | JsonSchema;
  propertyNames?: JsonSchema;
  required?: string[];
  minProperties?: number;
  maxProperties?: number;
  minItems?: number;
  items?: JsonSchema | JsonSchema[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  not?: JsonSchema;
  if?: JsonSchema;
  then?: JsonSchema;
  else?: JsonSchema;
  doNotSuggest?: boolean;
  patternErrorMessage?: string;
  [keyword: string]: unknown;
}

/** The pattern of a text that holds an expression; only the loader knows its value. */
export const expressionPattern = '\\$\\{';

/** A text that holds an expression. */
export const expressionSchema: JsonSchema = { type: 'string', pattern: expressionPattern };

/** A value of this type (or null), or an expression. The pattern means nothing to values that are no text. */
export const typeOrExpression = (type: string, schema: JsonSchema, nullable = false): JsonSchema => ({
  type: [type, 'string', ...(nullable ? ['null'] : [])],
  pattern: expressionPattern,
  patternErrorMessage: `Incorrect type. Expected "${type}".`,
  ...schema,
});

/** At most one member. Beside the members themselves an editor would take it for a reason to offer none of them. */
export const atMostOneMember: JsonSchema = { allOf: [{ maxProperties: 1 }] };

/**
 * Text as the loader reads it: numbers and booleans are taken as they are written, and what an expression stands for is not
 * checked. There is no `type`, since an editor would offer `true` and `false` for it; and `anyOf` even if it says nothing, since
 * an editor makes a member of it that takes a value.
 */
export function textSchema(
  { format, ...limits }: JsonSchema,
  known: string[] | undefined,
  nullable: boolean,
): JsonSchema {
  // Editors have patterns of their own for formats, which are not the ones of the kind.
  const checks = { ...limits, ...(format === undefined || limits.pattern || limits.allOf ? {} : { format }) };
  const text = Object.keys(checks).length === 0 ? {} : unlessExpression(checks);
  return {
    if: { type: nullable ? ['object', 'array'] : ['object', 'array', 'null'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { type: 'string' },
    anyOf: [text, ...(known ? [{ enum: known }] : [])],
  };
}

/** The schema of the keys of a map; `<<` merges another map. */
export const keySchema = ({ description: _, type: __, known: ___, ...limits }: JsonSchema): JsonSchema =>
  Object.keys(limits).length === 0 ? {} : unlessExpression(limits, `${expressionPattern}|^<<$`);

const unlessExpression = (checks: JsonSchema, pattern = expressionPattern): JsonSchema => ({
  if: { type: 'string', pattern },
  else: checks,
});
