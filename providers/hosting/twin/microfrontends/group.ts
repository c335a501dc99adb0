import * as z from 'zod';
import type { Account, Project } from '../account.ts';
import { type Call, type Making, stamped } from '../call.ts';
import { badRequest, conflict, forbidden, notFound } from '../errors.ts';
import { projectById, projectIdsOf } from '../find-project.ts';
import { readProject } from '../projects/project-state.ts';
import { operation, type Resource, seedList, seedOwned } from '../resource.ts';
import { findTeam } from '../team/team.ts';

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
const settings = {
  isDefaultApp: z.boolean().optional(),
  defaultRoute: z.string().optional(),
  routeObservabilityToThisProject: z.boolean().optional(),
  doNotRouteWithMicrofrontendsRouting: z.boolean().optional(),
};
const membershipBody = z.strictObject({
  microfrontendsGroupId: z.string().optional(),
  enabled: z.boolean().optional(),
  ...settings,
});
const seed = z.strictObject({
  ...seedOwned,
  name: z.string(),
  /** By name or id; the first is the default application. */
  projects: z.array(z.string()).min(1),
});

/** A project's part in a group; with `enabled: false` it has left. */
export interface Microfrontends extends z.infer<z.ZodObject<typeof settings>> {
  groupIds: string[];
  enabled: boolean;
  updatedAt: number;
}

export interface MicrofrontendsGroup {
  id: string;
  ownerId: string;
  name: string;
  slug: string;
  fallbackEnvironment: string;
  enablePolyrepoBranchRouting: boolean;
  createdAt: number;
  updatedAt: number;
}

declare module '../account.ts' {
  interface AccountParts {
    microfrontendsGroups: MicrofrontendsGroup[];
  }
  interface AccountSeed {
    microfrontendsGroups?: z.input<typeof seed>[];
  }
  interface ProjectParts {
    microfrontends: Microfrontends | null;
  }
}

const projectsIn = ({ projects }: Account, { id }: MicrofrontendsGroup): Project[] =>
  projects.filter(({ microfrontends: its }) => its?.enabled && its.groupIds.includes(id));

/** The group of that id in a team, or 404. */
function groupOf({ account }: Call, ownerId: string, id: string | undefined): MicrofrontendsGroup {
  const found = account.microfrontendsGroups.find((one) => one.id === id && one.ownerId === ownerId);
  if (found === undefined) throw notFound('Microfrontends group');
  return found;
}

const groupOfPath = (call: Call): MicrofrontendsGroup => {
  const inPath = call.params.teamId !== undefined;
  return groupOf(call, inPath ? findTeam(call).id : call.owner.id, call.params.groupId);
};

const shown = ({ ownerId, ...group }: MicrofrontendsGroup) => ({ ...group, team_id: ownerId });

function join(
  making: Making,
  group: MicrofrontendsGroup,
  project: Project,
  its: Partial<Microfrontends>,
): void {
  const known = project.microfrontends;
  if (known?.enabled && !known.groupIds.includes(group.id))
    throw conflict(`The project ${project.name} is in another microfrontends group.`);
  // There is one default application: a new one takes the place of the old one.
  if (its.isDefaultApp)
    for (const other of projectsIn(making.account, group))
      if (other !== project) other.microfrontends!.isDefaultApp = false;
  project.microfrontends = {
    ...(known?.enabled ? known : {}),
    ...its,
    groupIds: [group.id],
    enabled: true,
    updatedAt: making.time(),
  };
}

function make(making: Making, name: string, projects: [Project, string | undefined][]): MicrofrontendsGroup {
  if (making.owner.team === undefined) throw forbidden('Microfrontends belong to a team.');
  const { account, owner } = making;
  if (
    name === '' ||
    account.microfrontendsGroups.some((one) => one.ownerId === owner.id && one.name === name)
  )
    throw badRequest(`A microfrontends group cannot be called "${name}", or there is one already.`);
  const slug = name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const group: MicrofrontendsGroup = {
    ...stamped(making, 'mfe_'),
    ...{ ownerId: owner.id, name, slug, fallbackEnvironment: 'SAME_ENV', enablePolyrepoBranchRouting: false },
  };
  account.microfrontendsGroups.push(group);
  projects.forEach(([project, defaultRoute], index) => {
    join(making, group, project, { isDefaultApp: index === 0, ...(defaultRoute && { defaultRoute }) });
  });
  return group;
}

/** Takes part in a group, changes how, or leaves it: the default application is the last one to do that. */
function update(call: Call, project: Project, body: z.infer<typeof membershipBody>): unknown {
  const { microfrontendsGroupId, enabled, ...its } = body;
  const known = project.microfrontends;
  if (enabled === false) {
    const group = known?.enabled && groupOf(call, call.owner.id, known.groupIds[0]);
    if (group && known.isDefaultApp && projectsIn(call.account, group).length > 1)
      throw conflict('The default application leaves a microfrontends group last.');
    if (group) project.microfrontends = { groupIds: [], enabled: false, updatedAt: call.time() };
    return readProject(call, project);
  }
  const id = microfrontendsGroupId ?? (known?.enabled ? known.groupIds[0] : undefined);
  if (id === undefined)
    throw badRequest('Invalid request: missing required property `microfrontendsGroupId`.');
  if (its.isDefaultApp === false && known?.isDefaultApp)
    throw conflict('A microfrontends group needs a default application: make another one that.');
  join(call, groupOf(call, call.owner.id, id), project, its);
  return readProject(call, project);
}

/** Groups of microfrontends, and the projects in them. */
export const microfrontendsGroup: Resource = {
  keeps: { account: { microfrontendsGroups: [] }, project: { microfrontends: null } },
  operations: {
    getMicrofrontendsGroups: operation({ list: 'groups' }, ({ account, owner }) => ({
      groups: account.microfrontendsGroups
        .filter(({ ownerId }) => ownerId === owner.id)
        .map((group) => ({
          group: shown(group),
          projects: projectsIn(account, group).map(({ id, microfrontends }) => ({ id, microfrontends })),
        })),
    })),
    getMicrofrontendsInGroup: operation({ on: groupOfPath, list: 'projects' }, (call, group) => ({
      projects: projectsIn(call.account, group).map((project) => readProject(call, project)),
    })),
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
        return { newMicrofrontendsGroup: shown(make(call, groupName, projects)) };
      },
    ),
    updateMicrofrontends: operation(
      {
        on: (call) => projectById(call, call.params.projectId),
        body: membershipBody,
        statuses: [409],
      },
      update,
    ),
    updateMicrofrontendsGroup: operation({ on: groupOfPath, body: updateBody }, (call, group, body) => {
      Object.assign(group, body, { updatedAt: call.time() });
      return { updatedMicrofrontendsGroup: shown(group) };
    }),
    deleteMicrofrontendsGroup: operation({ on: groupOfPath }, ({ account }, group) => {
      if (projectsIn(account, group).length > 0)
        throw badRequest('Projects are in the microfrontends group: they leave it first.');
      account.microfrontendsGroups.splice(account.microfrontendsGroups.indexOf(group), 1);
      return {};
    }),
  },
  after: ['projects'],
  seed: {
    account: {
      microfrontendsGroups: seedList(seed, (making, { id, name, projects }) => {
        const ids = projectIdsOf(making, projects);
        const found = ids.map((id) => making.account.projects.find((one) => one.id === id)!);
        Object.assign(
          make(
            making,
            name,
            found.map((project) => [project, undefined]),
          ),
          id ? { id } : {},
        );
      }),
    },
  },
};
