import * as z from 'zod';
import { definedOnly, type Fields } from '#kind';
import { attributeValues, entityAttribute, ruleCondition } from './rule-condition.ts';
import { share } from './share.ts';
import { withoutEmptyMaps } from './without-empty-maps.ts';

const membership = () =>
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('all') }),
    z.strictObject({
      type: z.literal('split'),
      base: entityAttribute().describe('The attribute by whose value it is decided who is in.'),
      passPromille: share().describe(
        'How many are in, in thousandths of a percent: 1000 is 1 %, 100000 all.',
      ),
    }),
  ]);

/** The members of a segment: by rules, and by values that are in or out. */
export const segmentData = () =>
  z.strictObject({
    rules: z
      .array(
        z.strictObject({
          id: z.string().min(1).describe('Its id, unique in the segment.'),
          conditions: z.array(ruleCondition()).describe('Conditions that must all be true.'),
          outcome: membership().describe('Whether all who meet them are in, or a part of them.'),
        }),
      )
      .optional()
      .describe('Rules that put users into the segment.'),
    include: attributeValues()
      .optional()
      .describe('Who is in it whatever the rules say, as lists of values by entity and attribute.'),
    exclude: attributeValues()
      .optional()
      .describe('Who is not in it whatever the rules say, as lists of values by entity and attribute.'),
  });
export type SegmentData = z.infer<ReturnType<typeof segmentData>>;

/** A segment in normal form: an empty map in its data says nothing. */
export const normalSegment = ({ data, ...fields }: Fields): Fields => ({
  ...fields,
  ...(definedOnly({ data: withoutEmptyMaps(data) }) as Fields),
});
