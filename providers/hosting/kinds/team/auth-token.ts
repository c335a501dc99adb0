import * as z from 'zod';
import { type ApiObject, defineKind, type Fields, immutable, refTo, writeOnly } from '#kind';
import { moment } from '../moment.ts';

/** A token of the user whose token is used here. It is shown once; the list has those of everything else, too. */
export const authToken = defineKind({
  name: 'authToken',
  doc: 'A token for the API, of the user whose token is used here and for this account; its value is shown once, when it is created.',
  section: 'authTokens',
  key: ['name'],
  fields: () => ({
    name: z.string().min(1).describe('Its name, for people. The platform takes one several times.'),
    expiresAt: immutable(moment())
      .optional()
      .describe(
        'When it ends: a time like `2027-01-31T18:00:00Z`, or milliseconds since 1970; never without it.',
      ),
    projectId: immutable(writeOnly(refTo('project')))
      .optional()
      .describe('The only project that it is for. The platform does not say which one it was.'),
  }),
  example: `authTokens:
  deploys:
    expiresAt: 2027-01-31T18:00:00Z
    $secretTo: { file: .secrets/deploys-token }`,
  read: { endpoint: 'GET /v6/user/tokens', items: 'tokens', gone: 'revokedAt' },
  // Of the list only what somebody made by hand is a matter for a configuration: a session of a browser is not.
  decode: (token: ApiObject) => (isMade(token) ? (token as Fields) : undefined),
  create: {
    endpoint: 'POST /v3/user/tokens',
    returns: ({ address }) => [{ address, path: ['token', 'id'] }],
  },
  delete: 'DELETE /v3/user/tokens/{id}',
  shows: 'bearerToken',
});

const isMade = ({ origin }: ApiObject) => origin === undefined || origin === 'manual';
