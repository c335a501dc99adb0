import * as z from 'zod';
import { emptyCounts, openEnum, setOf } from '#kind';

/**
 * Describes an item of a list that a condition compares with. The items are literal values. Source of the constants
 * in this file: the platform's own command line.
 */
const listItem = () =>
  z.strictObject({
    label: z.string().optional(),
    note: z.string().optional(),
    value: z.union([z.string(), z.number()]),
  });
const comparators =
  'eq !eq oneOf !oneOf containsAllOf containsAnyOf containsNoneOf startsWith !startsWith endsWith !endsWith contains !contains ex !ex gt gte lt lte regex !regex before after';

/** Describes an attribute of the entity that a flag is evaluated for, such as the id of a user. */
export const entityAttribute = () =>
  z.strictObject({
    type: z.literal('entity'),
    kind: z.string().min(1).describe('The entity, such as `user`.'),
    attribute: z.string().min(1).describe('Its attribute, such as `id`.'),
  });

/** Describes one condition of a rule of a flag or a segment. A rule applies if all of its conditions are true. */
export const ruleCondition = () =>
  z.strictObject({
    lhs: z
      .discriminatedUnion('type', [z.strictObject({ type: z.literal('segment') }), entityAttribute()])
      .describe('The value to compare: an attribute of an entity, or membership of segments.'),
    cmp: openEnum(comparators.split(' ')).describe(
      'The comparison: `eq` equal, `oneOf` one of a list, `ex` exists.',
    ),
    // False and an empty text are something to compare with.
    rhs: emptyCounts(
      z.union([
        z.strictObject({ type: z.literal('regex'), pattern: z.string(), flags: z.string() }),
        z.strictObject({ type: z.enum(['list', 'list/inline']), items: z.array(listItem()) }),
        z.string(),
        z.number(),
        z.boolean(),
      ]),
    )
      .optional()
      .describe('The value to compare with; a segment by its id, `${projects.web.segments.beta.id}`.'),
    cmpOptions: z.strictObject({ ignoreCase: z.boolean().optional() }).optional(),
  });

/** Describes values by entity and attribute: `{ user: { email: [{ value: a@example.com }] } }`. */
export const attributeValues = () =>
  z.record(
    z.string().min(1),
    z.record(z.string().min(1), setOf(z.strictObject({ value: z.string(), note: z.string().optional() }))),
  );
