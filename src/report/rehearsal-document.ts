import * as z from 'zod';
import { type Rehearsal, rehearsalVerdicts, ruleBases } from '../model/rehearsal.ts';
import { visitorsJson, visitorsSchema } from './visitors-document.ts';

const rehearsalText = z.string();
const rehearsalCount = z.int().min(0);
const rehearsalAddress = rehearsalText.describe("A resource's place in the YAML.");

const basisSchema = z
  .enum(ruleBases)
  .describe(
    'How the rules of the twin are known: documented, measured from answers of the platform, or only inferred.',
  );

const notModelled = z.strictObject({
  kind: rehearsalText,
  address: rehearsalAddress,
  reason: rehearsalText.describe('For humans.'),
  concerned: z
    .boolean()
    .describe(
      'The plan changes it, something in or around it, or something that depends on it, so that the verdict cannot be `green`.',
    ),
});

/** The schema of the member `rehearsal` in the JSON document of a plan. */
export const rehearsalSchema = z
  .strictObject({
    verdict: z
      .enum(rehearsalVerdicts)
      .describe(
        'green: a local twin accepts the plan, and all checks passed. fails: the plan would fail. unknown: nothing failed, but a part of the plan could not be rehearsed.',
      ),
    changes: z.strictObject({
      rehearsed: rehearsalCount.describe('Changes that were applied to the twin.'),
      unknown: rehearsalCount.describe('Changes that could not be rehearsed.'),
    }),
    kinds: z
      .array(z.strictObject({ kind: rehearsalText, basis: basisSchema }))
      .describe('The changed kinds. The verdict is only as good as the weakest `basis`.'),
    refused: z
      .array(
        z.strictObject({
          address: rehearsalAddress,
          kind: rehearsalText,
          message: rehearsalText.describe('The error of the twin, with its request.'),
          status: z.int().optional(),
          code: rehearsalText.optional(),
          rule: rehearsalText
            .optional()
            .describe('The id of the rule that it breaks, such as a fact: `PF41`.'),
          source: rehearsalText.optional().describe('Where the rule was found.'),
          basis: basisSchema,
        }),
      )
      .describe('The changes that the twin refused.'),
    skipped: z
      .array(rehearsalAddress)
      .describe('Changes that were not tried because they need a refused one.'),
    remaining: z
      .array(rehearsalAddress)
      .optional()
      .describe('What a second plan would still change. Absent if the apply did not do everything.'),
    secondPlanErrors: z
      .array(
        z.strictObject({
          address: rehearsalAddress.optional(),
          message: rehearsalText.describe('For humans.'),
        }),
      )
      .describe('Why the second plan is refused, so that it cannot show what remains. Empty if it is not.'),
    undeclared: z
      .array(
        z.strictObject({
          address: rehearsalAddress,
          kind: rehearsalText,
          type: z.enum(['changed', 'gone', 'appeared']),
          consequence: z.boolean().describe('A further field of an object that the plan changes.'),
        }),
      )
      .describe('Changes in the twin that the plan does not contain.'),
    notModelled: z
      .array(notModelled)
      .describe('Objects that the twin does not have, or has with other fields.'),
    crashes: z
      .strictObject({
        total: rehearsalCount.describe('The steps of the run: requests, and writes of the ledger.'),
        tried: rehearsalCount.describe('The crashes that were tried, each after one of these steps.'),
        failures: z.array(
          z.strictObject({
            point: rehearsalCount.describe('The number of steps before the crash.'),
            step: rehearsalText.describe('The last step before the crash.'),
            reason: rehearsalText.describe('For humans.'),
          }),
        ),
      })
      .optional()
      .describe(
        'Whether killed runs recover: the next run must reach the same account. Absent if that was not tried.',
      ),
    placeholders: z
      .array(rehearsalText)
      .describe('The names of secrets that are not available here. The twin got placeholders.'),
    visitors: visitorsSchema
      .optional()
      .describe(
        'What visitors meet while the plan is applied. Absent if it changes nothing that visitors meet, or was not applied completely.',
      ),
    requests: rehearsalCount.describe('The requests to the twin while the plan was applied.'),
    duration: z
      .strictObject({
        seconds: rehearsalCount,
        limits: z
          .array(
            z.strictObject({
              what: rehearsalText,
              requests: rehearsalCount.describe('The requests of the apply that count.'),
              allowed: rehearsalCount.describe('The requests that the platform allows in a window.'),
              window: z.number().describe('The length of the window in seconds.'),
            }),
          )
          .describe('The documented rate limits that count requests of the apply; first the most used one.'),
      })
      .optional()
      .describe('The estimated duration in the account. Absent if the apply did not do everything.'),
  })
  .describe('The result of applying the plan to a local twin of the account (`--rehearse`).');

export type RehearsalDocument = z.infer<typeof rehearsalSchema>;

/**
 * Converts the rehearsal of a plan (its trial on a twin, a local imitation of the platform) for `plan --json`. It has no secrets.
 * Members whose names or forms differ in the document are converted; all others are taken over.
 */
export const rehearsalJson = ({
  notModelled: objects,
  undeclared,
  visitors,
  ...rehearsal
}: Rehearsal): RehearsalDocument => ({
  ...rehearsal,
  visitors: visitors && visitorsJson(visitors),
  undeclared: undeclared.map(({ isConsequence, ...change }) => ({ ...change, consequence: isConsequence })),
  notModelled: objects.map(({ isConcerned, ...object }) => ({ ...object, concerned: isConcerned })),
});
