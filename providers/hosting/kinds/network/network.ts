import * as z from 'zod';
import { defineKind, immutable, setOf } from '#kind';
import { pendingByStatus } from '../pending.ts';

/** A network of the team's own (Secure Compute). Projects run in it; it has addresses that others may have allowed. */
export const network = defineKind({
  name: 'network',
  doc: 'A private network (Secure Compute) with fixed outgoing addresses, in which builds and functions of projects can run. It costs money.',
  section: 'networks',
  key: ['name'],
  // Its outgoing addresses do not come back.
  lifecycle: { replace: 'never', container: true, asks: { cost: 'create' } },
  fields: () => ({
    name: z.string().min(1).describe('Its name in the team.'),
    region: immutable(z.string().min(1)).describe('The region that it is in, `iad1` for example.'),
    cidr: immutable(z.cidrv4()).describe(
      'Its block of private addresses, `10.0.0.0/16` for example; it must not overlap with networks that it is peered with.',
    ),
    awsAvailabilityZoneIds: immutable(setOf(z.string().min(1)))
      .optional()
      .describe(
        'The availability zones of AWS that it lies in, `use1-az1` for example; the platform chooses without it.',
      ),
  }),
  example: { backend: { region: 'iad1', cidr: '10.0.0.0/16' } },
  read: {
    endpoint: 'GET /v1/connect/networks',
    items: '',
    // It is listed until its machines are gone.
    gone: ({ status }) => status === 'delete_in_progress',
    later: {
      until: 'the platform has set it up',
      pending: pendingByStatus('ready', {
        create_in_progress: { why: 'the platform is still setting it up' },
        error: { why: 'the platform could not set it up', failed: true },
      }),
    },
  },
  create: 'POST /v1/connect/networks',
  update: 'PATCH /v1/connect/networks/{id}',
  delete: 'DELETE /v1/connect/networks/{id}',
});
