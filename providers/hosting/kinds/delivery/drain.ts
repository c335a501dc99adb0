import * as z from 'zod';
import {
  type ApiObject,
  atomic,
  defineKind,
  type Fields,
  openEnum,
  readMayLack,
  refTo,
  setOf,
  updateOnly,
  type Value,
} from '#kind';
import { delivery, deliveryProblems, refuses, writtenDelivery } from './drain-delivery.ts';
import { namedProjects } from './named-projects.ts';

const data = ['log', 'trace', 'analytics', 'speed_insights', 'audit_log', 'ai_gateway', 'connect'];
const oldest = 'v1';

/** Sends logs, traces or other data elsewhere. It is written in another shape than it is read. */
export const drain = defineKind({
  name: 'drain',
  doc: 'Sends logs, traces and other data of projects to an endpoint.',
  section: 'drains',
  otherWords: ['logDrain', 'traceDrain'],
  key: ['name'],
  form: 2,
  fields: () => ({
    name: z.string().min(1).describe('Its name.'),
    projectIds: setOf(refTo('project')).optional().describe('Only these projects; all if empty.'),
    schemas: atomic(z.record(z.string(), z.strictObject({ version: z.string().default(oldest) }))).describe(
      `Everything that is sent, by type of data (${data.join(', ')}), and its format version.`,
    ),
    filter: atomic(z.strictObject({ version: z.string(), filter: z.record(z.string(), z.any()) }))
      .nullable()
      .optional()
      .describe('The data to send: `{ version: v2, filter: { type: basic, ... } }`.'),
    delivery: delivery().optional().describe('Where it goes, and how.'),
    sampling: atomic(
      z.array(
        z.strictObject({
          type: openEnum(['head_sampling']),
          rate: z.number().min(0).max(1),
          env: openEnum(['production', 'preview']).optional(),
          requestPath: z.string().optional(),
        }),
      ),
    )
      .nullable()
      .optional()
      .describe('The share that is sent (sampling).'),
    transforms: readMayLack(z.array(z.strictObject({ id: z.string() })))
      .nullable()
      .optional()
      .describe('Transformations before sending.'),
    status: updateOnly(openEnum(['enabled', 'disabled']))
      .optional()
      .describe('Whether it is enabled.'),
  }),
  example: `drains:
  audit:
    schemas: { log: {} }
    delivery: { type: http, endpoint: https://logs.example.com, encoding: ndjson }`,
  rules: { check: deliveryProblems },
  read: {
    endpoint: 'GET /v1/drains',
    items: 'drains',
    byId: { endpoint: 'GET /v1/drains/{id}', within: 'ownerId' },
  },
  create: { endpoint: 'POST /v1/drains', body: ({ body }) => ({ projects: 'all', ...body }) },
  update: 'PATCH /v1/drains/{id}',
  delete: 'DELETE /v1/drains/{id}',
  decode,
  encode: ({ projectIds, delivery, ...fields }) => ({
    ...fields,
    ...(projectIds === undefined ? {} : projectsOf(projectIds)),
    ...(delivery ? { delivery: writtenDelivery(delivery as Fields) } : {}),
  }),
});

function projectsOf(ids: Value) {
  const named = namedProjects(ids);
  return { projects: named.projectIds ? 'some' : 'all', ...named };
}

/**
 * Reads a drain. Skips (undefined) drains into the platform's own stores and drains that an integration owns: neither is ours to
 * manage.
 */
function decode({
  filterV2,
  projectIds,
  delivery,
  schemas,
  source,
  ...drain
}: ApiObject): Fields | undefined {
  const { secret, ...way } = (delivery ?? {}) as ApiObject;
  const isTold = typeof secret === 'string' && !(secret === '' && refuses(way.type, 'secret'));
  if (['clickhouse', 'internal'].includes(String(way.type))) return undefined;
  if ((source as ApiObject | undefined)?.kind === 'integration') return undefined;
  return {
    filter: null,
    sampling: null,
    ...drain,
    projectIds: projectIds ?? [],
    schemas: versioned(schemas),
    ...(filterV2 ? { filter: filterV2 } : {}),
    delivery: { ...way, ...(isTold ? { secret } : {}) },
  } as unknown as Fields;
}

/** Adds the oldest version to the schemas of a drain, unless they have a version, because answers may omit it. */
const versioned = (schemas: unknown) =>
  Object.fromEntries(
    Object.entries((schemas ?? {}) as ApiObject).map(([name, schema]) => [
      name,
      { version: oldest, ...(schema as ApiObject) },
    ]),
  );
