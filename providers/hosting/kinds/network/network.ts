import * as z from 'zod';
import { defineKind, immutable, setOf } from '#kind';
import { pendingByStatus } from '../pending.ts';

/** A network of the team's own (Secure Compute). Projects run in it; it has addresses that others may have allowed. */
export const network = defineKind({
  name: 'network',
  doc: 'A private network (Secure Compute) with fixed outgoing addresses, for builds and functions of projects. It costs money.',
  section: 'networks',
  otherWords: ['secureCompute', 'vpc'],
  key: ['name'],
  // Its outgoing addresses do not come back.
  lifecycle: { replace: 'never', container: true, refusedWhileUsed: true, asks: { cost: 'create' } },
  fields: () => ({
    name: z.string().min(1).describe('Its name in the team.'),
    region: immutable(z.string().min(1)).describe('Its region, such as `iad1`.'),
    cidr: immutable(z.cidrv4()).describe(
      'Its private address block, such as `10.0.0.0/16`; it must not overlap with peered networks.',
    ),
    awsAvailabilityZoneIds: immutable(setOf(z.string().min(1)))
      .optional()
      .describe('Its AWS availability zones, such as `use1-az1`; chosen by the platform if omitted.'),
  }),
  example: { backend: { region: 'iad1', cidr: '10.0.0.0/16' } },
  read: {
    endpoint: 'GET /v1/connect/networks',
    items: '',
    byId: { endpoint: 'GET /v1/connect/networks/{id}', within: 'teamId' },
    // It is listed until its machines are gone.
    deletedMark: ({ status }) => status === 'delete_in_progress',
    later: {
      until: 'the platform has set it up',
      pending: pendingByStatus('ready', {
        create_in_progress: { reason: 'the platform is still setting it up' },
        error: { reason: 'the platform could not set it up', failed: true },
      }),
    },
  },
  create: 'POST /v1/connect/networks',
  update: 'PATCH /v1/connect/networks/{id}',
  delete: 'DELETE /v1/connect/networks/{id}',
});
