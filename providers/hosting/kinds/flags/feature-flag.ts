import * as z from 'zod';
import { anyJson, defineKind, type Fields, immutable, requireText, setOf, withTraits } from '#kind';
import { completeEnvironments } from './complete-environments.ts';
import { flagEnvironment } from './flag-environment.ts';
import { declaredEnvironments, foundEnvironments } from './flag-environments.ts';
import { flagProblems } from './flag-problems.ts';
import { flagSlug } from './flag-slug.ts';
import { deleteFlag, updateFlag } from './flag-writes.ts';

/** A feature flag. Each write makes a new revision, and is refused where somebody else made one first. */
export const featureFlag = defineKind({
  name: 'featureFlag',
  doc: 'A feature flag: its variants, and who gets which variant in each environment.',
  section: 'featureFlags',
  otherWords: ['flag'],
  parent: 'project',
  key: ['slug'],
  lifecycle: { lane: 'featureFlags', after: ['featureFlagSettings'] },
  form: 2,
  fields: () => ({
    slug: immutable(flagSlug()).describe('Its name in code, unique in the project.'),
    kind: immutable(z.enum(['boolean', 'string', 'number', 'json'])).describe('The type of its values.'),
    description: z.string().optional().describe('Its description.'),
    state: z.enum(['active', 'archived']).optional().describe('An archived flag is kept but not used.'),
    variants: setOf(
      z.strictObject({
        id: z.string().min(1).describe('Its id, used in environments.'),
        value: anyJson().describe("The value that code gets, of the flag's type."),
        label: z.string().optional().describe('Its display name.'),
        description: z.string().optional().describe('Its description.'),
      }),
    )
      .optional()
      .describe('Its possible values.'),
    // Not one reference, but rules that hold some: to segments, on both sides by address.
    environments: withTraits(z.record(z.string().min(1), flagEnvironment()), { ref: 'segment' })
      .optional()
      .describe('The outcomes in each environment; environments not listed are left alone.'),
    seed: z.number().optional().describe('The seed of percentage splits; random if omitted.'),
    permanent: z.boolean().optional().describe('Whether it is permanent, and so never stale.'),
    tags: setOf(z.string().min(1)).optional().describe('Its tags.'),
    maintainerIds: setOf(z.string().min(1)).optional().describe('The ids of its maintainers.'),
  }),
  example: `projects:
  web:
    featureFlags:
      new-checkout:
        kind: boolean
        variants: [{ id: "off", value: false }, { id: "on", value: true }]
        environments:
          production: &paused
            { active: false, pausedOutcome: &off { type: variant, variantId: "off" }, fallthrough: *off }
          preview: { <<: *paused, active: true }
          development: { <<: *paused, active: true }`,
  rules: { check: flagProblems, align: completeEnvironments, normal: declaredEnvironments },
  read: {
    // One list tells of one state only; without `state` it is that of the active ones.
    endpoint: [
      'GET /v2/projects/{project}/feature-flags/flags?state=active',
      'GET /v2/projects/{project}/feature-flags/flags?state=archived',
    ],
    items: 'data',
    byId: { endpoint: 'GET /v1/projects/{project}/feature-flags/flags/{id}', within: 'projectId' },
    version: 'revision',
  },
  // Flags of the marketplace's integrations may be among them.
  decode: ({ typeName = 'flag', environments, ...fields }, references) =>
    requireText(typeName, 'typeName') === 'flag'
      ? ({
          ...fields,
          environments: foundEnvironments(environments, (id) => references.to('segment', id)),
        } as Fields)
      : undefined,
  create: 'PUT /v1/projects/{project}/feature-flags/flags',
  update: updateFlag,
  delete: deleteFlag,
});
