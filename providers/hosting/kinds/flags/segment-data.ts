import * as z from 'zod';
import { dropUndefined, type Fields } from '#kind';
import { attributeValues, entityAttribute, ruleCondition } from './rule-condition.ts';
import { share } from './share.ts';
import { withoutEmptyMaps } from './without-empty-maps.ts';

/** Describes who is in a segment (a group of visitors) because of a rule: all who match, or a share of them. */
const membership = () =>
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('all') }),
    z.strictObject({
      type: z.literal('split'),
      base: entityAttribute().describe('The attribute that decides who is included.'),
      passPromille: share().describe(
        'The share that is included, in thousandths of a percent: 1000 is 1 %, 100000 is everyone.',
      ),
    }),
  ]);

/** Describes the members of a segment (a group of visitors): by rules, and by lists of included and excluded values. */
export const segmentData = () =>
  z.strictObject({
    rules: z
      .array(
        z.strictObject({
          id: z.string().min(1).describe('Its id, unique in the segment.'),
          conditions: z.array(ruleCondition()).describe('Conditions that must all be true.'),
          outcome: membership().describe('Whether everyone who matches is included, or only a share.'),
        }),
      )
      .optional()
      .describe('Rules that include users.'),
    include: attributeValues()
      .optional()
      .describe('Who is always included, as lists of values by entity and attribute.'),
    exclude: attributeValues()
      .optional()
      .describe('Who is always excluded, as lists of values by entity and attribute.'),
  });
export type SegmentData = z.infer<ReturnType<typeof segmentData>>;

/** A segment in normal form: an empty map in its data says nothing. */
export const normalSegment = ({ data, ...fields }: Fields): Fields => ({
  ...fields,
  ...(dropUndefined({ data: withoutEmptyMaps(data) }) as Fields),
});
