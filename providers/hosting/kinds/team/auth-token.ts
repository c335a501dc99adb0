import * as z from 'zod';
import {
  type AccountFacts,
  type ApiObject,
  defineKind,
  type Fields,
  immutable,
  objectsOfList,
  optionalText,
  readMayLack,
  refTo,
  requireText,
} from '#kind';
import { removesCredential } from '../lost-access.ts';
import { moment } from '../moment.ts';

/** A token of the user whose token is used here. It is shown once; the list has those for other teams and for everything, too. */
export const authToken = defineKind({
  name: 'authToken',
  doc: 'An API token for this account, owned by the user of the current token; its value is shown only once, at creation.',
  section: 'authTokens',
  otherWords: ['apiToken'],
  key: ['name'],
  lifecycle: { asks: { 'remove-access': removesCredential } },
  fields: () => ({
    name: z.string().min(1).describe('Its display name. The platform allows duplicates.'),
    expiresAt: immutable(moment())
      .optional()
      .describe(
        'When it expires: a time like `2027-01-31T18:00:00Z`, or milliseconds since 1970; never if omitted.',
      ),
    projectId: immutable(readMayLack(refTo('project')))
      .optional()
      .describe('The only project it is valid for. The documented answers do not have it.'),
  }),
  example: `authTokens:
  deploys:
    expiresAt: 2027-01-31T18:00:00Z
    $secretTo: { file: .secrets/deploys-token }`,
  read: {
    endpoint: 'GET /v6/user/tokens',
    items: { list: 'tokens', isOfAccount: isOnlyFor },
    deletedMark: 'revokedAt',
    byId: { endpoint: 'GET /v5/user/tokens/{id}', item: 'token' },
  },
  // Of the list only what somebody made by hand is a matter for a configuration: a session of a browser is not.
  decode: (token: ApiObject) => (isMade(token) ? (token as Fields) : undefined),
  create: {
    endpoint: 'POST /v3/user/tokens',
    returns: ({ address }) => [{ address, path: ['token', 'id'] }],
  },
  delete: 'DELETE /v3/user/tokens/{id}',
  shows: 'bearerToken',
});

/** True if a token is valid only for this account. Others are left alone, because a token for another account may have the same name. */
function isOnlyFor({ scopes }: ApiObject, { teamId }: AccountFacts): boolean {
  const isThis = (scope: ApiObject) => {
    const type = requireText(scope.type, 'scopes.type');
    return teamId === undefined
      ? type === 'user'
      : type === 'team' && requireText(scope.teamId, 'scopes.teamId') === teamId;
  };
  const allScopes = objectsOfList(scopes, 'scopes');
  return allScopes.length > 0 && allScopes.every(isThis);
}

const isMade = ({ origin }: ApiObject) => ['', 'manual'].includes(optionalText(origin, 'origin') ?? '');
