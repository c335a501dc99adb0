import { z } from 'zod';
import { defineKind, immutable, refTo, softRefTo, withTraits } from '#kind';

/** A domain that a project answers under. The target of a redirect is created first and deleted last. */
export const projectDomain = defineKind({
  name: 'projectDomain',
  doc: 'A domain that a project answers under, or redirects.',
  section: 'domains',
  parent: 'project',
  key: ['name'],
  id: 'name',
  fields: {
    name: withTraits(z.string().min(1).toLowerCase(), { immutable: true, within: 'domain' }),
    gitBranch: z.string().nullable().optional(),
    customEnvironmentId: immutable(refTo('customEnvironment')).optional(),
    redirect: softRefTo('projectDomain', z.string().toLowerCase()).nullable().optional(),
    redirectStatusCode: z.literal([301, 302, 307, 308]).nullable().optional(),
  },
  check: ({ redirect, redirectStatusCode }) =>
    redirectStatusCode && !redirect
      ? [{ path: ['redirectStatusCode'], message: 'a status code without `redirect` means nothing' }]
      : [],
  api: {
    list: { endpoint: 'GET /v9/projects/{project}/domains', items: 'domains' },
    create: 'POST /v10/projects/{project}/domains',
    update: 'PATCH /v9/projects/{project}/domains/{id}',
    delete: 'DELETE /v9/projects/{project}/domains/{id}',
  },
});
