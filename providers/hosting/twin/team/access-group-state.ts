import type { Account, Team } from '../account.ts';
import type { Call, Making, Stamped } from '../call.ts';
import { badRequest, forbidden, notFound } from '../errors.ts';
import { membersOf } from './team-member-state.ts';

/** The roles of a project that can be written. */
export const writableProjectRoles = ['ADMIN', 'PROJECT_VIEWER', 'PROJECT_DEVELOPER'] as const;
/** The roles of a project that can be read: a guest's is the platform's own. */
export const projectRoles = [...writableProjectRoles, 'PROJECT_GUEST'] as const;

/** The role of a group's members in one project. */
export interface AccessGroupProject {
  projectId: string;
  role: (typeof projectRoles)[number];
  createdAt: number;
  updatedAt: number;
}

/** A named set of a team's members with roles in projects. */
export interface AccessGroup extends Stamped {
  ownerId: string;
  name: string;
  /** True if the directory of the company decides who its members are. */
  isDsyncManaged: boolean;
  teamRoles: string[];
  teamPermissions: string[];
  entitlements: string[];
  members: { uid: string; createdAt: number }[];
  projects: AccessGroupProject[];
}

declare module '../account.ts' {
  interface AccountParts extends Keeps<'accessGroups', AccessGroup> {}
}

/** Returns the team that a request is for. Throws 403 without a team, because a personal account has no access groups. */
export function teamOf(call: Pick<Making, 'owner'>): Team {
  if (call.owner.team === undefined) throw forbidden('Access groups belong to a team.');
  return call.owner.team;
}

/** Returns the team's group of that id or name, or throws 404. */
export function findGroup(call: Call): AccessGroup {
  const idOrName = call.params.idOrName ?? call.params.accessGroupIdOrName;
  const accessGroups = call.account.accessGroups.filter(
    (accessGroup) => accessGroup.ownerId === teamOf(call).id,
  );
  const match =
    accessGroups.find((accessGroup) => accessGroup.id === idOrName) ??
    accessGroups.find((accessGroup) => accessGroup.name === idOrName);
  if (match === undefined) throw notFound('Access group');
  return match;
}

/**
 * Throws 400 for a name that a group cannot have: it has up to 50 letters, digits, spaces, _ and - (OpenAPI file), and no other group of
 * the team has it. `except`: the group that may have it.
 */
export function checkGroupName(account: Account, teamId: string, name: string, except?: AccessGroup): void {
  if (!/^[A-Za-z0-9 _-]{1,50}$/.test(name)) {
    throw badRequest(
      'Invalid request: `name` should have 1 to 50 letters, digits, spaces, underscores and hyphens.',
    );
  }
  const isTaken = account.accessGroups.some(
    (accessGroup) => accessGroup.ownerId === teamId && accessGroup.name === name && accessGroup !== except,
  );
  if (isTaken) throw badRequest(`An access group with the name "${name}" already exists.`);
}

/** Returns the members of a group who are still in the team. */
export function currentMembers(call: Call, group: AccessGroup) {
  const inTeam = membersOf(call.account, teamOf(call));
  return group.members.flatMap(({ uid, createdAt }) => {
    const member = inTeam.find((teamMember) => teamMember.uid === uid);
    return member === undefined ? [] : [{ ...member, createdAt }];
  });
}

/** Returns a group as writes answer it: times are milliseconds as strings. Reads add `isDsyncManaged`. */
export function readGroup(call: Call, group: AccessGroup): Record<string, unknown> {
  const { id, ownerId, name, createdAt, updatedAt, teamRoles, teamPermissions, entitlements } = group;
  return {
    accessGroupId: id,
    teamId: ownerId,
    name,
    createdAt: String(createdAt),
    updatedAt: String(updatedAt),
    membersCount: currentMembers(call, group).length,
    projectsCount: group.projects.length,
    teamRoles,
    teamPermissions,
    entitlements,
  };
}
