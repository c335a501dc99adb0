import * as z from 'zod';

const row = z.strictObject({
  id: z.string().describe('`shop`, or `shop@staging`: unique in the workspace.'),
  path: z.string().describe('As listed in the workspace file.'),
  file: z.string().describe('The value for `--file`, relative to the workspace folder.'),
  stage: z.string().optional().describe('The value for `--stage`. Absent if the stack has no stages.'),
  stack: z
    .string()
    .optional()
    .describe('The name of the stack. Absent if its configuration could not be read.'),
  needs: z.array(z.string()).describe('The ids of the stacks it depends on.'),
  ledger: z.string().describe("Where the ledger is; empty if the stack's name is unknown."),
});

/** The output of `stacks --json`: a matrix as CI jobs take it. It has no version, since GitHub would take that for a row. */
const matrix = z
  .strictObject({ include: z.array(row).describe('In the order in which they are applied.') })
  .describe('The stacks of a trueup workspace, or those affected by changes.');

export type MatrixRow = z.infer<typeof row>;

/** The JSON Schema of what `stacks --json` prints. */
export const matrixSchema = (): object => ({ title: 'trueup stacks', ...z.toJSONSchema(matrix) });
