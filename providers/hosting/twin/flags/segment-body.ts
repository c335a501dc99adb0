import * as z from 'zod';
import { attributeValues, entityAttribute, flagCondition } from './flag-body.ts';

const outcome = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('all') }),
  z.strictObject({
    type: z.literal('split'),
    base: entityAttribute,
    passPromille: z.number().min(0).max(100_000),
  }),
]);

/** The members of a segment: by rules, and by values that are in or out whatever the rules say. */
export const segmentData = z.strictObject({
  rules: z.array(z.strictObject({ id: z.string(), conditions: z.array(flagCondition), outcome })).optional(),
  include: attributeValues.optional(),
  exclude: attributeValues.optional(),
});
export type SegmentData = z.infer<typeof segmentData>;

const segmentOperation = z.strictObject({
  action: z.enum(['add', 'remove']),
  field: z.enum(['include', 'exclude']),
  entity: z.string(),
  attribute: z.string(),
  value: z.strictObject({ note: z.string().optional(), value: z.string() }),
});
/** One value that comes or goes. */
export type SegmentOperation = z.infer<typeof segmentOperation>;

/** The body that creates a segment. */
export const createSegmentBody = z.strictObject({
  slug: z.string(),
  createdBy: z.string().optional(),
  label: z.string(),
  description: z.string().optional(),
  data: segmentData,
  hint: z.string(),
});

/** The body that changes a segment: `data` replaces all of it, `operations` change single values. */
export const updateSegmentBody = createSegmentBody
  .omit({ slug: true, createdBy: true })
  .partial()
  .extend({ operations: z.array(segmentOperation).optional() });
