import * as z from 'zod';
import { defineKind, immutable, writeOnly } from '#kind';
import { pendingByStatus } from '../pending.ts';

/** A private connection from a project's network to a service in AWS. */
export const privateLink = defineKind({
  name: 'privateLink',
  doc: 'A private connection from a project to a service in AWS (PrivateLink). The owner of the service must accept it.',
  section: 'privateLinks',
  parent: 'project',
  key: ['name'],
  id: 'endpointId',
  lifecycle: { asks: { cost: 'create' } },
  fields: () => ({
    name: z.string().min(1).describe('Its name in the project.'),
    vercelRegion: immutable(z.string().min(1)).describe(
      "Its region on the platform, such as `iad1`; the project's network must be there.",
    ),
    awsServiceName: immutable(z.string().min(1)).describe(
      'The name of the service, such as `com.amazonaws.vpce.us-east-1.vpce-svc-0123456789abcdef0`.',
    ),
    enablePrivateDns: writeOnly(z.boolean())
      .optional()
      .describe(
        "Whether the service's own host names resolve to it. The platform does not return this setting.",
      ),
  }),
  example: `projects:
  web:
    privateLinks:
      database:
        vercelRegion: iad1
        awsServiceName: com.amazonaws.vpce.us-east-1.vpce-svc-0123456789abcdef0
        enablePrivateDns: true`,
  read: {
    endpoint: 'GET /v1/networking/privatelink/endpoints?projectId={project}',
    items: '',
    byId: {
      endpoint: 'GET /v1/networking/privatelink/endpoints/{id}?projectId={project}',
      within: 'projectId',
    },
    // It is listed until it is taken down.
    deletedMark: ({ status }) => status === 'deleting',
    later: {
      until: 'the owner of the service in AWS has accepted it',
      person: true,
      pending: pendingByStatus(
        'available',
        {
          creating: { reason: 'the platform is still setting it up' },
          provisioning: { reason: 'the platform is still setting it up' },
          'pending-acceptance': { reason: 'the owner of the service in AWS has not accepted it yet' },
          rejected: { reason: 'the owner of the service in AWS has rejected it', failed: true },
          failed: { reason: 'the platform could not set it up', failed: true },
        },
        'statusMessage',
      ),
    },
  },
  create: {
    endpoint: 'POST /v1/networking/privatelink/endpoints',
    body: ({ parent, body }) => ({ projectId: parent, ...body }),
  },
  update: 'PATCH /v1/networking/privatelink/endpoints/{id}?projectId={project}',
  delete: 'DELETE /v1/networking/privatelink/endpoints/{id}?projectId={project}',
});
