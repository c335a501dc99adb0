import * as z from 'zod';
import type { Call } from '../call.ts';
import { badRequest, notFound } from '../errors.ts';
import { checkProjectIds } from '../find-project.ts';
import { cursorPage, limitQuery, pageLimit } from '../http/pages.ts';
import { text } from '../http/query.ts';
import { operation, type Resource } from '../resource.ts';
import {
  type AccessGroup,
  type AccessGroupProject,
  findGroup,
  writableProjectRoles,
} from './access-group-state.ts';

const updateBody = z.strictObject({ role: z.enum(writableProjectRoles) });
const createBody = updateBody.extend({ projectId: z.string() });

const times = ({ createdAt, updatedAt }: AccessGroupProject) => ({
  createdAt: String(createdAt),
  updatedAt: String(updatedAt),
});

function read(group: AccessGroup, held: AccessGroupProject): Record<string, unknown> {
  return { ...held, ...times(held), accessGroupId: group.id, teamId: group.ownerId };
}

function find(call: Call): { group: AccessGroup; held: AccessGroupProject } {
  const group = findGroup(call);
  const held = group.projects.find((one) => one.projectId === call.params.projectId);
  if (held === undefined) throw notFound('Access group project');
  return { group, held };
}

function list(call: Call, group: AccessGroup): unknown {
  const size = pageLimit(call);
  const { page, next } = cursorPage(call, group.projects, (one) => one.createdAt, { param: 'next', size });
  const projects = page.map((held) => {
    const { projectId, role } = held;
    const project = call.account.projects.find((one) => one.id === projectId);
    return {
      projectId,
      role,
      ...times(held),
      project: { name: project?.name, framework: project?.framework },
    };
  });
  return { projects, pagination: { count: page.length, next } };
}

/** The projects of an access group, one at a time. */
export const accessGroupProject: Resource = {
  operations: {
    listAccessGroupProjects: operation(
      { on: findGroup, query: { ...limitQuery, next: text }, list: 'projects' },
      list,
    ),
    createAccessGroupProject: operation(
      { on: findGroup, body: createBody },
      (call, group, { projectId, role }) => {
        checkProjectIds(call, [projectId]);
        if (group.projects.some((one) => one.projectId === projectId)) {
          throw badRequest(`The project ${projectId} is already in this access group.`);
        }
        const at = call.time();
        const held = { projectId, role, createdAt: at, updatedAt: at };
        group.projects.push(held);
        group.updatedAt = at;
        return read(group, held);
      },
    ),
    readAccessGroupProject: operation({ on: find }, (_, { group, held }) => read(group, held)),
    updateAccessGroupProject: operation({ on: find, body: updateBody }, (call, { group, held }, { role }) => {
      group.updatedAt = call.time();
      Object.assign(held, { role, updatedAt: group.updatedAt });
      return read(group, held);
    }),
    deleteAccessGroupProject: operation({ on: find, answers: 'none' }, (call, { group, held }) => {
      group.projects.splice(group.projects.indexOf(held), 1);
      group.updatedAt = call.time();
    }),
  },
  forget({ accessGroups }, projectId) {
    for (const group of accessGroups) {
      group.projects = group.projects.filter((one) => one.projectId !== projectId);
    }
  },
};
