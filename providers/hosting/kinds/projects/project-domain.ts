import * as z from 'zod';
import { defineKind, immutable, refTo, softRefTo, withTraits } from '#kind';
import { toAscii } from '../domains/dns-content.ts';
import { domainProblems } from '../domains/host-name.ts';

/** A domain that a project answers under. The target of a redirect is created first and deleted last. */
export const projectDomain = defineKind({
  name: 'projectDomain',
  doc: 'A domain that a project answers under, or redirects.',
  example: `
projects:
  web:
    domains:
      www.example.com: {}
      example.com: { redirect: www.example.com, redirectStatusCode: 308 }
`,
  section: 'domains',
  parent: 'project',
  key: ['name'],
  id: 'name',
  fields: () => ({
    name: withTraits(z.string().min(1).overwrite(toAscii), { immutable: true, within: 'domain' }).describe(
      'The domain, such as `www.example.com`.',
    ),
    gitBranch: z
      .string()
      .nullable()
      .optional()
      .describe('The branch whose latest deployment the domain shows; null for production.'),
    customEnvironmentId: immutable(refTo('customEnvironment'))
      .optional()
      .describe('The slug of the custom environment that the domain shows.'),
    redirect: softRefTo('projectDomain', z.string().overwrite(toAscii))
      .nullable()
      .optional()
      .describe('The domain that visitors are sent to; null for no redirect.'),
    redirectStatusCode: z
      .literal([301, 302, 307, 308])
      .nullable()
      .optional()
      .describe('The HTTP status of the redirect.'),
  }),
  rules: {
    check: ({ name, redirect, redirectStatusCode }) => [
      ...domainProblems(String(name)).map((finding) => ({ path: ['name'], ...finding })),
      ...(redirectStatusCode && !redirect
        ? [{ path: ['redirectStatusCode'], message: 'a status code without `redirect` means nothing' }]
        : []),
    ],
  },
  read: { endpoint: 'GET /v9/projects/{project}/domains', items: 'domains' },
  create: 'POST /v10/projects/{project}/domains',
  update: 'PATCH /v9/projects/{project}/domains/{id}',
  delete: 'DELETE /v9/projects/{project}/domains/{id}',
});
