import * as z from 'zod';
import { atomic, createOnly, defineKind, openEnum } from '#kind';

/** An environment beside production, preview and development. */
export const customEnvironment = defineKind({
  name: 'customEnvironment',
  doc: 'An environment of a project in addition to production, preview and development.',
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
      .regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'a slug must have 1 to 32 lower-case letters, digits and hyphens')
      .refine(
        (slug) => !['production', 'preview', 'development'].includes(slug),
        'this name is reserved by the platform',
      )
      .describe('The name of the environment in URLs and settings.'),
    description: z.string().optional().describe('What the environment is for.'),
    branchMatcher: atomic(
      z.strictObject({
        type: openEnum(['equals', 'startsWith', 'endsWith']).describe('How branch names are compared.'),
        pattern: z.string().describe('The text to compare with.'),
      }),
    )
      .nullable()
      .optional()
      .describe('The branches that are deployed to the environment; null for none.'),
    copyEnvVarsFrom: createOnly(z.string())
      .optional()
      .describe('The environment whose variables are copied when this one is created.'),
  }),
  read: {
    endpoint: 'GET /v9/projects/{project}/custom-environments',
    items: 'environments',
    byId: { endpoint: 'GET /v9/projects/{project}/custom-environments/{id}' },
  },
  create: 'POST /v9/projects/{project}/custom-environments',
  update: 'PATCH /v9/projects/{project}/custom-environments/{id}',
  // Without the member the platform may also delete variables that were never declared here.
  delete: {
    endpoint: 'DELETE /v9/projects/{project}/custom-environments/{id}',
    body: () => ({ deleteUnassignedEnvironmentVariables: false }),
  },
});
