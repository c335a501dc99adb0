import * as z from 'zod';
import { atomic, defineKind, openEnum, writeOnly } from '#kind';
import { billingPlan, notification, statuses } from './billing-plan.ts';

/**
 * An integration as a team has installed it. A person installs it, in the dashboard. Its own fields are written by the partner, with the
 * installation's token. This token can read the installation but no list of installations.
 */
export const marketplaceInstallation = defineKind({
  name: 'marketplaceInstallation',
  doc: 'An installed integration: what a team uses of it, and its status from the partner.',
  section: 'installations',
  key: ['id'],
  lifecycle: { container: true },
  form: 2,
  undeclared: ['projects'],
  fields: () => ({
    id: z.string().min(1).describe('Its id, such as `icfg_…`, as in the URL of the dashboard.'),
    status: openEnum(statuses).optional().describe('Its status, set by the partner.'),
    externalId: z.string().optional().describe('Its id at the partner.'),
    billingPlan: writeOnly(atomic(billingPlan)).optional().describe('Its billing plan.'),
    notification: atomic(notification).optional().describe('A message shown in the dashboard.'),
  }),
  example: { icfg_cuwj0AdCdH3BwWT4LPijCC7t: { status: 'ready', externalId: 'customer-4711' } },
  rules: {
    grade: ({ fields, after }) =>
      after?.fields.status === 'uninstalled' && fields.some(({ path }) => path === 'status')
        ? { grade: 'irreversible', reason: 'the integration is uninstalled, with its resources' }
        : undefined,
  },
  read: { single: { endpoint: 'GET /v1/integrations/configuration/{id}' } },
  update: 'PATCH /v1/installations/{id}',
});
