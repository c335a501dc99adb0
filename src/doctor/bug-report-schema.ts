/*
 * The JSON Schema of the file of `trueup doctor --bug`, once it is decompressed, for programs that sort bug reports.
 */
import * as z from 'zod';
import { documentText, planDocument } from '../report/plan-document.ts';
import { bugReportVersion } from './bug-report.ts';

const problemSchema = z.strictObject({
  severity: documentText,
  code: documentText,
  line: z.int().optional().describe('In the configuration.'),
});

const failureSchema = z.strictObject({
  problems: z.array(problemSchema),
  error: z
    .strictObject({ name: documentText, message: documentText, stack: z.array(documentText) })
    .optional()
    .describe('An error of trueup itself, with pseudonyms for the values in its message.'),
});

const snapshotSchema = z
  .looseObject({
    anonymous: z.literal(true),
    stacks: z
      .record(documentText, z.looseObject({}))
      .describe('By the pseudonym of the id; the only stack has an empty one.'),
  })
  .describe(
    'What the plans were made from, for `trueup plan --from`. Its form is no interface for other programs.',
  );

const bugReportDocument = z
  .strictObject({
    formatVersion: z.literal(bugReportVersion),
    trueup: documentText.describe('The version of trueup.'),
    madeAt: documentText.describe('In UTC, such as `2026-03-01T10:00:00.000Z`.'),
    node: documentText.describe('The version of Node.js.'),
    system: documentText.describe('The operating system and the processor.'),
    command: z
      .array(documentText)
      .describe('The words of the command, with pseudonyms for the values of options.'),
    failure: failureSchema.optional().describe('Why there is no plan, or not of all stacks.'),
    snapshot: snapshotSchema.optional(),
    plan: planDocument.optional().describe('The plan of the only stack, as printed by `plan --json`.'),
    plans: z
      .record(documentText, planDocument)
      .optional()
      .describe('The plans of several stacks, by the pseudonyms of their ids.'),
    patterns: z
      .int()
      .min(0)
      .describe('The number of patterns, such as `web*`, whose pseudonyms may match other texts.'),
    isSamePlan: z
      .boolean()
      .optional()
      .describe('The plans have the same changes and problems as those of the account.'),
  })
  .describe('A bug report of trueup, without names and values of the account.');

/** Returns the JSON Schema of a bug report. The package contains it. */
export const bugReportSchema = (): object => ({
  title: 'trueup doctor --bug',
  ...z.toJSONSchema(bugReportDocument, { reused: 'ref' }),
});
