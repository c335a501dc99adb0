import * as z from 'zod';
import { type ApiObject, atomic, defineKind, type Fields, immutable, writeOnly } from '#kind';
import { storesIn } from './stores-in.ts';

/** Returns a store that was read alone, with the id of its installation. */
const withInstallation = ({ store }: ApiObject): ApiObject | undefined => {
  const [integration] = storesIn({ stores: [store] }, 'integration');
  return integration && { ...(integration.product as ApiObject | undefined), ...integration };
};

/** Something that an installed integration provides, as the team buys it. */
export const integrationStore = defineKind({
  name: 'integrationStore',
  doc: 'A resource of an installed integration, such as a database.',
  section: 'stores',
  otherWords: ['store'],
  parent: 'marketplaceInstallation',
  key: ['name'],
  lifecycle: { replace: 'never', container: true, asks: { cost: 'create' } },
  fields: () => ({
    name: immutable(z.string().min(1)).describe('Its display name.'),
    integrationProductIdOrSlug: immutable(writeOnly(z.string())).describe('Its product.'),
    metadata: immutable(writeOnly(atomic(z.record(z.string(), z.any()))))
      .optional()
      .describe('The fields of the product’s form.'),
    externalId: immutable(writeOnly(z.string()))
      .optional()
      .describe('Its id at the partner, if it already exists.'),
    protocolSettings: immutable(writeOnly(atomic(z.record(z.string(), z.any()))))
      .optional()
      .describe("Settings of the product's protocols."),
    billingPlanId: immutable(writeOnly(z.string())).optional().describe('The plan; a free one by default.'),
    paymentMethodId: immutable(writeOnly(z.string())).optional().describe('The payment method.'),
    prepaymentAmountCents: immutable(writeOnly(z.number().int().min(1)))
      .optional()
      .describe('The prepayment in cents, if the plan requires one.'),
  }),
  example: { orders: { integrationProductIdOrSlug: 'postgres', metadata: { region: 'fra1' } } },
  read: {
    endpoint: 'GET /v1/storage/stores',
    items: (answer, { marketplaceInstallation }) =>
      storesIn(answer, 'integration').filter(
        ({ product }) => (product as ApiObject)?.integrationConfigurationId === marketplaceInstallation,
      ),
    byId: {
      endpoint: 'GET /storage/stores/{id}',
      item: withInstallation,
      within: 'integrationConfigurationId',
    },
  },
  decode: ({ name }) => ({ name }) as Fields,
  create: {
    endpoint: 'POST /v1/storage/stores/integration/direct',
    body: ({ body, parent }) => ({ integrationConfigurationId: parent, ...body }),
    returns: ({ address }) => [{ address, path: ['store', 'id'] }],
  },
});
