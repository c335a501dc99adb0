import * as z from 'zod';
import { defineKind, setOf } from '#kind';

const text = () => z.string().min(1);

/** The settings shared by all feature flags of a project. They cannot be deleted, only switched off. */
export const featureFlagSettings = defineKind({
  name: 'featureFlagSettings',
  doc: 'Settings of all feature flags of a project: whether they are enabled, and what rules can use.',
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
        label: z.string().describe('Its display name.'),
        attributes: z
          .array(
            z.strictObject({
              key: text().describe('The name of the attribute in rules.'),
              type: text().describe('The type of its values, such as `string`.'),
              labels: z
                .array(z.strictObject({ label: z.string(), value: z.string() }))
                .optional()
                .describe('Display names of known values.'),
            }),
          )
          .describe('Its attributes.'),
      }),
    )
      .optional()
      .describe('What the rules of flags and segments can use.'),
    environments: setOf(text()).optional().describe('The environments of flags.'),
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
