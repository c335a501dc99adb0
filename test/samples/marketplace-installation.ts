import type { Sample } from '../support/sample.ts';

const message = (title: string) => ({ level: 'info', title });

export const marketplaceInstallation: Sample = {
  place: (block) => ({ installations: { icfg_LABEL: block } }),
  leaves: {
    status: ['suspended', 'ready'],
    externalId: ['one', 'two'],
    billingPlan: [
      { id: 'free', type: 'subscription', name: 'Free' },
      { id: 'pro', type: 'subscription', name: 'Pro' },
    ],
    notification: [message('one'), message('two')],
  },
  seed: {
    account: {
      installations: [
        {
          id: 'icfg_shop',
          resources: [
            { id: 'db', productId: 'iap_one', name: 'one', status: 'ready', config: { checkout: true } },
          ],
        },
      ],
    },
  },
};
