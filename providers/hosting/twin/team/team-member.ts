import * as z from 'zod';
import type { Team } from '../account.ts';
import type { Call, Making } from '../call.ts';
import { takeOut } from '../collection.ts';
import { badRequest, notFound } from '../errors.ts';
import { checkProjectIds } from '../find-project.ts';
import { timePage, timePageQuery } from '../http/pages.ts';
import { choice, queryValues, several, text } from '../http/query.ts';
import { operation, type Resource, seedList } from '../resource.ts';
import { changedGroups, groupChanges, groupsOf, setGroups } from './member-groups.ts';
import { findTeam, teamRoles } from './team.ts';
import { invites, type TeamInvite } from './team-invite.ts';
import { keepOwner, matchesSearch, membersOf, type TeamMember } from './team-member-state.ts';

declare module '../account.ts' {
  interface TeamSeed {
    /** The user owns the team, unless an entry with the user's `uid` says otherwise. */
    members?: z.input<typeof seed>[];
  }
}

/** Returns the projects in which a member has a role of their own. */
const projectsOf = ({ account }: Call, { teamId, uid }: TeamMember) =>
  account.projects
    .filter(({ accountId }) => accountId === teamId)
    .flatMap(({ id, name, members }) =>
      members.filter((member) => member.uid === uid).map(({ role }) => ({ id, name, role })),
    );

type Roles = NonNullable<Changes['projects']>;

/** Sets a member's roles in projects. The role null removes the member from the project. */
function setRoles(call: Call, { uid }: TeamMember, roles: Roles): void {
  for (const { projectId, role } of roles) {
    const project = call.account.projects.find(({ id }) => id === projectId)!;
    const otherMembers = project.members.filter((member) => member.uid !== uid);
    project.members = role === null ? otherMembers : [...otherMembers, { uid, role, createdAt: call.time() }];
  }
}

/**
 * Returns an open invitation as a member who has not confirmed. The Terraform provider invites by e-mail, and then reads, changes and
 * removes the member by the `uid` in the answer.
 */
const asMember = ({ id: uid, teamId, email, role, createdAt }: TeamInvite): TeamMember => ({
  ...{ teamId, uid, email, username: email.split('@')[0]!, name: null, role, confirmed: false, createdAt },
});

/** Returns the members that a list asks for: all of them, or with `filterByUserIds` the members and invited people with these ids. */
function listed(call: Call, team: Team): TeamMember[] {
  const uids = queryValues(call, 'filterByUserIds');
  const members = membersOf(call.account, team);
  if (uids.length === 0) return members;
  return [...members, ...invites.all(call, team).map(asMember)].filter(({ uid }) => uids.includes(uid));
}

/** Returns a page of a team's members, filtered by role and search, and the open invitations. */
function list(call: Call, team: Team): unknown {
  const role = call.query.get('role');
  if (role !== null && !(teamRoles as readonly string[]).includes(role)) {
    throw badRequest(`Invalid request: \`role\` should be equal to one of the allowed values ${teamRoles}.`);
  }
  const wanted = listed(call, team)
    .filter((member) => role === null || member.role === role)
    .filter((member) => matchesSearch(member, call.query.get('search')));
  const { page, pagination } = timePage(call, wanted);
  const invited = invites.all(call, team).map((teamInvite) => invites.show(call, teamInvite, team));
  return {
    members: page.map((member) => {
      const { uid, email, username, name, role, confirmed, createdAt } = member;
      const projects = projectsOf(call, member);
      return {
        ...{ uid, email, username, role, confirmed, createdAt },
        ...(name === null ? {} : { name }),
        ...(confirmed && projects.length > 0 && { projects }),
        ...groupsOf(call, team, uid),
      };
    }),
    ...(invited.length > 0 && { emailInviteCodes: invited }),
    pagination: { ...pagination, hasNext: pagination.next !== null },
  };
}

const updateBody = z.strictObject({
  confirmed: z.literal(true).optional(),
  role: z.enum(teamRoles).optional(),
  teamPermissions: z.array(z.string()).optional(),
  projects: z
    .array(
      z.strictObject({
        projectId: z.string(),
        role: z.enum(['ADMIN', 'PROJECT_VIEWER', 'PROJECT_DEVELOPER']).nullable(),
      }),
    )
    .optional(),
  joinedFrom: z.strictObject({ ssoUserId: z.unknown() }).optional(),
  ...groupChanges.shape,
});
type Changes = z.infer<typeof updateBody>;

interface Named {
  team: Team;
  member: TeamMember;
  /** Present if the person has not accepted yet. */
  invite?: TeamInvite;
}

/**
 * Returns the member or the invited person that the path names. Throws 404 if there is none. Stores a row for the token's user, who has
 * none at first.
 */
function memberOfPath(call: Call): Named {
  const team = findTeam(call);
  const member = membersOf(call.account, team).find(({ uid }) => uid === call.params.uid);
  const invite = invites.all(call, team).find(({ id }) => id === call.params.uid);
  if (member === undefined && invite === undefined) throw notFound('Team member');
  if (member === undefined) return { team, member: asMember(invite!), invite: invite! };
  if (!call.account.teamMembers.includes(member)) call.account.teamMembers.push(member);
  return { team, member };
}

/**
 * Changes the role, the projects and the access groups that a person gets by accepting. Like for a member, projects
 * that are not named stay.
 */
function changeInvite(call: Call, team: Team, invite: TeamInvite, changes: Changes): void {
  // This comes first, because it can refuse the change.
  invite.accessGroups = changedGroups(call, team, invite.accessGroups ?? [], changes);
  if (changes.role !== undefined) invite.role = changes.role;
  if (!changes.projects) return;
  const roles = new Map<string, string | null>(Object.entries(invite.projects ?? {}));
  for (const { projectId, role } of changes.projects) roles.set(projectId, role);
  invite.projects = Object.fromEntries(
    [...roles].flatMap(([id, role]) => (role === null ? [] : [[id, role]])),
  );
}

const seed = z.strictObject({
  email: z.string(),
  uid: z.string().optional(),
  /** Default: the part of the e-mail address before the @. */
  username: z.string().optional(),
  name: z.string().optional(),
  role: z.enum(teamRoles).optional(),
  confirmed: z.boolean().optional(),
  /** True for a member who has just joined: the first requests about them are refused, see `memberPropagationTries`. */
  justJoined: z.boolean().optional(),
});

/** Adds a member of a seed to its team. */
function load(making: Making, seeded: z.infer<typeof seed>, team: Team): void {
  const { account, switches } = making;
  const { email, uid, username = email.split('@')[0]!, name = null, justJoined = false } = seeded;
  // The seed may give the user another role than that of an owner.
  const otherMembers =
    uid === account.user.id
      ? account.teamMembers.filter(({ teamId }) => teamId === team.id)
      : membersOf(account, team);
  if (otherMembers.some((member) => member.email === email || member.uid === uid)) {
    throw new Error(`${email} is in the team ${team.slug} twice.`);
  }
  account.teamMembers.push({
    teamId: team.id,
    uid: uid ?? making.id('', 24),
    email,
    username,
    name,
    role: seeded.role ?? 'MEMBER',
    confirmed: seeded.confirmed ?? true,
    createdAt: making.time(),
    ...(justJoined ? { refusals: switches.memberPropagationTries } : {}),
  });
}

/** The members of a team. The list of members has the open invitations as well. */
export const teamMember: Resource = {
  keeps: { account: { teamMembers: [] } },
  operations: {
    getTeamMembers: operation(
      {
        on: findTeam,
        query: { role: choice(teamRoles), search: text, filterByUserIds: several, ...timePageQuery },
        list: 'members',
      },
      list,
    ),
    updateTeamMember: operation(
      { on: memberOfPath, body: updateBody },
      (call, { team, member, invite }, changes) => {
        const { role, projects = [] } = changes;
        checkProjectIds(
          { account: call.account, owner: team },
          projects.map(({ projectId }) => projectId),
        );
        if (invite) changeInvite(call, team, invite, changes);
        else {
          const ids = changedGroups(
            call,
            team,
            (groupsOf(call, team, member.uid).accessGroups ?? []).map(({ id }) => id),
            changes,
          );
          if (role !== undefined && role !== 'OWNER') keepOwner(call, team, member);
          if (role !== undefined) member.role = role;
          setRoles(call, member, projects);
          setGroups(call, team, member.uid, ids);
        }
        return { id: team.id };
      },
    ),
    removeTeamMember: operation({ on: memberOfPath }, (call, { team, member, invite }) => {
      if (invite) takeOut(call.account.teamInvites, invite);
      else {
        keepOwner(call, team, member);
        takeOut(call.account.teamMembers, member);
      }
      return { id: team.id };
    }),
  },
  // Newer versions of the Terraform provider read it in pages.
  clientOperations: {
    'GET /v1/teams/{teamId}/members/{uid}/projects': operation(
      { on: memberOfPath, query: timePageQuery },
      (call, { member }) => ({
        projects: projectsOf(call, member).map(({ id: projectId, role }) => ({ projectId, role })),
        pagination: { count: projectsOf(call, member).length, next: null, prev: null },
      }),
    ),
  },
  seed: { team: { members: seedList(seed, load) } },
};
