import { type BatchContext, type Draft, type Fields, problem, request, type Step } from '#kind';

/** Returns the draft for all changes of an access group's members: one request, or the refusal of a group that a directory manages. */
export const memberWrites = (steps: Step[], context: BatchContext): Draft[] => [
  refuseDirectoryGroup(steps, context) ?? writes(steps),
];

/**
 * Refuses changes to a group that the company's directory manages: its members are set in the directory, and the platform refuses
 * writes.
 */
function refuseDirectoryGroup(steps: Step[], { facts, parent }: BatchContext): Draft | undefined {
  if (!facts.isDsyncManaged) return undefined;
  const [location] = steps.flatMap(({ after }) => after?.at ?? []);
  return {
    changes: steps.map(({ address }) => address),
    requests: [],
    problem: problem('member/directory', `the team's directory manages the members of ${parent}`, {
      address: parent!,
      at: location,
      hint: 'change its members in the directory; here remove them, and stop managing applied ones with `delete: false` under `removed`',
    }),
  };
}

/** Returns one request for all changes of an access group's members. */
function writes(steps: Step[]): Draft {
  const stepsOf = (...actions: Step['action'][]) => steps.filter(({ action }) => actions.includes(action));
  const added = stepsOf('create', 'replace').map(({ address, after }) => ({ address, id: uidOf(after!) }));
  const removed = stepsOf('delete', 'replace').map(({ address, before }) => ({
    address,
    id: uidOf(before!),
  }));
  const uids = (members: { id: string }[]) => members.map(({ id }) => id);
  return {
    changes: steps.map(({ address }) => address),
    requests: [
      {
        ...request('POST /v1/access-groups/{accessGroup}', {
          ...(added.length > 0 ? { membersToAdd: uids(added) } : {}),
          ...(removed.length > 0 ? { membersToRemove: uids(removed) } : {}),
        }),
        // The platform may not find a person who has just joined the team, so this error is retried.
        late: ['member_not_found'],
        returns: added,
        drops: removed,
      },
    ],
  };
}

const uidOf = ({ fields }: { fields: Fields }) => String(fields.uid);
