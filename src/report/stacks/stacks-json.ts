import * as z from 'zod';
import type { Pace } from '../../model/budget.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';

import { diagnostic, documentText, planDocument, summarySchema } from '../plan-document.ts';
import { type DocumentOptions, diagnosticJson, planJson } from '../plan-json.ts';
import { isUnplanned, type StackReport, sumNotCompared } from './stack-report.ts';
import { sumSummaries } from './stack-totals.ts';

/**
 * Returns the document of `plan --all --json`: the stacks in the order in which they are applied. Each has its `plan` as `plan --json`
 * prints it, or `diagnostics` that say why there is none, or in `skipped` the failed stacks that it depends on. `failed` says why no stack
 * could be planned at all.
 */
export const stacksJson = (
  reports: StackReport[],
  pace?: Pace,
  failed: Diagnostic[] = [],
  options: DocumentOptions = {},
) => ({
  formatVersion: '1.4',
  complete: failed.length === 0 && reports.every((report) => !isUnplanned(report) && report.plan!.complete),
  summary: sumSummaries(reports),
  ...notComparedSums(reports),
  stacks: reports.map((report) => ({
    id: report.id,
    path: report.path,
    stage: report.stage,
    stack: report.stack,
    needs: report.needs,
    awaits: report.plan?.awaits,
    plan: report.plan && planJson(report.plan, pace, options),
    diagnostics: report.failed?.map(diagnosticJson),
    skipped: report.skipped,
  })),
  diagnostics: failed.length > 0 ? failed.map(diagnosticJson) : undefined,
});

/** Counts the objects and secrets of all stacks that were not compared, for the top of the document. */
function notComparedSums(reports: StackReport[]) {
  const { objects, secrets } = sumNotCompared(reports);
  return { notCompared: objects, secretsNotCompared: secrets };
}

const id = documentText.describe('`shop`, or `shop@staging`: unique in the workspace.');

const path = documentText.describe('As listed in the workspace file.');
const stackName = documentText
  .optional()
  .describe('The name of the stack. Absent if its configuration could not be read.');

const stackSchema = z.strictObject({
  id,
  path,
  stage: documentText.optional(),
  stack: stackName,
  needs: z.array(id),
  awaits: z
    .array(z.strictObject({ address: documentText, stack: id }))
    .optional()
    .describe('Objects created by earlier stacks, whose ids are known only then.'),
  plan: planDocument.optional().describe('As printed by `plan --json`. Absent if there is none.'),
  diagnostics: z.array(diagnostic).optional().describe('Why there is no plan.'),
  skipped: z.array(id).optional().describe('The failed stacks that it depends on.'),
});

/** The schema of that document. The first number of `formatVersion` changes if a member is removed or changes its meaning. */
const stacksDocument = z
  .strictObject({
    formatVersion: z.literal('1.4'),
    complete: z.boolean().describe('Every stack could be planned whole, without an error.'),
    summary: summarySchema.describe('The sums of the summaries of all plans.'),
    notCompared: z
      .int()
      .min(0)
      .describe('Objects of all stacks that could not be compared with the account.'),
    secretsNotCompared: z.int().min(0).describe('Secrets of all stacks that could not be compared.'),
    stacks: z.array(stackSchema).describe('In the order in which they are applied.'),
    diagnostics: z
      .array(diagnostic)
      .optional()
      .describe('Why no stack could be planned, for example a mistake in the workspace file.'),
  })
  .describe('The plans of several trueup stacks.');

/** Returns the JSON Schema of the document that `plan --all --json` prints. */
export const stacksSchema = (): object => ({
  title: 'trueup plans',
  ...z.toJSONSchema(stacksDocument),
});

const row = z.strictObject({
  id,
  path,
  file: documentText.describe('The value for `--file`, relative to the workspace folder.'),
  stage: documentText.optional().describe('The value for `--stage`. Absent if the stack has no stages.'),
  stack: stackName,
  needs: z.array(documentText).describe('The ids of the stacks it depends on.'),
  ledger: documentText.describe("Where the ledger is; empty if the stack's name is unknown."),
});

/**
 * The schema of the output of `stacks --json`: a matrix for CI jobs. It has no version, because GitHub would take that for another
 * dimension.
 */
const matrix = z
  .strictObject({ include: z.array(row).describe('In the order in which they are applied.') })
  .describe('The stacks of a trueup workspace, or those affected by changes.');

export type MatrixRow = z.infer<typeof row>;

/** Returns the JSON Schema of the document that `stacks --json` prints. */
export const matrixSchema = (): object => ({ title: 'trueup stacks', ...z.toJSONSchema(matrix) });
