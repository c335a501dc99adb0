import * as z from 'zod';
import { Collection } from '../collection.ts';
import { badRequest } from '../errors.ts';
import { checkProjectIds } from '../find-project.ts';
import { forgetting } from '../forget.ts';
import type { Resource } from '../resource.ts';
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

const held = new Collection<AccessGroupProject, AccessGroup>(
  {
    what: 'Access group project',
    param: 'projectId',
    by: ['projectId'],
    shows: (_, accessGroupProject, group) => ({
      ...accessGroupProject,
      ...times(accessGroupProject),
      accessGroupId: group.id,
      teamId: group.ownerId,
    }),
  },
  findGroup,
  (_, group) => group.projects,
);

/** The projects of an access group, one at a time. */
export const accessGroupProject: Resource = {
  operations: {
    listAccessGroupProjects: held.pages('projects', {
      cursor: 'next',
      row({ account }, accessGroupProject) {
        const project = account.projects.find(({ id }) => id === accessGroupProject.projectId);
        return {
          ...accessGroupProject,
          ...times(accessGroupProject),
          project: { name: project?.name, framework: project?.framework },
        };
      },
    }),
    createAccessGroupProject: held.create({ body: createBody }, (call, { projectId, role }, group) => {
      checkProjectIds(call, [projectId]);
      if (group.projects.some((project) => project.projectId === projectId)) {
        throw badRequest(`The project ${projectId} is already in this access group.`);
      }
      group.updatedAt = call.time();
      return { projectId, role, createdAt: group.updatedAt, updatedAt: group.updatedAt };
    }),
    readAccessGroupProject: held.read(),
    updateAccessGroupProject: held.update({ body: updateBody }, (call, accessGroupProject, body, group) => {
      group.updatedAt = call.time();
      Object.assign(accessGroupProject, body);
    }),
    deleteAccessGroupProject: held.remove({ answers: 'none' }, (call, _, group) => {
      group.updatedAt = call.time();
    }),
  },
  forget: forgetting('accessGroups', 'projects'),
};
