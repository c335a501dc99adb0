import * as z from 'zod';
import { defineAction, described, openEnum } from '#kind';

const { text, number, json, time } = described;

export const createApiKey = defineAction({
  name: 'createApiKey',
  doc: 'Creates an API key. The published API does not list API keys: note its id.',
  endpoint: 'POST /api-keys',
  input: () => ({
    purpose: text('Its purpose: `ai-gateway`.'),
    name: text('Its name.').optional(),
    projectId: text('The id of the project it is limited to.').optional(),
    expiresAt: number('When it expires, in milliseconds since 1970.').optional(),
    aiGatewayQuota: json('Its spending limit: `{"limitAmount":10,"refreshPeriod":"monthly"}`.').optional(),
    metadata: z.record(z.string(), z.any()).optional().describe('Arbitrary metadata.'),
  }),
  grade: 'safe',
  shows: 'apiKeyString',
  item: 'apiKey',
  output: () => ({
    id: text('Its id.'),
    name: text('Its name.'),
    partialKey: text('Its first and last characters.'),
    expiresAt: time('When it expires.'),
  }),
});

export const buyCredits = defineAction({
  name: 'buyCredits',
  doc: 'Starts a purchase of credits: returns the payment page.',
  endpoint: 'POST /v1/billing/buy',
  input: () => ({
    source: text("The caller, for the platform's records.").optional(),
    item: z
      .strictObject({
        type: z.literal('credits'),
        creditType: z.enum(['v0', 'gateway', 'agent']),
        amount: z.int().min(1),
      })
      .describe('The item: `item.creditType=gateway`, `item.amount=100`, `item.type=credits`.'),
  }),
  grade: 'safe',
  cost: 'the credits, in US dollars',
  output: () => ({
    checkoutSessionUrl: text('The payment page.'),
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
      .describe('The origin: `joinedFrom.origin=teams`.'),
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
    from: text('How the member joined.'),
  }),
});

export const deleteUser = defineAction({
  name: 'deleteUser',
  doc: "Requests deletion of the token owner's account: the platform sends a confirmation e-mail.",
  endpoint: 'DELETE /v1/user',
  input: () => ({
    reasons: z
      .array(z.strictObject({ slug: z.string(), description: z.string() }))
      .optional()
      .describe('Why, each as JSON.'),
  }),
  grade: 'irreversible',
  why: 'a deleted account cannot be restored',
  output: () => ({
    id: text('The id of the account.'),
    email: text('Where the e-mail is sent.'),
    message: text('The next step.'),
  }),
});

export const rotateInstallationCredentials = defineAction({
  name: 'rotateInstallationCredentials',
  doc: 'Rotates the token of a marketplace installation; the old one keeps working for a while.',
  endpoint: 'POST /v1/installations/{installation}/credentials/rotate',
  input: () => ({
    installation: text('The id of the installation: `icfg_...`.'),
    client_secret: described.secret('The secret of the integration.'),
    client_id: text('The id of the integration.').optional(),
  }),
  grade: 'disruptive',
  why: 'users of the old token need the new one',
  shows: 'access_token',
  output: () => ({
    token_type: text('Its type.'),
    expires_in: number('Its validity, in seconds.'),
    scope: text('Its scope.'),
  }),
});

export const revokeInstallationCredentials = defineAction({
  name: 'revokeInstallationCredentials',
  doc: 'Revokes a token of a marketplace installation.',
  endpoint: 'POST /v1/installations/{installation}/credentials/revoke',
  input: () => ({
    installation: text('The id of the installation: `icfg_...`.'),
    token: described.secret('The token.'),
    client_secret: described.secret('The secret of the integration.'),
    client_id: text('The id of the integration.').optional(),
  }),
  grade: 'irreversible',
  why: 'the token stops working',
  repeatable: true,
  output: () => ({
    revoked: described.flag('Whether it is revoked.'),
    already_revoked: described.flag('Whether it was revoked before.'),
  }),
});
