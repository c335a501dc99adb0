import { findOwner, type Team } from '../account.ts';
import type { Call } from '../call.ts';
import { notFound } from '../errors.ts';
import { timePage, timePageQuery } from '../http/pages.ts';
import { operation, type Resource } from '../resource.ts';

function readTeam(call: Call, team: Team): Record<string, unknown> {
  const { id, slug, name, sensitiveEnvironmentVariablePolicy, createdAt, updatedAt } = team;
  return {
    ...{ id, slug, name, sensitiveEnvironmentVariablePolicy, createdAt, updatedAt },
    creatorId: call.account.user.id,
    avatar: null,
    description: null,
    billing: { plan: 'pro' },
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

/** The team that the path or the query names. */
export function findTeam(call: Call): Team {
  const team =
    findOwner(call.account, call.params.teamId!)?.team ??
    findOwner(call.account, call.query.get('slug'))?.team;
  if (team === undefined) throw notFound('Team');
  return team;
}

function readUser(call: Call): Record<string, unknown> {
  const { id, username, email, name, createdAt } = call.account.user;
  return {
    ...{ id, username, email, name, createdAt },
    avatar: null,
    billing: null,
    defaultTeamId: call.account.teams[0]?.id ?? null,
    hasTrialAvailable: false,
    resourceConfig: {},
    softBlock: null,
    stagingPrefix: '',
  };
}

/** The user whom the token belongs to, and the teams. Teams can only be read: creating them is outside the twin's purpose. */
export const userAndTeam: Resource = {
  operations: {
    getAuthUser: operation({}, (call) => ({ user: readUser(call) })),
    getTeams: operation({ query: timePageQuery, list: 'teams' }, (call) => {
      const { page, pagination } = timePage(call, call.account.teams);
      return { teams: page.map((team) => readTeam(call, team)), pagination };
    }),
    getTeam: operation({ on: findTeam }, readTeam),
  },
};
