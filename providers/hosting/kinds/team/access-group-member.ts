import * as z from 'zod';
import { defineKind } from '#kind';
import { batch } from '#shapes';
import { memberWrites } from './access-group-member-writes.ts';

/** A member of an access group. All changes of one group are one request. */
export const accessGroupMember = defineKind({
  name: 'accessGroupMember',
  doc: 'A member of an access group, who must already be in the team.',
  section: 'members',
  parent: 'accessGroup',
  key: ['uid'],
  id: 'uid',
  lifecycle: { replace: 'free', asks: { 'remove-access': 'delete' } },
  fields: () => ({ uid: z.string().min(1).describe("The user's id, as in the list of team members.") }),
  example: { '8k2Xb4uWq1Yt5cZe7nVr3oPd': {} },
  shape: batch(memberWrites),
  read: { endpoint: 'GET /v1/access-groups/{accessGroup}/members', items: 'members' },
  create: 'POST /v1/access-groups/{accessGroup}',
  delete: 'POST /v1/access-groups/{accessGroup}',
});
