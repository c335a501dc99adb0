import * as z from 'zod';
import { defineKind } from '#kind';
import { batch } from '#shapes';
import { isSharedId } from './env-var-rules.ts';
import { linkWrites } from './shared-env-link-writes.ts';
import { outcomesOfWrite } from './shared-env-var-rows.ts';

/**
 * The link from one shared variable to one project. The platform keys updates by the id of the variable, and a key cannot be an expression,
 * so the id stands in the YAML as it is. Undeclared links are not read: the variable itself may declare all of them (`projectId`).
 */
export const sharedEnvLink = defineKind({
  name: 'sharedEnvLink',
  doc: 'Links one shared variable of the team to a project, and leaves its links to other projects alone. For a variable that another stack, or nothing, manages.',
  section: 'sharedEnvLinks',
  parent: 'project',
  key: ['envVarId'],
  id: 'id',
  fields: () => ({
    envVarId: z
      .string()
      .min(1)
      .describe('The id of the shared variable (`env_...`). Its stack must leave `projectId` out.'),
  }),
  example: { env_XMlz3ZpMGpSAiXfYbFv3WPYz: {} },
  rules: {
    check: ({ envVarId }) =>
      isSharedId(envVarId)
        ? []
        : [
            {
              path: [],
              message: `${JSON.stringify(envVarId)} does not look like the id of a shared variable (\`env_...\`)`,
              hint: 'write its id instead of its name: `trueup api GET /v1/env --paginate` shows the ids',
              severity: 'warning',
            },
          ],
    grade: ({ action }) =>
      action === 'delete'
        ? { grade: 'disruptive', reason: 'the next deployments of the project lack the variable' }
        : undefined,
  },
  shape: { ...batch(linkWrites, outcomesOfWrite), onlyDeclared: true },
  read: { endpoint: 'GET /v1/env?projectId={project}', items: 'data', deletedMark: 'deletedAt' },
  decode: ({ id }) => ({ envVarId: String(id) }),
  create: 'PATCH /v1/env',
  delete: 'PATCH /v1/env',
});
