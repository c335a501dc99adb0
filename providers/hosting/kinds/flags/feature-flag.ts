import * as z from 'zod';
import { anyJson, defineKind, type Fields, immutable, setOf, withTraits } from '#kind';
import { completeEnvironments } from './complete-environments.ts';
import { flagEnvironment } from './flag-environment.ts';
import { declaredEnvironments, foundEnvironments } from './flag-environments.ts';
import { flagProblems } from './flag-problems.ts';
import { flagSlug } from './flag-slug.ts';
import { deleteFlag, updateFlag } from './flag-writes.ts';

/** A feature flag. Each write makes a new revision, and is refused where somebody else made one first. */
export const featureFlag = defineKind({
  name: 'featureFlag',
  doc: 'A feature flag: its variants, and who gets which of them in each environment.',
  section: 'featureFlags',
  parent: 'project',
  key: ['slug'],
  lifecycle: { lane: 'featureFlags', after: ['featureFlagSettings'] },
  form: 2,
  fields: () => ({
    slug: immutable(flagSlug()).describe('Its name in code, unique in the project.'),
    kind: immutable(z.enum(['boolean', 'string', 'number', 'json'])).describe('What its values are.'),
    description: z.string().optional().describe('What it is for.'),
    state: z.enum(['active', 'archived']).optional().describe('An archived flag is kept, and out of use.'),
    variants: setOf(
      z.strictObject({
        id: z.string().min(1).describe('Its id, by which environments name it.'),
        value: anyJson().describe('What code gets: a value of the kind of the flag.'),
        label: z.string().optional().describe('Its name for people.'),
        description: z.string().optional().describe('What it stands for.'),
      }),
    )
      .optional()
      .describe('The values that it can have.'),
    // Not one reference, but rules that hold some: to segments, on both sides by address.
    environments: withTraits(z.record(z.string().min(1), flagEnvironment()), { ref: 'segment' })
      .optional()
      .describe('The answers in each environment; those that are not named here are left alone.'),
    seed: z.number().optional().describe('Decides who is on which side of a split; random without it.'),
    permanent: z.boolean().optional().describe('Whether it is meant to stay, and so never stale.'),
    tags: setOf(z.string().min(1)).optional().describe('Words to find it by.'),
    maintainerIds: setOf(z.string().min(1)).optional().describe('The ids of the users who look after it.'),
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
    version: 'revision',
  },
  // Flags of the marketplace's integrations may be among them.
  decode: ({ typeName = 'flag', environments, ...fields }, references) =>
    typeName === 'flag'
      ? ({
          ...fields,
          environments: foundEnvironments(environments, (id) => references.to('segment', id)),
        } as Fields)
      : undefined,
  create: 'PUT /v1/projects/{project}/feature-flags/flags',
  update: updateFlag,
  delete: deleteFlag,
});
