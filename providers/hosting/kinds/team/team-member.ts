import * as z from 'zod';
import { asksForWrite, type Change, defineKind, openEnum, type Permission } from '#kind';
import { batch } from '#shapes';
import { memberRequests, memberWrites } from './team-member-writes.ts';
import { isLowered, isSeat, teamRoles } from './team-roles.ts';

const roleIn = ({ fields }: Change) => fields.find((field) => field.path === 'role' && asksForWrite(field));

function asks(change: Change): Permission[] {
  const { action, before, after } = change;
  if (action === 'delete') return ['remove-access'];
  if (action === 'create') return isSeat(after?.fields.role) ? ['cost'] : [];
  const role = roleIn(change);
  if (!role) return [];
  const [old, now] = [before?.fields.role, after?.fields.role];
  return [
    ...(isLowered(old, now) ? (['remove-access'] as const) : []),
    ...(isSeat(now) && !isSeat(old) ? (['cost'] as const) : []),
  ];
}

/** Somebody in the team, or invited to it. Both go by their e-mail address, which stays when an invitation is accepted. */
export const teamMember = defineKind({
  name: 'teamMember',
  doc: 'Somebody in the team, or invited to it: who is new gets an invitation by e-mail, and is there once it is accepted.',
  section: 'members',
  key: ['email'],
  id: 'email',
  lifecycle: { replace: 'free', asks },
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
      change.action === 'delete' || (change.action !== 'create' && asks(change).includes('remove-access'))
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
