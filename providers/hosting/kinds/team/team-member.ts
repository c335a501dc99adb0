import * as z from 'zod';
import { type ApiObject, asksForWrite, type Change, defineKind, openEnum, setOf, withTraits } from '#kind';
import { batch } from '#shapes';
import { memberProjects, memberRequests, memberWrites, type ProjectRole } from './team-member-writes.ts';
import { isLowered, isLoweredInProject, isSeat, projectRoles, teamRoles } from './team-roles.ts';

const isRoleWritten = ({ fields }: Change): boolean =>
  fields.some((field) => field.path === 'role' && asksForWrite(field));

const rolesOf = ({ before, after }: Change) => [before?.fields.role, after?.fields.role] as const;

/** True if a change takes a team member's access to a project away, or lowers the role in one, so that the user has to permit it. */
function losesProjects({ before, after, fields }: Change): boolean {
  if (!fields.some((field) => field.path === 'projects' && asksForWrite(field))) return false;
  const rolesAfter = new Map(memberProjects(after).map(({ projectId, role }) => [projectId, role]));
  return memberProjects(before).some(({ projectId, role }) =>
    isLoweredInProject(role, rolesAfter.get(projectId)),
  );
}

function takesAway(change: Change): boolean {
  if (change.action === 'create' || change.action === 'delete') return change.action === 'delete';
  return losesProjects(change) || (isRoleWritten(change) && isLowered(...rolesOf(change)));
}

/** True if a change gives a person a paid seat, so that the user has to permit the cost. */
function takesSeat(change: Change): boolean {
  const [old, current] = rolesOf(change);
  if (change.action === 'create') return isSeat(current);
  return change.action !== 'delete' && isRoleWritten(change) && isSeat(current) && !isSeat(old);
}

/**
 * Returns the project roles of a team member from an answer. Members have a list of projects, invitations a map. Leaves out guests
 * (visitors of shared deployments), because that role cannot be written.
 */
function projectsOf({ projects }: ApiObject): ProjectRole[] {
  const listed = Array.isArray(projects)
    ? (projects as ApiObject[]).map(({ id, role }) => [id, role] as const)
    : Object.entries((projects ?? {}) as Record<string, unknown>);
  return listed
    .filter(([, role]) => projectRoles.includes(String(role)))
    .map(([projectId, role]) => ({ projectId: String(projectId), role: String(role) }));
}

/** Somebody in the team, or invited to it, identified by the e-mail address: it stays the same when an invitation is accepted. */
export const teamMember = defineKind({
  name: 'teamMember',
  doc: 'A member of the team. New members get an invitation by e-mail and join once they accept it.',
  section: 'members',
  otherWords: ['user', 'people'],
  key: ['email'],
  id: 'email',
  lifecycle: { replace: 'free', asks: { cost: takesSeat, 'remove-access': takesAway } },
  fields: () => ({
    email: z.email().describe('The e-mail address, as in the list of members.'),
    role: openEnum(teamRoles).describe('What they may do in the team. Some roles cost a seat.'),
    projects: withTraits(
      setOf(
        z.strictObject({
          projectId: z.string().min(1).describe('The id of the project.'),
          role: openEnum(projectRoles).describe('What they may do in it.'),
        }),
      ),
      {
        readMayLack: true,
        mirrors: { kind: 'projectMember', parent: 'projectId', own: { field: 'uid', fact: 'uid' } },
      },
    )
      .optional()
      .describe(
        'The complete list of projects with a separate role: `projectId` (`${projects.NAME.id}`) and `role`. `[]` for none; do not repeat these in `members` of the project.',
      ),
  }),
  example: `$allow: [cost]
members:
  grace@example.com: { role: MEMBER }
  alan@example.com: { role: VIEWER }`,
  rules: {
    grade: (change) =>
      takesAway(change) ? { grade: 'destructive', reason: 'they lose permissions' } : undefined,
  },
  shape: {
    ...batch(memberWrites),
    words: () => [
      'A pending invitation is withdrawn instead. The last owner and the user of the current token never lose access.',
      'Additional permissions (`teamPermissions`) cannot be declared: the API accepts them for a member but never returns them, so drift would go unnoticed.',
    ],
  },
  read: {
    endpoint: 'GET /v3/teams/{teamId}/members',
    items: ['members', 'emailInviteCodes'],
    facts: ['uid', 'id', 'confirmed'],
    // An expired invitation can no longer be accepted. Members from the directory are managed there.
    deletedMark: ({ expired, isDSyncUser }) => expired === true || isDSyncUser === true,
  },
  // Who has not confirmed yet shows no projects (Terraform provider); of anybody else a list without any has no such member.
  decode: ({ email, role, confirmed, ...found }: ApiObject) => ({
    ...({ email, role } as { email: string; role: string }),
    ...(confirmed === false && found.projects === undefined
      ? undefined
      : { projects: projectsOf(found).map((project) => ({ ...project })) }),
  }),
  ...memberRequests,
});
