import * as z from 'zod';
import { defineKind, secret, type WriteRequest, writeOnly } from '#kind';

const value = () => writeOnly(secret(z.string()));

/** All of it goes at once; what else the resource has stays. */
const write: WriteRequest = {
  endpoint: 'PUT /v1/installations/{marketplaceInstallation}/resources/{marketplaceResource}/secrets',
  body: ({ fullBody }) => ({ secrets: [fullBody], partial: true }),
};

/** A secret of a partner's resource, as projects get it. Nothing reads it, and nothing takes it away. */
export const resourceSecret = defineKind({
  name: 'resourceSecret',
  doc: "A secret of a partner's resource; projects get it as a variable at their next deployment.",
  section: 'secrets',
  parent: 'marketplaceResource',
  key: ['name'],
  id: 'name',
  lifecycle: { lane: 'resourceSecret' },
  fields: () => ({
    name: z.string().min(1).describe('Its name, which becomes the name of the variable.'),
    value: value().describe('Its value.'),
    prefix: writeOnly(z.string()).optional().describe('A prefix for the name of the variable.'),
    environmentOverrides: writeOnly(
      z.strictObject({
        development: value().optional(),
        preview: value().optional(),
        production: value().optional(),
      }),
    )
      .optional()
      .describe('Different values in some environments.'),
  }),
  yaml: { shorthand: (value) => ({ value }) },
  example: `secrets: { database: { env: DATABASE_URL } }
installations:
  icfg_cuwj0AdCdH3BwWT4LPijCC7t:
    resources:
      db_4711:
        productId: iap_postgres
        name: orders
        status: ready
        secrets:
          DATABASE_URL: { value: "\${secret.database}" }`,
  read: {},
  create: write,
  update: write,
});
