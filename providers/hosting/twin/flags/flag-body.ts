import * as z from 'zod';
import { strings } from '../validate.ts';

// The bodies of the SDK lack the constants of `type`; these are from its answers and from the platform's command line.

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

const variantOutcome = z.strictObject({ type: z.literal('variant'), variantId: z.string() });
const splitOutcome = z.strictObject({
  type: z.literal('split'),
  base: entityAttribute,
  weights: z.record(z.string(), z.number()),
  defaultVariantId: z.string(),
});
// Each slot serves a share of traffic, in 1/100,000, for a time in milliseconds; after the last all traffic is rolled.
const rolloutOutcome = z.strictObject({
  type: z.literal('rollout'),
  base: entityAttribute,
  startTimestamp: z.number(),
  rollFromVariantId: z.string(),
  rollToVariantId: z.string(),
  defaultVariantId: z.string(),
  slots: z.array(z.strictObject({ promille: z.number().min(0).max(100_000), durationMs: z.number().min(0) })),
});

const outcome = z.discriminatedUnion('type', [variantOutcome, splitOutcome, rolloutOutcome]);
/** The outcome of a flag: one variant, a split by weights, or a rollout in steps. */
export type FlagOutcome = z.infer<typeof outcome>;

const flagVariant = z.strictObject({
  id: z.string().min(1),
  label: z.string().optional(),
  description: z.string().optional(),
  value: z.unknown(),
});
export type FlagVariant = z.infer<typeof flagVariant>;

const flagEnvironment = z.strictObject({
  active: z.boolean(),
  reuse: z.strictObject({ active: z.boolean(), environment: z.string() }).optional(),
  /** By variant: the entities that always get it, before any rule is asked. */
  targets: z.record(z.string(), attributeValues).optional(),
  pausedOutcome: variantOutcome,
  rules: z.array(z.strictObject({ id: z.string(), conditions: z.array(flagCondition), outcome })),
  fallthrough: outcome,
  revision: z.number().optional(),
});
export type FlagEnvironment = z.infer<typeof flagEnvironment>;

const fields = {
  variants: z.array(flagVariant).optional(),
  environments: z.record(z.string(), flagEnvironment),
  seed: z.number().optional(),
  description: z.string().optional(),
  state: z.enum(['active', 'archived']).optional(),
  maintainerIds: strings.optional(),
  permanent: z.boolean().optional(),
  tags: strings.optional(),
};

/** The body that creates a flag. */
export const createFlagBody = z.strictObject({
  slug: z.string(),
  kind: z.enum(['boolean', 'string', 'number', 'json']),
  ...fields,
});

/** The body that changes a flag: environments that it leaves out stay, those that it has are replaced whole. */
export const updateFlagBody = z.strictObject({
  ...fields,
  environments: fields.environments.optional(),
  createdBy: z.string().optional(),
  message: z.string().optional(),
});
