import { z } from 'zod';
import { atomic } from '#kind';
import { attributeValues, entityAttribute, ruleCondition } from './rule-condition.ts';

const variantId = z.string().min(1);
const variantOutcome = z.strictObject({ type: z.literal('variant'), variantId });

/** What a flag answers: one variant, a split by weights, or a rollout in steps. */
const outcome = z.discriminatedUnion('type', [
  variantOutcome,
  z.strictObject({
    type: z.literal('split'),
    base: entityAttribute,
    weights: z.record(z.string(), z.number().min(0)),
    defaultVariantId: variantId,
  }),
  z.strictObject({
    type: z.literal('rollout'),
    base: entityAttribute,
    startTimestamp: z.number(),
    rollFromVariantId: variantId,
    rollToVariantId: variantId,
    defaultVariantId: variantId,
    slots: z.array(z.strictObject({ promille: z.number().min(0), durationMs: z.number().min(0) })),
  }),
]);

/**
 * A flag in one environment. Every member may be left to somebody else once the flag is there; the creation needs all but
 * `reuse`, `targets` and `rules`.
 */
export const flagEnvironment = z.strictObject({
  active: z
    .boolean()
    .optional()
    .describe('Whether the rules decide; otherwise `pausedOutcome` is the answer for everybody.'),
  reuse: atomic(z.strictObject({ active: z.boolean(), environment: z.string().min(1) }))
    .optional()
    .describe('Another environment whose settings count here while `active` is true.'),
  targets: z
    .record(z.string(), attributeValues)
    .optional()
    .describe('By variant: who gets it whatever the rules say, as lists of values by entity and attribute.'),
  pausedOutcome: atomic(variantOutcome).optional().describe('The answer while the flag is not active.'),
  rules: z
    .array(
      z.strictObject({
        id: z.string().min(1).describe('Its id, unique in the environment.'),
        conditions: z.array(ruleCondition).describe('Conditions that must all be true.'),
        outcome: outcome.describe('The answer for who meets them.'),
      }),
    )
    .optional()
    .describe('Rules, of which the first that applies decides.'),
  fallthrough: atomic(outcome).optional().describe('The answer where no rule applies.'),
});
export type FlagEnvironment = z.infer<typeof flagEnvironment>;
export type Outcome = z.infer<typeof outcome>;
