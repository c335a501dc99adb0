/** The JSON Schemas of fields, as zod makes them and with our additions, and what they require of a value. */
import * as z from 'zod';
import { docOf, traitsOf } from '../../kind/traits.ts';
import { memoize } from '../../model/graph.ts';
import { dropUndefined } from '../../model/walk.ts';
import { type JsonSchema, mapMemberSchemas, unlessEmpty } from './json-schema.ts';

/**
 * Returns the JSON Schema that zod makes of a field, with our additions: documentation, messages, and the marks `suggested` and
 * `isReplacedWhole`. The schemas of fields and of the inputs of actions are made from it. Cached, so callers must not change it. Throws if
 * the zod schema contains itself.
 */
export const zodJsonSchema = memoize((schema: z.ZodType): JsonSchema => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
    cycles: 'throw',
    override: ({ zodSchema, jsonSchema }) => {
      Object.assign(jsonSchema, additionsTo(zodSchema as unknown as z.ZodType, jsonSchema));
    },
  });
  return json as JsonSchema;
});

/**
 * Returns what to add to zod's JSON Schema of a field for `trueup schema`: the message for a text that does not match, suggested values,
 * and our mark `isReplacedWhole` for values that templates and patches replace as a whole. zod knows none of these. Also returns the
 * description, which zod has too, but without sentences about secrecy and unknown values. `type`: the type in zod's schema.
 */
function additionsTo(schema: z.ZodType, { type }: { type?: unknown }): JsonSchema {
  const { knownValues, secret, atomic } = traitsOf(schema);
  const secrecy = secret && (secret === true ? 'A secret.' : 'A secret, unless other fields say otherwise.');
  const sentences = [docOf(schema), secrecy, knownValues && 'Unknown values are sent as they are.'];
  return dropUndefined<JsonSchema>({
    description: sentences.filter(Boolean).join(' ') || undefined,
    suggested: knownValues && type === 'string' ? [...new Set(knownValues)] : undefined,
    patternErrorMessage: patternMessageOf(schema),
    isReplacedWhole: atomic ? true : undefined,
  });
}

/**
 * Returns the message that the kind defines for a text that does not match its pattern, so that editors show the same one; undefined if the
 * kind defines none.
 */
function patternMessageOf({ def }: z.ZodType): string | undefined {
  const { checks = [] } = def as { checks?: z.core.$ZodCheck[] };
  for (const check of checks) {
    const { pattern, error } = check._zod.def as { pattern?: RegExp; error?: (issue: object) => unknown };
    // The function makes the message for an issue, so it gets one that says that the text does not match.
    const message = pattern && error?.({ code: 'invalid_format' });
    if (typeof message === 'string') return message;
  }
  return undefined;
}

/**
 * Returns the schema of a field without `required` and `minProperties` at any depth, because a template or a patch may
 * have the missing members. Values that these replace as a whole keep their requirements: lists, alternatives
 * (unless there is only one besides null), and schemas with our mark `isReplacedWhole`. The result has no such marks.
 */
export function dropRequirements({ isReplacedWhole, ...schema }: JsonSchema): JsonSchema {
  if (isReplacedWhole) return withoutMarks(schema);
  // A value that may also be null has one other alternative. It is treated like a value without alternatives.
  const only = onlyAlternative(schema);
  if (only) {
    const replaceIn = (alternatives: JsonSchema[]) =>
      alternatives.map((alternative) => (alternative === only ? dropRequirements(only) : alternative));
    const { anyOf, oneOf } = schema;
    return dropUndefined({ ...schema, anyOf: anyOf && replaceIn(anyOf), oneOf: oneOf && replaceIn(oneOf) });
  }
  if (schema.type !== 'object') return withoutMarks(schema);
  const { required: _, minProperties: __, ...relaxed } = schema;
  return mapMemberSchemas(relaxed, dropRequirements);
}

/**
 * Returns the requirements (`required`, `minProperties`) in the schema of a field, which `dropRequirements` removes from it; undefined if
 * there are none. The editor's schema applies them only to blocks without templates and patches, because these may add the missing members.
 * Values that layers replace as a whole keep their requirements in the schema itself.
 */
export function extractRequirements(schema: JsonSchema): JsonSchema | undefined {
  if (schema.isReplacedWhole) return undefined;
  const only = onlyAlternative(schema);
  if (only) return extractRequirements(only);
  if (schema.type !== 'object') return undefined;
  const { required, minProperties, properties = {}, additionalProperties } = schema;
  const members = Object.entries(properties).flatMap(([name, member]) => {
    const requirements = extractRequirements(member);
    // The schema of the field already suggests the member.
    return requirements ? [[name, { ...requirements, doNotSuggest: true }]] : [];
  });
  const otherMembers =
    typeof additionalProperties === 'object' ? extractRequirements(additionalProperties) : undefined;
  return unlessEmpty({
    required: required?.length ? required : undefined,
    minProperties: minProperties || undefined,
    properties: members.length > 0 ? Object.fromEntries(members) : undefined,
    additionalProperties: otherMembers,
  });
}

/** Returns the only alternative of a schema besides null; undefined if it has several, or has no alternatives at all. */
function onlyAlternative({ anyOf, oneOf }: JsonSchema): JsonSchema | undefined {
  const [first, second] = (anyOf ?? oneOf ?? []).filter(({ type }) => type !== 'null');
  return second ? undefined : first;
}

/**
 * Returns a schema without our own keyword `isReplacedWhole` at any depth, because editors do not know it. It
 * marks values that a template or patch replaces as a whole.
 */
function withoutMarks<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(withoutMarks) as T;
  if (typeof schema !== 'object' || schema === null) return schema;
  const { isReplacedWhole: _, ...keywords } = schema as JsonSchema;
  return Object.fromEntries(
    Object.entries(keywords).map(([name, inner]) => [name, withoutMarks(inner)]),
  ) as T;
}
