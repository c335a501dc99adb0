import { expression } from './expression.ts';
import type { JsonSchema } from './json-schema.ts';

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

/** What a key of a map must be like; `<<` merges another map. */
export const nameSchema = ({ description: _, type: __, known: ___, ...limits }: JsonSchema): JsonSchema =>
  Object.keys(limits).length === 0 ? {} : unlessExpression(limits, `${expression}|^<<$`);

const unlessExpression = (checks: JsonSchema, pattern = expression): JsonSchema => ({
  if: { type: 'string', pattern },
  else: checks,
});
