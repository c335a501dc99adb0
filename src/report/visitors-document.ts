import * as z from 'zod';
import type { WayReport } from '../model/way.ts';

const visitorText = z.string();
const visitorCount = z.int().min(0);
const addresses = z
  .array(visitorText)
  .describe('The rules, redirects, routes and records in question, by address.');
const stateNumber = z.int().min(1).describe('The state: after so many of `requests`.');
const partMembers = {
  type: z.enum(['firewall', 'bulk redirects', 'routes', 'host', 'protection']),
  part: visitorText.describe('The object that has the part: `projects/web/firewall`; for a host, its name.'),
  state: stateNumber,
};

const exampleRequest = z.strictObject({
  method: visitorText,
  url: visitorText,
  ip: visitorText.optional(),
  country: visitorText.optional(),
  headers: z.record(visitorText, visitorText).optional(),
  attributes: z
    .record(visitorText, visitorText)
    .optional()
    .describe('What only the platform knows about a request, by its names: `geo_city`.'),
});

/** The schema of the member `visitors` of a rehearsal in the JSON document of a plan. */
export const visitorsSchema = z.strictObject({
  parts: visitorCount.describe('The parts (firewalls, redirects, routes, hosts) that the apply changes.'),
  states: visitorCount.describe(
    'The states of these parts between the first and the last one that were compared.',
  ),
  requests: z
    .array(visitorText)
    .describe('The requests of the apply that can change what visitors meet, in order.'),
  third: z
    .array(
      z.strictObject({
        ...partMembers,
        request: exampleRequest.describe('An example. Values that may be credentials are replaced.'),
        before: visitorText,
        during: visitorText,
        after: visitorText,
        rules: addresses,
      }),
    )
    .describe(
      'Requests whose verdict in a state is neither the one from before the apply nor the one from after it.',
    ),
  undecided: z
    .array(z.strictObject({ ...partMembers, why: visitorText, rules: addresses }))
    .describe('States for which it could not be decided.'),
  mixed: z
    .array(z.strictObject({ project: visitorText, types: z.array(partMembers.type), state: stateNumber }))
    .describe(
      'Parts of one project that change one after the other, so that together they may answer some request in a third way.',
    ),
  unanswered: z
    .array(z.strictObject({ name: visitorText, type: visitorText, state: stateNumber, rules: addresses }))
    .describe('DNS names that have no answer in a state, although they have one before and after the apply.'),
  unread: z.array(visitorText).describe('Collections that could not be read in some state.'),
});

/**
 * Converts the report about the answers that visitors get while a rehearsed plan is applied, step by step, for `plan --json`. The members
 * are documented in `WayReport`; `thirds` are answers that are neither those from before nor those from after the apply.
 */
export const visitorsJson = ({
  partCount,
  stateCount,
  thirds,
  requests,
  undecided,
  mixed,
  unanswered,
  unread,
}: WayReport): z.infer<typeof visitorsSchema> => ({
  parts: partCount,
  states: stateCount,
  requests: [...requests],
  third: thirds.map(({ rules, ...third }) => ({ ...third, rules: [...rules] })),
  undecided: undecided.map(({ rules, ...undecidedState }) => ({ ...undecidedState, rules: [...rules] })),
  mixed: mixed.map(({ types, ...parts }) => ({ ...parts, types: [...types] })),
  unanswered: unanswered.map(({ rules, ...name }) => ({ ...name, rules: [...rules] })),
  unread: [...unread],
});
