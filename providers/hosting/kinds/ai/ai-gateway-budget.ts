import * as z from 'zod';
import {
  defineKind,
  escapeName,
  type Fields,
  immutable,
  isRef,
  lastNameOf,
  openEnum,
  refTo,
  type Step,
} from '#kind';

const isOfProject = ({ before }: Step) => Boolean(before!.fields.projectId);

/** A spending limit on the AI gateway, for the team or for one project. Each has exactly one budget, written by PUT. */
export const aiGatewayBudget = defineKind({
  name: 'aiGatewayBudget',
  doc: 'How much the team, or one of its projects, may spend through the AI gateway.',
  section: 'aiGatewayBudgets',
  key: ['scopeType'],
  yaml: {
    manyPerKey: true,
    names: ({ scopeType, projectId }) => [
      isRef(projectId) ? `project@${escapeName(lastNameOf(projectId.$ref))}` : String(scopeType),
    ],
  },
  id: ({ scopeType, scopeId }) => (scopeType === 'project' ? `project:${scopeId}` : 'team'),
  lifecycle: { replace: 'free' },
  fields: () => ({
    scopeType: z.enum(['team', 'project']).describe('Whose budget it is.'),
    projectId: immutable(refTo('project')).optional().describe('The project, for `project`.'),
    limitAmount: z.number().positive().describe('How much may be spent in a period.'),
    refreshPeriod: openEnum(['daily', 'weekly', 'monthly', 'none'])
      .optional()
      .describe('When the period resets.'),
    includeByokInQuota: z.boolean().optional().describe('Whether calls with your own keys count.'),
  }),
  example: `projects: { web: {} }
aiGatewayBudgets:
  team: { limitAmount: 500, refreshPeriod: monthly }
  project:
    - { projectId: web, limitAmount: 50, refreshPeriod: monthly }`,
  rules: {
    check: ({ scopeType, projectId }) =>
      (scopeType === 'project') === (projectId !== undefined)
        ? []
        : [
            {
              path: ['projectId'],
              message:
                projectId === undefined ? 'name the `projectId`' : 'the budget of the team has no project',
            },
          ],
  },
  read: { endpoint: 'GET /ai-gateway/budgets/list', items: 'budgets', gone: 'archived' },
  // What else may have a budget, a user for example, gets it in another way.
  decode: ({ scopeId, ...budget }) =>
    budget.scopeType === 'project'
      ? ({ ...budget, projectId: scopeId } as Fields)
      : budget.scopeType === 'team'
        ? (budget as Fields)
        : undefined,
  create: {
    endpoint: 'PUT /ai-gateway/budgets',
    returns: ({ address, body: { projectId } }) => [
      { address, id: projectId ? { $join: ['project:', projectId as never] } : 'team' },
    ],
  },
  update: 'PUT /ai-gateway/budgets',
  delete: [
    {
      endpoint: 'DELETE /ai-gateway/budgets?scopeType=project&projectId={projectId}',
      when: isOfProject,
      params: ({ before }) => ({ projectId: before!.fields.projectId! }),
    },
    { endpoint: 'DELETE /ai-gateway/budgets?scopeType=team', when: (step) => !isOfProject(step) },
  ],
});
