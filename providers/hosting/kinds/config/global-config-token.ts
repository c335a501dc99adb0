import * as z from 'zod';
import { defineKind, request } from '#kind';

/** A token that reads a global config. It is shown once. */
export const globalConfigToken = defineKind({
  name: 'globalConfigToken',
  doc: 'A token that reads a global config; its value is shown once, when it is created.',
  section: 'tokens',
  parent: 'globalConfig',
  key: ['label'],
  fields: () => ({ label: z.string().min(1).max(52).describe('Its name, for people.') }),
  example: `globalConfigs:
  shop:
    tokens:
      web: { $secretTo: { file: .secrets/shop-token } }`,
  claims: ['DELETE /v1/global-config/{globalConfig}/tokens'],
  api: {
    list: { endpoint: 'GET /v1/global-config/{globalConfig}/tokens', items: '' },
    create: 'POST /v1/global-config/{globalConfig}/token',
    delete: ({ id }) => request('DELETE /v1/global-config/{globalConfig}/tokens', { ids: [id] }),
    shows: 'token',
  },
});
