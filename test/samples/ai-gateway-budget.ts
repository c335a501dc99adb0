import { flag, type Sample } from '../support/sample.ts';

export const aiGatewayBudget: Sample = {
  place: (block) => ({
    projects: { LABEL: {} },
    aiGatewayBudgets: { project: [block] },
  }),
  base: { projectId: 'LABEL', limitAmount: 10 },
  leaves: {
    projectId: ['LABEL', 'LABEL'],
    limitAmount: [20, 30],
    refreshPeriod: ['daily', 'weekly'],
    includeByokInQuota: flag,
  },
};
