import * as z from 'zod';
import { type ApiObject, atomic, defineKind, type Fields, immutable, writeOnly } from '#kind';
import { storesIn } from './stores-in.ts';

/** Something that an installed integration provides, as the team buys it. */
export const integrationStore = defineKind({
  name: 'integrationStore',
  doc: 'A resource that a team has of an installed integration, a database for example.',
  section: 'stores',
  parent: 'marketplaceInstallation',
  key: ['name'],
  lifecycle: { replace: 'never', container: true, asks: { cost: 'create' } },
  fields: () => ({
    name: immutable(z.string().min(1)).describe('Its name, for people.'),
    integrationProductIdOrSlug: immutable(writeOnly(z.string())).describe('The product that it is of.'),
    metadata: immutable(writeOnly(atomic(z.record(z.string(), z.any()))))
      .optional()
      .describe('What the product’s form asks for.'),
    externalId: immutable(writeOnly(z.string()))
      .optional()
      .describe('Its id at the partner, if it is there already.'),
    protocolSettings: immutable(writeOnly(atomic(z.record(z.string(), z.any()))))
      .optional()
      .describe('Settings of the protocols that the product speaks.'),
    billingPlanId: immutable(writeOnly(z.string())).optional().describe('The plan; without one, a free one.'),
    paymentMethodId: immutable(writeOnly(z.string())).optional().describe('What it is paid with.'),
    prepaymentAmountCents: immutable(writeOnly(z.number().int().min(1)))
      .optional()
      .describe('How much is paid in advance, in cents, where the plan wants that.'),
  }),
  example: { orders: { integrationProductIdOrSlug: 'postgres', metadata: { region: 'fra1' } } },
  read: {
    endpoint: 'GET /v1/storage/stores',
    items: (answer, { marketplaceInstallation }) =>
      storesIn(answer, 'integration').filter(
        ({ product }) => (product as ApiObject)?.integrationConfigurationId === marketplaceInstallation,
      ),
  },
  decode: ({ name }) => ({ name }) as Fields,
  create: {
    endpoint: 'POST /v1/storage/stores/integration/direct',
    body: ({ body, parent }) => ({ integrationConfigurationId: parent, ...body }),
    returns: ({ address }) => [{ address, path: ['store', 'id'] }],
  },
});
