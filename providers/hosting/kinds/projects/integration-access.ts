import * as z from 'zod';
import { defineKind } from '#kind';

/** An integration that may see a project. No operation lists them, so only declared and recorded ones are read. */
export const integrationAccess = defineKind({
  name: 'integrationAccess',
  doc: 'Lets an integration, which a person has limited to chosen projects, access a project.',
  section: 'integrations',
  parent: 'project',
  key: ['configurationId'],
  id: 'configurationId',
  lifecycle: { replace: 'free', asks: { 'remove-access': 'delete' } },
  fields: () => ({
    configurationId: z.string().min(1).describe('The id of the installed integration (`icfg_...`).'),
  }),
  example: { icfg_cuwj0AdCdH3BwWT4LPijCC7t: {} },
  rules: {
    grade: ({ action }) =>
      action === 'delete' ? { grade: 'disruptive', reason: 'the integration loses the project' } : undefined,
  },
  read: {
    single: {
      endpoint: 'GET /v1/integrations/configuration/{id}/project/{project}',
      item: ({ allowed }, configurationId) => {
        if (typeof allowed !== 'boolean') throw new Error('the answer does not say whether it is allowed');
        return allowed ? { configurationId } : null;
      },
    },
  },
  create: {
    endpoint: 'POST /v1/integrations/configuration/{configurationId}/project/{project}',
    body: () => ({ allowed: true }),
  },
  delete: {
    endpoint: 'POST /v1/integrations/configuration/{id}/project/{project}',
    body: () => ({ allowed: false }),
  },
});
