import * as z from 'zod';
import { type ApiObject, atomic, defineKind, onlyDeclared, openEnum } from '#kind';

const samplingRule = () =>
  z.strictObject({
    type: z.literal('head_sampling').describe('The sort of sampling.'),
    rate: z.number().min(0).max(1).describe('The share of traces to keep, from 0 to 1.'),
    env: openEnum(['production', 'preview']).optional().describe('The environment; all if omitted.'),
    requestPath: z.string().min(1).optional().describe('The beginning of the request path; all if omitted.'),
  });

/** Returns the settings in an answer. Throws if it has none: an answer in another form must not look as if traces were off. */
function readSettings({ enabled, sampling }: ApiObject): ApiObject {
  if (enabled === undefined && sampling === undefined)
    throw new Error('the answer has no settings of traces');
  return { enabled: enabled ?? false, sampling: sampling ?? [] };
}

/** Whether the deployments of a project send traces to the platform. How it relates to the `tracing` of the project is not known. */
export const tracingConfig = defineKind({
  name: 'tracingConfig',
  doc: 'Whether deployments of a project send traces to the platform, and how many.',
  section: 'tracingConfig',
  parent: 'project',
  key: [],
  // Each project has it. Only one that is on is there for others.
  shape: { ...onlyDeclared, onlyDeclared: ({ enabled }) => enabled === false },
  usual: { enabled: false, sampling: [] },
  fields: () => ({
    enabled: z.boolean().describe('Whether traces are sent.'),
    sampling: atomic(z.array(samplingRule()).max(10))
      .optional()
      .describe('Up to 10 rules, in order; `[]` keeps all traces.'),
  }),
  example: { enabled: true, sampling: [{ type: 'head_sampling', rate: 0.2, env: 'production' }] },
  rules: {
    grade: ({ action }) =>
      action === 'delete' ? { grade: 'disruptive', reason: 'no more traces are sent' } : undefined,
  },
  read: {
    endpoint: 'GET /v1/drains/tracing/config?projectId={project}',
    item: readSettings,
    absent: 404,
  },
  create: 'PUT /v1/drains/tracing/config?projectId={project}',
  update: 'PUT /v1/drains/tracing/config?projectId={project}',
  delete: 'DELETE /v1/drains/tracing/config?projectId={project}',
});
