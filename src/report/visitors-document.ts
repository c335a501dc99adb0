import * as z from 'zod';
import type { WayReport } from '../model/way.ts';

const text = z.string();
const count = z.int().min(0);
const addresses = z.array(text).describe('The rules, redirects, routes and records in question, by address.');
const state = z.int().min(1).describe('The state: after so many of `requests`.');
const part = {
  type: z.enum(['firewall', 'bulk redirects', 'routes', 'host', 'protection']),
  part: text.describe('The object that has the part: `projects/web/firewall`; for a host, its name.'),
  state,
};

const exampleRequest = z.strictObject({
  method: text,
  url: text,
  ip: text.optional(),
  country: text.optional(),
  headers: z.record(text, text).optional(),
  attributes: z
    .record(text, text)
    .optional()
    .describe('What only the platform knows about a request, by its names: `geo_city`.'),
});

/** The schema of the member `visitors` of a rehearsal in the JSON document of a plan. */
export const visitorsSchema = z.strictObject({
  parts: count.describe('The parts (firewalls, redirects, routes, hosts) that the apply changes.'),
  states: count.describe('The states of these parts between the first and the last one that were compared.'),
  requests: z.array(text).describe('The requests of the apply that can change what visitors meet, in order.'),
  third: z
    .array(
      z.strictObject({
        ...part,
        request: exampleRequest.describe('An example. Values that may be credentials are replaced.'),
        before: text,
        during: text,
        after: text,
        rules: addresses,
      }),
    )
    .describe(
      'Requests whose verdict in a state is neither the one from before the apply nor the one from after it.',
    ),
  undecided: z
    .array(z.strictObject({ ...part, why: text, rules: addresses }))
    .describe('States for which it could not be decided.'),
  mixed: z
    .array(z.strictObject({ project: text, types: z.array(part.type), state }))
    .describe(
      'Parts of one project that change one after the other, so that together they may answer some request in a third way.',
    ),
  unanswered: z
    .array(z.strictObject({ name: text, type: text, state, rules: addresses }))
    .describe('DNS names that have no answer in a state, although they have one before and after the apply.'),
  unread: z.array(text).describe('Collections that could not be read in some state.'),
});

/** Converts the report about visitors for `plan --json`. */
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
