import * as z from 'zod';
import { findOwner, type Team, teamPlan, type User } from '../account.ts';
import { type Call, stamped } from '../call.ts';
import { conflict, notFound } from '../errors.ts';
import { timePage, timePageQuery } from '../http/pages.ts';
import { text } from '../http/query.ts';
import { operation, type Resource } from '../resource.ts';

const enabled = z.strictObject({ enabled: z.boolean() });
/** The roles that a member can have in a team. */
export const teamRoles = [
  'OWNER',
  'MEMBER',
  'DEVELOPER',
  'SECURITY',
  'BILLING',
  'VIEWER',
  'VIEWER_FOR_PLUS',
  'CONTRIBUTOR',
] as const;
export type TeamRole = (typeof teamRoles)[number];

/** The retention of deployments: the days that each word means. Words are written, and days are read. */
const days = {
  ...{ '1d': 1, '1w': 7, '2w': 14, '1m': 30, '2m': 60, '3m': 90, '6m': 180 },
  ...{ '1y': 365, '2y': 730, '3y': 1095, unlimited: 36_500 },
};
type Word = keyof typeof days;
const expiration = z.enum(Object.keys(days) as [Word, ...Word[]]);
const shorter = expiration.exclude(['2y', '3y']);
const protectedBy = z.strictObject({
  deploymentType: z.string().optional(),
  password: z.string().nullable().optional(),
});
const mapping = z.record(
  z.string(),
  z.union([z.strictObject({ accessGroupId: z.string() }), z.enum(teamRoles)]),
);
const patchBody = z
  .strictObject({
    avatar: z.string().nullable(),
    description: z.string(),
    emailDomain: z.string().nullable(),
    name: z.string(),
    previewDeploymentSuffix: z.string().nullable(),
    regenerateInviteCode: z.boolean(),
    saml: z.strictObject({ enforced: z.boolean().optional(), roles: mapping.optional() }),
    slug: z.string(),
    enablePreviewFeedback: z.string(),
    enableProductionFeedback: z.string(),
    sensitiveEnvironmentVariablePolicy: z.enum(['default', 'on', 'off']),
    disjunctiveProductionSecretPolicy: z.string(),
    remoteCaching: z.strictObject({ enabled: z.boolean().optional() }),
    hideIpAddresses: z.boolean(),
    hideIpAddressesInLogDrains: z.boolean(),
    dpAccessRequestsMode: z.enum(['all', 'none', 'email-domain']),
    requireVerifiedCommits: z.boolean(),
    disableRepositoryDispatchEvents: z.boolean(),
    defaultDeploymentProtection: z.strictObject({
      passwordProtection: protectedBy.nullable().optional(),
      ssoProtection: protectedBy.omit({ password: true }).nullable().optional(),
    }),
    defaultPassport: z
      .strictObject({ connectorId: z.string(), deploymentType: z.string().optional() })
      .nullable(),
    defaultExpirationSettings: z
      .strictObject({
        expiration,
        expirationProduction: expiration,
        expirationCanceled: shorter,
        expirationErrored: shorter,
      })
      .partial(),
    deploymentPolicy: z.union([z.record(z.string(), z.unknown()), z.string()]),
    strictDeploymentProtectionSettings: enabled,
    strictShareableLinks: enabled,
    strictPasswordProtectionSettings: enabled,
    strictConnectors: enabled,
    nsnbConfig: z.union([
      z.strictObject({ preference: z.enum(['auto-approval', 'manual-approval', 'block']) }),
      z.string(),
    ]),
    defaultProjectJobs: z.union([z.record(z.string(), z.unknown()), z.string()]),
    resourceConfig: z.strictObject({
      buildMachine: z.strictObject({ default: z.string().optional() }).optional(),
      // Listed in answers only. The Terraform provider writes it for `on_demand_concurrent_builds` of projects, and has that for teams too.
      elasticConcurrencyEnabled: z.boolean().optional(),
    }),
  })
  .partial();
type Settings = Pick<
  z.infer<typeof patchBody>,
  'defaultDeploymentProtection' | 'defaultExpirationSettings' | 'defaultPassport'
>;
const createBody = z.strictObject({
  slug: z.string(),
  name: z.string().optional(),
  attribution: z.record(z.string(), z.unknown()).optional(),
});
const reasons = z.array(z.strictObject({ slug: z.string(), description: z.string() }));

/** Throws 409 if another team has the slug. */
function checkSlug({ account }: Call, slug: string, except?: Team): void {
  if (account.teams.some((team) => team.slug === slug && team !== except))
    throw conflict(`The slug "${slug}" is already in use.`);
}

/** True for a setting whose answer has its own time of change. */
const isTimed = (name: string) => name.startsWith('strict');

/** Settings for which the catalog lists a text where answers have null, so a text removes them. */
const removedByText = new Set(['deploymentPolicy', 'nsnbConfig', 'defaultProjectJobs']);

/** Applies a PATCH to a team's names and settings. */
function patch(call: Call, team: Team, body: z.infer<typeof patchBody>): void {
  const { slug, name, sensitiveEnvironmentVariablePolicy, regenerateInviteCode, saml, ...others } = body;
  if (slug !== undefined) checkSlug(call, slug, team);
  const updatedAt = call.time();
  Object.assign(
    team,
    { updatedAt },
    slug === undefined ? {} : { slug },
    name === undefined ? {} : { name },
    sensitiveEnvironmentVariablePolicy === undefined ? {} : { sensitiveEnvironmentVariablePolicy },
  );
  team.settings ??= {};
  const { settings } = team;
  for (const [member, value] of Object.entries(others)) {
    if (isTimed(member)) settings[member] = { ...(value as object), updatedAt };
    // Members that the body lacks stay, as for a project. No source says whether that holds for teams.
    else if (member === 'resourceConfig')
      settings[member] = { ...(settings[member] as object | undefined), ...(value as object) };
    else settings[member] = typeof value === 'string' && removedByText.has(member) ? null : value;
  }
  if (saml) settings.saml = { enforced: false, ...(settings.saml as object | undefined), ...saml };
  if (regenerateInviteCode) settings.inviteCode = call.id('', 40);
}

/** Returns a protection as answers show it: without its password. */
const shown = ({ password: _, ...others }: z.infer<typeof protectedBy>) => others;

/** Returns the settings that answers show in another form than they were written. */
function readSettings(settings: Settings) {
  const { defaultDeploymentProtection: protection, defaultPassport: passport } = settings;
  const { defaultExpirationSettings: written } = settings;
  const inDays = Object.entries(written ?? {}).map(([name, word]) => [
    name.replace('expiration', 'expirationDays'),
    days[word],
  ]);
  return {
    ...(written && { defaultExpirationSettings: Object.fromEntries(inDays) }),
    ...(protection?.passwordProtection && {
      defaultDeploymentProtection: {
        ...protection,
        passwordProtection: shown(protection.passwordProtection),
      },
    }),
    ...(passport && { defaultPassport: { deploymentType: 'all', ...passport } }),
  };
}

/** Returns a team as answers show it. */
function readTeam(call: Call, team: Team): Record<string, unknown> {
  const { id, slug, name, sensitiveEnvironmentVariablePolicy, createdAt, updatedAt } = team;
  return {
    ...{ id, slug, name, sensitiveEnvironmentVariablePolicy, createdAt, updatedAt },
    creatorId: call.account.user.id,
    avatar: null,
    description: null,
    ...team.settings,
    ...readSettings((team.settings ?? {}) as Settings),
    billing: { plan: teamPlan },
    stagingPrefix: '',
    membership: {
      confirmed: true,
      confirmedAt: createdAt,
      created: createdAt,
      createdAt,
      role: 'OWNER',
      teamId: team.id,
      uid: call.account.user.id,
      updatedAt: createdAt,
    },
  };
}

/** Returns the team that the path or the query names, or throws 404. */
export function findTeam(call: Call): Team {
  const team =
    findOwner(call.account, call.params.teamId!)?.team ??
    findOwner(call.account, call.query.get('slug'))?.team;
  if (team === undefined) throw notFound('Team');
  return team;
}

/** True if the path has the id of the user where others have a team, as the platform's command line asks for the owner of a project. */
const isPersonal = ({ params, account: { user } }: Call): boolean =>
  params.teamId === user.id && user.version !== 'northstar';

/** Returns the user's personal account in the form of a team, with the members that the command line prints. */
const readPersonalTeam = ({ id, username, name }: User) => ({ id, slug: username, name: name ?? username });

/** Returns the user of the token as answers show it. */
function readUser(call: Call): Record<string, unknown> {
  const { id, username, email, name, createdAt, version } = call.account.user;
  return {
    ...{ id, username, email, name, createdAt },
    ...(version && { version }),
    avatar: null,
    billing: null,
    defaultTeamId: call.account.teams[0]?.id ?? null,
    hasTrialAvailable: false,
    resourceConfig: {},
    softBlock: null,
    stagingPrefix: '',
  };
}

/** The user of the token, and the teams. */
export const userAndTeam: Resource = {
  operations: {
    getAuthUser: operation({}, (call) => ({ user: readUser(call) })),
    getTeams: operation({ query: timePageQuery, list: 'teams' }, (call) => {
      const { page, pagination } = timePage(call, call.account.teams);
      return { teams: page.map((team) => readTeam(call, team)), pagination };
    }),
    getTeam: operation({}, (call) =>
      isPersonal(call) ? readPersonalTeam(call.account.user) : readTeam(call, findTeam(call)),
    ),
    patchTeam: operation({ on: findTeam, body: patchBody }, (call, team, body) => {
      patch(call, team, body);
      return readTeam(call, team);
    }),
    createTeam: operation({ body: createBody, statuses: [409] }, (call, _, { slug, name = slug }) => {
      checkSlug(call, slug);
      const created = stamped(call, 'team_');
      call.account.teams.push({ ...created, slug, name, sensitiveEnvironmentVariablePolicy: null });
      return { id: created.id, slug };
    }),
    deleteTeam: operation(
      {
        on: findTeam,
        query: { newDefaultTeamId: text },
        body: z.strictObject({ reasons: reasons.optional() }),
      },
      ({ account, query }, team) => {
        account.teams.splice(account.teams.indexOf(team), 1);
        const newDefault = query.get('newDefaultTeamId');
        const isUnknown = newDefault !== null && findOwner(account, newDefault) === undefined;
        return { id: team.id, ...(isUnknown ? { newDefaultTeamIdError: true } : {}) };
      },
    ),
    // The map replaces the one before. Whether the platform adds to it instead is not documented.
    postTeamDsyncRoles: operation(
      { on: findTeam, body: z.strictObject({ roles: mapping }) },
      (call, team, { roles }) => {
        patch(call, team, { saml: { roles } });
        return { ok: true };
      },
    ),
  },
};
