import { z } from 'zod';
import { attributeValues, entityAttribute, ruleCondition } from './rule-condition.ts';

const membership = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('all') }),
  z.strictObject({ type: z.literal('split'), base: entityAttribute, passPromille: z.number().min(0) }),
]);

/** Who is in a segment. */
export const segmentData = z.strictObject({
  rules: z
    .array(
      z.strictObject({
        id: z.string().min(1).describe('Its id, unique in the segment.'),
        conditions: z.array(ruleCondition).describe('Conditions that must all be true.'),
        outcome: membership.describe('Whether all who meet them are in, or a part of them.'),
      }),
    )
    .optional()
    .describe('Rules that put users into the segment.'),
  include: attributeValues
    .optional()
    .describe('Who is in it whatever the rules say, as lists of values by entity and attribute.'),
  exclude: attributeValues
    .optional()
    .describe('Who is not in it whatever the rules say, as lists of values by entity and attribute.'),
});
