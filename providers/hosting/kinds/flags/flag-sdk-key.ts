import * as z from 'zod';
import { defineKind, type Fields, openEnum } from '#kind';
import { removesCredential } from '../lost-access.ts';

/** A key with which an application reads a project's feature flags. It is shown once. */
export const flagSdkKey = defineKind({
  name: 'flagSdkKey',
  doc: 'A key for reading the feature flags of a project; its value is shown only once, at creation.',
  section: 'featureFlagSdkKeys',
  parent: 'project',
  key: ['environment', 'type', 'label'],
  id: 'hashKey',
  lifecycle: { after: ['featureFlagSettings'], asks: { 'remove-access': removesCredential } },
  fields: () => ({
    environment: z.string().min(1).describe('The environment whose flags it reads, such as `production`.'),
    type: openEnum(['server', 'mobile', 'client']).describe('Where it is used.'),
    label: z.string().describe('Its display name, which distinguishes keys of the same type; may be empty.'),
  }),
  example: `projects:
  web:
    featureFlagSdkKeys:
      - { environment: production, type: server, label: web, $secretTo: { file: .secrets/flags-key } }`,
  read: {
    endpoint: 'GET /v1/projects/{project}/feature-flags/sdk-keys',
    items: 'data',
    deletedMark: 'deletedAt',
  },
  decode: (key) => ({ label: '', ...key }) as Fields,
  encode: ({ environment, type, label }) => ({ environment, sdkKeyType: type, ...(label ? { label } : {}) }),
  create: 'PUT /v1/projects/{project}/feature-flags/sdk-keys',
  delete: 'DELETE /v1/projects/{project}/feature-flags/sdk-keys/{id}',
  shows: { secret: 'keyValue', also: ['connectionString'] },
});
