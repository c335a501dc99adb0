import * as z from 'zod';
import { defineKind, optionalObject } from '#kind';

/** A store of configuration that is read at the edge. */
export const globalConfig = defineKind({
  name: 'globalConfig',
  doc: 'A configuration store read at the edge, with its items, schema and tokens.',
  section: 'globalConfigs',
  otherWords: ['edgeConfig'],
  key: ['slug'],
  lifecycle: { replace: 'never', container: true },
  fields: () => ({
    slug: z
      .string()
      .regex(/^[\w-]{1,64}$/, 'a slug must have 1 to 64 letters, digits, underscores and hyphens')
      .describe('Its name, unique in the account.'),
  }),
  example: { shop: { items: { banner: 'Sale ends Sunday' } } },
  read: {
    endpoint: 'GET /v1/global-config',
    items: '',
    deletedMark: 'deletedAt',
    byId: { endpoint: 'GET /v1/global-config/{id}', within: 'ownerId' },
  },
  create: 'POST /v1/global-config',
  update: 'PUT /v1/global-config/{id}',
  delete: 'DELETE /v1/global-config/{id}',
  // Stores of flags and experiments belong to the platform.
  decode: ({ slug, purpose }) => (optionalObject(purpose, 'purpose') ? undefined : { slug: slug as string }),
});
