import * as z from 'zod';
import { Answer, type Bodies, type Call, type Handlers, type Queries } from '../call.ts';
import { badRequest, notFound } from '../errors.ts';
import { cursorPage } from '../http/cursor-page.ts';
import { limitQuery, pageLimit } from '../http/pages.ts';
import { text } from '../http/query.ts';
import { checkProjectIds } from '../projects/project-references.ts';
import { parseBody } from '../validate.ts';
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
  const group = findGroup(call, call.params.accessGroupIdOrName!);
  const held = group.projects.find((one) => one.projectId === call.params.projectId);
  if (held === undefined) throw notFound('Access group project');
  return { group, held };
}

function create(call: Call): unknown {
  const group = findGroup(call, call.params.accessGroupIdOrName!);
  const { projectId, role } = parseBody(createBody, call.body, call.outside);
  checkProjectIds(call, [projectId]);
  if (group.projects.some((one) => one.projectId === projectId)) {
    throw badRequest(`The project ${projectId} is already in this access group.`);
  }
  const at = call.time();
  const held = { projectId, role, createdAt: at, updatedAt: at };
  group.projects.push(held);
  group.updatedAt = at;
  return read(group, held);
}

function list(call: Call): unknown {
  const group = findGroup(call, call.params.idOrName!);
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
export const accessGroupProjectHandlers: Handlers = {
  listAccessGroupProjects: list,
  createAccessGroupProject: create,
  readAccessGroupProject(call) {
    const { group, held } = find(call);
    return read(group, held);
  },
  updateAccessGroupProject(call) {
    const { group, held } = find(call);
    held.role = parseBody(updateBody, call.body, call.outside).role;
    held.updatedAt = call.time();
    group.updatedAt = held.updatedAt;
    return read(group, held);
  },
  deleteAccessGroupProject(call) {
    const { group, held } = find(call);
    group.projects.splice(group.projects.indexOf(held), 1);
    group.updatedAt = call.time();
    return new Answer(200);
  },
};

/** The schemas of their request bodies. */
export const accessGroupProjectBodies: Bodies = {
  createAccessGroupProject: createBody,
  updateAccessGroupProject: updateBody,
};

/** The query parameters that they read. */
export const accessGroupProjectQueries: Queries = { listAccessGroupProjects: { ...limitQuery, next: text } };
