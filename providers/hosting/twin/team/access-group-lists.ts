import type { Call } from '../call.ts';
import { cursorPage, limitQuery, pageLimit } from '../http/pages.ts';
import { text, wholeNumber } from '../http/query.ts';
import { operation, type Resource } from '../resource.ts';
import { type AccessGroup, currentMembers, findGroup, readGroup, teamOf } from './access-group-state.ts';
import { matchesSearch } from './team-member-state.ts';

// With membersLimit or projectsLimit the ids of the first ones come along.
function list(call: Call): unknown {
  const team = teamOf(call);
  const search = (call.query.get('search') ?? '').toLowerCase();
  const projectId = call.query.get('projectId');
  const wanted = call.account.accessGroups
    .filter((one) => one.ownerId === team.id && one.name.toLowerCase().includes(search))
    .filter((one) => !projectId || one.projects.some((held) => held.projectId === projectId));
  const size = pageLimit(call);
  const { page, next } = cursorPage(call, wanted, (one) => one.createdAt, { param: 'next', size });
  const first = (param: string, ids: string[]) => {
    const limit = call.query.get(`${param}Limit`);
    return limit === null ? {} : { [param]: ids.slice(0, Number(limit)) };
  };
  return {
    accessGroups: page.map((group) => ({
      ...readGroup(call, group),
      isDsyncManaged: group.isDsyncManaged,
      ...first(
        'members',
        currentMembers(call, group).map((one) => one.uid),
      ),
      ...first(
        'projects',
        group.projects.map((one) => one.projectId),
      ),
    })),
    pagination: { count: page.length, next },
  };
}

function listMembers(call: Call, group: AccessGroup): unknown {
  const search = call.query.get('search');
  const wanted = currentMembers(call, group).filter((one) => matchesSearch(one, search));
  const size = pageLimit(call);
  const { page, next } = cursorPage(call, wanted, (one) => one.createdAt, { param: 'next', size });
  const members = page.map(({ uid, email, username, name, role, createdAt }) => ({
    uid,
    email,
    username,
    ...(name === null ? {} : { name }),
    teamRole: role,
    createdAt: String(createdAt),
  }));
  return { members, pagination: { count: page.length, next } };
}

/** Lists of access groups, and of the members of one. */
export const accessGroupLists: Resource = {
  operations: {
    listAccessGroups: operation(
      {
        query: {
          search: text,
          projectId: text,
          membersLimit: wholeNumber,
          projectsLimit: wholeNumber,
          ...limitQuery,
          next: text,
        },
        list: 'accessGroups',
      },
      list,
    ),
    listAccessGroupMembers: operation(
      {
        on: findGroup,
        query: { search: text, ...limitQuery, next: text },
        list: 'members',
      },
      listMembers,
    ),
  },
};
