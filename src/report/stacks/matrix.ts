import * as z from 'zod';

const row = z.strictObject({
  id: z.string().describe('`shop`, or `shop@staging`: unique in the workspace.'),
  path: z.string().describe('As the workspace file lists it.'),
  file: z.string().describe('What `--file` takes, from the folder of the workspace.'),
  stage: z.string().optional().describe('What `--stage` takes. Absent where the stack has no stages.'),
  stack: z
    .string()
    .optional()
    .describe('The name of the stack. Absent where its configuration could not be read.'),
  needs: z.array(z.string()).describe('The ids of those that come first.'),
  ledger: z.string().describe('Where the ledger is; empty where the name of the stack is not known.'),
});

/** The output of `stacks --json`: a matrix as CI jobs take it. It has no version, since GitHub would take that for a row. */
const matrix = z
  .strictObject({ include: z.array(row).describe('In the order in which they are applied.') })
  .describe('The stacks of a workspace of trueup, or those that changes touch.');

export type MatrixRow = z.infer<typeof row>;

/** The JSON Schema of what `stacks --json` prints. */
export const matrixSchema = (): object => ({ title: 'trueup stacks', ...z.toJSONSchema(matrix) });
