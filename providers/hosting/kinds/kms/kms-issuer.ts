import * as z from 'zod';
import { type ApiObject, atomic, defineKind, type Fields, immutable, openEnum, optionalText } from '#kind';

const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512'];

/** An issuer of signed tokens, whose private keys never leave the platform. */
export const kmsIssuer = defineKind({
  name: 'kmsIssuer',
  doc: 'A token issuer whose signing keys the platform keeps.',
  section: 'kmsIssuers',
  key: ['name'],
  // Nothing that its keys signed can be verified without it.
  lifecycle: { replace: 'never', container: true },
  usual: { algorithm: 'RS512' },
  fields: () => ({
    name: z.string().min(1).describe('Its name in the team.'),
    algorithm: immutable(openEnum(algorithms))
      .optional()
      .describe('The signing algorithm; RS512 by default.'),
    claimsSchema: atomic(z.record(z.string(), z.any()))
      .nullable()
      .optional()
      .describe('The JSON Schema for the claims of each token; null removes it.'),
  }),
  example: { sessions: { algorithm: 'ES256', claimsSchema: { type: 'object', required: ['sub'] } } },
  read: {
    endpoint: 'GET /v1/kms/issuers',
    items: 'issuers',
    byId: { endpoint: 'GET /v1/kms/issuers/{id}', within: 'ownerId' },
  },
  create: 'POST /v1/kms/issuers',
  update: 'PATCH /v1/kms/issuers/{id}',
  delete: 'DELETE /v1/kms/issuers/{id}',
  // The platform's own issuers say who is in charge of them.
  decode: (issuer: ApiObject) =>
    optionalText(issuer.managedBy, 'managedBy') ? undefined : ({ claimsSchema: null, ...issuer } as Fields),
});
