import * as z from 'zod';
import { atomic, defineKind, type Fields, immutable, openEnum, setOf } from '#kind';

/**
 * Describes the source of a deployment check. The members depend on `kind`; this is not checked here, because only
 * the answers of the SDK define it.
 */
const source = () =>
  z.strictObject({
    kind: openEnum(['integration', 'webhook', 'git-provider']),
    provider: z.literal('github').optional(),
    externalCheckName: z.string().optional(),
    webhookId: z.string().optional(),
    externalResourceId: z.string().optional(),
  });

const declaredOf = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => name in source().shape));

const phases = ['build-start', 'deployment-start', 'deployment-alias', 'deployment-promotion', 'none'];
const usual = { requires: 'deployment-url', blocks: 'deployment-alias', timeout: 300 };

export const check = defineKind({
  name: 'check',
  doc: 'A check that deployments of a project must pass.',
  example: { e2e: { requires: 'deployment-url', blocks: 'deployment-promotion', timeout: 600 } },
  section: 'checks',
  parent: 'project',
  key: ['name'],
  usual: { ...usual, isRerequestable: false, targets: [] },
  form: 2,
  fields: () => ({
    name: z.string().min(1).describe('Its name in the project.'),
    requires: openEnum(['build-ready', 'deployment-url', 'none']).optional().describe('What it waits for.'),
    blocks: openEnum(phases).optional().describe('What it blocks until it has passed.'),
    targets: setOf(z.string()).optional().describe('The environments it applies to; all if omitted.'),
    timeout: z.number().min(0).optional().describe('Its timeout, in seconds.'),
    isRerequestable: z.boolean().optional().describe('Whether it can be rerun.'),
    source: immutable(atomic(source())).optional().describe('Who runs it.'),
  }),
  read: {
    endpoint: 'GET /v2/projects/{project}/checks',
    items: 'checks',
    deletedMark: 'deletedAt',
    byId: { endpoint: 'GET /v2/projects/{project}/checks/{id}', within: 'projectId' },
  },
  decode: ({ source = {}, ...rest }) => ({ ...rest, source: declaredOf(source as Fields) }) as Fields,
  // The public client fills in omitted members, also of a PATCH. What the platform would do with an omission is unknown.
  create: { endpoint: 'POST /v2/projects/{project}/checks', body: ({ body }) => ({ ...usual, ...body }) },
  update: { endpoint: 'PATCH /v2/projects/{project}/checks/{id}', sends: 'whole' },
  delete: 'DELETE /v2/projects/{project}/checks/{id}',
});
