import * as z from 'zod';
import { defineKind, openEnum, type Step, writeOnly } from '#kind';

/** The id of an item is in the path of its own. */
const withoutId = ({ fullBody: { id: _, ...body } }: Step) => body;

/** A flag or experiment that a partner keeps, and the dashboard shows. Nothing reads it back. */
export const experimentationItem = defineKind({
  name: 'experimentationItem',
  doc: "A partner's flag or experiment, as shown in the dashboard.",
  section: 'experimentationItems',
  parent: 'marketplaceResource',
  key: ['id'],
  lifecycle: { replace: 'free' },
  fields: () => ({
    id: z.string().min(1).describe('Its id, chosen by the partner.'),
    slug: writeOnly(z.string()).describe('Its name in code.'),
    origin: writeOnly(z.string()).describe('Its page at the partner.'),
    category: writeOnly(openEnum(['experiment', 'flag']))
      .optional()
      .describe('Its type.'),
    name: writeOnly(z.string()).optional().describe('Its display name.'),
    description: writeOnly(z.string()).optional().describe('Its description.'),
    isArchived: writeOnly(z.boolean()).optional().describe('Whether it is archived.'),
  }),
  example: `installations:
  icfg_cuwj0AdCdH3BwWT4LPijCC7t:
    resources:
      flags_1:
        productId: iap_flags
        name: shop
        status: ready
        experimentationItems:
          exp_1: { slug: new-checkout, origin: "https://flags.example.com/exp_1", category: experiment }`,
  read: {},
  create: {
    endpoint:
      'POST /v1/installations/{marketplaceInstallation}/resources/{marketplaceResource}/experimentation/items',
    body: ({ body }) => ({ items: [body] }),
  },
  update: {
    endpoint:
      'PATCH /v1/installations/{marketplaceInstallation}/resources/{marketplaceResource}/experimentation/items/{id}',
    body: withoutId,
  },
  delete:
    'DELETE /v1/installations/{marketplaceInstallation}/resources/{marketplaceResource}/experimentation/items/{id}',
});
