import * as z from 'zod';
import { defineKind, setOf } from '#kind';

const text = () => z.string().min(1);

/** The settings shared by all feature flags of a project. They cannot be deleted, only switched off. */
export const featureFlagSettings = defineKind({
  name: 'featureFlagSettings',
  doc: 'What holds for all feature flags of a project: whether they are on, and what their rules can look at.',
  section: 'featureFlagSettings',
  parent: 'project',
  key: [],
  form: 2,
  usual: { environments: ['production', 'preview', 'development'] },
  fields: () => ({
    enabled: z.boolean().optional().describe('Whether the project uses feature flags.'),
    entities: setOf(
      z.strictObject({
        kind: text().describe('Its name in rules, such as `user`.'),
        label: z.string().describe('Its name for people.'),
        attributes: z
          .array(
            z.strictObject({
              key: text().describe('The name of the attribute in rules.'),
              type: text().describe('The type of its values, such as `string`.'),
              labels: z
                .array(z.strictObject({ label: z.string(), value: z.string() }))
                .optional()
                .describe('Names for people of values that are known.'),
            }),
          )
          .describe('What is known of it.'),
      }),
    )
      .optional()
      .describe('What the rules of flags and segments can look at.'),
    environments: setOf(text()).optional().describe('The environments that flags have.'),
  }),
  example: `projects:
  web:
    featureFlagSettings:
      enabled: true
      entities:
        - { kind: user, label: User, attributes: [{ key: email, type: string }] }`,
  read: { endpoint: 'GET /v1/projects/{project}/feature-flags/settings', absent: 404 },
  update: 'PATCH /v1/projects/{project}/feature-flags/settings',
});
