import * as z from 'zod';
import type { Team } from '../account.ts';
import type { Call } from '../call.ts';
import { notFound } from '../errors.ts';
import { strings } from '../validate.ts';

/** The members of a change that only the Terraform provider sends: ids of access groups to join and to leave. */
export const groupChanges = z.strictObject({
  accessGroupsToAdd: strings.optional(),
  accessGroupsToRemove: strings.optional(),
});
type GroupChanges = z.infer<typeof groupChanges>;

const groupsIn = ({ account }: Call, team: Team) =>
  account.accessGroups.filter(({ ownerId }) => ownerId === team.id);

/** Returns the member `accessGroups` of an answer, as the Terraform provider reads it; an empty object if the person is in no group. */
export function groupsOf(
  call: Call,
  team: Team,
  uid: string,
): { accessGroups?: { id: string; name: string }[] } {
  const accessGroups = groupsIn(call, team)
    .filter(({ members }) => members.some((member) => member.uid === uid))
    .map(({ id, name }) => ({ id, name }));
  return accessGroups.length === 0 ? {} : { accessGroups };
}

/** Returns the ids of access groups after a change. Throws 404 for a group that the team does not have. */
export function changedGroups(
  call: Call,
  team: Team,
  ids: string[],
  { accessGroupsToAdd = [], accessGroupsToRemove = [] }: GroupChanges,
): string[] {
  const groupIds = groupsIn(call, team).map(({ id }) => id);
  if (accessGroupsToAdd.some((id) => !groupIds.includes(id))) throw notFound('Access group');
  return [...new Set([...ids, ...accessGroupsToAdd])].filter((id) => !accessGroupsToRemove.includes(id));
}

/** Puts a member into these access groups, and takes it out of all others. */
export function setGroups(call: Call, team: Team, uid: string, ids: string[]): void {
  for (const group of groupsIn(call, team)) {
    const otherMembers = group.members.filter((member) => member.uid !== uid);
    if (!ids.includes(group.id)) group.members = otherMembers;
    else if (otherMembers.length === group.members.length)
      group.members.push({ uid, createdAt: call.time() });
  }
}
