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

/** A budget is somebody's; the team's needs no more than its type. */
const whose = { team: undefined, project: 'projectId', user: 'userId' } as const;
type ScopeType = keyof typeof whose;

const isOf =
  (scopeType: ScopeType) =>
  ({ before }: Step) =>
    before!.fields.scopeType === scopeType;

/** A spending limit on the AI gateway, for the team, one project or one user in it. Each has exactly one budget, written by PUT. */
export const aiGatewayBudget = defineKind({
  name: 'aiGatewayBudget',
  doc: 'How much the team, one of its projects or one of its members may spend through the AI gateway.',
  section: 'aiGatewayBudgets',
  key: ['scopeType'],
  yaml: {
    manyPerKey: true,
    names: ({ scopeType, projectId, userId }) => [
      isRef(projectId)
        ? `project@${escapeName(lastNameOf(projectId.$ref))}`
        : userId === undefined
          ? String(scopeType)
          : `user@${escapeName(String(userId))}`,
    ],
  },
  // Only budgets of projects and users have an id in their identity.
  id: ({ scopeType, scopeId }) => {
    if (typeof scopeId === 'string' && scopeType !== 'team') return `${scopeType}:${scopeId}`;
    return scopeType !== 'project' && scopeType !== 'user' && typeof scopeType === 'string' && scopeType;
  },
  lifecycle: { replace: 'free' },
  fields: () => ({
    scopeType: immutable(z.enum(['team', 'project', 'user'])).describe('Whose budget it is.'),
    projectId: immutable(refTo('project')).optional().describe('The project, for `project`.'),
    userId: immutable(z.string().min(1))
      .optional()
      .describe("For `user`: the user's id, as in the list of team members."),
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
    - { projectId: web, limitAmount: 50, refreshPeriod: monthly }
  user:
    - { userId: 8k2Xb4uWq1Yt5cZe7nVr3oPd, limitAmount: 20, refreshPeriod: monthly }`,
  rules: {
    check: ({ scopeType, ...fields }) => [
      ...Object.entries(whose).flatMap(([type, name]) =>
        name === undefined || (type === scopeType) === (fields[name] !== undefined)
          ? []
          : [
              {
                path: [name],
                message:
                  type === scopeType
                    ? `name the \`${name}\``
                    : `a budget of the type \`${scopeType}\` has no \`${name}\``,
              },
            ],
      ),
      ...(typeof fields.userId === 'string' && fields.userId.includes('@')
        ? [
            {
              path: ['userId'],
              message: 'this is an e-mail address, and a budget is for the id of a user',
              hint: 'the list of `trueup api getTeamMembers` has it as `uid`',
              severity: 'warning' as const,
            },
          ]
        : []),
    ],
  },
  read: { endpoint: 'GET /ai-gateway/budgets/list', items: 'budgets', deletedMark: 'archived' },
  decode: ({ scopeId, ...budget }) => {
    const { scopeType } = budget;
    // A budget without a type may be anybody's. It is kept, so that the missing key makes the list unreadable.
    if (typeof scopeType !== 'string') return budget as Fields;
    if (!Object.hasOwn(whose, scopeType)) return undefined;
    const name = whose[scopeType as ScopeType];
    return (name === undefined ? budget : { ...budget, [name]: scopeId }) as Fields;
  },
  create: {
    endpoint: 'PUT /ai-gateway/budgets',
    returns: ({ address, body: { projectId, userId } }) => [
      {
        address,
        id: projectId ? { $join: ['project:', projectId as never] } : userId ? `user:${userId}` : 'team',
      },
    ],
  },
  update: 'PUT /ai-gateway/budgets',
  delete: [
    {
      endpoint: 'DELETE /ai-gateway/budgets?scopeType=project&projectId={projectId}',
      when: isOf('project'),
      params: ({ before }) => ({ projectId: before!.fields.projectId! }),
    },
    {
      endpoint: 'DELETE /ai-gateway/budgets?scopeType=user&userId={userId}',
      when: isOf('user'),
      params: ({ before }) => ({ userId: before!.fields.userId! }),
    },
    { endpoint: 'DELETE /ai-gateway/budgets?scopeType=team', when: isOf('team') },
  ],
});
