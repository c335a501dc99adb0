import * as z from 'zod';
import type { Making } from '../call.ts';
import { checkProjectIds } from '../find-project.ts';
import { ofUser } from '../kept.ts';
import { operation, type Resource, seedOwned } from '../resource.ts';

const createBody = z.strictObject({
  name: z.string(),
  expiresAt: z.number().optional(),
  projectId: z.string().optional(),
});
const seed = createBody
  .omit({ projectId: true })
  .extend({ ...seedOwned, origin: z.string().optional(), revokedAt: z.number().optional() });

/** A token of the user, for everything that the user may do, or for one team. */
export type AuthToken = ReturnType<typeof make> & { revokedAt?: number };

declare module '../account.ts' {
  interface AccountParts extends Keeps<'authTokens', AuthToken> {}
  interface AccountSeed extends Seeds<'authTokens', typeof seed> {}
}

// A request with any team in its scope lists all of them.
const tokens = ofUser('authTokens', {
  what: 'Token',
  param: 'tokenId',
  as: 'token',
  shows: (_, token) => token,
});

/** Returns a new token for the team or the user of the request. */
function make({ owner, id, time }: Making, content: { name: string; expiresAt?: number; origin?: string }) {
  const { name, expiresAt, origin = 'manual' } = content;
  const createdAt = time();
  const ends = expiresAt === undefined ? {} : { expiresAt };
  const scope = owner.team ? { type: 'team' as const, teamId: owner.id } : { type: 'user' as const };
  return {
    ...{ id: id('', 64), name, type: 'oauth2-token', origin, prefix: 'vcp_', suffix: 'AbCd' },
    scopes: [{ ...scope, origin, createdAt, ...ends }],
    ...{ activeAt: createdAt, createdAt, ...ends },
  };
}

/** The user's tokens. A name can be taken several times; the value comes with the creation only. */
export const authToken: Resource = {
  ...tokens.kept(seed, (making, { revokedAt, ...body }) => ({
    ...make(making, body),
    ...(revokedAt === undefined ? {} : { revokedAt }),
  })),
  operations: {
    listAuthTokens: operation({ list: 'tokens' }, ({ account: { authTokens } }) => ({
      tokens: authTokens,
      pagination: { count: authTokens.length, next: null, prev: null },
    })),
    createAuthToken: operation({ body: createBody, statuses: [200] }, (call, _, { projectId, ...body }) => {
      if (projectId !== undefined) checkProjectIds(call, [projectId]);
      return {
        token: tokens.add(call, make(call, body), undefined),
        bearerToken: call.id('vcp_', 40),
      };
    }),
    getAuthToken: tokens.read(),
    deleteAuthToken: tokens.remove({ answer: ({ id }) => ({ tokenId: id }) }),
  },
};
