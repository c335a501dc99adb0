import { z } from 'zod';
import { type Draft, defineKind, request, type Step } from '#kind';

/** A member of an access group. All changes of one group are one request. */
export const accessGroupMember = defineKind({
  name: 'accessGroupMember',
  doc: 'A member of an access group; a member of the team already.',
  section: 'members',
  parent: 'accessGroup',
  key: ['uid'],
  id: 'uid',
  replace: 'free',
  fields: { uid: z.string().min(1).describe("The user's id, as the list of team members has it.") },
  example: `accessGroups:
  Frontend:
    members: { 8k2Xb4uWq1Yt5cZe7nVr3oPd: {} }`,
  claims: ['POST /v1/access-groups/{accessGroup}'],
  api: {
    list: { endpoint: 'GET /v1/access-groups/{accessGroup}/members', items: 'members' },
    verbs: ['create', 'delete'],
    batch: (steps) => [writes(steps)],
  },
});

function writes(steps: Step[]): Draft {
  const of = (action: Step['action']) => steps.filter((step) => step.action === action);
  const uidOf = ({ before, after }: Step) => String((before ?? after)!.fields.uid);
  const ids = (some: Step[]) => some.map((step) => ({ address: step.address, id: uidOf(step) }));
  const [added, removed] = [of('create'), of('delete')];
  return {
    changes: steps.map(({ address }) => address),
    requests: [
      {
        ...request('POST /v1/access-groups/{accessGroup}', {
          ...(added.length > 0 ? { membersToAdd: added.map(uidOf) } : {}),
          ...(removed.length > 0 ? { membersToRemove: removed.map(uidOf) } : {}),
        }),
        // Whoever has just joined the team is not known everywhere at once.
        late: ['member_not_found'],
        returns: ids(added),
        drops: ids(removed),
      },
    ],
  };
}
