import * as z from 'zod';
import type { Account } from '../account.ts';
import type { Call, Making } from '../call.ts';
import { bearerOf } from '../http/messages.ts';
import { seedOwned } from '../resource.ts';

/** The body of a request that creates a token. */
export const createBody = z.strictObject({
  name: z.string(),
  expiresAt: z.number().optional(),
  projectId: z.string().optional(),
});

/** A token in the initial content of a twin. */
export const tokenSeed = createBody.extend({
  ...seedOwned,
  origin: z.string().optional(),
  revokedAt: z.number().optional(),
  /** The value that requests are sent with. A token without it is only listed. */
  bearer: z.string().optional(),
  /** Set on a token that was made without single sign-on: all teams refuse it, as teams do that enforce single sign-on. */
  withoutSso: z.literal(true).optional(),
});

/** A token of the user, for everything that the user may do, for one team, or for one project. */
export type AuthToken = ReturnType<typeof makeToken> &
  Pick<z.output<typeof tokenSeed>, 'revokedAt' | 'bearer' | 'withoutSso' | 'projectId'>;

/** Returns a token as answers show it, without its value. Conflicting sources decide two members, see the switches. */
export function readToken({ switches }: Pick<Call, 'switches'>, token: AuthToken): unknown {
  const { bearer: _, withoutSso: __, projectId, teamId, ...shown } = token;
  return {
    ...shown,
    type: switches.authTokenForm,
    ...(switches.authTokenForm === 'token' && teamId !== undefined && { teamId }),
    ...(switches.authTokenProjectReadable && projectId !== undefined && { projectId }),
  };
}

/** Returns a new token for the team or the user of the request. */
export function makeToken(
  { owner, id, time }: Making,
  { name, expiresAt, origin = 'manual' }: { name: string; expiresAt?: number; origin?: string },
) {
  const createdAt = time();
  const ends = expiresAt === undefined ? {} : { expiresAt };
  const scope = owner.team ? { type: 'team' as const, teamId: owner.id } : { type: 'user' as const };
  return {
    ...{ id: id('', 64), name, origin, prefix: 'vcp_', suffix: 'AbCd' },
    ...{ teamId: owner.team?.id },
    scopes: [{ ...scope, origin, createdAt, ...ends }],
    ...{ activeAt: createdAt, createdAt, ...ends },
  };
}

/** Returns the token of the account that a request was sent with; undefined for one that the account does not list. */
export function findToken({ authTokens }: Account, authorization: string | undefined): AuthToken | undefined {
  const bearer = bearerOf(authorization);
  return authTokens.find((token) => token.bearer !== undefined && token.bearer === bearer);
}
