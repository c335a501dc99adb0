import * as z from 'zod';
import {
  type ApiObject,
  asksForWrite,
  type BatchContext,
  type Change,
  type Draft,
  defineKind,
  openEnum,
  problem,
  request,
  resultOf,
  type Step,
  safeguard,
} from '#kind';
import { batch } from '#shapes';
import { domainName } from '../domains/host-name.ts';
import { expirationOf, teamDefaults } from './team-defaults.ts';

const off = {
  requireVerifiedCommits: false,
  disableRepositoryDispatchEvents: false,
  hideIpAddresses: false,
  hideIpAddressesInLogDrains: false,
};
const feedback = openEnum(['on', 'off', 'default', 'on-force', 'off-force', 'default-force']);
const policy = openEnum(['on', 'off', 'default']);
const strict = z.strictObject({ enabled: z.boolean() });

/**
 * Returns the writes of teams. A new team takes its names first, and its settings in a second request. This account's own team is never
 * deleted, because it contains everything else.
 */
const teamWrites = (steps: Step[], { facts }: BatchContext): Draft[] =>
  steps.map(({ action, address, before, id, body }) => {
    const changes = [address];
    if (action === 'update') return { changes, requests: [request('PATCH /v2/teams/{id}', body, { id })] };
    if (action === 'delete') {
      const drops = before!.ids.map((id) => ({ address, id }));
      if (before!.id !== facts.teamId)
        return { changes, requests: [{ ...request('DELETE /v1/teams/{id}', {}, { id }), drops }] };
      const diagnostic = problem(
        'team/own',
        `${address} is the team of this account, with everything in it`,
        {
          address,
          hint: 'delete it in the dashboard, or stop managing it here with `delete: false` under `removed`',
        },
      );
      return { changes, requests: [], problem: diagnostic };
    }
    const { slug, name, ...settings } = body;
    const created = request('POST /v1/teams', { slug, ...(name == null ? {} : { name }) });
    const creation = { ...created, returns: [{ address, path: ['id'] }] };
    const settingsWrite = request('PATCH /v2/teams/{id}', settings, { id: resultOf(0, 'id') });
    return { changes, requests: Object.keys(settings).length > 0 ? [creation, settingsWrite] : [creation] };
  });

/**
 * True if a change deletes a team or enforces sign-in with SAML, because then people without an identity there are
 * locked out. The user has to permit such a change.
 */
function takesAway({ action, fields, after }: Change): boolean {
  if (action === 'create' || action === 'delete') return action === 'delete';
  const isEnforced = (after?.fields.saml as { enforced?: unknown } | undefined)?.enforced === true;
  return isEnforced && fields.some((field) => field.path.startsWith('saml') && asksForWrite(field));
}

/** A team of the user whose token is used: that of this account, or another one. The invite code is a secret, and is not read. */
export const team = defineKind({
  name: 'team',
  doc: "A team and its settings: the team of this account, or another one of the current token's user. A new one costs money.",
  section: 'teams',
  key: ['slug'],
  form: 2,
  lifecycle: { replace: 'never', container: true, asks: { cost: 'create', 'remove-access': takesAway } },
  usual: off,
  fields: () => ({
    slug: z
      .string()
      .regex(
        /^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$/,
        'a slug can have up to 48 lower-case letters, digits and hyphens',
      )
      .describe('Its name in URLs, unique on the platform.'),
    name: z.string().min(1).optional().describe('Its display name.'),
    description: z.string().optional().describe('A short description.'),
    emailDomain: domainName()
      .nullable()
      .optional()
      .describe('Anyone with a verified address of this domain may ask to join.'),
    previewDeploymentSuffix: domainName()
      .nullable()
      .optional()
      .describe("The domain suffix of deployment URLs; null for the platform's own."),
    enablePreviewFeedback: feedback.optional().describe('Whether previews can be commented on.'),
    enableProductionFeedback: feedback.optional().describe('Whether production can be commented on.'),
    sensitiveEnvironmentVariablePolicy: safeguard(policy)
      .optional()
      .describe('Whether new variables must be sensitive, so that their values cannot be read back.'),
    disjunctiveProductionSecretPolicy: policy
      .optional()
      .describe('Whether production secrets must differ from those elsewhere.'),
    remoteCaching: strict.optional().describe('Whether builds may share a remote cache.'),
    hideIpAddresses: z
      .boolean()
      .optional()
      .describe('Whether IP addresses of visitors are hidden in the dashboard.'),
    hideIpAddressesInLogDrains: z
      .boolean()
      .optional()
      .describe('Whether IP addresses of visitors are hidden from log drains.'),
    dpAccessRequestsMode: openEnum(['all', 'none', 'email-domain'])
      .optional()
      .describe('Who may ask for access to protected deployments.'),
    requireVerifiedCommits: safeguard(z.boolean())
      .optional()
      .describe('Whether only verified commits are deployed.'),
    disableRepositoryDispatchEvents: z
      .boolean()
      .optional()
      .describe('Whether to disable repository-dispatch events to GitHub.'),
    strictDeploymentProtectionSettings: safeguard(strict)
      .optional()
      .describe('Whether only owners can change the deployment protection of projects.'),
    strictShareableLinks: safeguard(strict)
      .optional()
      .describe('Whether only owners can create links that bypass deployment protection.'),
    strictPasswordProtectionSettings: safeguard(strict)
      .optional()
      .describe('Whether only owners can change the password protection of projects.'),
    strictConnectors: safeguard(strict).optional().describe('Whether only owners can change connectors.'),
    nsnbConfig: z
      .strictObject({ preference: openEnum(['auto-approval', 'manual-approval', 'block']) })
      .optional()
      .describe('What happens to commits of people who are not in the team.'),
    saml: z
      .strictObject({ enforced: safeguard(z.boolean()) })
      .optional()
      .describe('Whether everybody must sign in with SAML single sign-on.'),
    ...teamDefaults(),
  }),
  example: `$allow: [cost]
teams:
  acme:
    name: Acme
    requireVerifiedCommits: true`,
  rules: {
    grade: ({ action }) =>
      action === 'delete'
        ? { grade: 'irreversible', reason: 'everything in the team is deleted, and all members lose access' }
        : undefined,
  },
  // The user's other teams do not belong to this configuration.
  shape: {
    ...batch(teamWrites),
    onlyDeclared: true,
    words: () => ['The team of the account itself is never deleted.'],
  },
  read: {
    endpoint: 'GET /v2/teams',
    items: 'teams',
    deletedMark: 'limited',
    byId: { endpoint: 'GET /v2/teams/{id}' },
  },
  decode: (answer: ApiObject) => ({
    ...off,
    ...Object.fromEntries(Object.entries(answer).filter(([name, value]) => value !== null || !(name in off))),
    ...expirationOf(answer),
  }),
  create: 'POST /v1/teams',
  update: 'PATCH /v2/teams/{id}',
  delete: 'DELETE /v1/teams/{id}',
});
