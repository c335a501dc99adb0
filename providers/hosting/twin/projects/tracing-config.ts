import * as z from 'zod';
import type { Project } from '../account.ts';
import { projectOfQuery, projectQuery } from '../find-project.ts';
import { operation, type Resource, seedOne } from '../resource.ts';

const samplingRule = z.strictObject({
  type: z.literal('head_sampling'),
  rate: z.number().min(0).max(1),
  env: z.enum(['production', 'preview']).optional(),
  requestPath: z.string().optional(),
});
const putBody = z.strictObject({ enabled: z.boolean(), sampling: z.array(samplingRule).max(10).default([]) });

declare module '../account.ts' {
  interface ProjectParts {
    tracingConfig: z.infer<typeof putBody>;
  }
  interface ProjectSeed {
    tracingConfig?: z.input<typeof putBody>;
  }
}

const off = { enabled: false, sampling: [] };

/** Whether a project sends traces to the platform, from the code of the platform's Terraform provider. */
export const tracingConfig: Resource = {
  keeps: { project: { tracingConfig: off } },
  operations: {},
  clientOperations: {
    'GET /v1/drains/tracing/config': operation(
      { on: projectOfQuery, query: projectQuery },
      (_, { tracingConfig }) => tracingConfig,
    ),
    'PUT /v1/drains/tracing/config': operation(
      { on: projectOfQuery, query: projectQuery, body: putBody },
      (_, project, body) => {
        project.tracingConfig = body;
        return body;
      },
    ),
    'DELETE /v1/drains/tracing/config': operation(
      { on: projectOfQuery, query: projectQuery, statuses: [204] },
      (_, project) => {
        project.tracingConfig = { ...off };
      },
    ),
  },
  seed: {
    project: {
      tracingConfig: seedOne(putBody, (_, seeded, project: Project) => {
        project.tracingConfig = seeded;
      }),
    },
  },
};
