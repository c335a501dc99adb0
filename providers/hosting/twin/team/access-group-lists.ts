import type { Team } from '../account.ts';
import type { Call } from '../call.ts';
import { cursorList } from '../cursor-list.ts';
import { text, wholeNumber } from '../http/query.ts';
import type { Resource } from '../resource.ts';
import { type AccessGroup, currentMembers, findGroup, readGroup, teamOf } from './access-group-state.ts';
import { matchesSearch } from './team-member-state.ts';

/** Returns the first ids under the name `param`, as many as the query asks for (`membersLimit`); nothing if it asks for none. */
function first(call: Call, param: string, ids: string[]) {
  const limit = call.query.get(`${param}Limit`);
  return limit === null ? {} : { [param]: ids.slice(0, Number(limit)) };
}

/** Lists of access groups, and of the members of one. */
export const accessGroupLists: Resource = {
  operations: {
    listAccessGroups: cursorList<AccessGroup, Team>(
      'accessGroups',
      {
        on: teamOf,
        cursor: 'next',
        query: { membersLimit: wholeNumber, projectsLimit: wholeNumber },
        where: {
          search: [text, ({ name }, asked) => name.toLowerCase().includes(asked.toLowerCase())],
          projectId: [text, ({ projects }, id) => !id || projects.some((held) => held.projectId === id)],
        },
        row: (call, group) => ({
          ...readGroup(call, group),
          isDsyncManaged: group.isDsyncManaged,
          ...first(
            call,
            'members',
            currentMembers(call, group).map(({ uid }) => uid),
          ),
          ...first(
            call,
            'projects',
            group.projects.map(({ projectId }) => projectId),
          ),
        }),
      },
      ({ account }, { id }) => account.accessGroups.filter(({ ownerId }) => ownerId === id),
    ),
    listAccessGroupMembers: cursorList(
      'members',
      {
        on: findGroup,
        cursor: 'next',
        where: { search: [text, matchesSearch] },
        row: (_, { uid, email, username, name, role, createdAt }) => ({
          ...{ uid, email, username, ...(name === null ? {} : { name }), teamRole: role },
          createdAt: String(createdAt),
        }),
      },
      currentMembers,
    ),
  },
};
