import type { Sample } from '../support/sample.ts';

export const marketplaceResource: Sample = {
  place: (block) => ({ installations: { icfg_LABEL: { resources: { LABEL: block } } } }),
  base: { productId: 'iap_one', name: 'one', status: 'ready' },
  leaves: {
    name: ['two', 'three'],
    productId: ['iap_one', 'iap_two'],
    status: ['pending', 'ready'],
    ownership: ['linked', 'owned'],
    metadata: [{ region: 'fra1' }, { region: 'iad1', size: 2 }],
    billingPlan: [
      { id: 'free', type: 'subscription', name: 'Free' },
      {
        id: 'pro',
        type: 'prepayment',
        name: 'Pro',
        description: 'more',
        paymentMethodRequired: true,
        cost: '$ 20',
        details: [{ label: 'Size', value: '1 GB' }],
        highlightedDetails: [{ label: 'Size' }],
        effectiveDate: '2026-01-01T00:00:00Z',
      },
    ],
    notification: [
      { level: 'info', title: 'one' },
      { level: 'warn', title: 'two', message: 'more', href: 'https://example.com' },
    ],
    extras: [{ one: 1 }, { two: 2 }],
  },
  requests: async ({ all }) => {
    const at = '/v1/installations/icfg_other/resources/one';
    await all(['PUT', at, { productId: 'iap_one', name: 'one', status: 'ready' }], ['DELETE', at]);
  },
};
