import * as z from 'zod';
import { type ApiObject, defineKind, setOf } from '#kind';
import { projectIn } from './project-answer.ts';

/** The settings of a project's static IPs. The project itself switches static IPs on, and shows these settings, too. */
export const staticIpSettings = defineKind({
  name: 'staticIpSettings',
  doc: 'How a project uses static IPs, once its `staticIps` are enabled: where, and whether for builds.',
  section: 'staticIpSettings',
  parent: 'project',
  key: [],
  usual: { builds: false, regions: [] },
  fields: () => ({
    builds: z.boolean().optional().describe('Whether builds also connect from static addresses.'),
    regions: setOf(z.string().min(1))
      .optional()
      .describe('The regions that have static addresses, such as `fra1`.'),
  }),
  example: `$allow: [cost]
projects:
  web:
    staticIps: { enabled: true }
    staticIpSettings: { builds: true, regions: [fra1] }`,
  rules: {
    grade: () => ({
      grade: 'disruptive',
      reason: 'connections come from different addresses, which their targets may block',
    }),
  },
  read: {
    endpoint: 'GET /v9/projects/{project}',
    item: (answer) => ({
      builds: false,
      regions: [],
      ...(projectIn(answer).staticIps as ApiObject | undefined),
    }),
  },
  update: 'PATCH /v1/projects/{project}/shared-connect-links',
});
