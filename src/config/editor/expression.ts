import type { JsonSchema } from './json-schema.ts';

/** What every text that holds an expression matches; what it stands for is known to the loader only. */
export const expression = '\\$\\{';

/** A text that holds an expression. */
export const anExpression: JsonSchema = { type: 'string', pattern: expression };

/** A value of this type (or null), or an expression. The pattern means nothing to values that are no text. */
export const orExpression = (type: string, rest: JsonSchema, nullable = false): JsonSchema => ({
  type: [type, 'string', ...(nullable ? ['null'] : [])],
  pattern: expression,
  patternErrorMessage: `Incorrect type. Expected "${type}".`,
  ...rest,
});

/** At most one member. Beside the members themselves an editor would take it for a reason to offer none of them. */
export const atMostOne: JsonSchema = { allOf: [{ maxProperties: 1 }] };
