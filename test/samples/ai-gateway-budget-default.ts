import type { Sample } from '../support/sample.ts';

export const aiGatewayBudgetDefault: Sample = {
  place: (block) => ({ aiGatewayBudgetDefaults: { LABEL: block } }),
  names: ['project', 'api-key', 'user'],
  base: { limitAmount: 10, refreshPeriod: 'monthly' },
  leaves: {
    limitAmount: [20, 30],
    refreshPeriod: ['daily', 'weekly'],
  },
  seed: {
    account: {
      aiGatewayBudgetDefaults: [{ scopeType: 'project', limitAmount: 5, refreshPeriod: 'monthly' }],
    },
  },
};
