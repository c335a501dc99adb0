import * as z from 'zod';
import type { Project } from '../account.ts';
import { type Making, stamped } from '../call.ts';
import { badRequest, forbidden } from '../errors.ts';
import { projectById, projectIdsOf } from '../find-project.ts';
import { readProject } from '../projects/project-state.ts';
import { operation, type Resource, seedList, seedOwned } from '../resource.ts';
import { findTeam } from '../team/team.ts';
import { groups, join, leave, type MicrofrontendsGroup, projectsIn } from './group-state.ts';

declare module '../account.ts' {
  interface AccountSeed extends Seeds<'microfrontendsGroups', typeof seed> {}
}

const app = z.strictObject({ projectId: z.string(), defaultRoute: z.string().optional() });
const createBody = z.strictObject({
  groupName: z.string(),
  defaultApp: app,
  otherApplications: z.array(app),
});
const updateBody = z.strictObject({
  name: z.string().optional(),
  fallbackEnvironment: z.string().optional(),
  enablePolyrepoBranchRouting: z.boolean().optional(),
});
const seed = z.strictObject({
  ...seedOwned,
  name: z.string(),
  /** By name or id; the first is the default application. */
  projects: z.array(z.string()).min(1),
});

/** Adds a group with its first projects, or throws for a name that it cannot have. */
function make(making: Making, name: string, projects: [Project, string | undefined][]): MicrofrontendsGroup {
  if (making.owner.team === undefined) throw forbidden('Microfrontends belong to a team.');
  const { owner } = making;
  if (
    name === '' ||
    groups.all(making, owner.id).some((microfrontendsGroup) => microfrontendsGroup.name === name)
  )
    throw badRequest(`A microfrontends group cannot be called "${name}", or there is one already.`);
  const slug = name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const group: MicrofrontendsGroup = {
    ...stamped(making, 'mfe_'),
    ...{ ownerId: owner.id, name, slug, fallbackEnvironment: 'SAME_ENV', enablePolyrepoBranchRouting: false },
  };
  groups.add(making, group, owner.id);
  projects.forEach(([project, defaultRoute], index) => {
    join(making, group, project, { isDefaultApp: index === 0, ...(defaultRoute && { defaultRoute }) });
  });
  return group;
}

/** Groups of microfrontends. */
export const microfrontendsGroup: Resource = {
  keeps: { account: { microfrontendsGroups: [] } },
  operations: {
    getMicrofrontendsGroups: groups.list('groups', {
      row: (call, group, ownerId) => ({
        group: groups.show(call, group, ownerId),
        projects: projectsIn(call.account, group).map(({ id, microfrontends }) => ({ id, microfrontends })),
      }),
    }),
    getMicrofrontendsInGroup: operation(
      { on: groups.named, list: 'projects' },
      (call, { object: group }) => ({
        projects: projectsIn(call.account, group).map((project) => readProject(call, project)),
      }),
    ),
    createMicrofrontendsGroupWithApplications: operation(
      { body: createBody },
      (call, _, { groupName, defaultApp, otherApplications }) => {
        const projects = [defaultApp, ...otherApplications].map(
          ({ projectId, defaultRoute }): [Project, string | undefined] => [
            projectById(call, projectId),
            defaultRoute,
          ],
        );
        for (const [{ name, microfrontends }] of projects)
          if (microfrontends?.enabled)
            throw badRequest(`The project ${name} is in another microfrontends group.`);
        return { newMicrofrontendsGroup: groups.show(call, make(call, groupName, projects), call.owner.id) };
      },
    ),
    updateMicrofrontendsGroup: operation(
      { on: groups.named, body: updateBody },
      (call, { object: group, home }, body) => {
        Object.assign(group, body, { updatedAt: call.time() });
        return { updatedMicrofrontendsGroup: groups.show(call, group, home) };
      },
    ),
    deleteMicrofrontendsGroup: groups.remove({ answer: {} }, (call, group) => {
      const projects = projectsIn(call.account, group);
      if (projects.length > 0 && !call.switches.microfrontendsGroupDeleteTakesOut)
        throw badRequest('Projects are in the microfrontends group: they leave it first.');
      for (const project of projects) leave(call, project);
    }),
  },
  clientOperations: {
    // The Terraform provider makes a group without projects, which join later.
    'PATCH /teams/{teamId}/microfrontends': operation(
      { on: findTeam, body: z.strictObject({ newMicrofrontendsGroupName: z.string() }) },
      (call, team, { newMicrofrontendsGroupName: name }) => {
        const group = make({ ...call, owner: { id: team.id, team } }, name, []);
        return { newMicrofrontendsGroup: groups.show(call, group, team.id) };
      },
    ),
  },
  after: ['projects'],
  seed: {
    account: {
      microfrontendsGroups: seedList(seed, (making, { id, name, projects }) => {
        const ids = projectIdsOf(making, projects);
        const projectsOfSeed = ids.map((id) => making.account.projects.find((project) => project.id === id)!);
        const microfrontendsGroup = make(
          making,
          name,
          projectsOfSeed.map((project) => [project, undefined]),
        );
        Object.assign(microfrontendsGroup, id && { id });
      }),
    },
  },
};
