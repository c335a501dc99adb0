import type { Sample } from '../support/sample.ts';

export const alertNotification: Sample = {
  place: (block) => ({
    webhooks: {
      LABEL: { url: 'https://LABEL.example.com', events: ['alerts.triggered'], $secretTo: 'discard' },
      'LABEL-2': { url: 'https://LABEL-2.example.com', events: ['alerts.triggered'], $secretTo: 'discard' },
    },
    alertRules: {
      LABEL: {
        ...{ type: 'built-in', ruleScope: { type: 'all' }, triggers: { mode: 'all' } },
        ...{ matchMinimumSeverityLevel: 'low', notifications: { LABEL: block } },
      },
    },
  }),
  base: { type: 'webhook', webhookId: '$' + '{webhooks.LABEL.id}' },
  leaves: {
    type: ['slack', 'slack', { webhookId: undefined, configId: 'icfg_one', channelId: 'C01' }],
    webhookId: ['$' + '{webhooks.LABEL.id}', '$' + '{webhooks.LABEL-2.id}'],
    configId: ['icfg_one', 'icfg_two', { type: 'slack', webhookId: undefined, channelId: 'C01' }],
    channelId: ['C01', 'C02', { type: 'slack', webhookId: undefined, configId: 'icfg_one' }],
    minimumSeverityLevel: ['critical', null],
  },
  single: ['type'],
  identity: ['webhookId', 'configId', 'channelId'],
};
