import { z } from 'zod';
import { atomic, createOnly, defineKind, openEnum, request } from '#kind';

/** An environment beside production, preview and development. */
export const customEnvironment = defineKind({
  name: 'customEnvironment',
  doc: 'An environment of a project beside production, preview and development.',
  section: 'customEnvironments',
  parent: 'project',
  key: ['slug'],
  fields: {
    slug: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'a slug has 1 to 32 lower-case letters, digits and hyphens')
      .refine(
        (slug) => !['production', 'preview', 'development'].includes(slug),
        'the platform has this one already',
      ),
    description: z.string().optional(),
    branchMatcher: atomic(
      z.strictObject({ type: openEnum(['equals', 'startsWith', 'endsWith']), pattern: z.string() }),
    )
      .nullable()
      .optional(),
    copyEnvVarsFrom: createOnly(z.string()).optional(),
  },
  api: {
    list: { endpoint: 'GET /v9/projects/{project}/custom-environments', items: 'environments' },
    create: 'POST /v9/projects/{project}/custom-environments',
    update: 'PATCH /v9/projects/{project}/custom-environments/{id}',
    // Without the member the platform may also delete variables that were never declared here.
    delete: ({ id }) =>
      request(
        'DELETE /v9/projects/{project}/custom-environments/{id}',
        { deleteUnassignedEnvironmentVariables: false },
        { id },
      ),
  },
});
