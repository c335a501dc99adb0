import * as z from 'zod';
import { docOf, traitsOf } from '../../kind/traits.ts';
import type { JsonSchema } from './json-schema.ts';
import { withExpressions } from './with-expressions.ts';

/** What an editor is told about a field: what the loader takes for it, its documentation, known values, whether it is secret. */
export function fieldSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...written } = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
    cycles: 'throw',
    override: ({ zodSchema, jsonSchema }) => {
      Object.assign(jsonSchema, notesOf(zodSchema as unknown as z.ZodType, jsonSchema));
    },
  });
  return withExpressions(written as JsonSchema);
}

/** What the JSON Schema does not have by itself. */
function notesOf(schema: z.ZodType, { type }: { type?: unknown }): JsonSchema {
  const { known, secret } = traitsOf(schema);
  const doc = docOf(schema);
  const kept = secret && (secret === true ? 'A secret.' : 'A secret, unless the other fields say otherwise.');
  const description = [doc, kept, known && 'Other values than the known ones are sent as they are.'];
  const message = patternMessageOf(schema);
  return {
    ...(description.some(Boolean) ? { description: description.filter(Boolean).join(' ') } : {}),
    ...(known && type === 'string' ? { known: [...new Set(known)] } : {}),
    ...(message === undefined ? {} : { patternErrorMessage: message }),
  };
}

/** The kind's own words for a text that does not match. */
function patternMessageOf({ def }: z.ZodType): string | undefined {
  const { checks = [] } = def as { checks?: z.core.$ZodCheck[] };
  for (const check of checks) {
    const { pattern, error } = check._zod.def as { pattern?: RegExp; error?: (issue: object) => unknown };
    const message = pattern && error?.({ code: 'invalid_format' });
    if (typeof message === 'string') return message;
  }
  return undefined;
}
