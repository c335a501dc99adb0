import * as z from 'zod';
import { atomic, defineKind } from '#kind';

/** The values that a partner's flags have at runtime. They are written whole, and always there. */
export const experimentationConfig = defineKind({
  name: 'experimentationConfig',
  doc: 'The values of a partner’s flags as read by deployments, in a global config provided by the customer.',
  section: 'experimentationConfig',
  parent: 'marketplaceResource',
  key: [],
  fields: () => ({
    data: atomic(z.record(z.string(), z.any())).describe(
      'Any JSON by name; the complete content, everything else is removed.',
    ),
  }),
  example: `installations:
  icfg_cuwj0AdCdH3BwWT4LPijCC7t:
    resources:
      flags_1:
        productId: iap_flags
        name: shop
        status: ready
        experimentationConfig: { data: { checkout: { enabled: true } } }`,
  read: {
    endpoint:
      'GET /v1/installations/{marketplaceInstallation}/resources/{marketplaceResource}/experimentation/global-config',
    absent: 404,
    item: ({ items }) => ({ data: items }),
    updatedAt: 'updatedAt',
  },
  update:
    'PUT /v1/installations/{marketplaceInstallation}/resources/{marketplaceResource}/experimentation/global-config',
});
