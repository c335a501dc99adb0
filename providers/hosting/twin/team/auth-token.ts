import type { Call } from '../call.ts';
import { badRequest } from '../errors.ts';
import { checkProjectIds, projectIdsOf } from '../find-project.ts';
import { ofUser } from '../kept.ts';
import { operation, type Resource } from '../resource.ts';
import {
  type AuthToken,
  createBody,
  findToken,
  makeToken,
  readToken,
  tokenSeed,
} from './auth-token-state.ts';

declare module '../account.ts' {
  interface AccountParts extends Keeps<'authTokens', AuthToken> {}
  interface AccountSeed extends Seeds<'authTokens', typeof tokenSeed> {}
}

// The tokens belong to the user, so the team of a request does not matter.
const tokens = ofUser('authTokens', {
  what: 'Token',
  param: 'tokenId',
  as: 'token',
  shows: readToken,
});

/**
 * Throws 400 if a list of tokens is requested for a team, because tokens belong to the user. Version 6 of the operation refuses that; its
 * message is not known.
 */
function refuseTeam({ query }: Call): void {
  if (query.get('teamId') ?? query.get('slug'))
    throw badRequest('Invalid request: tokens are listed without a team.');
}

/**
 * Returns the token of the request itself, for a read of the token `current` (source: the public SDK). A token that the account does not
 * list reaches the full account, like the token of a login.
 */
function currentToken({ account, headers }: Call): AuthToken {
  const { createdAt } = account.user;
  return (
    findToken(account, headers.authorization) ?? {
      ...{ id: 'current', name: 'Login', origin: 'manual', prefix: 'vcp_', suffix: 'AbCd' },
      ...{ teamId: undefined, scopes: [{ type: 'user', origin: 'manual', createdAt }] },
      ...{ activeAt: createdAt, createdAt },
    }
  );
}

/** The user's tokens. Several can have the same name. Only the answer to the creation has the value. */
export const authToken: Resource = {
  ...tokens.kept(tokenSeed, (making, { revokedAt, projectId, bearer, withoutSso, ...body }) => ({
    ...makeToken(making, body),
    ...(revokedAt === undefined ? {} : { revokedAt }),
    ...(projectId === undefined ? {} : { projectId: projectIdsOf(making, [projectId])[0]! }),
    ...(bearer === undefined ? {} : { bearer }),
    ...(withoutSso ? { withoutSso } : {}),
  })),
  after: ['projects'],
  operations: {
    listAuthTokens: operation({ on: refuseTeam, list: 'tokens' }, (call) => {
      const { authTokens } = call.account;
      return {
        tokens: authTokens.map((token) => readToken(call, token)),
        pagination: { count: authTokens.length, next: null, prev: null },
      };
    }),
    createAuthToken: operation({ body: createBody, statuses: [200] }, (call, _, { projectId, ...body }) => {
      if (projectId !== undefined) checkProjectIds(call, [projectId]);
      const limit = projectId === undefined ? {} : { projectId };
      const token = { ...makeToken(call, body), ...limit, bearer: call.id('vcp_', 40) };
      return { token: readToken(call, tokens.add(call, token, undefined)), bearerToken: token.bearer };
    }),
    getAuthToken: operation({}, (call) => {
      const { tokenId } = call.params;
      const token = tokenId === 'current' ? currentToken(call) : tokens.named(call).object;
      return { token: readToken(call, token) };
    }),
    deleteAuthToken: tokens.remove({ answer: ({ id }) => ({ tokenId: id }) }),
  },
};
