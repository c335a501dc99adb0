import * as z from 'zod';
import { type ApiObject, defineKind, groupBy, immutable, label, revealed, Sealed, secret } from '#kind';
import { batch, labelled } from '#shapes';
import { projectIn } from './project-answer.ts';
import { bypass, bypassWrites, generated } from './protection-bypass-writes.ts';

/** A secret that lets automation past deployment protection. The platform keeps them in a map by the secret itself. */
export const protectionBypass = defineKind({
  name: 'protectionBypass',
  doc: 'A secret that lets automation past the deployment protection of a project.',
  section: 'protectionBypass',
  parent: 'project',
  key: ['label'],
  id: 'secret',
  lifecycle: { lane: 'protectionBypass', replace: 'free' },
  fields: () => ({
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
  }),
  example: `secrets:
  e2e: {}
projects:
  web:
    protectionBypass:
      e2e: { secret: "\${secret.e2e}", note: End-to-end tests }`,
  rules: {
    check: ({ isEnvVar, secret, note }) => [
      ...(secret === undefined && !note
        ? [
            {
              path: ['label'],
              message: 'nothing tells it from others of the project',
              hint: 'give it a `note`, or a `secret` of your own',
            },
          ]
        : []),
      ...(isEnvVar && secret === undefined
        ? [
            {
              path: ['isEnvVar'],
              message: 'one that the platform makes cannot be made the default at once',
              hint: 'give it a `secret`; the first one of a project is the default anyway',
            },
          ]
        : []),
    ],
    clashes: (siblings) => {
      const own = siblings.filter(({ fields }) => fields.secret instanceof Sealed);
      return [...groupBy(own, ({ fields }) => String(revealed(fields.secret))).values()]
        .map((equal) => equal.map(({ address }) => address))
        .filter((addresses) => addresses.length > 1)
        .map((addresses) => ({
          addresses,
          message: `${addresses.join(' and ')} have the same secret, and a project takes each secret once`,
          hint: 'keep one of them, or give each its own secret',
        }));
    },
    grade: ({ action, fields }) => {
      if (action === 'delete' || action === 'replace')
        return { grade: 'irreversible', reason: 'whoever uses the old secret is locked out' };
      return fields.some(
        ({ path, after, cause }) => path === 'isEnvVar' && after === true && cause !== 'recorded',
      )
        ? {
            grade: 'disruptive',
            reason: 'deployments see this one from now on, and not the default of before',
          }
        : undefined;
    },
  },
  shape: labelled([['secret'], ['note']], batch(bypassWrites, generated)),
  read: {
    endpoint: 'GET /v9/projects/{project}',
    items: (answer) =>
      Object.entries((projectIn(answer).protectionBypass ?? {}) as Record<string, ApiObject>)
        .filter(([, { scope }]) => scope === 'automation-bypass')
        // The SDK's documentation of `isEnvVar`: older ones say nothing of it, and are the default.
        .map(([secret, one]) => ({ secret, isEnvVar: true, note: '', ...one })),
  },
  create: bypass,
  update: bypass,
  delete: bypass,
});
