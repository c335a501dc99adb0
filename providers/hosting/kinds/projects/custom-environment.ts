import * as z from 'zod';
import { atomic, createOnly, defineKind, openEnum } from '#kind';

/** An environment beside production, preview and development. */
export const customEnvironment = defineKind({
  name: 'customEnvironment',
  doc: 'An environment of a project beside production, preview and development.',
  example: `
projects:
  web:
    customEnvironments:
      staging:
        description: What the testers see
        branchMatcher: { type: startsWith, pattern: release/ }
`,
  section: 'customEnvironments',
  parent: 'project',
  key: ['slug'],
  fields: () => ({
    slug: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'a slug has 1 to 32 lower-case letters, digits and hyphens')
      .refine(
        (slug) => !['production', 'preview', 'development'].includes(slug),
        'the platform has this one already',
      )
      .describe('The name of the environment in URLs and settings.'),
    description: z.string().optional().describe('What the environment is for.'),
    branchMatcher: atomic(
      z.strictObject({
        type: openEnum(['equals', 'startsWith', 'endsWith']).describe(
          'How the name of a branch is compared.',
        ),
        pattern: z.string().describe('The text that it is compared with.'),
      }),
    )
      .nullable()
      .optional()
      .describe('The branches that are deployed to the environment; null for none.'),
    copyEnvVarsFrom: createOnly(z.string())
      .optional()
      .describe('The environment whose variables are copied when this one is created.'),
  }),
  read: { endpoint: 'GET /v9/projects/{project}/custom-environments', items: 'environments' },
  create: 'POST /v9/projects/{project}/custom-environments',
  update: 'PATCH /v9/projects/{project}/custom-environments/{id}',
  // Without the member the platform may also delete variables that were never declared here.
  delete: {
    endpoint: 'DELETE /v9/projects/{project}/custom-environments/{id}',
    body: () => ({ deleteUnassignedEnvironmentVariables: false }),
  },
});
