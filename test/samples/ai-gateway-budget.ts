import { flag, type Sample } from '../support/sample.ts';

export const aiGatewayBudget: Sample = {
  place: (block) => ({
    projects: { LABEL: {} },
    aiGatewayBudgets: { [block.userId === undefined ? 'project' : 'user']: [block] },
  }),
  base: { projectId: 'LABEL', limitAmount: 10 },
  leaves: {
    projectId: ['LABEL', 'LABEL'],
    limitAmount: [20, 30],
    refreshPeriod: ['daily', 'weekly'],
    includeByokInQuota: flag,
    userId: ['LABEL', 'LABEL', { projectId: undefined, userId: 'LABEL' }],
  },
  single: ['projectId', 'userId'],
  seed: { account: { aiGatewayBudgets: [{ project: 'web', limitAmount: 10 }] } },
  requests: async ({ all, shop: { id: projectId } }) => {
    const budget = { scopeType: 'project', projectId, limitAmount: 1, refreshPeriod: 'monthly' };
    await all(
      ['PUT', '/ai-gateway/budgets', budget],
      ['DELETE', `/ai-gateway/budgets?scopeType=project&projectId=${projectId}`],
    );
  },
};
