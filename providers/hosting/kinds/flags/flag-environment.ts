import * as z from 'zod';
import { atomic } from '#kind';
import { attributeValues, entityAttribute, ruleCondition } from './rule-condition.ts';
import { share } from './share.ts';

const variantId = () => z.string().min(1).describe('The id of a variant.');
const variantOutcome = () => z.strictObject({ type: z.literal('variant'), variantId: variantId() });
const base = () => entityAttribute().describe('The attribute that decides who gets which variant.');
const defaultVariantId = () => variantId().describe('The variant for those who lack that attribute.');

/** Describes the outcome of a flag's rule (the variant that visitors get): one variant, a split by weights, or a rollout in steps. */
const outcome = () =>
  z.discriminatedUnion('type', [
    variantOutcome(),
    z.strictObject({
      type: z.literal('split'),
      base: base(),
      weights: z
        .record(z.string(), z.number().min(0))
        .describe('The weight of each variant, relative to the sum.'),
      defaultVariantId: defaultVariantId(),
    }),
    z.strictObject({
      type: z.literal('rollout'),
      base: base(),
      startTimestamp: z.number().describe('When it starts, in milliseconds since 1970.'),
      rollFromVariantId: variantId().describe('The variant to roll out from.'),
      rollToVariantId: variantId().describe('The variant to roll out to.'),
      defaultVariantId: defaultVariantId(),
      slots: z
        .array(
          z.strictObject({
            promille: share().describe(
              'The share that gets `rollToVariantId`, in thousandths of a percent: 1000 is 1 %, 100000 is everyone.',
            ),
            durationMs: z.number().min(0).describe('The duration of this step, in milliseconds.'),
          }),
        )
        .describe('Its steps, in order; after the last one everyone gets `rollToVariantId`.'),
    }),
  ]);

/**
 * Describes a flag in one environment. Every member may be managed elsewhere once the flag exists; the creation needs all but `reuse`,
 * `targets` and `rules`.
 */
export const flagEnvironment = () =>
  z.strictObject({
    active: z
      .boolean()
      .optional()
      .describe('Whether rules are evaluated; otherwise everyone gets `pausedOutcome`.'),
    // The platform's own tools write an empty one with `active: false`.
    reuse: atomic(
      z
        .strictObject({ active: z.boolean(), environment: z.string() })
        .refine(({ active, environment }) => !active || environment !== '', '`reuse` needs an `environment`'),
    )
      .optional()
      .describe('Another environment whose settings apply here while `active` is true.'),
    targets: z
      .record(z.string(), attributeValues())
      .optional()
      .describe(
        'By variant: who always gets it, regardless of rules, as lists of values by entity and attribute.',
      ),
    pausedOutcome: atomic(variantOutcome()).optional().describe('The outcome while the flag is not active.'),
    rules: z
      .array(
        z.strictObject({
          id: z.string().min(1).describe('Its id, unique in the environment.'),
          conditions: z.array(ruleCondition()).describe('Conditions that must all be true.'),
          outcome: outcome().describe('The outcome for those who match.'),
        }),
      )
      .optional()
      .describe('Rules; the first match wins.'),
    fallthrough: atomic(outcome()).optional().describe('The outcome if no rule matches.'),
  });
export type FlagEnvironment = z.infer<ReturnType<typeof flagEnvironment>>;
export type Outcome = z.infer<ReturnType<typeof outcome>>;
