import * as z from 'zod';
import { atomic } from '#kind';
import { attributeValues, entityAttribute, ruleCondition } from './rule-condition.ts';
import { share } from './share.ts';

const variantId = () => z.string().min(1).describe('The id of a variant.');
const variantOutcome = () => z.strictObject({ type: z.literal('variant'), variantId: variantId() });
const base = () =>
  entityAttribute().describe('The attribute by whose value it is decided who gets which variant.');
const defaultVariantId = () => variantId().describe('The variant for those who lack that attribute.');

/** The outcome of a flag: one variant, a split by weights, or a rollout in steps. */
const outcome = () =>
  z.discriminatedUnion('type', [
    variantOutcome(),
    z.strictObject({
      type: z.literal('split'),
      base: base(),
      weights: z
        .record(z.string(), z.number().min(0))
        .describe('By variant: its share, in proportion to the sum of all weights.'),
      defaultVariantId: defaultVariantId(),
    }),
    z.strictObject({
      type: z.literal('rollout'),
      base: base(),
      startTimestamp: z.number().describe('When it begins, in milliseconds since 1970.'),
      rollFromVariantId: variantId().describe('The variant that it leads away from.'),
      rollToVariantId: variantId().describe('The variant that it leads to.'),
      defaultVariantId: defaultVariantId(),
      slots: z
        .array(
          z.strictObject({
            promille: share().describe(
              'How many get `rollToVariantId`, in thousandths of a percent: 1000 is 1 %, 100000 all.',
            ),
            durationMs: z.number().min(0).describe('How long that lasts, in milliseconds.'),
          }),
        )
        .describe('Its steps, one after the other; after the last of them all get `rollToVariantId`.'),
    }),
  ]);

/**
 * A flag in one environment. Every member may be left to somebody else once the flag is there; the creation needs all but
 * `reuse`, `targets` and `rules`.
 */
export const flagEnvironment = () =>
  z.strictObject({
    active: z
      .boolean()
      .optional()
      .describe('Whether the rules decide; otherwise `pausedOutcome` is the answer for everybody.'),
    // The platform's own tools write an empty one with `active: false`.
    reuse: atomic(
      z
        .strictObject({ active: z.boolean(), environment: z.string() })
        .refine(
          ({ active, environment }) => !active || environment !== '',
          'settings are reused from an `environment`, and none is named',
        ),
    )
      .optional()
      .describe('Another environment whose settings count here while `active` is true.'),
    targets: z
      .record(z.string(), attributeValues())
      .optional()
      .describe(
        'By variant: who gets it whatever the rules say, as lists of values by entity and attribute.',
      ),
    pausedOutcome: atomic(variantOutcome()).optional().describe('The answer while the flag is not active.'),
    rules: z
      .array(
        z.strictObject({
          id: z.string().min(1).describe('Its id, unique in the environment.'),
          conditions: z.array(ruleCondition()).describe('Conditions that must all be true.'),
          outcome: outcome().describe('The answer for those who meet them.'),
        }),
      )
      .optional()
      .describe('Rules, of which the first that applies decides.'),
    fallthrough: atomic(outcome()).optional().describe('The answer where no rule applies.'),
  });
export type FlagEnvironment = z.infer<ReturnType<typeof flagEnvironment>>;
export type Outcome = z.infer<ReturnType<typeof outcome>>;
