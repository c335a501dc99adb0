import * as z from 'zod';
import { defineKind } from '#kind';
import { removesCredential } from '../lost-access.ts';

/** A token that reads a global config. It is shown once. */
export const globalConfigToken = defineKind({
  name: 'globalConfigToken',
  doc: 'A token that reads a global config; its value is shown only once, at creation.',
  section: 'tokens',
  otherWords: ['edgeConfigToken'],
  parent: 'globalConfig',
  key: ['label'],
  lifecycle: { asks: { 'remove-access': removesCredential } },
  fields: () => ({ label: z.string().min(1).max(52).describe('Its display name.') }),
  example: `projects: { web: {} }
globalConfigs:
  shop:
    tokens:
      web:
        $secretTo:
          variable: projects/web/env/EDGE_CONFIG
          value: "https://edge-config.example/\${id}?token=\${secret}"`,
  read: { endpoint: 'GET /v1/global-config/{globalConfig}/tokens', items: '' },
  create: 'POST /v1/global-config/{globalConfig}/token',
  delete: {
    endpoint: 'DELETE /v1/global-config/{globalConfig}/tokens',
    body: ({ id }) => ({ ids: [id] }),
  },
  shows: { secret: 'token', opens: 'globalConfig' },
});
