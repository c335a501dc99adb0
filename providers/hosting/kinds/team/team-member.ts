import * as z from 'zod';
import { asksForWrite, type Change, defineKind, openEnum } from '#kind';
import { batch } from '#shapes';
import { memberRequests, memberWrites } from './team-member-writes.ts';
import { isLowered, isSeat, teamRoles } from './team-roles.ts';

const isRoleWritten = ({ fields }: Change): boolean =>
  fields.some((field) => field.path === 'role' && asksForWrite(field));

const rolesOf = ({ before, after }: Change) => [before?.fields.role, after?.fields.role] as const;

function takesAway(change: Change): boolean {
  if (change.action === 'create' || change.action === 'delete') return change.action === 'delete';
  return isRoleWritten(change) && isLowered(...rolesOf(change));
}

function takesSeat(change: Change): boolean {
  const [old, now] = rolesOf(change);
  if (change.action === 'create') return isSeat(now);
  return change.action !== 'delete' && isRoleWritten(change) && isSeat(now) && !isSeat(old);
}

/** Somebody in the team, or invited to it. Both go by their e-mail address, which stays when an invitation is accepted. */
export const teamMember = defineKind({
  name: 'teamMember',
  doc: 'Somebody in the team, or invited to it: who is new gets an invitation by e-mail, and is there once it is accepted.',
  section: 'members',
  key: ['email'],
  id: 'email',
  lifecycle: { replace: 'free', asks: { cost: takesSeat, 'remove-access': takesAway } },
  fields: () => ({
    email: z.email().describe('The e-mail address, as the list of members has it.'),
    role: openEnum(teamRoles).describe('What they may do in the team. Some roles cost a seat.'),
  }),
  example: `$allow: [cost]
members:
  grace@example.com: { role: MEMBER }
  alan@example.com: { role: VIEWER }`,
  rules: {
    grade: (change) =>
      takesAway(change)
        ? { grade: 'destructive', reason: 'they can no longer do what they could' }
        : undefined,
  },
  shape: {
    ...batch(memberWrites),
    words: () => [
      'An invitation that is not accepted yet is withdrawn in place of a removal. Nothing takes away the access of the last owner, or of the user whose token is used.',
    ],
  },
  read: {
    endpoint: 'GET /v3/teams/{teamId}/members',
    items: 'members+emailInviteCodes',
    facts: ['uid', 'id', 'confirmed'],
    // Nobody can accept it any more. Those of the directory are its own.
    gone: ({ expired, isDSyncUser }) => expired === true || isDSyncUser === true,
  },
  ...memberRequests,
});
