import * as z from 'zod';
import { type ApiObject, atomic, defineKind, type Fields, immutable, refTo } from '#kind';
import { environments, namedEnvironments } from '../environments.ts';

const kind = 'project-grant';

/** The tokens that a project may sign with an issuer. The other sort of policy is made with an issuer only, and left alone. */
export const kmsIssuerPolicy = defineKind({
  name: 'kmsIssuerPolicy',
  doc: 'A grant: deployments of a project may sign tokens with a KMS issuer.',
  section: 'policies',
  parent: 'kmsIssuer',
  key: ['projectId'],
  id: 'projectId',
  lifecycle: { replace: 'free' },
  fields: () => ({
    projectId: immutable(refTo('project')).describe('The project.'),
    environments: environments(),
    tokenClaims: atomic(z.record(z.string(), z.any()))
      .nullable()
      .optional()
      .describe('Claims added to every token signed with this grant; null removes them.'),
  }),
  example: `projects: { web: {} }
kmsIssuers:
  sessions:
    policies:
      web: { environments: [production], tokenClaims: { aud: shop } }`,
  rules: { check: namedEnvironments },
  read: {
    endpoint: 'GET /v1/kms/issuers/{kmsIssuer}',
    items: ({ policies }) =>
      (policies as ApiObject[]).filter((policy) => {
        if (typeof policy.kind !== 'string') throw new Error('the response has a policy without a kind');
        return policy.kind === kind;
      }),
  },
  decode: (policy) => ({ tokenClaims: null, ...policy }) as Fields,
  create: { endpoint: 'POST /v1/kms/issuers/{kmsIssuer}/policies', body: ({ body }) => ({ kind, ...body }) },
  update: 'PATCH /v1/kms/issuers/{kmsIssuer}/policies/project-grant/{id}',
  delete: 'DELETE /v1/kms/issuers/{kmsIssuer}/policies/project-grant/{id}',
});
