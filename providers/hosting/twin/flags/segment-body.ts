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

/** Who is in a segment: by rules, and by values that are always in or out, regardless of the rules. */
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

/** Adds a value to a list of a segment or removes it from there. A value is in a list once: adding it again replaces its note. */
export function operate(data: SegmentData, operation: z.infer<typeof segmentOperation>): void {
  const { action, field, entity, attribute, value } = operation;
  const entities = new Map(Object.entries(data[field] ?? {}));
  const attributes = new Map(Object.entries(entities.get(entity) ?? {}));
  const otherValues = (attributes.get(attribute) ?? []).filter((listed) => listed.value !== value.value);
  attributes.set(attribute, action === 'add' ? [...otherValues, value] : otherValues);
  entities.set(entity, Object.fromEntries(attributes));
  data[field] = Object.fromEntries(entities);
}
