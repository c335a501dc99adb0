import * as z from 'zod';

// The constants in `type` are lost in the SDK's bodies; these are from its answers and from the platform's CLI.

/** An attribute of an entity, by which traffic is split or a condition decides. */
export const entityAttribute = z.strictObject({
  type: z.literal('entity'),
  kind: z.string(),
  attribute: z.string(),
});

const comparisons =
  'eq !eq oneOf !oneOf containsAllOf containsAnyOf containsNoneOf startsWith !startsWith endsWith !endsWith contains !contains ex !ex gt gte lt lte regex !regex before after'.split(
    ' ',
  );

const listItem = z.strictObject({
  label: z.string().optional(),
  note: z.string().optional(),
  value: z.union([z.string(), z.number()]),
});

/** One condition of a rule. With `segment` on the left, the right side names segments by their ids. */
export const flagCondition = z.strictObject({
  lhs: z.discriminatedUnion('type', [z.strictObject({ type: z.literal('segment') }), entityAttribute]),
  cmp: z.enum(comparisons),
  rhs: z
    .union([
      z.strictObject({ type: z.literal('regex'), pattern: z.string(), flags: z.string() }),
      z.strictObject({ type: z.enum(['list', 'list/inline']), items: z.array(listItem) }),
      z.string(),
      z.number(),
      z.boolean(),
    ])
    .optional(),
  cmpOptions: z.strictObject({ ignoreCase: z.boolean().optional() }).optional(),
});
export type FlagCondition = z.infer<typeof flagCondition>;

/** Values by entity and attribute: `{ user: { email: [{ value: 'a@example.com' }] } }`. */
export const attributeValues = z.record(
  z.string(),
  z.record(z.string(), z.array(z.strictObject({ note: z.string().optional(), value: z.string() }))),
);
