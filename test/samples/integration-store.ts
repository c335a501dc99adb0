import { type Sample, text } from '../support/sample.ts';

export const integrationStore: Sample = {
  place: (block) => ({ installations: { icfg_LABEL: { stores: { LABEL: block } } } }),
  base: { integrationProductIdOrSlug: 'one' },
  leaves: {
    integrationProductIdOrSlug: text,
    metadata: [{ region: 'fra1' }, { region: 'iad1' }],
    externalId: text,
    protocolSettings: [{ a: 1 }, { a: 2 }],
    billingPlanId: text,
    paymentMethodId: text,
    prepaymentAmountCents: [100, 200],
  },
  seed: {
    account: {
      integrationStores: [
        {
          name: 'orders',
          integrationConfigurationId: 'icfg_shop',
          integrationProductIdOrSlug: 'postgres',
          connections: [{ project: 'web' }],
        },
      ],
    },
  },
};
