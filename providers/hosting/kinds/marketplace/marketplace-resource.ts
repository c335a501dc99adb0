import * as z from 'zod';
import { type ApiObject, atomic, defineKind, type Fields, immutable, openEnum, writeOnly } from '#kind';
import { billingPlan, notification, statuses } from './billing-plan.ts';

/** Something that a partner provides to an installation. The list calls its id `partnerId`. */
const idOf = ({ partnerId, id }: ApiObject): string => String(partnerId ?? id);

export const marketplaceResource = defineKind({
  name: 'marketplaceResource',
  doc: 'Something that a partner provides to an installation, a database for example; written with its token.',
  section: 'resources',
  parent: 'marketplaceInstallation',
  key: ['id'],
  id: idOf,
  lifecycle: { replace: 'never', container: true, asks: { cost: 'create' } },
  form: 2,
  undeclared: ['protocolSettings'],
  fields: () => ({
    id: immutable(z.string().min(1)).describe('Its id at the partner, who chooses it.'),
    productId: immutable(z.string()).describe('The product that it is of.'),
    name: z.string().min(1).describe('Its name, for people.'),
    status: openEnum(statuses).describe('How far it is.'),
    ownership: writeOnly(z.enum(['owned', 'linked', 'sandbox']))
      .optional()
      .describe('Who it belongs to.'),
    metadata: atomic(z.record(z.string(), z.any())).optional().describe('What the product’s form asks for.'),
    billingPlan: writeOnly(atomic(billingPlan)).optional().describe('The plan that it is billed by.'),
    notification: atomic(notification).optional().describe('A message that the dashboard shows beside it.'),
    extras: writeOnly(atomic(z.record(z.string(), z.any())))
      .optional()
      .describe('More, as the partner agreed.'),
  }),
  example: { db_4711: { productId: 'iap_postgres', name: 'orders', status: 'ready' } },
  read: { endpoint: 'GET /v1/installations/{marketplaceInstallation}/resources', items: 'resources' },
  decode: (found) => ({ ...(found as Fields), id: idOf(found) }),
  create: {
    endpoint: 'PUT /v1/installations/{marketplaceInstallation}/resources/{id}',
    body: ({ body: { id: _, ...body } }) => body,
    params: ({ after }) => ({ id: after!.fields.id! }),
  },
  update: 'PATCH /v1/installations/{marketplaceInstallation}/resources/{id}',
  delete: 'DELETE /v1/installations/{marketplaceInstallation}/resources/{id}',
});
