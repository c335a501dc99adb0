import * as z from 'zod';
import { defineAction, described, openEnum } from '#kind';

const { text, number, json, time } = described;

export const createApiKey = defineAction({
  name: 'createApiKey',
  doc: 'Makes an API key. The platform lists none of them: keep its id.',
  endpoint: 'POST /api-keys',
  input: () => ({
    purpose: text('What it is for: `ai-gateway`.'),
    name: text('Its name.').optional(),
    projectId: text('The id of the project that it is for.').optional(),
    expiresAt: number('When it ends, in milliseconds since 1970.').optional(),
    aiGatewayQuota: json('What it may spend: `{"limitAmount":10,"refreshPeriod":"monthly"}`.').optional(),
    metadata: z.record(z.string(), z.any()).optional().describe('Anything that is kept with it.'),
  }),
  grade: 'safe',
  shows: 'apiKeyString',
  item: 'apiKey',
  output: () => ({
    id: text('Its id.'),
    name: text('Its name.'),
    partialKey: text('How it begins and ends.'),
    expiresAt: time('When it ends.'),
  }),
});

export const buyCredits = defineAction({
  name: 'buyCredits',
  doc: 'Begins to buy credits: the answer has the page where they are paid.',
  endpoint: 'POST /v1/billing/buy',
  input: () => ({
    source: text('What asks, for the record of the platform.').optional(),
    item: z
      .strictObject({
        type: z.literal('credits'),
        creditType: z.enum(['v0', 'gateway', 'agent']),
        amount: z.int().min(1),
      })
      .describe('What is bought: `item.creditType=gateway`, `item.amount=100`, `item.type=credits`.'),
  }),
  grade: 'safe',
  cost: 'the credits, in US dollars',
  output: () => ({
    checkoutSessionUrl: text('The page where they are paid.'),
    checkoutSessionId: text('The id of the purchase.'),
  }),
});

export const requestTeamAccess = defineAction({
  name: 'requestTeamAccess',
  doc: 'Asks a team to let the owner of the token join it.',
  endpoint: 'POST /v1/teams/{teamId}/request',
  input: () => ({
    joinedFrom: z
      .strictObject({
        origin: openEnum([
          'import',
          'teams',
          'github',
          'gitlab',
          'bitbucket',
          'feedback',
          'organization-teams',
        ]),
        commitId: z.string().optional(),
        repoId: z.string().optional(),
        repoPath: z.string().optional(),
        gitUserId: z.union([z.string(), z.number()]).optional(),
        gitUserLogin: z.string().optional(),
      })
      .describe('Where from: `joinedFrom.origin=teams`.'),
  }),
  grade: 'safe',
  repeatable: true,
  output: () => ({ teamName: text('The name of the team.'), teamSlug: text('Its slug.') }),
});

export const joinTeam = defineAction({
  name: 'joinTeam',
  doc: 'Joins the team with the code of an invitation.',
  endpoint: 'POST /v1/teams/{teamId}/members/teams/join',
  input: () => ({ inviteCode: described.secret('The code of the invitation.').optional() }),
  grade: 'disruptive',
  why: 'the owner of the token becomes a member',
  cost: 'a member may cost a seat',
  output: () => ({
    teamId: text('The id of the team.'),
    name: text('Its name.'),
    slug: text('Its slug.'),
    from: text('How the member came.'),
  }),
});

export const deleteUser = defineAction({
  name: 'deleteUser',
  doc: 'Asks the platform to delete the account of the person who owns the token: it sends a mail that has to be confirmed.',
  endpoint: 'DELETE /v1/user',
  input: () => ({
    reasons: z
      .array(z.strictObject({ slug: z.string(), description: z.string() }))
      .optional()
      .describe('Why, each as JSON.'),
  }),
  grade: 'irreversible',
  why: 'an account does not come back',
  output: () => ({
    id: text('The id of the account.'),
    email: text('Where the mail goes.'),
    message: text('What is next.'),
  }),
});

export const rotateInstallationCredentials = defineAction({
  name: 'rotateInstallationCredentials',
  doc: 'Gives an installation of a marketplace integration a new token; the one before goes on for a while.',
  endpoint: 'POST /v1/installations/{installation}/credentials/rotate',
  input: () => ({
    installation: text('The id of the installation: `icfg_...`.'),
    client_secret: described.secret('The secret of the integration.'),
    client_id: text('The id of the integration.').optional(),
  }),
  grade: 'disruptive',
  why: 'what uses the token before has to get the new one',
  shows: 'access_token',
  output: () => ({
    token_type: text('What it is.'),
    expires_in: number('For how many seconds it is valid.'),
    scope: text('What it is for.'),
  }),
});

export const revokeInstallationCredentials = defineAction({
  name: 'revokeInstallationCredentials',
  doc: 'Ends a token of an installation of a marketplace integration.',
  endpoint: 'POST /v1/installations/{installation}/credentials/revoke',
  input: () => ({
    installation: text('The id of the installation: `icfg_...`.'),
    token: described.secret('The token.'),
    client_secret: described.secret('The secret of the integration.'),
    client_id: text('The id of the integration.').optional(),
  }),
  grade: 'irreversible',
  why: 'the token does not work any more',
  repeatable: true,
  output: () => ({
    revoked: described.flag('It does not work any more.'),
    already_revoked: described.flag('It did not before.'),
  }),
});
