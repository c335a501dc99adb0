import * as z from 'zod';
import { defineKind, type Fields, immutable, onlyDeclared, readMayLack, withTraits } from '#kind';
import { domainName, domainProblems } from '../domains/host-name.ts';

/** A host name that shows one deployment. The platform makes many of its own; undeclared ones are not managed. */
export const alias = defineKind({
  name: 'alias',
  doc: 'A host name that serves one fixed deployment. Not for domains of a project, which follow its deployments.',
  section: 'aliases',
  parent: 'project',
  key: ['alias'],
  shape: onlyDeclared,
  id: 'uid',
  lifecycle: { after: ['projectDomain', 'deployment'] },
  fields: () => ({
    alias: immutable(withTraits(domainName(), { within: 'domain', sole: 'alias' })).describe(
      'The host name, such as `demo.example.com` or `acme-demo.vercel.app`.',
    ),
    deploymentId: readMayLack(z.string().min(1)).describe(
      'The deployment to serve: `dpl_...`, or `${projects.web.deployments.v42.id}`. It must be ready.',
    ),
    redirect: domainName()
      .nullable()
      .optional()
      .describe('The host name to redirect visitors to, instead of the deployment; null for none.'),
  }),
  example: `variables: { release: { default: dpl_5WJWYSyB7BpgTj3EuwF37WMRBXBtPQ2iTMJHJBJyRfd } }
projects:
  web:
    aliases:
      demo.example.com: { deploymentId: "\${var.release}" }`,
  rules: {
    check: ({ alias }) => domainProblems(String(alias)).map((finding) => ({ path: ['alias'], ...finding })),
    grade: ({ action, fields }) =>
      action !== 'create' && fields.some(({ cause }) => cause !== 'recorded')
        ? { grade: 'disruptive', reason: 'visitors of it see something else' }
        : undefined,
  },
  read: {
    endpoint: 'GET /v4/aliases?projectId={project}',
    items: 'aliases',
    single: { endpoint: 'GET /v4/aliases/{id}', within: 'projectId' },
  },
  decode: (live) => (live.deletedAt ? undefined : (live as Fields)),
  create: {
    endpoint: 'POST /v2/deployments/{deploymentId}/aliases',
    body: ({ body: { deploymentId: _, ...rest } }) => rest,
  },
  // It moves an existing name. What happens to members that the body leaves out is not documented.
  update: {
    endpoint: 'POST /v2/deployments/{deploymentId}/aliases',
    body: ({ fullBody: { alias, redirect = null } }) => ({ alias, redirect }),
  },
  delete: 'DELETE /v2/aliases/{id}',
});
