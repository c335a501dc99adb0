import type { TokenRules, TokenScope } from '#kind';
import { type Row, toRow, toRows } from './facts/observed.ts';

const everyToken: readonly TokenScope[] = ['user', 'team', 'project'];
const accountTokens: readonly TokenScope[] = ['user', 'team'];

/** The published roles of members of a team. Other texts are not shown, because a report may contain no text of the account. */
const publishedRoles = new Set(
  'OWNER MEMBER DEVELOPER SECURITY BILLING VIEWER VIEWER_FOR_PLUS CONTRIBUTOR'.split(' '),
);

/**
 * The rules of the platform's tokens. Sources: documentation "Access tokens" (facts PT1, PT6), "Access Roles" (PT11) and "Get Auth Token
 * Metadata" (`current` is the token of the request). Which operations a token of one project reaches is inferred (PT8).
 */
export const tokenRules: TokenRules = {
  reads: { token: 'GET /v5/user/tokens/current', user: 'GET /v2/user' },
  limitedTo: 'project',
  readOnlyRoles: ['VIEWER', 'VIEWER_FOR_PLUS'],
  fullRoles: ['OWNER'],
  reachOf(endpoint) {
    if (/^POST \/v\d+\/user\/tokens$/.test(endpoint)) return ['user'];
    // `GET /v1/env` only selects variables of the team by a project.
    const isInProject = /\/(projects|deployments)\/\{|(?<! \/v1\/env)[?&]projectId=\{/.test(endpoint);
    return isInProject ? everyToken : accountTokens;
  },
  decode({ token, user, team }) {
    const { version } = toRow(toRow(user).user);
    const { role } = toRow(toRow(team).membership);
    // The account was found, but neither its team nor the token could be read (PT3).
    const isOfProject = token === undefined && team !== undefined && role === undefined;
    return {
      ...(isOfProject ? { scope: 'project' as const } : decodeToken(toRow(toRow(token).token))),
      ...(typeof role === 'string' ? { role: publishedRoles.has(role) ? role : 'unknown' } : {}),
      ...(user === undefined ? {} : { lacksPersonalAccount: version === 'northstar' }),
    };
  },
};

/**
 * Returns what the platform's answer about the token in use says: its reach (the user, a team, or one project) and when it expires. Used to
 * explain what a token cannot do. The member `projectId` of a token of one project is in some sources only (fact PT7), so its absence
 * proves nothing.
 */
function decodeToken({ id, scopes, projectId, expiresAt }: Row): {
  scope?: TokenScope;
  expiresAt?: number | null;
} {
  if (typeof id !== 'string') return {};
  const types = toRows(scopes);
  const isOfProject = projectId !== undefined || types.some((scope) => scope.projectId !== undefined);
  const isOfUser = types.some(({ type }) => type === 'user');
  const isOfTeam = types.some(({ type }) => type === 'team');
  const scope = isOfProject ? 'project' : isOfUser ? 'user' : isOfTeam ? 'team' : undefined;
  return { ...(scope ? { scope } : {}), expiresAt: typeof expiresAt === 'number' ? expiresAt : null };
}
