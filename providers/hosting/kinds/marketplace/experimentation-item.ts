import * as z from 'zod';
import { defineKind, openEnum, type Step, writeOnly } from '#kind';

/** The id of an item is in the path of its own. */
const withoutId = ({ whole: { id: _, ...body } }: Step) => body;

/** A flag or experiment that a partner keeps, and the dashboard shows. Nothing reads it back. */
export const experimentationItem = defineKind({
  name: 'experimentationItem',
  doc: 'A flag or an experiment that a partner keeps, as the dashboard shows it.',
  section: 'experimentationItems',
  parent: 'marketplaceResource',
  key: ['id'],
  lifecycle: { replace: 'free' },
  fields: () => ({
    id: z.string().min(1).describe('Its id at the partner, who chooses it.'),
    slug: writeOnly(z.string()).describe('Its name in code.'),
    origin: writeOnly(z.string()).describe('The page at the partner that has it.'),
    category: writeOnly(openEnum(['experiment', 'flag']))
      .optional()
      .describe('What it is.'),
    name: writeOnly(z.string()).optional().describe('Its name, for people.'),
    description: writeOnly(z.string()).optional().describe('What it is for.'),
    isArchived: writeOnly(z.boolean()).optional().describe('It is not used any more.'),
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
