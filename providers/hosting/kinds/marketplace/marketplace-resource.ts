import * as z from 'zod';
import { type ApiObject, atomic, defineKind, type Fields, immutable, openEnum, writeOnly } from '#kind';
import { billingPlan, notification, statuses } from './billing-plan.ts';

/** Something that a partner provides to an installation. The list calls its id `partnerId`. */
const idOf = ({ partnerId, id }: ApiObject): unknown => partnerId ?? id;

export const marketplaceResource = defineKind({
  name: 'marketplaceResource',
  doc: "A resource that a partner provides to an installation, such as a database; written with the partner's token.",
  section: 'resources',
  parent: 'marketplaceInstallation',
  key: ['id'],
  id: idOf,
  lifecycle: { replace: 'never', container: true, asks: { cost: 'create' } },
  form: 2,
  undeclared: ['protocolSettings'],
  fields: () => ({
    id: immutable(z.string().min(1)).describe('Its id, chosen by the partner.'),
    productId: immutable(z.string()).describe('Its product.'),
    name: z.string().min(1).describe('Its display name.'),
    status: openEnum(statuses).describe('Its status.'),
    ownership: writeOnly(z.enum(['owned', 'linked', 'sandbox']))
      .optional()
      .describe('Its ownership.'),
    metadata: atomic(z.record(z.string(), z.any())).optional().describe('The fields of the product’s form.'),
    billingPlan: writeOnly(atomic(billingPlan)).optional().describe('Its billing plan.'),
    notification: atomic(notification).optional().describe('A message shown in the dashboard.'),
    extras: writeOnly(atomic(z.record(z.string(), z.any())))
      .optional()
      .describe('Additional data, as agreed with the partner.'),
  }),
  example: { db_4711: { productId: 'iap_postgres', name: 'orders', status: 'ready' } },
  read: {
    endpoint: 'GET /v1/installations/{marketplaceInstallation}/resources',
    items: 'resources',
    byId: { endpoint: 'GET /v1/installations/{marketplaceInstallation}/resources/{id}' },
  },
  decode: (resource) => ({ ...resource, id: idOf(resource) }) as Fields,
  create: {
    endpoint: 'PUT /v1/installations/{marketplaceInstallation}/resources/{id}',
    body: ({ body: { id: _, ...body } }) => body,
    params: ({ after }) => ({ id: after!.fields.id! }),
  },
  update: 'PATCH /v1/installations/{marketplaceInstallation}/resources/{id}',
  delete: 'DELETE /v1/installations/{marketplaceInstallation}/resources/{id}',
});
