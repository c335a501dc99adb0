import * as z from 'zod';
import { diagnostic, planDocument } from '../plan-document.ts';

const id = z.string().describe('`shop`, or `shop@staging`: unique in the workspace.');

const stack = z.strictObject({
  id,
  path: z.string().describe('As listed in the workspace file.'),
  stage: z.string().optional(),
  stack: z
    .string()
    .optional()
    .describe('The name of the stack. Absent if its configuration could not be read.'),
  needs: z.array(id),
  awaits: z
    .array(z.strictObject({ address: z.string(), stack: id }))
    .optional()
    .describe('Objects created by earlier stacks, whose ids are known only then.'),
  plan: planDocument.optional().describe('As printed by `plan --json`. Absent if there is none.'),
  diagnostics: z.array(diagnostic).optional().describe('Why there is no plan.'),
  skipped: z.array(id).optional().describe('The failed stacks that it depends on.'),
});

/** The public form of the plans of several stacks. `formatVersion`: the first number changes when something goes or means something else. */
const stacksDocument = z
  .strictObject({
    formatVersion: z.literal('1.0'),
    complete: z.boolean().describe('Every stack could be planned, without an error.'),
    stacks: z.array(stack).describe('In the order in which they are applied.'),
  })
  .describe('The plans of several trueup stacks.');

/** The JSON Schema of what `plan --all --json` prints. */
export const stacksSchema = (): object => ({
  title: 'trueup plans',
  ...z.toJSONSchema(stacksDocument),
});
