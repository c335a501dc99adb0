import { z } from 'zod';
import { type ApiObject, defineKind, immutable, label, secret } from '#kind';
import { bypassWrites, generated } from './protection-bypass-writes.ts';

/** A secret that lets automation past deployment protection. The platform keeps them in a map by the secret itself. */
export const protectionBypass = defineKind({
  name: 'protectionBypass',
  doc: 'A secret that lets automation past the deployment protection of a project.',
  section: 'protectionBypass',
  parent: 'project',
  key: ['label'],
  identity: [['secret'], ['note']],
  id: 'secret',
  secretId: 'secret',
  lane: 'protectionBypass',
  replace: 'free',
  fields: {
    label: label().describe('Its name here; the platform has none.'),
    secret: immutable(
      secret(z.string().regex(/^[A-Za-z0-9]{32}$/, 'a bypass secret has 32 letters and digits')),
    )
      .optional()
      .describe(
        'The secret, 32 letters and digits; made by the platform without it. Another one replaces it.',
      ),
    note: z.string().max(100).optional().describe('A note for people, by which it is found.'),
    isEnvVar: z
      .boolean()
      .optional()
      .describe(
        'Whether deployments see it as their system variable. Exactly one is that; the first one always.',
      ),
  },
  example: `secrets:
  e2e: { env: E2E_BYPASS }
projects:
  web:
    protectionBypass:
      e2e: { secret: "\${secret.e2e}", note: End-to-end tests }`,
  claims: ['PATCH /v1/projects/{project}/protection-bypass'],
  check: ({ isEnvVar, secret }) =>
    isEnvVar && secret === undefined
      ? [
          {
            path: ['isEnvVar'],
            message: 'one that the platform makes cannot be made the default at once',
            hint: 'give it a `secret`; the first one of a project is the default anyway',
          },
        ]
      : [],
  grade: ({ action }) =>
    action === 'delete' || action === 'replace'
      ? { grade: 'irreversible', reason: 'whoever uses the old secret is locked out' }
      : undefined,
  api: {
    list: {
      endpoint: 'GET /v9/projects/{project}',
      items: ({ protectionBypass = {} }) =>
        Object.entries(protectionBypass as Record<string, ApiObject>)
          .filter(([, { scope }]) => scope === 'automation-bypass')
          .map(([secret, one]) => ({ secret, isEnvVar: false, note: '', ...one })),
    },
    batch: bypassWrites,
    outcome: generated,
  },
});
